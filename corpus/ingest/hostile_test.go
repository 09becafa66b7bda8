package ingest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/office"
	"digesto/internal/ingesttest"
	"digesto/internal/pdftest"
)

// hostile are files made to exhaust the reader. Each ends soon, with little memory,
// and either gives what can be read or says in a defect why not.
var hostile = []struct {
	name, file string
	in         func(t *testing.T) string
	kind       string // of the defect that refuses it; "" = it may be read
}{
	{"zip bomb in Word", "bomba.docx", func(t *testing.T) string {
		return ingesttest.Zipped(t, "word/document.xml", "<w:document><w:body>"+strings.Repeat("<w:p><w:r><w:t>aaaaaaaa</w:t></w:r></w:p>", office.MaxPart/40+1)+"</w:body></w:document>")
	}, line.KindTooLarge},
	{"zip bomb in ODT", "bomba.odt", func(t *testing.T) string {
		return ingesttest.Zipped(t, "content.xml", strings.Repeat("\x00", office.MaxPart+1))
	}, line.KindTooLarge},
	{"XML entity bomb", "risa.xml", func(*testing.T) string {
		var b strings.Builder
		b.WriteString(`<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ja">`)
		for i := range 30 {
			fmt.Fprintf(&b, `<!ENTITY a%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
		}
		return b.String() + "]>" + strings.Replace(ingesttest.LampXML[strings.Index(ingesttest.LampXML, "<response>"):], "tres metros", "&a30;", 1)
	}, ""},
	{"entity bomb in Word", "risa.docx", func(t *testing.T) string {
		return ingesttest.Zipped(t, "word/document.xml", `<!DOCTYPE r [<!ENTITY a "jajajaja"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`)
	}, ""},
	{"deep nesting in XML", "hondo.xml", func(*testing.T) string { return "<response>" + strings.Repeat("<p>", 2_000_000) + "x" }, ""},
	{"deep nesting in HTML", "hondo.html", func(*testing.T) string {
		return "<html><body>" + strings.Repeat("<div><b>", 500_000) + "Artículo 1. Faroles."
	}, ""},
	{"deep tables in HTML", "tablas.html", func(*testing.T) string { return "<html><body>" + strings.Repeat("<table><tr><td>", 100_000) + "x" }, ""},
	{"deep nesting in JSON", "hondo.json", func(*testing.T) string { return strings.Repeat(`{"document":`, 1_000_000) + "1" }, line.KindDamaged},
	{"deep nesting in JSON Lines", "hondo.jsonl", func(*testing.T) string { return `{"_id":"a","text":"x","metadata":` + strings.Repeat(`[`, 1_000_000) }, line.KindDamaged},
	{"deep nesting in RTF", "hondo.rtf", func(*testing.T) string { return `{\rtf1 ` + strings.Repeat(`{\b `, 1_000_000) + "x" }, ""},
	{"deep nesting in ODT", "hondo.odt", func(t *testing.T) string {
		return ingesttest.Zipped(t, "content.xml", strings.Repeat("<text:span>", 1_000_000))
	}, line.KindDamaged},
	{"deep quotations in Markdown", "hondo.md", func(*testing.T) string {
		return strings.Repeat(strings.Repeat("> ", 2000)+"x\n", 50) + strings.Repeat("[", 500_000)
	}, ""},
	{"a PDF that claims a million pages", "millón.pdf", func(*testing.T) string { return string(pdftest.HugePDF(1_000_000)) }, line.KindTooLarge},
	{"a PDF that claims all the pages it may", "cincuentamil.pdf", func(*testing.T) string { return string(pdftest.HugePDF(50_000)) }, ""},
}

func TestHostileFiles(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			in := c.in(t)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			docs, skipped, err := ingest.ReadFile(t.Context(), c.file, []byte(in), ingest.Options{CacheDir: ingesttest.Engines})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if kinds := kindsOf(skipped); c.kind != "" && (len(docs) > 0 || !strings.Contains(kinds, c.kind)) {
				t.Errorf("%d documents, refused for %q, want %q", len(docs), kinds, c.kind)
			}
			for _, d := range docs {
				ingesttest.Sound(t, d.Units)
			}
			for _, d := range skipped {
				if d.Detail == "" {
					t.Error("refused without a word")
				}
			}
			if took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			if grown := int64(after.Sys) - int64(before.Sys); grown > 512<<20 {
				t.Errorf("took %d MB", grown>>20)
			}
		})
	}
}

func kindsOf(list []corpus.Defect) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.Kind + " ")
	}
	return b.String()
}
