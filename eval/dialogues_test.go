package eval_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/eval"
)

// parrot answers "¿…?" with an answer and "vago" with a clarification.
func parrot(log *[]string) func(context.Context, digesto.Question) (digesto.Answer, error) {
	return func(_ context.Context, q digesto.Question) (digesto.Answer, error) {
		*log = append(*log, q.Conversation+":"+q.Text)
		prompt := "initial"
		m := &digesto.Meta{Outcome: digesto.OutcomeAnswer, SessionID: "s", PromptType: &prompt}
		if q.Text == "vago" {
			m.Outcome, m.Options = digesto.OutcomeClarification, []string{"a", "b"}
		}
		if q.Text == "sigue" {
			m.Queries = []string{"lo de antes sigue"}
		}
		return digesto.Answer{Answer: "texto", Meta: m}, nil
	}
}

func TestDialogues(t *testing.T) {
	list, err := eval.ReadDialogues(strings.NewReader(`{"_id":"1","kind":"x","turns":[{"say":"vago","expect":"clarification","options":2},{"say":"vago","expect":"clarification"},{"say":"sigue","expect":"clara","query":["ANTES"],"not":["otra"]}]}
{"_id":"2","kind":"x","turns":[{"say":"vago","expect":"answer"},{"say":"vago","expect":"clarification","delete":1},{"say":"¿a?","expect":"answer","prompt":"followup"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var log []string
	var deleted int64
	var out bytes.Buffer
	r, err := eval.Dialogues(t.Context(), list, eval.DialogueOptions{Ask: parrot(&log), Out: &out,
		Delete: func(_ context.Context, _ string, seq int64) error { deleted = seq; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Dialogues != 2 || r.Turns != 6 || r.Exact != 4 || r.Whole != 1 || r.Twice != 1 || r.Unneeded != 1 || r.Clear != 3 {
		t.Errorf("%+v\n%s", r, out.String())
	}
	if strings.Join(log, " ") != "new:vago s:vago s:sigue new:vago s:vago s:¿a?" || deleted != 1 {
		t.Errorf("asked %v, deleted %d", log, deleted)
	}
	if !strings.Contains(out.String(), "2, turno 1, «vago»: clarification, se esperaba answer") || !strings.Contains(out.String(), "prompt initial") {
		t.Errorf("says %s", out.String())
	}
}

func TestReadDialoguesBad(t *testing.T) {
	for _, bad := range []string{"{}", `{"_id":"1","turns":[]}`, `{"_id":"1","turns":[{"say":"a"}],"zzz":1}`, "x"} {
		if _, err := eval.ReadDialogues(strings.NewReader(bad)); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestDialoguesPlaced: a turn with places is right when the first quotation is of one and
// holds some of the words; what is said loud from elsewhere is counted.
func TestDialoguesPlaced(t *testing.T) {
	list, err := eval.ReadDialogues(strings.NewReader(strings.ReplaceAll(`{"_id":"1","pack":"mar","turns":[
{"user":"a","expect":{"outcome":"answer","places":["F/a1","F/a2"],"contains":["veinte días"]}},{"user":"a","expect":{"outcome":"answer","places":["F/a2"],"contains":["treinta"]}},
{"user":"a","expect":{"outcome":"answer","places":["F/a9"]}},{"user":"a","expect":{"outcome":["refusal","out_of_scope"]}}]}`, "\n", "")))
	if err != nil {
		t.Fatal(err)
	}
	var turns bytes.Buffer
	r, err := eval.Dialogues(t.Context(), list, eval.DialogueOptions{Turns: &turns, Ask: func(context.Context, digesto.Question) (digesto.Answer, error) {
		return digesto.Answer{Answer: "Veinte días.", Confidence: .8, Citations: []digesto.Citation{{Quote: "tendrá VEINTE días", Ref: &digesto.Ref{Document: "F", Unit: "a2"}}},
			Meta: &digesto.Meta{Outcome: digesto.OutcomeAnswer, SessionID: "s"}}, nil
	}})
	if err != nil || r.Turns != 4 || r.Exact != 1 || r.Loud != 4 || r.LoudWrong != 2 || r.Whole != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if n := strings.Count(turns.String(), "\n"); n != 4 {
		t.Errorf("%d turns written", n)
	}
}
