package pdf

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/internal/pdfium"
	"digesto/internal/pdftest"
	"digesto/internal/shareddata"
)

// marked counts the pixels on the marker's half of the palette, and gives their bounds.
func marked(t *testing.T, data []byte) (n int, r image.Rectangle) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p := img.(*image.Paletted)
	for i, v := range p.Pix {
		if v >= greys {
			n++
			at := image.Pt(i%p.Stride, i/p.Stride)
			r = r.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		}
	}
	return n, r
}

// TestPicture draws a page and marks on it what is quoted, and that alone.
func TestPicture(t *testing.T) {
	text := "El farero tiene veinte dias de descanso"
	data := pdftest.MakePDF("BT /F1 12 Tf 72 700 Td ("+text+") Tj 0 -40 Td (La lampara se enciende al ponerse el sol) Tj ET", "BT /F1 12 Tf 72 700 Td (Otra pagina) Tj ET")
	p := NewPictures("")
	defer p.Close()
	img, found, err := p.Page(t.Context(), data, 1, []string{"tiene veinte\ndías de descanso"})
	if err != nil {
		t.Fatal(err)
	}
	if found != 0 {
		t.Errorf("another spelling is found %d times", found)
	}
	if n, _ := marked(t, img); n != 0 {
		t.Errorf("%d pixels are marked", n)
	}
	img, found, err = p.Page(t.Context(), data, 1, []string{"tiene veinte dias de descanso", "nada de esto está aquí ni en ningún otro sitio"})
	if err != nil || found != 1 {
		t.Fatalf("%d %v", found, err)
	}
	n, r := marked(t, img)
	full, _ := png.DecodeConfig(bytes.NewReader(img))
	if n < 500 || r.Dy() > full.Height/20 || r.Min.X < full.Width/10 {
		t.Errorf("%d pixels in %v of %dx%d", n, r, full.Width, full.Height)
	}
	if _, _, err := p.Page(t.Context(), data, 3, nil); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Error(err)
	}
	if _, _, err := p.Page(t.Context(), []byte("%PDF-nada"), 1, nil); err == nil {
		t.Error("a damaged file is drawn")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.Page(ctx, data, 1, nil); err == nil {
		t.Error("it goes on after the end")
	}
}

// TestQuoteOn finds quotations that begin or end on another page.
func TestQuoteOn(t *testing.T) {
	var gs []pdfium.Glyph
	for _, r := range "Artículo 4. Quien cuida el faro descansa veinte días al año sin perder su salario" {
		gs = append(gs, pdfium.Glyph{R: r})
	}
	for quote, want := range map[string]bool{
		"quien  cuida-\nel FARO": true, "Antes. Artículo 4. Quien cuida el faro": true, "hoy Artículo 4": false, "": false, "salario": true,
		"descansa veinte días al año sin perder su salario ni lo demás que le toque":                             true,
		"en la otra página empezaba esto: quien cuida el faro descansa veinte días al año sin perder su salario": true,
		strings.Repeat("a", pictureQuote+1): false,
	} {
		from, to, ok := quoteOn(gs, quote)
		if ok != want || ok && (from > to || to >= len(gs)) {
			t.Errorf("%.40q: %d %d %v", quote, from, to, ok)
		}
	}
}

// TestRealPicture draws a page of a real law.
func TestRealPicture(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shareddata.Dir(t, "corpora/tramites-es/pdf"), "*.pdf"))
	if len(files) == 0 {
		t.Skip("no PDF")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	p := NewPictures("")
	defer p.Close()
	d := readTest(t, data)
	var line line.Line
	for _, l := range d.Lines {
		if len([]rune(l.Text)) > 200 && l.Page > 1 {
			line = l
			break
		}
	}
	img, found, err := p.Page(t.Context(), data, line.Page, []string{line.Text})
	if err != nil || found != 1 {
		t.Fatalf("page %d: %d %v", line.Page, found, err)
	}
	n, _ := marked(t, img)
	t.Logf("%s, page %d: %d KB, %d pixels marked", filepath.Base(files[0]), line.Page, len(img)/1000, n)
	if n < 2000 || len(img) > 1<<20 {
		t.Errorf("%d pixels, %d bytes", n, len(img))
	}
	if dir := os.Getenv("DIGESTO_SHOTS"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, "pagina.png"), img, 0o644)
	}
}
