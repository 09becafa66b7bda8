package pdf

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"unicode"

	"digesto"
	"digesto/internal/pdfium"
)

// Pictures draws pages of PDFs with quotations marked. It is safe for any number
// of goroutines; one page is drawn at a time.
type Pictures struct {
	pool *pdfium.Pool
	turn chan struct{}
}

// NewPictures keeps the compiled PDF engine in a folder; "" = in memory.
func NewPictures(cacheDir string) *Pictures {
	return &Pictures{pool: pdfium.NewPool(cacheDir), turn: make(chan struct{}, 1)}
}

// Close frees the engine. Drawings must have ended.
func (p *Pictures) Close() { p.pool.Close() }

// Bounds of a picture.
const (
	pictureSide  = 1400 // pixels of the longer side
	pictureQuote = 20_000
)

// Page draws a page (from 1) as PNG, the quotations on it marked. found says how
// many of them stand on the page, whole or in part. A page that there is not is not found.
func (p *Pictures) Page(ctx context.Context, data []byte, page int, quotes []string) (picture []byte, found int, err error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	e, err := p.pool.Get(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer p.pool.Put(e)
	doc, done, err := e.Open(ctx, data)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	n, err := e.PageCount(ctx, doc)
	if err != nil {
		return nil, 0, err
	}
	if page < 1 || page > n {
		return nil, 0, &digesto.Error{Code: digesto.CodeNotFound, Message: "el documento no tiene esa página", Hint: "las páginas se cuentan desde 1"}
	}
	raw, err := e.Page(ctx, doc, page-1)
	if err != nil {
		return nil, 0, err
	}
	defer e.ClosePage(ctx)
	img, scale, err := grey(ctx, e, raw)
	if err != nil {
		return nil, 0, err
	}
	for _, q := range quotes {
		if from, to, ok := quoteOn(raw.Glyphs, q); ok {
			found++
			mark(img, raw, from, to, scale)
		}
	}
	var buf bytes.Buffer
	err = png.Encode(&buf, img)
	return buf.Bytes(), found, err
}

// greys are the shades of a drawn page: letters look as with more of them, and the picture
// is a third lighter.
const greys = 16

// grey draws the page that was read last. Its palette has the greys and after them the
// same on the marker's yellow.
func grey(ctx context.Context, e *pdfium.Engine, raw pdfium.Page) (*image.Paletted, float64, error) {
	if !(raw.Width > 1 && raw.Height > 1) {
		return nil, 0, errOCR{"la página no tiene tamaño"}
	}
	scale := pictureSide / math.Max(float64(raw.Width), float64(raw.Height))
	w, h := max(1, int(float64(raw.Width)*scale)), max(1, int(float64(raw.Height)*scale))
	pixels, err := e.DrawOpen(ctx, w, h)
	if err != nil {
		return nil, 0, err
	}
	img := image.NewPaletted(image.Rect(0, 0, w, h), marker())
	for y := range h {
		for x := range w {
			img.Pix[y*img.Stride+x] = pixels[y*w+x] / (256 / greys)
		}
	}
	return img, scale, nil
}

func marker() color.Palette {
	p := make(color.Palette, 2*greys)
	for i := range greys {
		v := uint8(i * 255 / (greys - 1))
		p[i] = color.RGBA{v, v, v, 255}
		p[greys+i] = color.RGBA{v, uint8(int(v) * 236 / 255), uint8(int(v) * 120 / 255), 255}
	}
	return p
}

// pageLetters are what a quotation and a page are compared by.
func pageLetters(s string) (out []rune) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, unicode.ToLower(r))
		}
	}
	return out
}

// quoteOn finds a quotation among the characters of a page by its letters and
// digits alone: lines, hyphens and spaces are the page's affair. A quotation that
// begins or ends on another page is found by what of it stands here.
func quoteOn(gs []pdfium.Glyph, quote string) (from, to int, ok bool) {
	if len(quote) > pictureQuote {
		return 0, 0, false
	}
	want := pageLetters(quote)
	var have []rune
	var at []int
	for i, g := range gs {
		if !g.Turned() && (unicode.IsLetter(g.R) || unicode.IsDigit(g.R)) {
			have, at = append(have, unicode.ToLower(g.R)), append(at, i)
		}
	}
	const least = 24 // letters that prove a part of a quotation
	if i := runesIndex(have, want); i >= 0 && len(want) > 0 {
		return at[i], at[i+len(want)-1], true
	}
	if len(want) < least {
		return 0, 0, false
	}
	if i := runesIndex(have, want[:least]); i >= 0 { // begins here: as far as it goes
		n := same(have[i:], want)
		return at[i], at[i+n-1], true
	}
	if i := runesIndex(have, want[len(want)-least:]); i >= 0 { // ends here: from where it does
		end := i + least
		n := 0
		for n < len(want) && n < end && have[end-1-n] == want[len(want)-1-n] {
			n++
		}
		return at[end-n], at[end-1], true
	}
	return 0, 0, false
}

func same(a, b []rune) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func runesIndex(in, what []rune) int {
	for i := 0; i+len(what) <= len(in); i++ {
		if same(in[i:], what) == len(what) {
			return i
		}
	}
	return -1
}

// mark paints the boxes of a run of characters on the marker's half of the palette.
func mark(img *image.Paletted, raw pdfium.Page, from, to int, scale float64) {
	for _, g := range raw.Glyphs[from : to+1] {
		if g.Right <= g.Left || g.Turned() {
			continue
		}
		const air = 1 // points beside each character, so that words join
		x0, x1 := int(float64(g.Left-air)*scale), int(float64(g.Right+air)*scale)
		y0, y1 := int(float64(raw.Height-g.Top)*scale), int(float64(raw.Height-g.Bottom)*scale)
		r := image.Rect(x0, y0, x1, y1).Intersect(img.Rect)
		if r.Dx() > 200 { // no character is so wide: a damaged box
			continue
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				img.Pix[y*img.Stride+x] |= greys
			}
		}
	}
}
