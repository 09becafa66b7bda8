package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"digesto/corpus/ingest/line"
	"digesto/internal/pdfium"
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
)

// Recognise has the program read a drawing of every page. Its errors are those of ctx,
// and refusals.
func (r *Reader) Recognise(ctx context.Context, data []byte, program string) (lines []line.Line, pages int, err error) {
	e, err := r.pool.Get(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer r.pool.Put(e)
	lines, pages, err = recognised(ctx, e, data, program)
	var known errOCR
	switch {
	case errors.As(err, &known):
		err = line.Refuse("no_text_layer", "PDF escaneado: "+known.detail)
	case err != nil:
		err = line.Refuse("no_text_layer", "PDF escaneado: no se ha podido dibujar la página: consiga otra copia del archivo")
	}
	return lines, pages, err
}

// errOCR says in Spanish why the recognition gave nothing.
type errOCR struct{ detail string }

func (e errOCR) Error() string { return e.detail }

func recognised(ctx context.Context, e *pdfium.Engine, data []byte, program string) (lines []line.Line, pages int, err error) {
	doc, done, err := e.Open(ctx, data)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	if pages, err = e.PageCount(ctx, doc); err != nil {
		return nil, 0, err
	}
	if pages > ocrPages {
		return nil, pages, errOCR{fmt.Sprintf("tiene %d páginas y el reconocimiento óptico admite %d: divídalo en partes", pages, ocrPages)}
	}
	for i := range pages {
		img, w, h, err := e.Draw(ctx, doc, i, ocrDPI/72.0, ocrSide)
		switch {
		case errors.Is(err, pdfium.ErrNoPage):
			return nil, pages, errOCR{fmt.Sprintf("la página %d está dañada: consiga otra copia del archivo", i+1)}
		case errors.Is(err, pdfium.ErrNoSize):
			return nil, pages, errOCR{"una página no tiene tamaño"}
		case err != nil:
			return nil, pages, err
		}
		text, err := runOCR(ctx, program, pgm(img, w, h))
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

// pgm is a grey picture in the portable graymap format.
func pgm(pixels []byte, w, h int) []byte {
	return append(fmt.Appendf(nil, "P5\n%d %d\n255\n", w, h), pixels...)
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
func ocrLines(s string, page int) []line.Line {
	var out []line.Line
	gap := true
	for _, t := range strings.Split(strings.ReplaceAll(s, "\f", "\n"), "\n") {
		if t = line.Tidy(t); t == "" {
			gap = true
			continue
		}
		out = append(out, line.Line{Text: t, Page: page, Gap: gap})
		gap = false
	}
	return out
}
