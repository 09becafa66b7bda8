package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"time"

	"digesto/corpus"
)

// Scanned PDFs have pages that are pictures. Where the program tesseract is
// installed, PDFium draws each page and tesseract reads the drawing; what comes
// of it is marked as recognised optically, for it has slips.

// Bounds of optical recognition.
const (
	ocrDPI     = 200
	ocrSide    = 4000 // pixels of the longer side of a page
	ocrPages   = 400
	ocrPerPage = 180 * time.Second
	ocrFuel    = 8 // drawing a page costs more than reading it
)

// errOCR says in Spanish why the recognition gave nothing.
type errOCR struct{ detail string }

func (e errOCR) Error() string { return e.detail }

// recognise reads a scanned PDF with the program opt.OCR.
func recognise(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	pool := opt.pdf
	if pool == nil {
		pool = newPDFPool(opt.CacheDir)
		defer pool.close()
	}
	e, err := pool.get(ctx)
	if err != nil {
		return nil, nil, err
	}
	lines, pages, err := e.recognise(ctx, data, opt.OCR)
	pool.put(e)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		detail := err.Error()
		var known errOCR
		if !errors.As(err, &known) {
			detail = "no se ha podido dibujar la página: consiga otra copia del archivo"
		}
		return refuse(path, "no_text_layer", "PDF escaneado: "+detail)
	}
	n := front{}.norm(path, opt)
	n.Format, n.OCR, n.PageCount = "pdf", true, pages
	doc, skipped := assemble(ctx, n, nil, lines, path)
	doc.defect(kindOCR, "PDF escaneado: el texto es de reconocimiento óptico y puede tener errores; cotéjelo antes de citarlo")
	return doc.result(skipped)
}

// recognise draws every page and has the program read it.
func (e *pdfEngine) recognise(ctx context.Context, data []byte, program string) (lines []Line, pages int, err error) {
	doc, done, err := e.openDocument(ctx, data)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	n, err := e.call(ctx, "FPDF_GetPageCount", doc)
	if err != nil {
		return nil, 0, err
	}
	pages = int(int32(n))
	if pages > ocrPages {
		return nil, pages, errOCR{fmt.Sprintf("tiene %d páginas y el reconocimiento óptico admite %d: divídalo en partes", pages, ocrPages)}
	}
	for i := range pages {
		img, err := e.draw(ctx, doc, i)
		if err != nil {
			return nil, pages, err
		}
		text, err := runOCR(ctx, program, img)
		if err != nil {
			return nil, pages, err
		}
		lines = append(lines, ocrLines(text, i+1)...)
	}
	if len(lines) == 0 {
		return nil, pages, errOCR{"el reconocimiento óptico no ha encontrado texto en sus páginas"}
	}
	return lines, pages, nil
}

// draw gives a page as a grey picture in the portable graymap format (PGM).
func (e *pdfEngine) draw(ctx context.Context, doc uint64, i int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.refuel(e.ration * ocrFuel)
	page, err := e.call(ctx, "FPDF_LoadPage", doc, uint64(i))
	if err != nil {
		return nil, err
	}
	if page == 0 {
		return nil, errOCR{fmt.Sprintf("la página %d está dañada: consiga otra copia del archivo", i+1)}
	}
	defer func() { _, _ = e.call(ctx, "FPDF_ClosePage", page) }()
	w, h, err := e.pixels(ctx, page)
	if err != nil {
		return nil, err
	}
	const gray, white, scale = 1, 0xFFFFFFFF, 0x08 // FPDFBitmap_Gray, ARGB, FPDF_GRAYSCALE
	bm, err := e.call(ctx, "FPDFBitmap_CreateEx", uint64(w), uint64(h), gray, 0, uint64(w))
	if err != nil || bm == 0 {
		return nil, errors.Join(err, errPDFMemory)
	}
	defer func() { _, _ = e.call(ctx, "FPDFBitmap_Destroy", bm) }()
	if _, err = e.call(ctx, "FPDFBitmap_FillRect", bm, 0, 0, uint64(w), uint64(h), white); err != nil {
		return nil, err
	}
	if _, err = e.call(ctx, "FPDF_RenderPageBitmap", bm, page, 0, 0, uint64(w), uint64(h), 0, scale); err != nil {
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
	return pgm(raw, w, h, int(stride)), nil
}

// pixels gives the size of the drawing of a page.
func (e *pdfEngine) pixels(ctx context.Context, page uint64) (w, h int, err error) {
	pw, err := e.call(ctx, "FPDF_GetPageWidthF", page)
	if err != nil {
		return 0, 0, err
	}
	ph, err := e.call(ctx, "FPDF_GetPageHeightF", page)
	if err != nil {
		return 0, 0, err
	}
	fw, fh := float64(math.Float32frombits(uint32(pw))), float64(math.Float32frombits(uint32(ph)))
	if !(fw > 1 && fh > 1) {
		return 0, 0, errOCR{"una página no tiene tamaño"}
	}
	scale := min(ocrDPI/72.0, ocrSide/max(fw, fh))
	return max(1, int(fw*scale)), max(1, int(fh*scale)), nil
}

func pgm(raw []byte, w, h, stride int) []byte {
	out := make([]byte, 0, w*h+32)
	out = append(out, fmt.Sprintf("P5\n%d %d\n255\n", w, h)...)
	for y := range h {
		out = append(out, raw[y*stride:y*stride+w]...)
	}
	return out
}

// runOCR has tesseract read one picture in Spanish.
func runOCR(ctx context.Context, program string, img []byte) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, ocrPerPage)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "stdin", "stdout", "-l", "spa", "--dpi", fmt.Sprint(ocrDPI))
	cmd.Env = append(cmd.Environ(), "OMP_THREAD_LIMIT=1") // its threads only wait for one another
	cmd.Stdin = bytes.NewReader(img)
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if strings.Contains(bad.String(), "loading language") || strings.Contains(bad.String(), "traineddata") {
			return "", errOCR{"el programa tesseract no tiene el idioma español: instale tesseract-ocr-spa y vuelva a añadirlo"}
		}
		return "", errOCR{"el programa tesseract ha fallado: compruebe que funciona y vuelva a añadirlo"}
	}
	return out.String(), nil
}

// ocrLines reads what tesseract prints: lines, with a blank one between blocks.
func ocrLines(s string, page int) []Line {
	var out []Line
	gap := true
	for _, t := range strings.Split(strings.ReplaceAll(s, "\f", "\n"), "\n") {
		if t = tidy(t); t == "" {
			gap = true
			continue
		}
		out = append(out, Line{Text: t, Page: page, Gap: gap})
		gap = false
	}
	return out
}
