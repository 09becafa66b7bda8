package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto/internal/pdfium"
	"digesto/internal/pdftest"
)

// Bytes from anywhere: each bad document must end in a Spanish defect, soon.

func TestPDFBadDocuments(t *testing.T) {
	good := pdftest.MakePDF(pdftest.Lines(90, 700, "Articulo 1. El faro alumbra."))
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
		{"declares a million pages", pdftest.HugePDF(1_000_000), "too-large", "páginas"},
		{"no page", pdftest.AssemblePDF("", []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"}), "empty", "páginas"},
		{"pages without text", pdftest.MakePDF("", ""), "no-text", "no contiene texto"},
		{"a scanned page", scannedPDF(), "no-text", "OCR"},
		{"forms that draw forms", bombPDF(), "too-large", "memoria"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := testReader().Read(context.Background(), c.data, Limits{})
			var pe *pdfium.Error
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
	_, err := testReader().Read(context.Background(), make([]byte, 2<<20), Limits{Bytes: 1 << 20})
	var pe *pdfium.Error
	if !errors.As(err, &pe) || pe.Kind != "too-large" {
		t.Errorf("error %v, want too-large", err)
	}
}

func TestPDFCancelled(t *testing.T) {
	pages := make([]string, 50)
	for i := range pages {
		pages[i] = pdftest.Lines(90, 700, "Articulo unico. El faro alumbra.")
	}
	data := pdftest.MakePDF(pages...)
	readTest(t, data)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := testReader().Read(ctx, data, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
	readTest(t, data) // the pool must still be good
}

// TestPDFFuel gives a page less work than it needs.
func TestPDFFuel(t *testing.T) {
	p := testReader()
	e, err := p.pool.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	data := pdftest.MakePDF(pdftest.Lines(90, 700, "Articulo 1. El faro alumbra."))
	if _, err := readDocument(context.Background(), e, data, Limits{}); err != nil {
		t.Fatal(err)
	}
	if used := e.Spent(); used == 0 || used > int64(e.Ration)/50 {
		t.Errorf("a small page burnt %d units of %d", used, e.Ration)
	}
	doc, done, err := e.Open(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	e.Ration = 1000
	_, err = readPages(context.Background(), e, doc, 1, pdfium.DocumentFuel(1))
	var pe *pdfium.Error
	if !errors.As(err, &pe) || pe.Kind != "timeout" || !strings.Contains(pe.Detail, "no termina") {
		t.Errorf("error %v, want timeout", err)
	}
}

// TestPDFOfManyDearPages: pages that each keep within their own bound are stopped
// by that of the document.
func TestPDFOfManyDearPages(t *testing.T) {
	e, err := testReader().pool.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	pages := slices.Repeat([]string{pdftest.Lines(90, 700, "Articulo 1. El faro alumbra.")}, 4)
	doc, done, err := e.Open(context.Background(), pdftest.MakePDF(pages...))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	var pe *pdfium.Error
	if _, err := readPages(context.Background(), e, doc, len(pages), pdfium.DocumentFuel(len(pages))); err != nil {
		t.Errorf("within the bound: %v", err)
	}
	one := e.Spent()
	if _, err := readPages(context.Background(), e, doc, len(pages), 2*one); !errors.As(err, &pe) || pe.Kind != "timeout" || !strings.Contains(pe.Detail, "de 4") {
		t.Errorf("beyond it: %v", err)
	}
	if pdfium.DocumentFuel(7591) < 7591*one || pdfium.DocumentFuel(1<<30) != 1<<37 {
		t.Errorf("a page burns %d", one)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if _, err = readPages(ctx, e, doc, len(pages), pdfium.DocumentFuel(1)); !errors.As(err, &pe) || pe.Kind != "timeout" {
		t.Errorf("out of time: %v", err)
	}
}

// TestPDFTruncated cuts a good document at many places: it reads or says why not.
func TestPDFTruncated(t *testing.T) {
	good := pdftest.MakePDF(pdftest.Lines(90, 700, "Articulo 1. El faro alumbra."), pdftest.Lines(90, 700, "Articulo 2. El muelle no."))
	read := 0
	for n := 0; n < len(good); n += 37 {
		_, err := testReader().Read(context.Background(), good[:n], Limits{})
		var pe *pdfium.Error
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
	return pdftest.AssemblePDF("/Encrypt 4 0 R /ID [<01020304050607080102030405060708> <01020304050607080102030405060708>]",
		[]string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, enc})
}

// scannedPDF has one page with a picture and no text.
func scannedPDF() []byte {
	img := "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>\nstream\n\x00\xff\xff\x00\nendstream"
	draw := "q 500 0 0 700 40 40 cm /Im Do Q"
	return pdftest.AssemblePDF("", []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
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
	return pdftest.AssemblePDF("", objs)
}

// FuzzPDF feeds mutated small documents. A reader that fails says so in a
// pdfium.Error; it never panics, hangs or leaves the pool unusable.
func FuzzPDF(f *testing.F) {
	f.Add(pdftest.MakePDF(pdftest.Lines(90, 700, "Articulo 1. El faro (12) alumbra.", "a) de noche;", "b) con niebla.")))
	f.Add(pdftest.MakePDF(pastBox(700, "TEXTO ANTERIOR", "Nada.") + pdftest.Frame(90, 300, 400, 500) + pdftest.Bar(200, 300, 500)))
	f.Add(encryptedPDF())
	f.Add(scannedPDF())
	f.Add(pdftest.HugePDF(7))
	if _, err := testReader().Read(context.Background(), pdftest.MakePDF(""), Limits{}); err == nil {
		f.Fatal("an empty page was read") // and PDFium is compiled now, outside of the time that one input has
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			t.Skip()
		}
		d, err := testReader().Read(context.Background(), data, Limits{Pages: 50, Time: 20 * time.Second})
		var pe *pdfium.Error
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

// FuzzPDFContent feeds strange drawings: coordinates out of reach, rules without
// end, text over text. What comes out must be whole lines on the pages there are.
func FuzzPDFContent(f *testing.F) {
	f.Add(pdftest.Lines(90, 700, "Articulo 1. El faro (12) alumbra.", "a) de no-", "che;")+pastBox(600, "TEXTO ANTERIOR", "Nada."), columnsPage())
	f.Add(pdftest.Frame(90, 300, 400, 500)+pdftest.Bar(200, 300, 500)+pdftest.Lines(95, 480, "uno", "dos"), "BT /F1 9 Tf 1e9 0 0 1e9 -1e30 1e30 Tm (x) Tj ET 0 0 1e38 1e38 re f")
	f.Add("q 0 1 -1 0 300 300 cm "+pdftest.Lines(0, 0, "De lado", "todo", "el texto.")+" Q", strings.Repeat("1 1 0.1 900 re f\n", 50))
	if _, err := testReader().Read(context.Background(), pdftest.MakePDF(""), Limits{}); err == nil {
		f.Fatal("an empty page was read")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if len(first)+len(second) > 16<<10 {
			t.Skip()
		}
		d, err := testReader().Read(context.Background(), pdftest.MakePDF(first, second), Limits{Time: 20 * time.Second})
		var pe *pdfium.Error
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
