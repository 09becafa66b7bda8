package packs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"digesto/internal/shareddata"
	"digesto/packs/jus"
)

// leftOut are the articles with figures that no service is calculated by, or figures of
// an article that has services, each with the reason.
var leftOut = map[string]string{
	"a32 50%":  "cómo se valúan la nuda propiedad y el usufructo: base, no honorario",
	"a35":      "el valor del JUS y la UE: están en la serie de valores",
	"a90 100%": "el total que se reparte por etapas",
	"a91 25%":  "rebaja al abogado del vencido en la querella", "a91 30%": "tope de la suma de dos regulaciones",
	"a127": "cuantía del juicio abreviado en la Ley 8465: no es honorario",
}

var (
	jusFigure     = regexp.MustCompile(`\((\d+)\)(?: a \p{L}+ \((\d+)\))? Jus`)
	percentFigure = regexp.MustCompile(`\((\d+)%\)`)
	figureOfPct   = regexp.MustCompile(`\d+`)
)

// TestEveryFeeOfTheLaw: every figure of JUS and every percentage that an article of the
// law fixes belongs to a service, or stands in the list of those left out; and every
// service's figures, unit and decisive words stand in its article.
func TestEveryFeeOfTheLaw(t *testing.T) {
	s := readNorm(t, shareddata.Dir(t, "corpora"), "jus", "AR-X-LEY-9459")
	if s == nil {
		t.Skip("the law is not at hand")
	}
	calc, err := jus.New(jus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string][]jus.Rule{}
	for _, r := range calc.Rules() {
		rules[r.Unit] = append(rules[r.Unit], r)
		u, ok := s.Unit("AR-X-LEY-9459", r.Unit)
		if !ok {
			t.Errorf("%s: no %s", r.Service, r.Unit)
			continue
		}
		ruleStands(t, r, u.Versions[len(u.Versions)-1].Text)
	}
	fees, used := 0, map[string]bool{}
	for u := range s.Units("AR-X-LEY-9459") {
		text := u.Versions[len(u.Versions)-1].Text
		var claimed []string
		for _, r := range rules[u.ID] {
			claimed = append(claimed, claims(r, text)...)
		}
		for _, f := range figures(text) {
			fees++
			why := u.ID + " " + f
			switch {
			case slices.Contains(claimed, f):
			case leftOut[why] != "":
				used[why] = true
			case leftOut[u.ID] != "":
				used[u.ID] = true
			default:
				t.Errorf("%s fixes %s, which no service has and no list leaves out", u.ID, f)
			}
		}
	}
	for k := range leftOut {
		if !used[k] {
			t.Errorf("%s is left out and has no such figure", k)
		}
	}
	t.Logf("%d figures of %d places in the law, %d left out with a reason", fees, len(calc.Rules()), len(used))
	if fees < 100 {
		t.Errorf("only %d figures", fees)
	}
}

// figures are those of a text as the law writes them: "20" of JUS, "15%".
func figures(text string) (out []string) {
	for _, m := range jusFigure.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
		if m[2] != "" { // "de treinta (30) a cincuenta (50) Jus"
			out = append(out, m[2])
		}
	}
	for _, m := range percentFigure.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+"%")
	}
	return out
}

// claims are the figures that a rule answers for: its own, and those of its words.
func claims(r jus.Rule, text string) []string {
	out := append([]string{}, r.JUS...)
	for _, n := range figureOfPct.FindAllString(r.Percent, -1) {
		out = append(out, n+"%")
	}
	first, last, _ := strings.Cut(r.Words, " … ")
	i := strings.Index(text, first)
	if i < 0 {
		return out
	}
	end := i + len(first)
	if k := strings.Index(text[end:], last); k > 0 {
		end += k + len(last)
	}
	if r.Service == "escala" { // the most and the four bands
		return []string{"25%", "20%", "16%", "12%", "10%"}
	}
	return append(out, figures(text[i:end])...)
}

// unitWords are how the law names what a service is paid by.
var unitWords = map[string]string{"letrado": "letrado|cada uno", "mes": "mensuales", "cuota": "cuotas", "acto": "acto procesal", "reunión": "por reunión", "audiencia": "por cada audiencia"}

func ruleStands(t *testing.T, r jus.Rule, text string) {
	t.Helper()
	for _, w := range strings.Split(r.Words, " … ") {
		if !strings.Contains(text, w) || len(w) < 12 {
			t.Errorf("%s: %q does not stand in %s", r.Service, w, r.Unit)
		}
	}
	have := figures(text)
	for _, n := range r.JUS {
		if !slices.Contains(have, n) {
			t.Errorf("%s: %s JUS is not in %s", r.Service, n, r.Unit)
		}
	}
	for _, n := range figureOfPct.FindAllString(strings.TrimPrefix(r.Percent, "scale:1/3"), -1) {
		if n != "100" && !slices.Contains(have, n+"%") && !strings.Contains(text, map[string]string{"25": "un cuarto", "50": "mitad", "20": "quinta parte"}[n]) {
			t.Errorf("%s: %s %% is not in %s", r.Service, n, r.Unit)
		}
	}
	if r.Per != "" && !slices.ContainsFunc(strings.Split(unitWords[r.Per], "|"), func(w string) bool { return strings.Contains(text, w) }) {
		t.Errorf("%s: %s is not paid by %q", r.Service, r.Unit, r.Per)
	}
}
