package ask

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"digesto"

	"digesto/model"
	"digesto/query"
	"digesto/retrieve"
	"digesto/text"
	"digesto/write"
)

// labourCase is a line of packs/laboral/eval/questions.jsonl.
type labourCase struct {
	ID       string            `json:"_id"`
	Question string            `json:"question"`
	Kind     string            `json:"kind"`
	AsOf     digesto.Date      `json:"as_of"`
	History  []digesto.Message `json:"history"`
	Expect   struct {
		Places   []string `json:"places"`
		Not      []string `json:"not"`
		Contains []string `json:"contains"`
	} `json:"expect"`
}

func labourCases(t testing.TB) []labourCase {
	t.Helper()
	var out []labourCase
	eachLine(t, "../packs/laboral/eval/questions.jsonl", func(line []byte) {
		var c labourCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	})
	return out
}

func (c labourCase) question() digesto.Question {
	return digesto.Question{Text: c.Question, Pack: "laboral", AsOf: c.AsOf, History: c.History}
}

// TestLabourQuestions holds the shares of our own labour questions whose article
// is in the grounds and is cited first, without a model; no repealed rule and no
// false correction is ever the answer.
func TestLabourQuestions(t *testing.T) {
	e, v := wholeEngine(t)
	n, grounded, first, special := 0, 0, 0, 0
	for _, c := range labourCases(t) {
		a, err := e.Ask(context.Background(), c.question(), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.Question, err)
		}
		n++
		if c.Kind != "simple" && c.Kind != "compare" {
			special++
		}
		if c.AsOf == "" {
			provedAll(t, v, c.Question, a)
		}
		all := text.Fold(a.Answer)
		for _, bad := range c.Expect.Not {
			if strings.Contains(all, text.Fold(bad)) {
				t.Errorf("%s %s: says %q", c.ID, c.Question, bad)
			}
		}
		at := slices.Clone(a.Meta.Grounds)
		for k, q := range a.Citations {
			p := q.Ref.Document + "/" + q.Ref.Unit
			at = append(at, p)
			if k == 0 && slices.Contains(c.Expect.Places, p) {
				first++
			}
		}
		if slices.ContainsFunc(at, func(p string) bool { return slices.Contains(c.Expect.Places, p) }) {
			grounded++
		}
		if a.Meta.ModelCalls != (digesto.ModelCalls{}) {
			t.Errorf("%s: calls without a model: %+v", c.Question, a.Meta.ModelCalls)
		}
	}
	t.Logf("%d questions: article in the grounds %.3f, cited first %.3f", n, float64(grounded)/float64(n), float64(first)/float64(n))
	if n < 120 || 3*special < n-10 {
		t.Errorf("%d questions, %d of them follow-ups, conflicts or repealed rules", n, special)
	}
	if float64(grounded) < .9*float64(n) || float64(first) < .7*float64(n) {
		t.Errorf("grounds %d, first %d of %d: fewer than demanded", grounded, first, n)
	}
}

// TestRankingNeverBelowNone is the ablation of the order by rules: over our own
// questions it puts the right article first at least as often as the search alone.
func TestRankingNeverBelowNone(t *testing.T) {
	e, _ := sharedEngine(t)
	with, without := 0, 0
	for _, c := range labourCases(t) {
		if c.AsOf != "" || len(c.History) > 0 {
			continue
		}
		h := hitsOf(t, e, c.Question)
		right := func(list []retrieve.Hit) bool {
			law, _ := retrieve.Split(list)
			return len(law) > 0 && slices.Contains(c.Expect.Places, law[0].Key())
		}
		byScore := slices.Clone(h.List)
		slices.SortStableFunc(byScore, func(a, b retrieve.Hit) int {
			switch {
			case a.Score > b.Score:
				return -1
			case a.Score < b.Score:
				return 1
			}
			return 0
		})
		if right(byScore) {
			without++
		}
		if right(retrieve.Rerank(h).List) {
			with++
		}
	}
	t.Logf("first: search alone %d, with the order by rules %d", without, with)
	if with < without {
		t.Errorf("the order by rules puts the right article first %d times, the search alone %d", with, without)
	}
}

