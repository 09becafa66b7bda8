package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"digesto/internal/shareddata"
)

// zipped makes an archive of parts, name and contents in turn.
func zipped(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const lampDOCX = `<w:document xmlns:w="w"><w:body>
<w:p><w:pPr><w:pStyle w:val="Ttulo1"/></w:pPr><w:r><w:t>Ley 5/2001, de faroles</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading5"/></w:pPr><w:r><w:t>Artículo 1. </w:t></w:r><w:r><w:t>Altura.</w:t></w:r></w:p>
<w:p><w:r><w:t>El farol mide </w:t></w:r><w:del><w:r><w:delText>tres</w:delText><w:t>dos</w:t></w:r></w:del><w:ins><w:r><w:t>cuatro</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> metros.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Calle</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Faroles</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Mayor</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:pPr><w:pStyle w:val="Heading5"/></w:pPr><w:r><w:t>Artículo 2. Cierre.</w:t></w:r></w:p><w:p><w:r><w:t>Nada más.</w:t></w:r></w:p>
</w:body></w:document>`

const lampODT = `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s"><office:automatic-styles><style:style style:name="P1" style:parent-style-name="Heading_20_1"/></office:automatic-styles><office:body><office:text>
<text:p text:style-name="P1">Ley 5/2001, de faroles</text:p><text:h text:outline-level="5">Artículo 1. Altura.</text:h>
<text:p>El farol<text:s/>mide <text:span>cuatro</text:span> metros.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Nota al pie.</text:p></text:note-body></text:note></text:p>
<table:table><table:table-row><table:table-cell><text:p>Calle</text:p></table:table-cell><table:table-cell><text:p>Faroles</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Mayor</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>
<text:h text:outline-level="5">Artículo 2. Cierre.</text:h><text:p>Nada más.</text:p></office:text></office:body></office:document-content>`

const lampRTF = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s5\b heading 5;}}{\info{\title No es texto}}
{\header Cabecera que se repite\par}\pard\s1\b Ley 5/2001, de faroles\par\pard\s5\b Art\'edculo 1. Altura.\par\pard\plain El farol mide \u99?uatro metros.{\super 1{\footnote Nota al pie.}}\par
\trowd\cellx100\cellx200 Calle\cell Faroles\cell\row\trowd Mayor\cell 12\cell\row\pard\s5\b Art\'edculo 2. Cierre.\par\pard\plain Nada m\'e1s.\par}`

