package pdf_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/internal/ingesttest"
	"digesto/internal/pdfium"
	"digesto/internal/shareddata"
)

// squeeze keeps letters and digits only, so that texts from two ways of
// reading compare without spaces, hyphens and punctuation.
func squeeze(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// rawPages is the text of each page in the order of the content stream, as
// PDFium gives it: nothing of this package's layout is in it.
func rawPages(t *testing.T, path string) []string {
	t.Helper()
	return ingesttest.Once("raw "+path, func() []string { return rawNow(t, path) })
}

func rawNow(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(shareddata.Dir(t, path))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	pool := pdfium.NewPool(ingesttest.Engines)
	defer pool.Close()
	e, err := pool.Get(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Put(e)
	doc, done, err := e.Open(ctx, data)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	n, err := e.PageCount(ctx, doc)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range n {
		p, err := e.Page(ctx, doc, i)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, g := range p.Glyphs {
			b.WriteRune(g.R)
		}
		out = append(out, b.String())
	}
	return out
}

// TestPDFBoxesOfFormerWording looks for the label in the raw text of the pages,
// takes the sentence that follows each, and demands that no version in force
// holds it unless the wording in force has the very same words elsewhere.
func TestPDFBoxesOfFormerWording(t *testing.T) {
	raw := rawPages(t, ingesttest.TaxCode)
	doc := ingesttest.ReadShared(t, ingesttest.TaxCode)
	current, history := versions(doc)
	label := regexp.MustCompile(`TEXTO\s+ANTERIOR|TEXTO\s+VIGENTE\s+HASTA\s+EL\s+[\d.]+`)
	boxes, kept, unchanged := 0, 0, 0
	for page, text := range raw {
		for _, at := range label.FindAllStringIndex(text, -1) {
			boxes++
			probe := squeeze(firstWordsOf(text[at[1]:]))
			if len(probe) < 30 {
				continue
			}
			if strings.Contains(history, probe) {
				kept++
			}
			if !strings.Contains(current, probe) {
				continue
			}
			// A former wording may begin with words that did not change. They stand in
			// force only if they stand on the pages around once more outside of a box.
			around := squeeze(footnoteCall.ReplaceAllString(strings.Join(raw[max(0, page-3):min(len(raw), page+4)], " "), " "))
			if strings.Count(around, probe) < 2 {
				t.Errorf("page %d: a former wording stands in force: %.90s", page+1, probe)
			}
			unchanged++
		}
	}
	t.Logf("%d boxes, %d found in history, %d begin with words that are also in force", boxes, kept, unchanged)
	if boxes < 295 || kept < boxes*8/10 {
		t.Errorf("%d boxes, %d of them in history; want at least 295 and four fifths", boxes, kept)
	}
	for _, u := range doc.Units {
		for _, v := range u.Versions {
			if v.Current && label.MatchString(v.Text) {
				t.Errorf("%s: a label stands in its text in force", u.ID)
			}
		}
	}
}

// versions gives the squeezed text in force and out of force of a document.
func versions(doc corpus.Document) (current, history string) {
	var c, h strings.Builder
	for _, u := range doc.Units {
		for _, v := range u.Versions {
			if v.Current {
				c.WriteString(squeeze(v.Text) + "\n")
			} else {
				h.WriteString(squeeze(v.Text) + "\n")
			}
		}
	}
	return c.String(), h.String()
}

// firstWordsOf is some twenty words from the beginning of s.
func firstWordsOf(s string) string {
	words := strings.Fields(footnoteCall.ReplaceAllString(strings.ReplaceAll(s, "\ufffe", ""), " "))
	return strings.Join(words[:min(len(words), 18)], " ")
}

// footnoteCall is what the reader takes out of a text.
var footnoteCall = regexp.MustCompile(`\(\d{1,3}\)`)

// TestPDFPagesOfKnownPlaces checks places that can be looked up on paper.
func TestPDFPagesOfKnownPlaces(t *testing.T) {
	doc := ingesttest.ReadShared(t, ingesttest.TaxCode)
	for unit, want := range map[string][]int{"a137": {118, 119, 120}, "nXV": {7}, "a43": {28}} {
		u := unitOf(t, doc, unit)
		v := u.Versions[len(u.Versions)-1]
		var got []int
		for _, m := range v.Pages {
			got = append(got, m.Page)
		}
		if !v.Current || len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: current %v on pages %v, want %v", unit, v.Current, got, want)
		}
	}
}

func unitOf(t *testing.T, doc corpus.Document, id string) digesto.Unit {
	t.Helper()
	for _, u := range doc.Units {
		if u.ID == id {
			return u
		}
	}
	t.Fatalf("no unit %s", id)
	return digesto.Unit{}
}

// TestPDFPageMarks takes 200 sentences at random from the stored texts and
// looks for each on the page that its mark says, in the raw text of the page.
func TestPDFPageMarks(t *testing.T) {
	for _, path := range []string{ingesttest.TaxCode, "corpora/laboral-es/pdf/BOE-A-2015-11430-consolidado.pdf", "corpora/jus-cordoba/ley-8465-cpcc-cordoba.pdf"} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			raw := rawPages(t, path)
			doc := ingesttest.ReadShared(t, path)
			squeezed := make([]string, len(raw))
			for i := range raw {
				squeezed[i] = squeeze(footnoteCall.ReplaceAllString(raw[i], " "))
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			tried, wrong := 0, 0
			for tried < 200 {
				u := doc.Units[rnd.IntN(len(doc.Units))]
				v := u.Versions[rnd.IntN(len(u.Versions))]
				runes := []rune(v.Text)
				if len(v.Pages) == 0 || len(runes) < 90 || strings.Contains(v.Text, " | ") {
					continue
				}
				at := rnd.IntN(len(runes) - 60)
				for at > 0 && runes[at-1] != ' ' && runes[at-1] != '\n' {
					at--
				}
				piece := squeeze(footnoteCall.ReplaceAllString(string(runes[at:at+50]), " "))
				page := pageAt(v.Pages, at)
				if page != pageAt(v.Pages, at+50) || len(piece) < 20 {
					continue
				}
				tried++
				// Footnote calls are taken out of the text, so a piece may be parted there.
				if !strings.Contains(squeezed[page-1], piece) && !strings.Contains(squeezed[page-1], piece[:12]) {
					wrong++
					t.Logf("%s: not on page %d: %s", u.ID, page, string(runes[at:at+50]))
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d pieces are not on their page", wrong, tried)
			}
		})
	}
}

