package packs_test

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/internal/shareddata"
	"digesto/packs"
	"digesto/packs/jus"
	"digesto/write"

	"github.com/govalues/decimal"
)

// serviceCase is a line of jus/eval/services.jsonl: what the law fixes for what is
// asked, read from its text alone, each batch before it was first asked; the first and
// last runs are in docs/evaluation.md. Batches 6, 14 and 24 are by hands that had not seen the
// rules; exact answers are counted at any confidence, and those at .6 or more apart. A list without a total counts as refused, and did not in batches 1 to 5.
type serviceCase struct {
	ID       string   `json:"_id"`
	Batch    int      `json:"batch"`
	Question string   `json:"question"`
	Low      string   `json:"low"`      // JUS
	High     string   `json:"high"`     // JUS; "" = none or not asked
	Percent  []string `json:"percent"`  // that have to be told
	Pesos    []string `json:"pesos"`    // that have to be told
	Tells    []string `json:"tells"`    // other words that have to be told
	Articles []string `json:"articles"` // that have to be quoted
	Refuse   bool     `json:"refuse"`
}

// TestServicesFromTheLaw asks every case of the engine with the law installed.
func TestServicesFromTheLaw(t *testing.T) {
	root := shareddata.Dir(t, "corpora")
	law := readNorm(t, root, "jus", "AR-X-LEY-9459")
	if law == nil {
		t.Skip("the law is not at hand")
	}
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	view := viewOf(t, law)
	e, err := ask.New(ask.Options{Packs: all, Embedded: embedded(t, all), Law: func() (ask.View, func(), error) { return view, func() {}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ answerable, exact, sure, article, wrong, toRefuse, refused int }
	batches := map[int]*tally{}
	for _, c := range serviceCases(t) {
		if batches[c.Batch] == nil {
			batches[c.Batch] = &tally{}
		}
		n := batches[c.Batch]
		a, err := e.Ask(context.Background(), digesto.Question{Text: c.Question, Pack: "jus", AsOf: "2025-12-15"}, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.Question, err)
		}
		if c.Refuse {
			n.toRefuse++
			if a.Meta.Outcome != digesto.OutcomeAnswer || strings.Contains(a.Answer, "queda sin total") {
				n.refused++
			} else {
				t.Logf("%s answered (%.2f): %s", c.ID, a.Confidence, a.Answer)
			}
			continue
		}
		n.answerable++
		if c.quoted(a) {
			n.article++
		} else {
			t.Logf("%s does not quote %v", c.ID, c.Articles)
		}
		switch {
		case c.exact(a):
			n.exact++
			if a.Confidence >= .6 {
				n.sure++
			}
		case a.Meta.Outcome == digesto.OutcomeAnswer && a.Confidence >= .6 && (a.Meta.Mode == write.ModeCalculator || !c.quoted(a)):
			n.wrong++
			t.Errorf("%s: %s: %s", c.ID, c.Question, a.Answer)
		default:
			t.Logf("%s not exact (%s, %.2f): %s", c.ID, a.Meta.Outcome, a.Confidence, c.Question)
		}
	}
	var sum tally
	for _, k := range slices.Sorted(maps.Keys(batches)) {
		n := batches[k]
		t.Logf("batch %d: exact %d of %d (at .6 or more %d), right article quoted %d, wrong at .6 or more %d, refused %d of %d", k, n.exact, n.answerable, n.sure, n.article, n.wrong, n.refused, n.toRefuse)
		sum = tally{sum.answerable + n.answerable, sum.exact + n.exact, sum.sure + n.sure, sum.article + n.article, sum.wrong + n.wrong, sum.toRefuse + n.toRefuse, sum.refused + n.refused}
	}
	t.Logf("all: exact %d of %d (at .6 or more %d), right article quoted %d, wrong at .6 or more %d, refused %d of %d", sum.exact, sum.answerable, sum.sure, sum.article, sum.wrong, sum.refused, sum.toRefuse)
	if sum.exact*100 < sum.answerable*95 || sum.article*100 < sum.answerable*95 || sum.refused*100 < sum.toRefuse*90 {
		t.Error("below the mark")
	}
}

// exact says whether the answer has every figure of the law to the cent, in JUS
// (first of sum) and in pesos at the value of the day.
func (c serviceCase) exact(a digesto.Answer) bool {
	direct, _, _ := strings.Cut(a.Answer, "\n\nprovincia")
	has := func(s string) bool { return strings.Contains(direct, s) }
	ok := a.Meta.Outcome == digesto.OutcomeAnswer
	for _, n := range []string{c.Low, c.High} {
		if n != "" {
			ok = ok && has(inPesos(n, "37714.22"))
		}
	}
	for _, n := range c.Pesos {
		ok = ok && has(inPesos(n, "1"))
	}
	for _, w := range c.Tells {
		ok = ok && has(w)
	}
	for _, n := range c.Percent {
		ok = ok && (strings.Contains(a.Answer, n+" %") || strings.Contains(a.Answer, n+"%"))
	}
	return ok
}

func inPesos(n, value string) string {
	d, err := decimal.MustParse(n).Mul(decimal.MustParse(value))
	if err != nil {
		return err.Error()
	}
	return jus.Pesos(d.Round(2))
}

// quoted says whether every article asked for is quoted from the law.
func (c serviceCase) quoted(a digesto.Answer) bool {
	for _, unit := range c.Articles {
		if !slices.ContainsFunc(a.Citations, func(x digesto.Citation) bool { return x.Ref.Document == jus.Law && x.Ref.Unit == unit }) {
			return false
		}
	}
	return len(c.Articles) > 0
}

func serviceCases(t *testing.T) (out []serviceCase) {
	t.Helper()
	f, err := os.Open("jus/eval/services.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c serviceCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func viewOf(t *testing.T, s *corpus.Snapshot) ask.View {
	t.Helper()
	x, err := index.Memory(t.Context(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ask.View{Snapshot: s, Searcher: x}
}