func TestWordProcessors(t *testing.T) {
	for name, in := range map[string]string{
		"faroles.docx": zipped(t, "word/document.xml", lampDOCX),
		"faroles.odt":  zipped(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", lampODT),
		"faroles.rtf":  lampRTF,
	} {
		docs, skipped, err := readBytes(name, in)
		if err != nil || len(docs) != 1 {
			t.Errorf("%s: %d documents, %+v, %v", name, len(docs), skipped, err)
			continue
		}
		d := docs[0]
		soundUnits(t, d)
		if d.Norm.Title != "Ley 5/2001, de faroles" || d.Norm.Format != strings.TrimPrefix(filepath.Ext(name), ".") {
			t.Errorf("%s: %+v", name, d.Norm)
		}
		a1 := unitNamed(t, d.Units, "a1")
		if v := a1.Versions[0]; a1.Rubric != "Altura" || v.Text != "El farol mide cuatro metros.\nCalle | Faroles\nMayor | 12" && v.Text != "El farol mide cuatro metros.1\nCalle | Faroles\nMayor | 12" {
			t.Errorf("%s: %+v", name, a1)
		}
		if row := unitNamed(t, d.Units, "ta1-1-1"); row.Versions[0].Text != "Mayor | 12" || row.Rubric != "Calle | Faroles" {
			t.Errorf("%s: %+v", name, row)
		}
		unitNamed(t, d.Units, "a2")
	}
}

func TestArchivesThatAreNoText(t *testing.T) {
	for name, c := range map[string]struct{ in, kind string }{
		"fotos.zip":  {zipped(t, "a.png", "x"), kindUnread},
		"roto.docx":  {zipped(t, "word/document.xml", lampDOCX)[:200], kindDamaged},
		"falso.docx": {"no soy un archivo", kindDamaged},
		"viejo.doc":  {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", kindUnread},
		"bomba.docx": {zipped(t, "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>"+strings.Repeat("a", maxPart)+"</w:t></w:r></w:p></w:body></w:document>"), kindTooLarge},
		"hondo.odt":  {zipped(t, "content.xml", strings.Repeat("<text:span>", 100_000)), kindDamaged},
	} {
		docs, skipped, err := readBytes(name, c.in)
		if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != c.kind || skipped[0].Detail == "" {
			t.Errorf("%s: %d documents, %+v, %v", name, len(docs), skipped, err)
		}
	}
}

// Deep nesting and control words without end are read in bounded time.
func TestRTFBounds(t *testing.T) {
	for _, in := range []string{
		`{\rtf1 ` + strings.Repeat("{", 500_000),
		`{\rtf1 ` + strings.Repeat(`\cell`, 200_000),
		`{\rtf1 ` + strings.Repeat(`\u-1?`, 200_000) + `}`,
		`{\rtf1 \bin2147483647 x}`,
		`{\rtf1 ` + strings.Repeat(`{\footnote x`, 1500),
	} {
		lines, _ := rtfLines(in)
		if len(lines) > 250_000 {
			t.Errorf("%.20s: %d lines", in, len(lines))
		}
	}
}

// The three files of one text give the same units.
func TestWordProcessorSamplesAgree(t *testing.T) {
	dir := shareddata.Dir(t, "corpora/formats/docx-odt-rtf")
	var first string
	for _, ext := range []string{"docx", "odt", "rtf"} {
		d := readOne(t, filepath.Join(dir, "ley-9459-titulos-I-II."+ext))
		soundUnits(t, d)
		var b strings.Builder
		for _, u := range d.Units {
			fmt.Fprintln(&b, u.ID, u.Rubric, u.Path, u.Versions[len(u.Versions)-1].Text)
		}
		if first == "" {
			first = b.String()
		} else if b.String() != first {
			t.Errorf("%s differs from docx", ext)
		}
	}
}

func TestLegalJSONSamples(t *testing.T) {
	dir := shareddata.Dir(t, "corpora/formats/saij-json")
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	articles := map[string]int{"LEY-26994": 2671, "LEY-26844": 77, "LEY-27780": 2}
	for _, f := range files {
		d := readOne(t, f)
		soundUnits(t, d)
		got := tallyOf(d)
		if want, ok := articles[d.Norm.ID]; ok && (got.last != want || len(got.missing) > 0) {
			t.Errorf("%s: want 1…%d, found %v", d.Norm.ID, want, got)
		}
		delete(articles, d.Norm.ID)
		if d.Norm.Published == "" || d.Norm.Title == "" || strings.Contains(d.Norm.Title, "[[") {
			t.Errorf("%s: %+v", f, d.Norm)
		}
		for _, u := range d.Units {
			if strings.Contains(u.Versions[0].Text, "[[") {
				t.Errorf("%s/%s: markup left", d.Norm.ID, u.ID)
			}
		}
	}
	if len(articles) > 0 {
		t.Errorf("not found: %v", articles)
	}
}

func TestJSONThatIsNoNorm(t *testing.T) {
	for in, kind := range map[string]string{
		`{"data":{"sumario":{}}}`:        kindNotNorm,
		`{"data":[{"identificador":1}]}`: kindNotNorm,
		`{"a":1}`:                        kindUnread,
		`{"a":`:                          kindDamaged,
		strings.Repeat("[", 100_000):     kindDamaged,
	} {
		docs, skipped, err := readBytes("x.json", in)
		if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != kind {
			t.Errorf("%.40s: %d documents, %+v, %v", in, len(docs), skipped, err)
		}
	}
}

// A scanned PDF is read by tesseract where it is installed, and marked; without
// it the report says what to install.
func TestScannedPDF(t *testing.T) {
	file := shareddata.Dir(t, "corpora/formats/pdf-escaneado/codigo-tributario-pp118-120.escaneado.pdf")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := ReadFile(context.Background(), file, data, Options{})
	if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != "no_text_layer" || !strings.Contains(skipped[0].Detail, "tesseract") {
		t.Errorf("without the program: %d documents, %+v, %v", len(docs), skipped, err)
	}
	if testing.Short() {
		t.Skip("optical recognition left out with -short")
	}
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("tesseract is not installed: the recognition of scanned pages is not tested")
	}
	docs, skipped, err = ReadFile(context.Background(), file, data, Options{OCR: program})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %+v, %v", len(docs), skipped, err)
	}
	d := docs[0]
	soundUnits(t, d)
	if !d.Norm.OCR || d.Norm.PageCount != 3 {
		t.Errorf("norm: %+v", d.Norm)
	}
	u := unitNamed(t, d.Units, "a137")
	for _, v := range u.Versions {
		if v.Current && !strings.Contains(v.Text, "reclamación") {
			t.Errorf("article 137: %.200q", v.Text)
		}
	}
}
