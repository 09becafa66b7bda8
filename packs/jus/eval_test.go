package jus_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/packs"
	"digesto/packs/jus"
)

// evalCase is a line of eval/questions.jsonl: what the rules must understand of
// a question, and the figures, worked out apart from this program.
type evalCase struct {
	ID         string            `json:"_id"`
	Question   string            `json:"question"`
	Today      digesto.Date      `json:"today"`
	Classes    []string          `json:"classes"`
	Function   string            `json:"function"`
	Args       map[string]string `json:"args"`
	Items      []string          `json:"items"`
	From       *string           `json:"from"`
	To         *string           `json:"to"`
	Difference *string           `json:"difference"`
	Low        *string           `json:"low"`
	High       *string           `json:"high"`
}

func evalCases(tb testing.TB) []evalCase {
	tb.Helper()
	f, err := os.Open("eval/questions.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []evalCase
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var c evalCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			tb.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func jusPack(tb testing.TB) (*pack.Pack, pack.Tool) {
	tb.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	p, ok := packs.One(all, "jus")
	if !ok || len(p.Tools) != 1 {
		tb.Fatal("no calculator")
	}
	return p, p.Tools[0]
}

func TestEvalClasses(t *testing.T) {
	p, _ := jusPack(t)
	list := evalCases(t)
	if len(list) < 200 {
		t.Fatalf("%d questions", len(list))
	}
	exact, refused, falsely, toRefuse := 0, 0, 0, 0
	for _, c := range list {
		got := p.Classify(pack.ToolQuestion{Text: c.Question, Today: c.Today})
		if slices.Equal(got.Classes, c.Classes) {
			exact++
		} else {
			t.Logf("%s: %v, want %v", c.Question, got.Classes, c.Classes)
		}
		only := len(c.Classes) == 1 && (c.Classes[0] == jus.ClassOutside || c.Classes[0] == jus.ClassAdvice)
		ended := got.Outcome == digesto.OutcomeOutOfScope || got.Outcome == digesto.OutcomeAdvice
		switch {
		case only:
			toRefuse++
			if ended && got.Reply != "" {
				refused++
			}
		case ended:
			falsely++
			t.Logf("refused: %s", c.Question)
		}
	}
	n := len(list)
	t.Logf("class set exact %d/%d, refused %d/%d, falsely %d/%d", exact, n, refused, toRefuse, falsely, n-toRefuse)
	if exact*100 < n*97 || refused*100 < toRefuse*99 || falsely*100 > (n-toRefuse) {
		t.Errorf("below the mark")
	}
}

func TestEvalFigures(t *testing.T) {
	_, tool := jusPack(t)
	for _, c := range evalCases(t) {
		call, ok := tool.Detect(pack.ToolQuestion{Text: c.Question, Today: c.Today})
		if ok != (c.Function != "") || call.Function != c.Function {
			t.Errorf("%s: %q, want %q", c.Question, call.Function, c.Function)
			continue
		}
		if !ok {
			continue
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil {
			t.Errorf("%s: %v", c.Question, err)
			continue
		}
		checkFigures(t, c, call, r)
	}
}

func checkFigures(t *testing.T, c evalCase, call pack.ToolCall, r pack.ToolResult) {
	t.Helper()
	eq := func(what string, got, want *string) {
		if deref(got) != deref(want) {
			t.Errorf("%s: %s %s, want %s", c.Question, what, deref(got), deref(want))
		}
	}
	for k, v := range c.Args {
		if call.Args[k] != v {
			t.Errorf("%s: %s=%q, want %q", c.Question, k, call.Args[k], v)
		}
	}
	if len(c.Items) > 0 && !slices.Equal(call.Items, c.Items) {
		t.Errorf("%s: items %v, want %v", c.Question, call.Items, c.Items)
	}
	switch d := r.Data.(type) {
	case jus.Comparison:
		if c.Difference != nil {
			eq("difference", d.Difference, c.Difference)
			eq("from", d.From.Value, c.From)
			eq("to", d.To.Value, c.To)
		}
	case jus.Result:
		if c.Low != nil {
			eq("low", d.Low, c.Low)
			eq("high", d.High, c.High)
			return
		}
		if c.Function == "presupuesto" || c.From == nil && d.Result == nil {
			return
		}
		from, to := d.Result, d.Result
		if d.From != nil {
			from, to = d.From.Value, d.To.Value
			if c.Function == "convertir" {
				from, to = d.From.Result, d.To.Result
			}
		}
		eq("from", from, c.From)
		eq("to", to, c.To)
	}
}

// TestFourParts: every answer has the direct answer, the province, the date of
// the value and the norm; the same question gives the same bytes.
func TestFourParts(t *testing.T) {
	_, tool := jusPack(t)
	for _, c := range evalCases(t) {
		call, ok := tool.Detect(pack.ToolQuestion{Text: c.Question, Today: c.Today})
		if !ok {
			continue
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome == digesto.OutcomeClarification {
			continue
		}
		for _, part := range []string{"provincia: Córdoba", "valor del JUS: ", "norma: Ley 9459, artículo "} {
			if !strings.Contains(r.Text, part) {
				t.Errorf("%s: no %q in\n%s", c.Question, part, r.Text)
			}
		}
		if head, _, _ := strings.Cut(r.Text, "\n\nprovincia"); len(head) < 10 {
			t.Errorf("%s: no direct answer: %q", c.Question, r.Text)
		}
		again, err := tool.Calculate(context.Background(), call)
		if err != nil || again.Text != r.Text {
			t.Errorf("%s: not the same bytes", c.Question)
		}
	}
}

// TestSourcesQuotable: every source of a result is verbatim the text of a unit of the tables.
func TestSourcesQuotable(t *testing.T) {
	p, tool := jusPack(t)
	text := map[string]string{}
	for norm, units := range p.Norms {
		for _, u := range units {
			text[norm.ID+"/"+u.ID] = u.Versions[0].Text
		}
	}
	n := 0
	for _, c := range evalCases(t) {
		call, ok := tool.Detect(pack.ToolQuestion{Text: c.Question, Today: c.Today})
		if !ok {
			continue
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Sources {
			n++
			if s.Norm == jus.Law && s.About != "" { // quoted from the law: EveryFee holds its words against it
				continue
			}
			if text[s.Norm+"/"+s.Unit] != s.Quote {
				t.Errorf("%s/%s: %q is not %q", s.Norm, s.Unit, s.Quote, text[s.Norm+"/"+s.Unit])
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d sources", n)
	}
}
