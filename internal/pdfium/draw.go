package pdfium

import (
	"context"
	"errors"
	"math"
)

// drawFuel is how much more drawing a page may cost than reading it.
const drawFuel = 8

var (
	// ErrNoPage and ErrNoSize are of damaged pages.
	ErrNoPage = errors.New("PDFium cannot load the page")
	ErrNoSize = errors.New("the page has no size")
)

// How a page is drawn (fpdfview.h).
const (
	bitmapGrey      = 1          // FPDFBitmap_Gray
	drawWhite       = 0xFFFFFFFF // ARGB
	drawGrey        = 0x08       // FPDF_GRAYSCALE
	drawAnnotations = 0x01       // FPDF_ANNOT
)

// Draw draws page i (from 0) of an open document in grey, a byte a pixel, at so many
// pixels a point; side bounds its longer side.
func (e *Engine) Draw(ctx context.Context, doc uint64, i int, scale, side float64) (pixels []byte, w, h int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, 0, err
	}
	e.refuel(e.Ration * drawFuel)
	page, err := e.call(ctx, "FPDF_LoadPage", doc, uint64(i))
	if err != nil {
		return nil, 0, 0, err
	}
	if page == 0 {
		return nil, 0, 0, ErrNoPage
	}
	defer func() { _, _ = e.call(ctx, "FPDF_ClosePage", page) }()
	width, err := e.call(ctx, "FPDF_GetPageWidthF", page)
	if err != nil {
		return nil, 0, 0, err
	}
	height, err := e.call(ctx, "FPDF_GetPageHeightF", page)
	if err != nil {
		return nil, 0, 0, err
	}
	fw, fh := float64(math.Float32frombits(uint32(width))), float64(math.Float32frombits(uint32(height)))
	if !(fw > 1 && fh > 1) {
		return nil, 0, 0, ErrNoSize
	}
	scale = min(scale, side/max(fw, fh))
	w, h = max(1, int(fw*scale)), max(1, int(fh*scale))
	pixels, err = e.bitmap(ctx, page, w, h, drawGrey)
	return pixels, w, h, err
}

// DrawOpen draws the page that was read last, its annotations too.
func (e *Engine) DrawOpen(ctx context.Context, w, h int) ([]byte, error) {
	e.refuel(e.Ration * drawFuel)
	return e.bitmap(ctx, e.open, w, h, drawGrey|drawAnnotations)
}

// bitmap draws a page in grey, row after row.
func (e *Engine) bitmap(ctx context.Context, page uint64, w, h int, flags uint64) ([]byte, error) {
	bm, err := e.call(ctx, "FPDFBitmap_CreateEx", uint64(w), uint64(h), bitmapGrey, 0, uint64(w))
	if err != nil || bm == 0 {
		return nil, errors.Join(err, errMemory)
	}
	defer func() { _, _ = e.call(ctx, "FPDFBitmap_Destroy", bm) }()
	if _, err = e.call(ctx, "FPDFBitmap_FillRect", bm, 0, 0, uint64(w), uint64(h), drawWhite); err != nil {
		return nil, err
	}
	if _, err = e.call(ctx, "FPDF_RenderPageBitmap", bm, page, 0, 0, uint64(w), uint64(h), 0, flags); err != nil {
		return nil, err
	}
	buf, err := e.call(ctx, "FPDFBitmap_GetBuffer", bm)
	if err != nil {
		return nil, err
	}
	stride, err := e.call(ctx, "FPDFBitmap_GetStride", bm)
	if err != nil {
		return nil, err
	}
	raw, err := e.bytes(buf, int(stride)*h)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, w*h)
	for y := range h {
		out = append(out, raw[y*int(stride):y*int(stride)+w]...)
	}
	return out, nil
}
