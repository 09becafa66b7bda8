package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

const stored = "El aviso se da con treinta días. Salvo pacto, la baja es gratuita."

func cite1(q string, start, end int) digesto.Answer {
	return digesto.Answer{Answer: "Con treinta días.", Citations: []digesto.Citation{{Quote: q, Ref: &digesto.Ref{Document: "LEY-1", Unit: "a1", Start: start, End: end}}}}
}

func TestAnswers(t *testing.T) {
	answers := map[string]digesto.Answer{
		"bien":     cite1("El aviso se da con treinta días.", 0, 32),
		"otra":     cite1("El aviso se da con veinte días.", 0, 32),
		"corrida":  cite1("El aviso se da con treinta días.", 3, 32),
		"cortada":  cite1("viso se da", 4, 14),
		"fuera":    cite1("El aviso", 60, 600),
		"rechaza":  {Answer: "No consta.", Refusal: true, Meta: &digesto.Meta{Outcome: digesto.OutcomeRefusal}},
		"pregunta": {Answer: "¿Cuál?", Meta: &digesto.Meta{Outcome: digesto.OutcomeClarification}},
	}
	ask := func(_ context.Context, q digesto.Question) (digesto.Answer, error) {
		switch q.Text {
		case "revienta":
			panic("índice fuera de rango")
		case "falla":
			return digesto.Answer{}, errors.New("sin índice")
		}
		return answers[q.Text], nil
	}
	file := filepath.Join(t.TempDir(), "q.jsonl")
	lines := `{"_id":"1","question":"bien","expect":{"document":"LEY-1","unit":"a1","contains":["TREINTA dias"]}}
{"_id":"2","question":"otra","expect":{"outcome":"refusal"}}
{"_id":"3","question":"corrida"}
{"_id":"4","question":"cortada"}
{"_id":"5","question":"fuera"}
{"_id":"6","question":"rechaza","expect":"refusal"}
{"_id":"7","question":"pregunta"}
{"_id":"8","question":"revienta"}
{"_id":"9","text":"falla"}
`
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := ReadCases(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	got, err := Answers(context.Background(), cases, AnswersOptions{Ask: ask, Out: &out,
		Text: func(digesto.Ref) (string, error) { return stored, nil }})
	if err != nil {
		t.Fatal(err)
	}
	want := Counts{Questions: 9, Answered: 5, Refused: 1, Other: 1, Quotes: 5, Verbatim: 1, Failed: 2, Expected: 3, Met: 2, Shares: Shares{Refusable: 2, Declined: 1, AsExpected: 1}}
	if got != want {
		t.Errorf("counts %+v\nwant   %+v\n%s", got, want, out.String())
	}
	for line := range strings.Lines(out.String()) {
		var a struct {
			ID     string           `json:"_id"`
			Answer string           `json:"answer"`
			Cites  []map[string]any `json:"citations"`
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.ID == "" || a.Cites == nil {
			t.Errorf("line %s: %v", line, err)
		}
	}
}

func TestReadCasesRefuses(t *testing.T) {
	for _, bad := range []string{`{"_id":"1"}`, `{`, `[]`} {
		file := filepath.Join(t.TempDir(), "q.jsonl")
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCases(file); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := ReadCases("no-existe.jsonl"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("absent file: %v", err)
	}
}
