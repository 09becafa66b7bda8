package ingest_test

import (
	"context"
	"testing"

	"digesto/corpus/ingest"
	"digesto/internal/ingesttest"
)

func FuzzMarkdown(f *testing.F) {
	for _, s := range ingesttest.Seeds {
		f.Add("---\ntitle: x\n---\n" + s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.md", s) })
}

func FuzzText(f *testing.F) {
	for _, s := range ingesttest.Seeds {
		f.Add(s)
	}
	f.Add("\xff\xfeA\x00")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.txt", s) })
}

func FuzzJSONL(f *testing.F) {
	f.Add(`{"_id":"a/b","title":"Artículo 1","text":"x","metadata":{"page":1,"valid_from":"2001-01-01"}}`)
	f.Add("{}\n[]\nnull\n{\"_id\":1}")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.jsonl", s) })
}

func FuzzHTML(f *testing.F) {
	f.Add("<meta charset=windows-1252><p><b>ART\xcdCULO 1\xba.-</b> Los faroles<br><br>Artículo 2. Los bancos<table><tr><td>a<td>b</table><a href=#1>índice</a>")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.html", s) })
}

func fuzzFile(t *testing.T, name, s string) {
	if len(s) > 64<<10 {
		return
	}
	docs, _, err := ingest.ReadFile(context.Background(), name, []byte(s), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		ingesttest.Sound(t, d.Units)
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzXML(f *testing.F) {
	f.Add(ingesttest.LampXML)
	f.Add(`<documento><metadatos><identificador>X-A-2001-1</identificador></metadatos><texto><p class="articulo">Artículo 1. Luz.</p><p>Sí.</p><table><tr><td>a</td><td>b</td></tr></table></texto></documento>`)
	f.Add("<?xml version='1.0' encoding='iso-8859-1'?><response><data><texto><bloque tipo='precepto' titulo='Primera'><version fecha_vigencia='20011301'><p>\xf1</p></version></bloque></texto></data></response>")
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.xml", s) })
}

func FuzzRTF(f *testing.F) {
	f.Add(ingesttest.LampRTF)
	f.Add(`{\rtf1\ansicpg850{\*\x{\u-3?}}\pard\s9 a\'e\cell\row{\footnote{b}\par`)
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.rtf", `{\rtf1`+s) })
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"document":{"content":{"numero-norma":5,"tipo-norma":{"texto":"Ley"},"articulo":[{"texto":"[[p]]ARTICULO 1° - Luz.[[/p]]","modificado-por":{"referencia-normativa":{"ref":"LEY C 000005 2001"}}}],"anexo":{"segmento":{"titulo-particion":"T","articulo":{"texto":"Artículo 1.- Más."}}}}}}`)
	f.Fuzz(func(t *testing.T, s string) { fuzzFile(t, "f.json", s) })
}

// FuzzOffice puts any bytes in the place of an archive, and in its text.
func FuzzOffice(f *testing.F) {
	f.Add(ingesttest.LampDOCX, true)
	f.Add(ingesttest.LampODT, false)
	f.Fuzz(func(t *testing.T, s string, word bool) {
		part := map[bool]string{true: "word/document.xml", false: "content.xml"}[word]
		fuzzFile(t, "f.docx", ingesttest.Zipped(t, part, s))
		fuzzFile(t, "g.docx", "PK\x03\x04"+s)
	})
}
