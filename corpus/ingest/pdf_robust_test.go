package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto/third_party/pdfium"
)

// Bytes from anywhere: each bad document must end in a Spanish defect, soon.

func TestPDFBadDocuments(t *testing.T) {
	good := makePDF(lines(90, 700, "Articulo 1. El faro alumbra."))
	for _, c := range []struct {
		name string
		data []byte
		kind string
		says string
	}{
		{"empty", nil, "empty", "vacío"},
		{"only a header", []byte("%PDF-1.7\n"), "damaged", "dañado"},
		{"not a PDF", bytes.Repeat([]byte("no soy un PDF "), 300), "damaged", "dañado"},
		{"cut short inside the page tree", good[:40], "damaged", "dañado"},
		{"encrypted", encryptedPDF(), "encrypted", "contraseña"},
		{"declares a million pages", hugePDF(1_000_000), "too-large", "páginas"},
		{"no page", assemblePDF("", []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"}), "empty", "páginas"},
		{"pages without text", makePDF("", ""), "no-text", "no contiene texto"},
		{"a scanned page", scannedPDF(), "no-text", "OCR"},
		{"forms that draw forms", bombPDF(), "too-large", "memoria"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := testPool().read(context.Background(), c.data, pdfLimits{})
			var pe *pdfError
			if !errors.As(err, &pe) {
				t.Fatalf("error %v, want one for a report", err)
			}
			if pe.Kind != c.kind || !strings.Contains(pe.Detail, c.says) {
				t.Errorf("%s: %s; want %s with %q", pe.Kind, pe.Detail, c.kind, c.says)
			}
			if took := time.Since(start); took > 60*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestPDFTooManyBytes(t *testing.T) {
	_, err := testPool().read(context.Background(), make([]byte, 2<<20), pdfLimits{Bytes: 1 << 20})
	var pe *pdfError
	if !errors.As(err, &pe) || pe.Kind != "too-large" {
		t.Errorf("error %v, want too-large", err)
	}
}

func TestPDFCancelled(t *testing.T) {
	pages := make([]string, 50)
	for i := range pages {
		pages[i] = lines(90, 700, "Articulo unico. El faro alumbra.")
	}
	data := makePDF(pages...)
	readTest(t, data)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := testPool().read(ctx, data, pdfLimits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
	readTest(t, data) // the pool must still be good
}

// TestPDFFuel gives a page less work than it needs.
func TestPDFFuel(t *testing.T) {
	p := testPool()
	e, err := p.get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	data := makePDF(lines(90, 700, "Articulo 1. El faro alumbra."))
	if _, err := readPDF(context.Background(), e, data, pdfLimits{}); err != nil {
		t.Fatal(err)
	}
	if used := e.ration - e.fuel.Get(); used == 0 || used > pageFuel/50 {
		t.Errorf("a small page burnt %d units of %d", used, uint64(pageFuel))
	}
	doc, done, err := e.openDocument(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	e.ration = 1000
	_, err = e.readPages(context.Background(), doc, 1, documentFuel(1))
	var pe *pdfError
	if !errors.As(err, &pe) || pe.Kind != "timeout" || !strings.Contains(pe.Detail, "no termina") {
		t.Errorf("error %v, want timeout", err)
	}
}

// TestPDFOfManyDearPages: pages that each keep within their own bound are stopped
// by that of the document.
func TestPDFOfManyDearPages(t *testing.T) {
	e, err := testPool().get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	pages := slices.Repeat([]string{lines(90, 700, "Articulo 1. El faro alumbra.")}, 4)
	doc, done, err := e.openDocument(context.Background(), makePDF(pages...))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	var pe *pdfError
	if _, err := e.readPages(context.Background(), doc, len(pages), documentFuel(len(pages))); err != nil {
		t.Errorf("within the bound: %v", err)
	}
	one := int64(e.ration - e.fuel.Get())
	if _, err := e.readPages(context.Background(), doc, len(pages), 2*one); !errors.As(err, &pe) || pe.Kind != "timeout" || !strings.Contains(pe.Detail, "de 4") {
		t.Errorf("beyond it: %v", err)
	}
	if documentFuel(7591) < 7591*one || documentFuel(1<<30) != 1<<37 {
		t.Errorf("a page burns %d", one)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if _, err = e.readPages(ctx, doc, len(pages), documentFuel(1)); !errors.As(err, &pe) || pe.Kind != "timeout" {
		t.Errorf("out of time: %v", err)
	}
}

// TestPDFTruncated cuts a good document at many places: it reads or says why not.
func TestPDFTruncated(t *testing.T) {
	good := makePDF(lines(90, 700, "Articulo 1. El faro alumbra."), lines(90, 700, "Articulo 2. El muelle no."))
	read := 0
	for n := 0; n < len(good); n += 37 {
		_, err := testPool().read(context.Background(), good[:n], pdfLimits{})
		var pe *pdfError
		if err != nil && !errors.As(err, &pe) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if err == nil {
			read++
		}
	}
	if read == 0 {
		t.Error("no truncated document was read: PDFium's repair is not reached")
	}
}

// encryptedPDF asks for a password that nobody has.
func encryptedPDF() []byte {
	page := "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"
	o, u := strings.Repeat("41", 32), strings.Repeat("42", 32)
	enc := fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /P -44 /O <%s> /U <%s> >>", o, u)
	return assemblePDF("/Encrypt 4 0 R /ID [<01020304050607080102030405060708> <01020304050607080102030405060708>]",
		[]string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, enc})
}

// hugePDF declares n pages and has one.
func hugePDF(n int) []byte {
	return bytes.Replace(makePDF(lines(90, 700, "Una.")), []byte("/Count 1"), []byte(fmt.Sprintf("/Count %d", n)), 1)
}

// scannedPDF has one page with a picture and no text.
func scannedPDF() []byte {
	img := "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>\nstream\n\x00\xff\xff\x00\nendstream"
	draw := "q 500 0 0 700 40 40 cm /Im Do Q"
	return assemblePDF("", []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /Im 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(draw), draw), img})
}

// bombPDF has twenty-five forms, each of which draws the next four times.
func bombPDF() []byte {
	const depth = 25
	objs := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
		"<< /Length 5 >>\nstream\n/X Do\nendstream"}
	body := strings.Repeat("/X Do ", 4)
	for i := range depth {
		next := ""
		if i < depth-1 {
			next = fmt.Sprintf("/Resources << /XObject << /X %d 0 R >> >>", 6+i)
		}
		objs = append(objs, fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] %s /Length %d >>\nstream\n%s\nendstream", next, len(body), body))
	}
	return assemblePDF("", objs)
}

// FuzzPDF feeds mutated small documents. A reader that fails says so in a
// pdfError; it never panics, hangs or leaves the pool unusable.
func FuzzPDF(f *testing.F) {
	f.Add(makePDF(lines(90, 700, "Articulo 1. El faro (12) alumbra.", "a) de noche;", "b) con niebla.")))
	f.Add(makePDF(pastBox(700, "TEXTO ANTERIOR", "Nada.") + frame(90, 300, 400, 500) + bar(200, 300, 500)))
	f.Add(encryptedPDF())
	f.Add(scannedPDF())
	f.Add(hugePDF(7))
	if _, err := testPool().read(context.Background(), makePDF(""), pdfLimits{}); err == nil {
		f.Fatal("an empty page was read") // and PDFium is compiled now, outside of the time that one input has
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			t.Skip()
		}
		d, err := testPool().read(context.Background(), data, pdfLimits{Pages: 50, Time: 20 * time.Second})
		var pe *pdfError
		if err != nil && !errors.As(err, &pe) {
			t.Fatalf("error is not for a report: %v", err)
		}
		last := 0
		for _, l := range d.Lines {
			if strings.TrimSpace(l.Text) == "" || strings.ContainsAny(l.Text, "\n\ufffe") {
				t.Fatalf("line %q", l.Text)
			}
			if l.Page < last || l.Page > d.Pages {
				t.Fatalf("page %d after %d of %d", l.Page, last, d.Pages)
			}
			last = l.Page
		}
	})
}

func TestMeterRefusesWhatItCannotRead(t *testing.T) {
	metered, err := meter(pdfium.Wasm)
	if err != nil || len(metered) <= len(pdfium.Wasm) {
		t.Fatalf("metered %d bytes of %d: %v", len(metered), len(pdfium.Wasm), err)
	}
	for _, bad := range [][]byte{nil, []byte("\x00asm"), pdfium.Wasm[:5000], append([]byte("\x00asm\x01\x00\x00\x00"), 10, 0xff, 0xff)} {
		if _, err := meter(bad); err == nil {
			t.Errorf("%d bytes passed for a module", len(bad))
		}
	}
}

// FuzzPDFContent feeds strange drawings: coordinates out of reach, rules without
// end, text over text. What comes out must be whole lines on the pages there are.
func FuzzPDFContent(f *testing.F) {
	f.Add(lines(90, 700, "Articulo 1. El faro (12) alumbra.", "a) de no-", "che;")+pastBox(600, "TEXTO ANTERIOR", "Nada."), columnsPage())
	f.Add(frame(90, 300, 400, 500)+bar(200, 300, 500)+lines(95, 480, "uno", "dos"), "BT /F1 9 Tf 1e9 0 0 1e9 -1e30 1e30 Tm (x) Tj ET 0 0 1e38 1e38 re f")
	f.Add("q 0 1 -1 0 300 300 cm "+lines(0, 0, "De lado", "todo", "el texto.")+" Q", strings.Repeat("1 1 0.1 900 re f\n", 50))
	if _, err := testPool().read(context.Background(), makePDF(""), pdfLimits{}); err == nil {
		f.Fatal("an empty page was read")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if len(first)+len(second) > 16<<10 {
			t.Skip()
		}
		d, err := testPool().read(context.Background(), makePDF(first, second), pdfLimits{Time: 20 * time.Second})
		var pe *pdfError
		if err != nil && !errors.As(err, &pe) {
			t.Fatalf("error is not for a report: %v", err)
		}
		for _, l := range d.Lines {
			if strings.TrimSpace(l.Text) == "" || l.Page < 1 || l.Page > 2 {
				t.Fatalf("line %+v", l)
			}
			for _, m := range l.Marks {
				if m.Start < 0 || m.Start > len([]rune(l.Text)) || m.Page != 2 {
					t.Fatalf("mark %+v in %q", m, l.Text)
				}
			}
		}
	})
}
