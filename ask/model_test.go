package ask

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"digesto"
	"digesto/model"
	"digesto/verify"
	"digesto/write"

	"github.com/google/go-cmp/cmp"
)

// scripted is a model that gives one text, or fails.
type scripted struct {
	text string
	err  error
	seen *model.Request
}

func (s scripted) Generate(_ context.Context, r model.Request, _ func(string) error) (model.Response, error) {
	if s.seen != nil {
		*s.seen = r
	}
	return model.Response{Text: s.text}, s.err
}

func output(answer, quote, source string, conf float64, refusal bool) string {
	cites := []any{}
	if quote != "" {
		cites = append(cites, map[string]any{"quote": quote, "source": source, "page": nil})
	}
	raw, err := json.Marshal(map[string]any{"answer": answer, "citations": cites, "confidence": conf, "refusal": refusal, "notes": nil})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestModelWrites(t *testing.T) {
	const q = "¿Cuántos días de vacaciones tiene el farero?"
	const quote = "Nunca durará menos de veintidós días naturales."
	for _, c := range []struct {
		name, text string
		err        error
		mode       string
		degraded   string
		outcome    digesto.Outcome
	}{
		{"good", output("El farero descansa al menos veintidós días naturales.", quote, "LEY-1.md", .99, false), nil, write.ModeModel, "", digesto.OutcomeAnswer},
		{"fenced", "```json\n" + output("El farero descansa al menos 22 días naturales.", quote, "LEY-1.md", .5, false) + "\n```", nil, write.ModeModel, "", digesto.OutcomeAnswer},
		{"prose", "El farero descansa veintidós días.", nil, write.ModeExtractive, "writer_parse_error", digesto.OutcomeAnswer},
		{"invented quote", output("El farero descansa mucho tiempo cada año.", "El farero descansará cuarenta días cada verano.", "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_none_left", digesto.OutcomeAnswer},
		{"wrong document", output("El farero descansa cada año sus días.", quote, "LEY-2.md", .9, false), nil, write.ModeExtractive, "writer_none_left", digesto.OutcomeAnswer},
		{"invented figure", output("El farero descansa al menos 40 días naturales.", quote, "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_figure", digesto.OutcomeAnswer},
		{"invented article", output("Según el artículo 88, el farero descansa al menos veintidós días naturales.", quote, "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_label", digesto.OutcomeAnswer},
		{"english", output("The keeper rests for at least twenty-two days of the year.", quote, "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_parse_error", digesto.OutcomeAnswer},
		{"failed call", "", errors.New("no hay red"), write.ModeExtractive, "writer_failed", digesto.OutcomeAnswer},
		{"refuses", output("No encontré lo que se pregunta en los documentos.", "", "", 0, true), nil, write.ModeExtractive, "writer_refused", digesto.OutcomeAnswer},
		{"one sentence of three invented", output("El farero descansa al menos veintidós días naturales. El convenio de cada puerto lo fija. Además cobra 500 euros de ayuda.", quote, "LEY-1.md", .9, false), nil, write.ModeModel, "", digesto.OutcomeAnswer},
		{"most of it invented", output("El farero descansa al menos veintidós días naturales. El gobierno paga 900 euros. También hay 77 permisos sindicales.", quote, "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_figure", digesto.OutcomeAnswer},
		{"of another place", output("El director del puerto resolverá las quejas contra el farero.", "El director del puerto resolverá las quejas contra el farero.", "LEY-1.md", .9, false), nil, write.ModeExtractive, "writer_elsewhere", digesto.OutcomeAnswer},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, true)
			var seen model.Request
			e := w.engine(t, func(o *Options) { o.Writer = scripted{c.text, c.err, &seen} })
			a := ask(t, e, q)
			if a.Meta.Mode != c.mode && a.Meta.Outcome == digesto.OutcomeAnswer || a.Meta.Outcome != c.outcome || strings.Join(a.Meta.Degraded, " ") != c.degraded {
				t.Errorf("%s %s %v: %s", a.Meta.Outcome, a.Meta.Mode, a.Meta.Degraded, a.Answer)
			}
			calls := 1
			if c.degraded == "writer_parse_error" { // one try to mend it
				calls = 2
			}
			if use := a.Meta.Models[model.Writer]; a.Meta.ModelCalls.Writer != calls || use.Calls != calls || (use.Path == "model") != (a.Meta.Mode == write.ModeModel) ||
				!strings.HasPrefix(use.Prompt, "answer@") || (use.Why == "") != (c.degraded == "") {
				t.Errorf("%d calls counted, %+v", a.Meta.ModelCalls.Writer, use)
			}
			if err := verify.Valid(a); err != nil {
				t.Error(err)
			}
			for _, cit := range a.Citations {
				if v := verify.Quote(cit, w.law.Snapshot, ""); v != verify.Proved {
					t.Errorf("%s: %q", v, cit.Quote)
				}
			}
			if len(seen.Messages) != 1+2*calls || !strings.Contains(seen.Messages[1].Text, "[Fuente 1 — normativa]") || !strings.Contains(seen.Messages[1].Text, quote) {
				t.Errorf("prompt: %+v", seen.Messages)
			}
		})
	}
}

// TestAbsentModelsAreSaid asks without any model: the trace says what did their work.
func TestAbsentModelsAreSaid(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for q, writer := range map[string]string{"¿Cuántos días de vacaciones tiene el farero?": write.ModeExtractive, "hola": "none"} {
		m := ask(t, e, q).Meta
		want := digesto.Models{
			model.Reader: {Path: "rules", Why: "absent"}, model.Writer: {Path: writer, Why: "absent"},
			model.Embedding: {Path: "words", Why: "absent"}, model.Ranking: {Path: "features", Why: "absent"},
		}
		if d := cmp.Diff(want, m.Models); d != "" || m.ModelCalls != (digesto.ModelCalls{}) {
			t.Errorf("%s (-want +got):\n%s", q, d)
		}
	}
}

func TestModelConfidenceIsACeiling(t *testing.T) {
	w := newWorld(t, true)
	sure := ask(t, w.engine(t, nil), "¿Cuántos días de vacaciones tiene el farero?").Confidence
	for _, said := range []float64{.1, .99} {
		e := w.engine(t, func(o *Options) {
			o.Writer = scripted{text: output("El farero descansa al menos veintidós días naturales.", "Nunca durará menos de veintidós días naturales.", "LEY-1.md", said, false)}
		})
		a := ask(t, e, "¿Cuántos días de vacaciones tiene el farero?")
		if a.Confidence > min(said, sure) {
			t.Errorf("said %.2f, evidence %.2f, given %.2f", said, sure, a.Confidence)
		}
		if a.Confidence < verify.Sure && a.Notes == nil {
			t.Error("low confidence without a note")
		}
	}
}
