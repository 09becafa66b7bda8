package ingest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/structure"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

// The READMEs of the corpora list what is wrong in their files. Each such trap
// is a test here, named after its corpus and what goes wrong: run them with
//
//	go test ./corpus/ingest -run Trap -v

// trap is one of them: a file and what must hold of what is read from it.
type trap struct {
	name, file string
	holds      func(t *testing.T, d corpus.Document)
}

// shownText gives the text that is shown of a unit.
func shownText(t *testing.T, d corpus.Document, id string) string {
	t.Helper()
	vs := ingesttest.UnitNamed(t, d.Units, id).Versions
	return vs[len(vs)-1].Text
}

// has demands words in a unit, hasNot demands that none of its current text has them.
func has(id string, words ...string) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		s := shownText(t, d, id)
		for _, w := range words {
			if !strings.Contains(s, w) {
				t.Errorf("%s lacks %q: %.200q", id, w, s)
			}
		}
	}
}

func series(last, missing int) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		if got := ingesttest.TallyOf(d); got.Last != last || len(got.Missing) != missing {
			t.Errorf("want 1…%d with %d missing, found %v", last, missing, got)
		}
	}
}

func norm(check func(n digesto.Norm) bool) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		if !check(d.Norm) {
			t.Errorf("norm: %+v", d.Norm)
		}
	}
}

func status(want digesto.Status) func(*testing.T, corpus.Document) {
	return norm(func(n digesto.Norm) bool {
		return n.Status == want && (want == digesto.StatusInForce || n.StatusNote != "")
	})
}

func rank(want string) func(*testing.T, corpus.Document) {
	return norm(func(n digesto.Norm) bool { return n.Rank == want })
}

func both(a ...func(*testing.T, corpus.Document)) func(*testing.T, corpus.Document) {
	return func(t *testing.T, d corpus.Document) {
		t.Helper()
		for _, f := range a {
			f(t, d)
		}
	}
}

// noNotes demands that no reform note is quotable.
func noNotes(t *testing.T, d corpus.Document) {
	t.Helper()
	for _, u := range d.Units {
		for _, v := range u.Versions {
			if v.Current && reformNoteText.MatchString(v.Text) {
				t.Errorf("%s: a reform note is quotable: %q", u.ID, reformNoteText.FindString(v.Text))
			}
		}
	}
}

var reformNoteText = regexp.MustCompile(`(?m)^(?:Se (?:modifica|añade|deroga|suprime)[^\n]{0,120}Ref\. BOE-A-\d{4}-\d+|\(Artículo sustituido por art)`)

// paragraphsWhole demands that sentences are not cut at the width of a screen.
func paragraphsWhole(t *testing.T, d corpus.Document) {
	t.Helper()
	cut, all := 0, 0
	for _, u := range d.Units {
		if u.Kind != digesto.KindArticle {
			continue
		}
		ps := strings.Split(u.Versions[len(u.Versions)-1].Text, "\n")
		for i, p := range ps[:len(ps)-1] {
			all++
			if heading.EndsHanging(p) && !strings.HasSuffix(p, ":") && !structure.ListItem(ps[i+1]) {
				cut++
			}
		}
	}
	if cut*20 > all {
		t.Errorf("%d of %d paragraphs end in the middle of a sentence", cut, all)
	}
}

const (
	es = "corpora/laboral-es/normas/es/"
	te = "corpora/tramites-es/normas/"
	ar = "corpora/derecho-ar/normas/"
	fo = "corpora/formats/"
)

