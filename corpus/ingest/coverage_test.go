package ingest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

// The READMEs of the corpora say how many articles each norm has. These tests
// read the numbers there, so that the facts have one home, and compare them
// with what the recogniser finds; a difference stands in explained, with its reason.

// expectation is what a README says of a norm.
type expectation struct {
	file  string
	last  int // articles 1…last
	found int // "264 de 265": what the README itself could find
	bis   int // articles with a suffix, -1 = not said
	words int // articles numbered in words ("1 en letra"), -1 = not said
	raw   string
}

var (
	rowFile  = regexp.MustCompile("^\\| `([^`]+)` \\|")
	cellBOE  = regexp.MustCompile(`^(\d+)(?:\+(\d+) bis)?(?:; (\d+) en letra)?$`)
	cellOf   = regexp.MustCompile(`^(\d+)(?: de |/)(\d+)$`)
	cellWord = regexp.MustCompile(`^(\d+) en letra$`)
	cellNum  = regexp.MustCompile(`^(\d+) numerados$`)
)

// expectations reads the tables of a README whose header has a column "artículos".
func expectations(t *testing.T, dir string) []expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []expectation
	column := -1
	for _, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "|") {
			column = -1
			continue
		}
		cells := strings.Split(line, "|")
		for i, c := range cells {
			if strings.TrimSpace(c) == "artículos" {
				column = i
			}
		}
		m := rowFile.FindStringSubmatch(line)
		if m == nil || column < 0 || column >= len(cells) {
			continue
		}
		e := expectation{file: m[1], bis: -1, words: -1, raw: strings.TrimSpace(cells[column])}
		switch {
		case cellBOE.MatchString(e.raw):
			m := cellBOE.FindStringSubmatch(e.raw)
			e.last, _ = strconv.Atoi(m[1])
			e.bis, _ = strconv.Atoi("0" + m[2])
			e.words, _ = strconv.Atoi("0" + m[3])
			e.found = e.last
		case cellOf.MatchString(e.raw):
			m := cellOf.FindStringSubmatch(e.raw)
			e.found, _ = strconv.Atoi(m[1])
			e.last, _ = strconv.Atoi(m[2])
		case cellWord.MatchString(e.raw):
			m := cellWord.FindStringSubmatch(e.raw)
			e.words, _ = strconv.Atoi(m[1])
		case cellNum.MatchString(e.raw):
			m := cellNum.FindStringSubmatch(e.raw)
			e.last, _ = strconv.Atoi(m[1])
			e.found = e.last
		}
		out = append(out, e)
	}
	return out
}

// difference is a norm whose README and whose text do not agree, and why.
type difference struct {
	last    int // last number found
	missing int // numbers of 1…last not found
	reason  string
}

// explained lists every norm whose count differs from its README's.
var explained = map[string]difference{
	"BOE-A-2025-3780.md":              {47, 0, "the README's 46 leaves out article 40, glued to the paragraph before it; it is found here"},
	"BOE-A-2023-1405.md":              {152, 0, "the README's pattern missed 9, 17, 19 and 44, whose titles are very long; they are found here"},
	"BOE-A-2007-6115-consolidado.pdf": {78, 0, "the law has 78 articles; the README's 80 counts articles of other laws quoted in its dispositions"},
	"LEY-18284.md":                    {22, 0, "article 22 (the formula) is numbered too"},
	"LEY-24557.md":                    {51, 0, "article 24, glued to a note, is found here"},
	"DEC-616-2010.md":                 {121, 0, "article 23 is found here"},
	"LEY-11683.md":                    {217, 0, "articles 99 and 201 are found here"},
	"BOE-A-1977-6061.md":              {45, 1, "article 43 stands only in the heading of the repealed range 30 to 44"},
	"LEY-14250.md":                    {21, 1, "the file has no heading of article 17: the README counted a row of a table of equivalences"},
	"LEY-27802.md":                    {218, 0, "the README says its own count is not reliable: articles of other laws are quoted; the law ends at 218"},
	"LEY-27742.md":                    {238, 0, "the README says so: the law has 238, what follows is quoted"},
	"LEY-11544.md":                    {13, 0, "article 6 is found here"},
	"LEY-23592.md":                    {7, 0, "articles 4 to 7, added later, are found here"},
	"LEY-25188.md":                    {48, 0, "article 24 is found here"},
	"DS-021-2019-JUS.md":              {40, 0, "the law has 40 articles; the README counts those of the regulation printed after it, which is set apart"},
	"LEY-11723.md":                    {89, 51, "the file lacks the headings of 35 to 85; 29 and 86 to 89 are found here"},
	"DS-004-2019-JUS.md":              {265, 0, "article 38 is found here"},
	"DS-122-94-EF-1994.md":            {119, 0, "the eight that the README missed are repealed or set in another way; they are found here"},
	"DLEG-1372-2018.md":               {10, 0, "the decree has 10 articles; the other three are quoted from the code that it amends"},
}