func hitsOf(t testing.TB, e *Engine, q string) retrieve.Hits {
	t.Helper()
	law, release, err := e.law()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	tn := query.Turn{Q: digesto.Question{Text: q, Pack: "laboral"}, Said: q, Today: "2026-11-21", Law: law, An: &text.Analyser{MaxWords: 1 << 16}, Units: e.units}
	s, err := e.Route(context.Background(), tn)
	if err != nil {
		t.Fatal(err)
	}
	i := e.Read(s, q)
	h, err := e.Gather(context.Background(), i, i.ByRules())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func benchmarkLabour(b *testing.B, e *Engine) {
	var list []digesto.Question
	for _, c := range labourCases(b) {
		list = append(list, c.question())
	}
	for _, q := range list { // units are read once
		if _, err := e.Ask(context.Background(), q, nil); err != nil {
			b.Fatal(err)
		}
	}
	var took []float64
	for i := 0; b.Loop(); i++ {
		began := b.Elapsed()
		if _, err := e.Ask(context.Background(), list[i%len(list)], nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64((b.Elapsed()-began).Microseconds())/1000)
	}
	b.ReportMetric(quantile(took, .5), "p50-ms")
	b.ReportMetric(quantile(took, .95), "p95-ms")
}

// BenchmarkLabour is the whole row without a model over the installed law.
func BenchmarkLabour(b *testing.B) {
	e, _ := sharedEngine(b)
	benchmarkLabour(b, e)
}

// instant answers at once what each stage can read: what is measured is ours.
type instant struct{}

func (instant) Generate(_ context.Context, r model.Request, _ func(string) error) (model.Response, error) {
	s := r.Messages[0].Text
	switch {
	case strings.HasPrefix(s, "Preparas"):
		return model.Response{Text: `["` + strings.NewReplacer(`"`, "", "\\", "", "\n", " ").Replace(r.Messages[len(r.Messages)-1].Text) + `"]`, Finish: model.FinishStop}, nil
	case strings.HasPrefix(s, "Ordena"):
		return model.Response{Text: "[0,1,2]", Finish: model.FinishStop}, nil
	case strings.HasPrefix(s, "Decides"):
		return model.Response{Text: "READY", Finish: model.FinishStop}, nil
	}
	return model.Response{Text: `{"answer":"No consta en los documentos.","citations":[],"confidence":0,"refusal":true,"notes":null}`, Finish: model.FinishStop}, nil
}

// BenchmarkLabourStubModel is the same with models that take no time: our own overhead.
func BenchmarkLabourStubModel(b *testing.B) {
	e, _ := sharedEngine(b)
	opt := e.opt
	opt.Reader, opt.Writer = instant{}, instant{}
	withModels, err := New(opt)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkLabour(b, withModels)
}

// TestCalculatedForOthers: what everybody's law gives is not said out loud to those who have
// a law of their own.
func TestCalculatedForOthers(t *testing.T) {
	e, _ := sharedEngine(t)
	for q, loud := range map[string]bool{
		"Me despiden hoy, entré el 3 de marzo de 2018 y cobro 1.500 euros al mes con pagas. ¿Cuánto me toca de indemnización por despido improcedente?":                                   true,
		"Soy interna, empleada de hogar, y me despiden hoy, entré el 3 de marzo de 2018 y cobro 1.500 euros al mes con pagas. ¿Cuánto me toca de indemnización por despido improcedente?": false,
	} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "laboral"}, nil)
		if err != nil || a.Meta.Mode != write.ModeCalculator || (a.Confidence >= .6) != loud {
			t.Errorf("%s: %v %s %.2f", q, err, a.Meta.Mode, a.Confidence)
		}
	}
}