var traps = []trap{
	// laboral-es and tramites-es
	{"es/tables lost are named", es + "BOE-A-2025-3780.md", ingesttest.Defective(line.KindTables)},
	{"es/tables kept are rows", es + "BOE-A-2015-11724.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "ta269-1-1") }},
	{"es/tables kept in a regional law", te + "es-vc/BOE-A-2026-9799.md", has("tan1-1-1", "793,80")},
	{"es/headings of five marks", fo + "markdown/legalize-es_cabeceras-5.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a1") }},
	{"es/headings of six marks", fo + "markdown/legalize-es_cabeceras-6.md", series(6, 0)},
	{"es/no headings at all", fo + "markdown/legalize-es_ccaa-sin-cabeceras.md", series(43, 0)},
	{"es/articles in words", es + "BOE-A-1970-1000.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a76") }},
	{"es/article with its only number", es + "BOE-A-2023-6967.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "aunica") }},
	{"es/no articles", te + "es/BOE-A-2014-10264.md", func(t *testing.T, d corpus.Document) {
		if len(d.Units) < 4 {
			t.Errorf("%d units", len(d.Units))
		}
	}},
	{"es/hard blank before the number: law 39/2015", te + "es/BOE-A-2015-10565.md", series(133, 0)},
	{"es/hard blank before the number: law 19/2013", te + "es/BOE-A-2013-12887.md", series(40, 0)},
	{"es/hard blank before the number: decree-law 8/2019", es + "BOE-A-2019-3481.md", series(11, 0)},
	{"es/hard blank before the number: law 1/1996", te + "es/BOE-A-1996-750.md", series(54, 0)},
	{"es/a number twice in one file", es + "BOE-A-2015-11430.md", both(series(92, 0), func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "aunica") })},
	{"es/reform notes are not law", es + "BOE-A-2000-15060.md", noNotes},
	{"es/former wording in block quotations", es + "BOE-A-2015-11724.md", ingesttest.Nowhere("Redacción anterior", "Téngase en cuenta que esta")},
	{"es/rank: regional decree-law", te + "es-an/BOJA-b-2017-90529.md", rank("decreto_ley")},
	{"es/rank: regional legislative decree", te + "es-cl/BOCL-h-2019-90258.md", rank("decreto_legislativo")},
	{"es/false status: Asturias", te + "es-as/BOE-A-2005-21315.md", both(status(digesto.StatusRepealed), norm(func(n digesto.Norm) bool { return n.RepealedFrom == "2022-07-12" }), ingesttest.Defective(line.KindStatus))},
	{"es/false status: Basque Country", te + "es-pv/BOE-A-2011-15732.md", both(status(digesto.StatusRepealed), norm(func(n digesto.Norm) bool { return n.RepealedFrom == "2023-03-29" }))},
	{"es/false status: Balearic Islands", te + "es-ib/BOE-A-2016-4178.md", status(digesto.StatusRepealed)},
	{"es/partial repeal: law 32/2010", es + "BOE-A-2010-12616.md", status(digesto.StatusPartial)},
	{"es/partial repeal: decree 2001/1983", es + "BOE-A-1983-20906.md", status(digesto.StatusPartial)},
	{"es/amending norm only in PDF", "corpora/laboral-es/pdf/BOE-A-2025-15741.pdf", func(t *testing.T, d corpus.Document) {
		for _, id := range []string{"a1", "a2"} {
			if !ingesttest.UnitNamed(t, d.Units, id).Amending {
				t.Errorf("%s is not marked as amending", id)
			}
		}
	}},
	{"es/older text in Markdown", te + "es/BOE-A-2021-21007.md", norm(func(n digesto.Norm) bool { return n.TextAsOf == "2024-05-22" })},
	{"es/newer text in PDF", "corpora/tramites-es/pdf/BOE-A-2021-21007-consolidado.pdf", norm(func(n digesto.Norm) bool { return n.TextAsOf == "2026-04-09" })},
	{"es/article glued to the paragraph before it", es + "BOE-A-2025-3780.md", both(series(47, 0), func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a40") })},
	{"es/articles with very long titles", te + "es-pv/BOE-A-2023-1405.md", series(152, 0)},
	{"es/exhausted norm", es + "BOE-A-2024-2251.md", norm(func(n digesto.Norm) bool { return n.Status == digesto.StatusRepealed })},
	{"es/article 48 bis of 2015", "corpora/laboral-es/historico/BOE-A-2015-11430@2015-10-24.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a48bis") }},
	{"es/article 48 bis gone in 2019", "corpora/laboral-es/historico/BOE-A-2015-11430@2019-03-07.md", func(t *testing.T, d corpus.Document) {
		for _, u := range d.Units {
			if u.ID == "a48bis" {
				t.Errorf("it is there: %.80q", u.Versions[0].Text)
			}
		}
	}},
	{"es/nineteen weeks since 2025", "corpora/laboral-es/historico/BOE-A-2015-11430@2025-07-30.md", has("a48", "diecinueve semanas")},
	{"es/sixteen weeks before", "corpora/laboral-es/historico/BOE-A-2015-11430@2024-12-24.md", has("a48", "16 semanas")},

	// derecho-ar
	{"ar/lines cut at 80 columns", ar + "LEY-26994.md", paragraphsWhole},
	{"ar/headings that hold the beginning of the text", ar + "LEY-26994.md", has("a2", "teniendo en cuenta")},
	{"ar/false headings inside sentences", ar + "LEY-26994.md", series(2671, 0)},
	{"ar/articles glued to notes", ar + "LEY-26165.md", both(series(60, 0), func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a12") })},
	{"ar/date of 1900", ar + "LEY-24240.md", norm(func(n digesto.Norm) bool { return n.TextAsOf != "1900-01-01" })},
	{"ar/repealed, metadata say in force: law 25323", ar + "LEY-25323.md", status(digesto.StatusRepealed)},
	{"ar/repealed, metadata say in force: law 27551", ar + "LEY-27551.md", status(digesto.StatusRepealed)},
	{"ar/repeal to come, its day glued", ar + "LEY-27555.md", norm(func(n digesto.Norm) bool { return n.RepealedFrom == "2027-01-01" })},
	{"ar/articles 1 to 10 twice", ar + "LEY-26994.md", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a10~2") }},
	{"ar/articles of other laws in annex II", ar + "LEY-26994.md", series(2671, 0)},
	{"ar/italic and bold headings", ar + "LEY-24430.md", series(129, 0)},
	{"ar/count of an amending law", ar + "LEY-27742.md", series(238, 0)},
	{"ar/articles of others quoted", ar + "LEY-27802.md", series(218, 0)},
	{"ar/article glued to a note: law 24557", ar + "LEY-24557.md", series(51, 0)},
	{"ar/article glued to a note: law 11683", ar + "LEY-11683.md", series(217, 0)},
	{"ar/law without its annex", ar + "LEY-18284.md", series(22, 0)},
	{"ar/earlier wordings at the end are not law", ar + "LEY-19550.md", func(t *testing.T, d corpus.Document) {
		for _, u := range d.Units {
			if strings.HasPrefix(u.ID, "santecedentes") && u.Versions[len(u.Versions)-1].Current {
				t.Errorf("%s is in force", u.ID)
			}
		}
	}},

	// peru-tributario
	{"pe/boxes of former wordings", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) {
		n := 0
		for _, u := range d.Units {
			n += len(u.Versions) - 1
		}
		if ingesttest.Nowhere("TEXTO ANTERIOR")(t, d); n < 250 {
			t.Errorf("%d former wordings", n)
		}
	}},
	{"pe/note calls before the heading", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) {
		ingesttest.UnitNamed(t, d.Units, "a62-A")
		ingesttest.UnitNamed(t, d.Units, "a108")
	}},
	{"pe/two signs for the ordinal", ingesttest.TaxCode, series(194, 0)},
	{"pe/page of a quotation", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) {
		if p := ingesttest.UnitNamed(t, d.Units, "a137").Versions; p[len(p)-1].Pages[0].Page != 118 {
			t.Errorf("pages %v", p[len(p)-1].Pages)
		}
	}},
	{"pe/the decree that approves", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a1~2") }},
	{"pe/sixteen norms of the preliminary title", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "nXVI") }},
	{"pe/repealed disposition has a number", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) {
		if ingesttest.UnitNamed(t, d.Units, "dt3").Versions[0].Current {
			t.Error("it is in force")
		}
	}},
	{"pe/tables of infractions", ingesttest.TaxCode, func(t *testing.T, d corpus.Document) {
		ingesttest.UnitNamed(t, d.Units, "t1")
		ingesttest.UnitNamed(t, d.Units, "tt1-1-1")
	}},
	{"pe/date of capture for date of the text", ingesttest.Peru + "normas/DS-133-2013-EF.md", ingesttest.Defective(line.KindDates)},
	{"pe/hard blanks as indentation", fo + "markdown/legalize-pe_spij-nbsp.md", ingesttest.Nowhere("\u00a0")},
	{"pe/entities in titles", ingesttest.Peru + "normas/LEY-29816-2011.md", ingesttest.Nowhere("&Uacute;", "&nbsp;")},
	{"pe/publisher's sentences", ingesttest.Peru + "normas/DS-021-2019-JUS.md", ingesttest.Nowhere("Descargue aquí el PDF", "Compartimos con ustedes")},
	{"pe/a regulation after its law", ingesttest.Peru + "normas/DS-021-2019-JUS.md", func(t *testing.T, d corpus.Document) {
		if r := ingesttest.UnitNamed(t, d.Units, "a11").Rubric; r != "Procedimiento" {
			t.Errorf("article 11 is %q", r)
		}
	}},
	{"pe/heading of article 38 lost", ingesttest.Peru + "normas/DS-004-2019-JUS.md", series(265, 0)},
	{"pe/percentages of a scale", ingesttest.Peru + "normas/DS-179-2004-EF.md", has("a53", "8%", "30%")},

	// jus-cordoba and formats
	{"jus/articles with a suffix", "corpora/jus-cordoba/ley-9459.md", both(series(129, 0), func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a48bis") })},
	{"jus/editor's notes", "corpora/jus-cordoba/ley-9459.md", ingesttest.Nowhere("N. del E.")},
	{"jus/misprinted heading", "corpora/jus-cordoba/ley-8465-cpcc-cordoba.pdf", func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a177") }},
	{"formats/two versions of a block", fo + "boe-xml/consolidada-texto-BOE-A-1978-31229.muestra.xml", func(t *testing.T, d corpus.Document) {
		if len(ingesttest.UnitNamed(t, d.Units, "a49").Versions) != 2 {
			t.Error("article 49 wants two versions")
		}
	}},
	{"formats/tables of the daily journal", fo + "boe-xml/diario-BOE-A-2026-16010.xml", has("an2", "M1 | 4.500")},
	{"formats/links back to the top", fo + "boe-html/act-php-BOE-A-2020-14046.fragmento.html", both(ingesttest.Nowhere("Subir", "[Bloque"), func(t *testing.T, d corpus.Document) { ingesttest.UnitNamed(t, d.Units, "a3") })},
	{"formats/windows-1252 under another name", fo + "infoleg-html/sample-ley-19550-sociedades-texact.htm", both(ingesttest.Defective(line.KindCharset), ingesttest.Nowhere("\u0093", "\ufffd"))},
	{"formats/menus around the law", fo + "argentina-gob-html/ley-18284-codigo-alimentario.html", both(series(22, 0), ingesttest.Nowhere("Mi Argentina", "Trámites"))},
	{"formats/byte-order mark", fo + "saij-json/123456789-0abc-defg-g23-85000scanyel.json", series(77, 0)},
	{"formats/recognised text is flagged", fo + "ocr-texto/pe-DLEG-771-1993.ocr.md", norm(func(n digesto.Norm) bool { return n.OCR })},
	{"formats/pages with their header", fo + "boe-pdf-diario/BOE-A-2024-7293.pdf", ingesttest.Nowhere("BOLETÍN OFICIAL DEL ESTADO\n", "Verificable en")},
}

func TestTrap(t *testing.T) {
	for _, c := range traps {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(c.file, ".pdf") {
				t.Skip("PDF left out with -short")
			}
			c.holds(t, ingesttest.ReadShared(t, c.file))
		})
	}
}

// TestTrapDefectiveFiles: what the READMEs keep as defective is named as such.
func TestTrapDefectiveFiles(t *testing.T) {
	for file, kind := range map[string]string{
		"peru-tributario/defectuosos/LEY-27444-2001.md": line.KindIdentity,
		"peru-tributario/defectuosos/DLEG-776-1993.md":  line.KindIdentity,
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			path := shareddata.Dir(t, "corpora/"+file)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			docs, skipped, err := ingesttest.ReadBytes(path, string(data))
			if err != nil || len(docs) != 0 || len(skipped) == 0 || skipped[len(skipped)-1].Kind != kind {
				t.Errorf("%d documents, %+v, %v", len(docs), skipped, err)
			}
		})
	}
}
