package brief

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"

	"digesto/text/figure"
	"digesto/verify"
)

// TestClaimsOfRealLaw measures what is said of sentences that cite without quoting.
func TestClaimsOfRealLaw(t *testing.T) {
	o := realLaw(t)
	t.Run("altered", func(t *testing.T) { alteredClaims(t, o) })
	t.Run("own words", func(t *testing.T) { ownClaims(t, o) })
}

// held gives what was said of the one sentence of a text.
func held(t *testing.T, o Options, text string) (h verify.Holding, d verify.Difference, c *Claim) {
	t.Helper()
	r, err := Check(context.Background(), text, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Citations {
		if f.Claim != nil {
			return f.Claim.Verdict, f.Claim.Differs, f.Claim
		}
	}
	return "", "", nil
}

// amount gives the first period or share of a sample.
func amount(s sample) (figure.Figure, bool) {
	for _, f := range figure.FindAll(s.text, locale(s.norm.Jurisdiction)) {
		if f.Start > 0 && (f.Kind == figure.Duration || f.Kind == figure.Percent) {
			return f, true
		}
	}
	return figure.Figure{}, false
}

// alteredClaims: sentences of real law told without quotation marks, as they are and with a figure,
// a negation or a word changed, or of another article. None that is not the law's may
// be taken for supported, and none that is may be said to contradict it.
func alteredClaims(t *testing.T, o Options) {
	list := samples(o, rand.New(rand.NewPCG(17, 23)), 600)
	type tally struct{ n, supported, contradicted, kind int }
	seen := map[string]*tally{}
	try := func(kind string, s sample, said string, want verify.Difference) {
		r := []rune(said)
		r[0] = unicode.ToLower(r[0])
		text := fmt.Sprintf("%s (%s).", strings.TrimRight(string(r), "."), s.cited())
		h, d, c := held(t, o, text)
		if h == "" {
			return
		}
		if seen[kind] == nil {
			seen[kind] = &tally{}
		}
		x := seen[kind]
		x.n++
		switch h {
		case verify.Supported:
			x.supported++
			if kind != "true" {
				t.Logf("%s: supported: %s\n\t%s", kind, text, c.Quote)
			}
		case verify.Contradicted:
			x.contradicted++
			if d == want {
				x.kind++
			} else {
				t.Logf("%s: contradicted %s: %s | %s: %s\n\t%s", kind, d, c.Said, c.Law, text, c.Quote)
			}
		}
	}
	for k, s := range list {
		try("true", s, s.text, "")
		if at := figures.FindStringIndex(s.text); at != nil && at[0] > 0 {
			try("figure", s, s.text[:at[0]]+"977"+s.text[at[1]:], verify.DiffersFigure)
		}
		if f, ok := amount(s); ok {
			r := []rune(s.text)
			try("amount", s, string(r[:f.Start])+"977 "+f.Unit+string(r[f.End:]), verify.DiffersFigure)
		}
		if at := negation.FindStringIndex(s.text); at != nil {
			try("negation dropped", s, s.text[:at[0]]+s.text[at[1]:], verify.DiffersNegation)
		} else if at := strings.Index(s.text, " será "); at > 0 {
			try("negation added", s, s.text[:at]+" no"+s.text[at:], verify.DiffersNegation)
		}
		w := strings.Fields(s.text)
		w[len(w)/2] += " zafirado"
		try("word added", s, strings.Join(w, " "), "-")
		if other := list[(k+7)%len(list)]; other.norm.ID != s.norm.ID || other.unit.ID != s.unit.ID {
			try("another article", other, s.text, "-")
		}
	}
	for kind, x := range seen {
		t.Logf("%-16s %4d: supported %d, contradicted %d (as expected %d)", kind, x.n, x.supported, x.contradicted, x.kind)
		if kind != "true" && x.supported > 0 {
			t.Errorf("%s: %d taken for supported", kind, x.supported)
		}
	}
	if x := seen["true"]; x.contradicted > 0 || float64(x.supported) < .8*float64(x.n) {
		t.Errorf("true: %+v", *x)
	}
}

// ownClaims: statements in words of our own about real law, as a brief makes them: true ones,
// ones with another figure, a negation or a limit, and ones that the article does not
// speak of. What is said of none may be wrong; how many it says something of is told.
func ownClaims(t *testing.T, o Options) {
	data, err := os.ReadFile("testdata/claims.tsv")
	if err != nil {
		t.Fatal(err)
	}
	said, n := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		want, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		h, d, c := held(t, o, text)
		if c == nil {
			t.Errorf("no claim read: %s", text)
			continue
		}
		n[want]++
		t.Logf("%s %s %s %q %q: %s\n\t%s", want, h, d, c.Said, c.Law, text, c.Quote)
		switch {
		case h == verify.NotShown:
		case want == "+" && h == verify.Supported, want == "-" && h == verify.Contradicted:
			said[want]++
		default:
			t.Errorf("%s, should be %s: %s", h, want, text)
		}
	}
	t.Logf("true: %d of %d supported; altered: %d of %d contradicted; not spoken of: %d of %d left", said["+"], n["+"], said["-"], n["-"], n["0"]-said["0"], n["0"])
	if said["+"]*3 < n["+"] || said["-"]*3 < n["-"] {
		t.Error("fewer than a third are told")
	}
}