func pageAt(marks []digesto.PageMark, at int) int {
	i := sort.Search(len(marks), func(i int) bool { return marks[i].Start > at })
	return marks[max(i-1, 0)].Page
}

// TestPDFAgreesWithMarkdown compares the words of the articles of norms that
// stand in both forms. Reforms between the two dates explain some differences;
// nearly all articles must agree to the word.
func TestPDFAgreesWithMarkdown(t *testing.T) {
	for _, c := range []struct {
		pdf, md string
		same    float64 // share of articles with equal words, at least
	}{
		{"corpora/laboral-es/pdf/BOE-A-2000-15060-consolidado.pdf", "corpora/laboral-es/normas/es/BOE-A-2000-15060.md", .95},
		{"corpora/laboral-es/pdf/BOE-A-2011-15936-consolidado.pdf", "corpora/laboral-es/normas/es/BOE-A-2011-15936.md", .97},
		{"corpora/tramites-es/pdf/BOE-A-2015-10565-consolidado.pdf", "corpora/tramites-es/normas/es/BOE-A-2015-10565.md", .97},
		{"corpora/tramites-es/pdf/BOE-A-2013-12887-consolidado.pdf", "corpora/tramites-es/normas/es/BOE-A-2013-12887.md", .97},
	} {
		t.Run(filepath.Base(c.pdf), func(t *testing.T) {
			a, b := articles(ingesttest.ReadShared(t, c.pdf)), articles(ingesttest.ReadShared(t, c.md))
			if len(a) == 0 {
				t.Fatal("no articles")
			}
			same, both := 0, 0
			var off []string
			for id, text := range a {
				other, ok := b[id]
				if !ok {
					off = append(off, id+" (only in the PDF)")
					continue
				}
				both++
				if squeeze(text) == squeeze(other) {
					same++
				} else {
					off = append(off, id)
				}
			}
			sort.Strings(off)
			t.Logf("%d articles in the PDF, %d in Markdown, %d in both, %d equal; differ: %v", len(a), len(b), both, same, off)
			if share := float64(same) / float64(max(len(a), len(b))); share < c.same {
				t.Errorf("%.3f of the articles agree, want %.3f", share, c.same)
			}
		})
	}
}

func articles(doc corpus.Document) map[string]string {
	out := map[string]string{}
	for _, u := range doc.Units {
		if u.Kind == digesto.KindArticle {
			out[u.ID] = u.Versions[len(u.Versions)-1].Text
		}
	}
	return out
}

// TestPDFTextIsWhole demands of all shared PDFs: no line end, soft hyphen or
// running header inside a paragraph, no unit without text.
func TestPDFTextIsWhole(t *testing.T) {
	dir := shareddata.Dir(t, "corpora")
	files, _ := filepath.Glob(filepath.Join(dir, "*", "pdf", "*.pdf"))
	if len(files) == 0 {
		t.Skip("no PDFs in the shared corpora")
	}
	small := files[:0]
	for _, f := range files { // the large ones are read by the tests above
		if s, err := os.Stat(f); err == nil && s.Size() < 400<<10 || strings.Contains(f, "Codigo-Tributario") || strings.Contains(f, "15936") {
			small = append(small, f)
		}
	}
	files = small
	header := regexp.MustCompile(`Página \d+$|BOLETÍN OFICIAL DEL ESTADO\nLEGISLACIÓN|cve: |Verificable en http`)
	for _, f := range files {
		rel, _ := filepath.Rel(filepath.Dir(dir), f)
		doc := ingesttest.ReadShared(t, rel)
		for _, u := range doc.Units {
			for _, v := range u.Versions {
				switch {
				case strings.TrimSpace(v.Text) == "":
					t.Errorf("%s %s: empty text", filepath.Base(f), u.ID)
				case strings.ContainsAny(v.Text, "\u00ad\ufffe\ufffd\t"):
					t.Errorf("%s %s: stray characters", filepath.Base(f), u.ID)
				case !utf8.ValidString(v.Text):
					t.Errorf("%s %s: not UTF-8", filepath.Base(f), u.ID)
				case header.MatchString(v.Text):
					t.Errorf("%s %s: page furniture in the text: %q", filepath.Base(f), u.ID, header.FindString(v.Text))
				}
			}
		}
	}
}
