package brief

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/text/cite"
	"digesto/text/sentence"
	"digesto/verify"
)

// realLaw installs a part of the shared corpora.
func realLaw(t testing.TB) Options {
	t.Helper()
	root := shareddata.Dir(t, "corpora")
	if testing.Short() {
		t.Skip("reads shared corpora")
	}
	ctx := context.Background()
	lib, err := corpus.Open(t.TempDir(), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"laboral-es/normas", "derecho-ar/normas", "jus-cordoba/ley-9459.md", "peru-tributario/normas"} {
		if _, err := ingest.Add(ctx, lib, []string{root + "/" + dir}, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	law, err := lib.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { law.Close() })
	ix, err := index.Memory(ctx, law.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Law: law, Search: ix, Table: cite.NewTable(nil, law.Norms()), Today: "2026-11-21"}
}

// sample is a sentence of an article in force.
type sample struct {
	norm    digesto.Norm
	unit    digesto.Unit
	version digesto.Version
	text    string
	at      int // its place in the text, in code points
}

var (
	numberedTitle = regexp.MustCompile(`^(?:Ley(?: Orgánica)?|Real Decreto(?: Legislativo|-ley)?|Decreto) \d+/\d{4}`)
	figures       = regexp.MustCompile(`\b\d{1,3}\b`)
	negation      = regexp.MustCompile(`(?i)\b(?:no|nunca|ni) `)
)

// sentencesOf gives the sentences of articles in force, of so many words and without some
// signs, of norms whose number names them.
func sentencesOf(o Options, least, most int, without string) (out []sample) {
	for _, norm := range o.Law.Norms() {
		if !numberedTitle.MatchString(norm.Title) || verify.Repealed(norm, "") {
			continue
		}
		for u := range o.Law.Units(norm.ID) {
			if u.Kind != digesto.KindArticle || strings.Contains(u.ID, "~") || strings.Contains(u.Number, " ") {
				continue
			}
			for _, v := range u.Versions {
				if !v.Current || len(v.Text) > 6000 {
					continue
				}
				for _, s := range sentence.Split(v.Text) {
					if w := len(strings.Fields(s.Text)); w >= least && w <= most && !strings.ContainsAny(s.Text, without) && !strings.Contains(s.Text, "...") {
						out = append(out, sample{norm, u, v, strings.TrimSpace(s.Text), s.Start})
					}
				}
			}
		}
	}
	return out
}

// samples draws such sentences, one of each article at most.
func samples(o Options, r *rand.Rand, n int) []sample {
	all := slices.CompactFunc(sentencesOf(o, 12, 45, "«»“”\"[]…\n|"), func(a, b sample) bool { return a.norm.ID == b.norm.ID && a.unit.ID == b.unit.ID })
	r.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:min(n, len(all))]
}

func (s sample) cited() string {
	name := numberedTitle.FindString(s.norm.Title)
	if strings.HasPrefix(name, "Ley") {
		return "artículo " + s.unit.Number + " de la " + name
	}
	return "artículo " + s.unit.Number + " del " + name
}

// layouts are ways in which a citation and its words stand together.
var layouts = []string{
	"Según el %[1]s, «%[2]s»", "“%[2]s” (%[1]s).", "> %[2]s\n>\n> (%[1]s)", "> %[2]s\n> — %[1]s", "«%[2]s»\n\n(%[1]s)",
	"Dispone el %[1]s lo siguiente:\n\n«%[2]s»\n\nDe ahí el recurso.", "- **%[1]s**: \"%[2]s\"", "En los términos del %[1]s -que manda: \"%[2]s\"- procede estimar.",
	"A tenor del %[1]s, que reza ‘%[2]s’, procede estimar.", "Así lo quiere el %[1]s:\n\n    %[2]s\n\nY así debe ser.",
}

// Each true quotation must be VERIFIED and nothing else: not one with a word or a
// figure changed, its negation dropped, of another article, or invented.
func TestQuotationsOfRealLaw(t *testing.T) {
	o := realLaw(t)
	r := rand.New(rand.NewPCG(7, 11))
	list := samples(o, r, 220)
	if len(list) < 100 {
		t.Fatalf("%d sentences", len(list))
	}
	truly, verified, wrongly, total := 0, 0, 0, 0
	try := func(kind, text string, want Verdict) {
		total++
		rep, err := Check(context.Background(), text, o)
		if err != nil {
			t.Fatal(err)
		}
		got := Verdict("")
		for _, f := range rep.Citations {
			if f.Quote != nil || got == "" {
				got = f.Verdict
			}
		}
		switch {
		case want == Verified:
			truly++
			if got == Verified {
				verified++
			} else {
				t.Logf("%s: %s instead of VERIFIED: %s", kind, got, text)
			}
		case got == Verified:
			wrongly++
			t.Errorf("%s: VERIFIED: %s", kind, text)
		case got != want:
			t.Logf("%s: %s instead of %s: %s", kind, got, want, text)
		}
	}
	for k, s := range list {
		other := list[(k+1)%len(list)]
		layout := layouts[k%len(layouts)]
		try("true", fmt.Sprintf(layout, s.cited(), s.text), Verified)
		words := strings.Fields(s.text)
		words[len(words)/2] = "zafiro"
		try("word", fmt.Sprintf(layout, s.cited(), strings.Join(words, " ")), NotFound)
		if at := figures.FindStringIndex(s.text); at != nil && at[0] > 0 {
			try("figure", fmt.Sprintf("El %s dice: “%s”", s.cited(), s.text[:at[0]]+"977"+s.text[at[1]:]), NotFound)
		}
		if at := negation.FindStringIndex(s.text); at != nil {
			try("negation", fmt.Sprintf("El %s dice: “%s”", s.cited(), s.text[:at[0]]+s.text[at[1]:]), NotFound)
		}
		if other.norm.ID != s.norm.ID {
			try("attribution", fmt.Sprintf(layout, other.cited(), s.text), Misattributed)
		}
	}
	precision := float64(verified) / float64(verified+wrongly)
	recall := float64(verified) / float64(truly)
	t.Logf("%d citations: VERIFIED with precision %.3f, recall %.3f; altered ones verified: %d", total, precision, recall, wrongly)
	if total < 400 || precision < .98 || recall < .98 {
		t.Errorf("below .98, or too few")
	}
}

// BenchmarkHundredPages checks a text of 66,000 words with 400 citations, a hundred pages and more.
func BenchmarkHundredPages(b *testing.B) {
	o := realLaw(b)
	list := samples(o, rand.New(rand.NewPCG(3, 5)), 400)
	filler := strings.Repeat("La parte actora entiende que los hechos que se han expuesto prueban lo que pide en esta demanda. ", 7)
	var s strings.Builder
	for k, x := range list {
		q := x.text
		if k%4 == 3 { // one in four is not verbatim, the dearest case
			q = strings.Replace(q, " ", " acaso ", 1)
		}
		fmt.Fprintf(&s, "%s\n\nSegún el %s, «%s».\n\n", filler, x.cited(), q)
	}
	began := processorTime()
	for b.Loop() {
		if _, err := Check(context.Background(), s.String(), o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((processorTime()-began).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(len(strings.Fields(s.String()))), "words")
}
