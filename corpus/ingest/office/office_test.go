package office_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/office"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

func TestWordProcessors(t *testing.T) {
	for name, in := range map[string]string{
		"faroles.docx": ingesttest.Zipped(t, "word/document.xml", ingesttest.LampDOCX),
		"faroles.odt":  ingesttest.Zipped(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", ingesttest.LampODT),
		"faroles.rtf":  ingesttest.LampRTF,
	} {
		docs, skipped, err := ingesttest.ReadBytes(name, in)
		if err != nil || len(docs) != 1 {
			t.Errorf("%s: %d documents, %+v, %v", name, len(docs), skipped, err)
			continue
		}
		d := docs[0]
		ingesttest.SoundUnits(t, d)
		if d.Norm.Title != "Ley 5/2001, de faroles" || d.Norm.Format != strings.TrimPrefix(filepath.Ext(name), ".") {
			t.Errorf("%s: %+v", name, d.Norm)
		}
		a1 := ingesttest.UnitNamed(t, d.Units, "a1")
		if v := a1.Versions[0]; a1.Rubric != "Altura" || v.Text != "El farol mide cuatro metros.\nCalle | Faroles\nMayor | 12" && v.Text != "El farol mide cuatro metros.1\nCalle | Faroles\nMayor | 12" {
			t.Errorf("%s: %+v", name, a1)
		}
		if row := ingesttest.UnitNamed(t, d.Units, "ta1-1-1"); row.Versions[0].Text != "Mayor | 12" || row.Rubric != "Calle | Faroles" {
			t.Errorf("%s: %+v", name, row)
		}
		ingesttest.UnitNamed(t, d.Units, "a2")
	}
}

func TestArchivesThatAreNoText(t *testing.T) {
	for name, c := range map[string]struct{ in, kind string }{
		"fotos.zip":  {ingesttest.Zipped(t, "a.png", "x"), line.KindUnread},
		"roto.docx":  {ingesttest.Zipped(t, "word/document.xml", ingesttest.LampDOCX)[:200], line.KindDamaged},
		"falso.docx": {"no soy un archivo", line.KindDamaged},
		"viejo.doc":  {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", line.KindUnread},
		"bomba.docx": {ingesttest.Zipped(t, "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>"+strings.Repeat("a", office.MaxPart)+"</w:t></w:r></w:p></w:body></w:document>"), line.KindTooLarge},
		"hondo.odt":  {ingesttest.Zipped(t, "content.xml", strings.Repeat("<text:span>", 100_000)), line.KindDamaged},
	} {
		docs, skipped, err := ingesttest.ReadBytes(name, c.in)
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
		lines, _ := office.RTF(in)
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
		d := ingesttest.ReadOne(t, filepath.Join(dir, "ley-9459-titulos-I-II."+ext))
		ingesttest.SoundUnits(t, d)
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
