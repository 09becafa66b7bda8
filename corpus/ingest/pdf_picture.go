package ingest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"unicode"

	"digesto"
)

// Pictures draws pages of PDFs with quotations marked. It is safe for any number
// of goroutines; one page is drawn at a time.
type Pictures struct {
	pool *pdfPool
	turn chan struct{}
}

// NewPictures keeps the compiled PDF engine in a folder; "" = in memory.
func NewPictures(cacheDir string) *Pictures {
	return &Pictures{pool: newPDFPool(cacheDir), turn: make(chan struct{}, 1)}
}

// Close frees the engine. Drawings must have ended.
func (p *Pictures) Close() { p.pool.close() }

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
	e, err := p.pool.get(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer p.pool.put(e)
	doc, done, err := e.openDocument(ctx, data)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	n, err := e.call(ctx, "FPDF_GetPageCount", doc)
	if err != nil {
		return nil, 0, err
	}
	if page < 1 || page > int(int32(n)) {
		return nil, 0, &digesto.Error{Code: digesto.CodeNotFound, Message: "el documento no tiene esa página", Hint: "las páginas se cuentan desde 1"}
	}
	raw, err := e.page(ctx, doc, page-1)
	if err != nil {
		return nil, 0, err
	}
	defer e.closePage(ctx)
	img, scale, err := e.grey(ctx, e.open, raw)
	if err != nil {
		return nil, 0, err
	}
	for _, q := range quotes {
		if from, to, ok := quoteOn(raw.glyphs, q); ok {
			found++
			mark(img, raw, from, to, scale)
		}
	}
	var buf bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&buf, img)
	return buf.Bytes(), found, err
}

// grey draws an open page. Its palette has 128 greys and after them the same on
// the marker's yellow.
func (e *pdfEngine) grey(ctx context.Context, page uint64, raw rawPage) (*image.Paletted, float64, error) {
	if !(raw.width > 1 && raw.height > 1) {
		return nil, 0, errOCR{"la página no tiene tamaño"}
	}
	scale := pictureSide / math.Max(float64(raw.width), float64(raw.height))
	w, h := max(1, int(float64(raw.width)*scale)), max(1, int(float64(raw.height)*scale))
	e.refuel(e.ration * ocrFuel)
	const kind, white, flags = 1, 0xFFFFFFFF, 0x08 | 0x01 // FPDFBitmap_Gray, ARGB, FPDF_GRAYSCALE | FPDF_ANNOT
	bm, err := e.call(ctx, "FPDFBitmap_CreateEx", uint64(w), uint64(h), kind, 0, uint64(w))
	if err != nil || bm == 0 {
		return nil, 0, errors.Join(err, errPDFMemory)
	}
	defer func() { _, _ = e.call(ctx, "FPDFBitmap_Destroy", bm) }()
	if _, err = e.call(ctx, "FPDFBitmap_FillRect", bm, 0, 0, uint64(w), uint64(h), white); err != nil {
		return nil, 0, err
	}
	if _, err = e.call(ctx, "FPDF_RenderPageBitmap", bm, page, 0, 0, uint64(w), uint64(h), 0, flags); err != nil {
		return nil, 0, err
	}
	buf, err := e.call(ctx, "FPDFBitmap_GetBuffer", bm)
	if err != nil {
		return nil, 0, err
	}
	stride, err := e.call(ctx, "FPDFBitmap_GetStride", bm)
	if err != nil {
		return nil, 0, err
	}
	pixels, err := e.bytes(buf, int(stride)*h)
	if err != nil {
		return nil, 0, err
	}
	img := image.NewPaletted(image.Rect(0, 0, w, h), marker())
	for y := range h {
		for x := range w {
			img.Pix[y*img.Stride+x] = pixels[y*int(stride)+x] >> 1
		}
	}
	return img, scale, nil
}

func marker() color.Palette {
	p := make(color.Palette, 256)
	for i := range 128 {
		v := uint8(i*2 + 1)
		p[i] = color.RGBA{v, v, v, 255}
		p[128+i] = color.RGBA{v, uint8(int(v) * 236 / 255), uint8(int(v) * 120 / 255), 255}
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
func quoteOn(gs []glyph, quote string) (from, to int, ok bool) {
	if len(quote) > pictureQuote {
		return 0, 0, false
	}
	want := pageLetters(quote)
	var have []rune
	var at []int
	for i, g := range gs {
		if !g.turned() && (unicode.IsLetter(g.r) || unicode.IsDigit(g.r)) {
			have, at = append(have, unicode.ToLower(g.r)), append(at, i)
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
func mark(img *image.Paletted, raw rawPage, from, to int, scale float64) {
	for _, g := range raw.glyphs[from : to+1] {
		if g.right <= g.left || g.turned() {
			continue
		}
		const air = 1 // points beside each character, so that words join
		x0, x1 := int(float64(g.left-air)*scale), int(float64(g.right+air)*scale)
		y0, y1 := int(float64(raw.height-g.top)*scale), int(float64(raw.height-g.bottom)*scale)
		r := image.Rect(x0, y0, x1, y1).Intersect(img.Rect)
		if r.Dx() > 200 { // no character is so wide: a damaged box
			continue
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				img.Pix[y*img.Stride+x] |= 128
			}
		}
	}
}
