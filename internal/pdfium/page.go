package pdfium

import (
	"context"
	endian "encoding/binary"
	"math"
	"strings"
)

// Turned says whether a character stands on its side or its head.
func (g Glyph) Turned() bool { return g.angle > 0.2 && g.angle < 2*math.Pi-0.2 }

// Glyph is one character as PDFium sees it, in points, y upwards.
type Glyph struct {
	R                        rune
	Left, Right, Bottom, Top float32 // loose box: the same height for all characters of a font
	X, Y                     float32 // origin: y is the base line
	size                     float32 // nominal font size
	font                     uint32  // handle, good while the page is open
	Bold                     bool
	object                   uint32  // text object it belongs to, 0 = none
	angle                    float32 // radians
	Generated                bool    // a space or line end that PDFium inferred
	Hyphen                   bool    // a hyphen at a line end, inside a word
}

// Box is the rectangle of a path or image of the page.
type Box struct{ Left, Bottom, Right, Top float32 }

// Page is what is read from one page before anything is made of it.
type Page struct {
	Number        int // from 1
	Width, Height float32
	Glyphs        []Glyph
	Paths, Images []Box
}

// PDFium's numbers for page objects.
const (
	objectPath  = 2
	objectImage = 3
)

// pageLimits bound what one page may hold.
const (
	maxPageChars   = 200_000
	maxPageObjects = 200_000
)

// Page reads page i (from 0) of an open document.
func (e *Engine) Page(ctx context.Context, doc uint64, i int) (Page, error) {
	p := Page{Number: i + 1}
	if err := ctx.Err(); err != nil { // a call in PDFium is not interrupted
		return p, err
	}
	e.refuel(e.Ration)
	page, err := e.call(ctx, "FPDF_LoadPage", doc, uint64(i))
	if err != nil || page == 0 {
		return p, err
	}
	// Fonts live as long as a page that uses them: the page before stays open
	// until this one is loaded, or each page would parse every font again.
	e.ClosePage(ctx)
	e.open = page
	for name, to := range map[string]*float32{"FPDF_GetPageWidthF": &p.Width, "FPDF_GetPageHeightF": &p.Height} {
		v, err := e.call(ctx, name, page)
		if err != nil {
			return p, err
		}
		*to = math.Float32frombits(uint32(v))
	}
	if err := e.chars(ctx, page, &p); err != nil {
		return p, err
	}
	return p, e.objects(ctx, page, &p)
}

// ClosePage closes the page that is open, if any.
func (e *Engine) ClosePage(ctx context.Context) {
	if e.open != 0 {
		_, _ = e.call(ctx, "FPDF_ClosePage", e.open)
		e.open = 0
	}
}

// chars fills in the characters of a page.
func (e *Engine) chars(ctx context.Context, page uint64, p *Page) error {
	text, err := e.call(ctx, "FPDFText_LoadPage", page)
	if err != nil || text == 0 {
		return err
	}
	defer func() { _, _ = e.call(ctx, "FPDFText_ClosePage", text) }()
	n, err := e.call(ctx, "FPDFText_CountChars", text)
	count := int(int32(n))
	if err != nil || count <= 0 {
		return err
	}
	p.Glyphs = make([]Glyph, 0, min(count, maxPageChars))
	err = e.records(ctx, "digesto_scan_chars", text, min(count, maxPageChars), charRecord, func(b []byte) {
		p.Glyphs = append(p.Glyphs, readGlyph(b))
	})
	if err != nil {
		return err
	}
	return e.bold(ctx, p.Glyphs)
}

// bold looks up the fonts of the characters: a bold font says so in its name.
func (e *Engine) bold(ctx context.Context, gs []Glyph) error {
	known := map[uint32]bool{0: false}
	for i, g := range gs {
		b, ok := known[g.font]
		if !ok {
			name, err := e.fontName(ctx, g.font)
			if err != nil {
				return err
			}
			low := strings.ToLower(name)
			b = strings.Contains(low, "bold") || strings.Contains(low, "black") || strings.Contains(low, "heavy")
			known[g.font] = b
		}
		gs[i].Bold = b
	}
	return nil
}

// fontName gives the name of a font, at most 127 bytes of it.
func (e *Engine) fontName(ctx context.Context, font uint32) (string, error) {
	const room = 128
	p, err := e.alloc(ctx, room)
	if err != nil {
		return "", err
	}
	defer e.free(ctx, p)
	n, err := e.call(ctx, "FPDFFont_GetBaseFontName", uint64(font), p, room)
	if err != nil || n == 0 || n > room {
		return "", err
	}
	b, err := e.bytes(p, int(n)-1)
	return string(b), err
}

// objects fills in the paths and images of a page.
func (e *Engine) objects(ctx context.Context, page uint64, p *Page) error {
	n, err := e.call(ctx, "FPDFPage_CountObjects", page)
	count := int(int32(n))
	if err != nil || count <= 0 {
		return err
	}
	return e.records(ctx, "digesto_scan_objects", page, min(count, maxPageObjects), objectRecord, func(b []byte) {
		r := Box{f32(b[8:]), f32(b[12:]), f32(b[16:]), f32(b[20:])}
		switch endian.LittleEndian.Uint32(b[4:]) {
		case objectPath:
			p.Paths = append(p.Paths, r)
		case objectImage:
			p.Images = append(p.Images, r)
		}
	})
}

// records runs one of the scanner's loops and hands each record to each.
func (e *Engine) records(ctx context.Context, name string, handle uint64, n, size int, each func([]byte)) error {
	out, err := e.alloc(ctx, n*size)
	if err != nil {
		return err
	}
	defer e.free(ctx, out)
	if _, err := e.call(ctx, name, handle, uint64(n), out); err != nil {
		return err
	}
	b, err := e.bytes(out, n*size)
	if err != nil {
		return err
	}
	for ; len(b) >= size; b = b[size:] {
		each(b[:size])
	}
	return nil
}

// readGlyph decodes one record of scanChars.
func readGlyph(b []byte) Glyph {
	return Glyph{
		R:      rune(endian.LittleEndian.Uint32(b)),
		object: endian.LittleEndian.Uint32(b[4:]),
		Left:   f32(b[8:]), Top: f32(b[12:]), Right: f32(b[16:]), Bottom: f32(b[20:]),
		X: f64(b[24:]), Y: f64(b[32:]), size: f64(b[40:]),
		font:      endian.LittleEndian.Uint32(b[48:]),
		angle:     f32(b[56:]),
		Generated: b[52] == 1, Hyphen: b[53] == 1,
	}
}

func f32(b []byte) float32 { return math.Float32frombits(endian.LittleEndian.Uint32(b)) }

func f64(b []byte) float32 { return float32(math.Float64frombits(endian.LittleEndian.Uint64(b))) }

// Area is in square points.
func (b Box) Area() float32 { return (b.Right - b.Left) * (b.Top - b.Bottom) }

// Mostly says whether nearly all of c lies in b: a box may hang over the edge
// of the cell that it stands in.
func (b Box) Mostly(c Box) bool {
	w := min(b.Right, c.Right) - max(b.Left, c.Left)
	h := min(b.Top, c.Top) - max(b.Bottom, c.Bottom)
	return w > 0 && h > 0 && w*h > 0.85*c.Area()
}