// TestCoverage compares every norm of the corpora's READMEs with what is found.
func TestCoverage(t *testing.T) {
	for _, c := range []string{"laboral-es", "tramites-es", "derecho-ar", "peru-tributario"} {
		dir := shareddata.Dir(t, "corpora/"+c)
		list := expectations(t, dir)
		if len(list) < 15 {
			t.Errorf("%s: only %d rows read from its README", c, len(list))
		}
		for _, e := range list {
			t.Run(c+"/"+filepath.Base(e.file), func(t *testing.T) {
				if testing.Short() && strings.HasSuffix(e.file, ".pdf") {
					t.Skip("PDF left out with -short")
				}
				checkCoverage(t, dir, e, ingest.Options{CacheDir: ingesttest.Engines})
			})
		}
	}
}

// TestCoverageElsewhere counts what the READMEs tell in words, not in tables.
func TestCoverageElsewhere(t *testing.T) {
	for file, want := range map[string]struct {
		last, missing int
		bis           string
	}{
		"jus-cordoba/ley-9459.md":                                                {129, 0, "[100 bis 48 bis 72 bis 76 bis]"},
		"derecho-ar/html-codexius/lct.html":                                      {277, 0, ""},
		"derecho-ar/html-codexius/ccyc.html":                                     {2671, 0, ""},
		"derecho-ar/html-codexius/cn.html":                                       {129, 0, "[14 bis]"},
		"derecho-ar/html-codexius/ldc.html":                                      {66, 0, ""},
		"derecho-ar/html-codexius/cpn.html":                                      {316, 0, ""},
		"formats/infoleg-html/sample-codigo-civil-y-comercial-235975-texact.htm": {2671, 0, ""},
		"formats/infoleg-html/sample-modificatoria-ley-26994-2014-norma.htm":     {2671, 0, ""},
		"formats/infoleg-html/sample-constitucion-ley-24430-804-norma.htm":       {129, 0, "[14 bis]"},
		"formats/infoleg-html/sample-dnu-70-2023-bases-norma.htm":                {366, 0, ""},
		"formats/argentina-gob-html/ley-18284-codigo-alimentario.html":           {22, 0, ""},
		"laboral-es/historico/BOE-A-2015-11430@2015-10-24.md":                    {92, 0, ""},
		"laboral-es/historico/BOE-A-2015-11430@2025-07-30.md":                    {92, 0, ""},
		"formats/markdown/legalize-es_cabeceras-6.md":                            {6, 0, ""},
		"formats/markdown/legalize-es_ccaa-sin-cabeceras.md":                     {43, 0, ""},
	} {
		t.Run(file, func(t *testing.T) {
			d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/"+file))
			ingesttest.SoundUnits(t, d)
			got := ingesttest.TallyOf(d)
			if got.Last != want.last || len(got.Missing) != want.missing || want.bis != "" && fmt.Sprint(got.Bis) != want.bis {
				t.Errorf("want 1…%d, found %v", want.last, got)
			}
		})
	}
}

// TestTaxCodePages checks the tax code in PDF: its norms and articles, the pages
// of three units, and that no former wording is current.
func TestTaxCodePages(t *testing.T) {
	if testing.Short() {
		t.Skip("PDF left out with -short")
	}
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/peru-tributario/pdf/Codigo-Tributario-Sunat.pdf"))
	ingesttest.SoundUnits(t, d)
	if got := ingesttest.TallyOf(d); got.Last != 194 || len(got.Missing) > 0 {
		t.Errorf("articles: %v", got)
	}
	norms, former := 0, 0
	pages := map[string][]int{}
	for _, u := range d.Units {
		if u.Kind == digesto.KindPreliminary {
			norms++
		}
		former += len(u.Versions) - 1
		for _, p := range u.Versions[len(u.Versions)-1].Pages {
			pages[u.ID] = append(pages[u.ID], p.Page)
		}
	}
	if norms != 16 {
		t.Errorf("%d norms of the preliminary title, want 16", norms)
	}
	if former < 250 {
		t.Errorf("%d former wordings, want about 295", former)
	}
	for id, want := range map[string]string{"nXV": "[7]", "a43": "[28]"} {
		if got := fmt.Sprint(pages[id]); got != want {
			t.Errorf("%s: pages %s, want %s", id, got, want)
		}
	}
	if got := fmt.Sprint(pages["a137"]); !strings.HasPrefix(got, "[118 119") {
		t.Errorf("a137: pages %s", got)
	}
}

func checkCoverage(t *testing.T, dir string, e expectation, opt ingest.Options) {
	path := filepath.Join(dir, filepath.FromSlash(e.file))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := ingest.ReadFile(context.Background(), path, data, opt)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, skipped %+v, error %v", len(docs), skipped, err)
	}
	ingesttest.SoundUnits(t, docs[0])
	got := ingesttest.TallyOf(docs[0])
	want := difference{last: e.last, missing: e.last - e.found}
	if x, ok := explained[filepath.Base(e.file)]; ok {
		want = x
	} else if e.words > 0 && e.last == 0 { // numbered in words alone
		want.last = e.words
		if got.Last == 0 {
			got.Last = got.Words // "artículo único"
		}
	} else if e.last == 0 {
		return // the README gives no number
	}
	if got.Last != want.last || len(got.Missing) != want.missing {
		t.Errorf("README says %q; want 1…%d with %d missing; found %v", e.raw, want.last, want.missing, got)
	}
	if e.bis >= 0 && e.last > 0 && len(got.Bis) != e.bis && !strings.HasSuffix(e.file, ".pdf") {
		t.Errorf("README says %d articles with a suffix, found %v", e.bis, got.Bis)
	}
}
