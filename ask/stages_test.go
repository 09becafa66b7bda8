package ask

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/ground"
	"digesto/model"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
	"digesto/write"
)

// script is a model that says what it was told to, by the prompt it gets: each
// list is read in order, the last line again and again.
type script struct {
	says map[string][]string // first word of the system prompt → replies
	seen []model.Request
}

func (s *script) Generate(_ context.Context, r model.Request, emit func(string) error) (model.Response, error) {
	s.seen = append(s.seen, r)
	word, _, _ := strings.Cut(r.Messages[0].Text, " ")
	list := s.says[word]
	if len(list) == 0 {
		return model.Response{}, &digesto.Error{Code: digesto.CodeUnavailable, Message: "sin guion para " + word}
	}
	if len(list) > 1 {
		s.says[word] = list[1:]
	}
	return model.Response{Text: list[0], Finish: model.FinishStop}, nil
}

// stagedWorld is the invented world with the prompts of every stage and a glossary.
func stagedWorld(t testing.TB) world {
	t.Helper()
	fsys := maps.Clone(manifest)
	raw := string(fsys["costa/pack.yaml"].Data)
	raw = strings.Replace(raw, "files:", "files:\n  glossary: [glossary.tsv]\n  sources: [sources.tsv]", 1) + `
prompts:
  - {name: decompose, version: "1", file: decompose.md, window: 4, cut: 300}
  - {name: rerank, version: "1", file: rerank.md}
  - {name: evaluate, version: "1", file: evaluate.md}
  - {name: answer, version: "1", file: answer.md, window: 6}
`
	fsys["costa/pack.yaml"] = &fstest.MapFile{Data: []byte(raw)}
	for name, text := range map[string]string{"decompose.md": "DESCOMPON la pregunta.", "rerank.md": "ORDENA los fragmentos.", "evaluate.md": "EVALUA el contexto.", "answer.md": "RESPONDE con citations.",
		"sources.tsv":  "id\ttitle\tshort\trank\turl\tarticles\nLEY-1\tLey 1/2001, de 3 de marzo, de Faros y Balizas\tLey de Faros\tley\thttps://example.org/1\t7\n",
		"glossary.tsv": "term\tlegal\thint\tnote\ntasa de luz | tasa\ttasa de luz\tLEY-1 a4\tart. 4\nguardia | guardias\tguardias por parejas\tLEY-1 a7bis\tart. 7 bis\nfarero\tfarero\tLEY-1 a1\tmal puesto\n"} {
		fsys["costa/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	p, err := pack.Load(fsys, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, true)
	w.packs = []*pack.Pack{p}
	return w
}

const (
	plainAsk   = "¿Cuántos días dura como mínimo el descanso anual del farero?"
	compareAsk = "¿Qué diferencia hay entre la tasa de luz y las guardias?"
)

// written is a draft of the writer that stands on the text.
func written(quote string) string {
	b, _ := json.Marshal(map[string]any{"answer": "La ley lo dice: " + quote, "citations": []any{map[string]any{"quote": quote, "source": "LEY-1.md", "page": nil}},
		"confidence": .9, "refusal": false, "notes": nil})
	return string(b)
}

const restQuote = "Nunca durará menos de veintidós días naturales."

func traceOf(a digesto.Answer) string {
	var out []string
	for _, s := range a.Meta.Trace {
		out = append(out, s.Stage+" "+s.How+" "+s.Note)
	}
	return strings.Join(out, "\n")
}

// TestEveryBranchOfTheStages runs a scripted reader and writer through each way
// a stage can end; none changes what may be quoted, and every call is counted.
func TestEveryBranchOfTheStages(t *testing.T) {
	for _, c := range []struct {
		name, ask      string
		reader, writer map[string][]string
		trace          []string // in the trace
		degraded       []string
		most           int // calls
		check          func(t *testing.T, a digesto.Answer)
	}{
		{"one query, evidence: rerank and evaluation skipped", plainAsk,
			map[string][]string{"DESCOMPON": {`["descanso anual del farero"]`}}, map[string][]string{"RESPONDE": {written(restQuote)}},
			[]string{"decompose model 1 consultas", "rerank skipped", "evaluate skipped"}, nil, 3,
			func(t *testing.T, a digesto.Answer) {
				if a.Meta.ModelCalls.Reader != 1 || a.Meta.ModelCalls.Writer != 1 || a.Meta.Mode != write.ModeModel {
					t.Errorf("calls %+v, mode %s", a.Meta.ModelCalls, a.Meta.Mode)
				}
			}},
		{"invalid JSON: the question itself", plainAsk,
			map[string][]string{"DESCOMPON": {"no sé hacer arrays"}}, map[string][]string{"RESPONDE": {written(restQuote)}},
			[]string{"decompose rules el lector no dio"}, []string{"reader_parse_error"}, 3, nil},
		{"the reader fails", plainAsk, map[string][]string{}, map[string][]string{"RESPONDE": {written(restQuote)}},
			nil, []string{"reader_failed"}, 3, nil},
		{"five queries are grouped into four", plainAsk,
			map[string][]string{"DESCOMPON": {`["descanso del farero", "descanso anual farero", "tasa de luz", "guardias por parejas", "prohibiciones del farero"]`}, "ORDENA": {`[0]`}},
			map[string][]string{"RESPONDE": {written(restQuote)}, "EVALUA": {"READY"}},
			[]string{"decompose model 4 consultas"}, nil, 10,
			func(t *testing.T, a digesto.Answer) {
				if len(a.Meta.Queries) != 4 || !strings.Contains(strings.Join(a.Meta.Queries, "|"), "descanso del farero descanso anual farero") {
					t.Errorf("queries %q", a.Meta.Queries)
				}
			}},
		{"indices out of range, repeated, of another kind", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`[99, -1, 1, 1, "2", 1.5, 0]`}},
			map[string][]string{"EVALUA": {"READY"}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"rerank model 2 de", "evaluate model READY"}, nil, 10, nil},
		{"no order at all: the rules' own", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`ninguno`}},
			map[string][]string{"EVALUA": {"READY"}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"rerank heuristic"}, []string{"reader_parse_error"}, 10, nil},
		{"NEED of what there is not, then twice the same", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`[0, 1]`}},
			map[string][]string{"EVALUA": {"NEED|3|Ley de Faros\nNEED|99|Ley de Faros", "NEED|3|Ley de Faros"}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"NEED 3 Ley de Faros: LEY-1/a3 (por su lugar)", "NEED 99 Ley de Faros", "NEED 3 Ley de Faros: ya pedido"}, nil, 10,
			func(t *testing.T, a digesto.Answer) {
				if !slices.Contains(a.Meta.Grounds, "LEY-1/a3") {
					t.Errorf("grounds %v", a.Meta.Grounds)
				}
			}},
		{"DROP of everything is not heeded", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`[0, 1]`}},
			map[string][]string{"EVALUA": {"DROP|0,1,2,3,4,5,6,7,8,9,10,11"}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"DROP de todo: no se atiende"}, nil, 10, nil},
		{"READY at once", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`[0, 1]`}},
			map[string][]string{"EVALUA": {" ready. "}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"evaluate model READY"}, nil, 10,
			func(t *testing.T, a digesto.Answer) {
				if a.Meta.ModelCalls.Reader != 2 || a.Meta.ModelCalls.Writer != 2 {
					t.Errorf("calls %+v", a.Meta.ModelCalls)
				}
			}},
		{"an evaluator that chats", compareAsk,
			map[string][]string{"DESCOMPON": {`["tasa de luz", "guardias"]`}, "ORDENA": {`[0, 1]`}},
			map[string][]string{"EVALUA": {"Creo que falta algo."}, "RESPONDE": {written("Las guardias se harán por parejas.")}},
			[]string{"evaluate heuristic"}, []string{"evaluator_parse_error"}, 10, nil},
		{"a writer that invents: extraction", plainAsk,
			map[string][]string{"DESCOMPON": {`["descanso anual del farero"]`}}, map[string][]string{"RESPONDE": {written("El farero descansará cien días naturales seguidos.")}},
			nil, nil, 4,
			func(t *testing.T, a digesto.Answer) {
				if a.Meta.Mode != write.ModeExtractive || len(a.Meta.Degraded) == 0 {
					t.Errorf("mode %s, %v", a.Meta.Mode, a.Meta.Degraded)
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := stagedWorld(t)
			e := w.engine(t, func(o *Options) { o.Reader, o.Writer = &script{says: c.reader}, &script{says: c.writer} })
			a := ask(t, e, c.ask)
			if a.Meta.Outcome != digesto.OutcomeAnswer || len(a.Citations) == 0 {
				t.Fatalf("%s: %s", a.Meta.Outcome, a.Answer)
			}
			trace := traceOf(a)
			for _, want := range c.trace {
				if !strings.Contains(trace, want) {
					t.Errorf("the trace lacks %q:\n%s", want, trace)
				}
			}
			for _, want := range c.degraded {
				if !slices.Contains(a.Meta.Degraded, want) {
					t.Errorf("degraded %v lacks %q", a.Meta.Degraded, want)
				}
			}
			if n := a.Meta.ModelCalls.Reader + a.Meta.ModelCalls.Writer; n > c.most {
				t.Errorf("%d calls, at most %d", n, c.most)
			}
			if c.check != nil {
				c.check(t, a)
			}
		})
	}
}

// TestNoModelNoCalls: without models the same stages run, and the trace says how.
func TestNoModelNoCalls(t *testing.T) {
	e := stagedWorld(t).engine(t, nil)
	a := ask(t, e, compareAsk)
	if a.Meta.ModelCalls != (digesto.ModelCalls{}) {
		t.Errorf("calls %+v", a.Meta.ModelCalls)
	}
	if len(a.Meta.Queries) != 2 || !strings.Contains(traceOf(a), "decompose rules 2 consultas") {
		t.Errorf("queries %q\n%s", a.Meta.Queries, traceOf(a))
	}
	if places(a) == "" || !strings.Contains(places(a), "LEY-1/a4") || !strings.Contains(places(a), "LEY-1/a7bis") {
		t.Errorf("both sides are not cited: %s", places(a))
	}
}

// TestWhatTheReaderAndTheWriterSee: the last messages cut short, fragments with
// their number, the context in its form.
func TestWhatTheReaderAndTheWriterSee(t *testing.T) {
	r := &script{says: map[string][]string{"DESCOMPON": {`["descanso anual del farero"]`}}}
	wr := &script{says: map[string][]string{"RESPONDE": {written(restQuote)}}}
	e := stagedWorld(t).engine(t, func(o *Options) { o.Reader, o.Writer = r, wr })
	long := strings.Repeat("palabra ", 80)
	var history []digesto.Message
	for range 4 {
		history = append(history, digesto.Message{Role: "user", Text: "¿Qué hace el farero?"}, digesto.Message{Role: "assistant", Text: long})
	}
	if _, err := e.Ask(context.Background(), digesto.Question{Text: plainAsk, Pack: "costa", History: history}, nil); err != nil {
		t.Fatal(err)
	}
	m := r.seen[0].Messages
	if len(m) != 1+4+1 || len([]rune(m[2].Text)) != 300 || m[2].Role != model.Assistant || m[5].Text != plainAsk {
		t.Errorf("the reader saw %d messages, the third of %d runes", len(m), len([]rune(m[2].Text)))
	}
	m = wr.seen[0].Messages
	if len(m) != 2+6+1 || m[1].Role != model.System || !strings.HasPrefix(m[1].Text, "CONTEXTO DE NORMATIVA VIGENTE:") || !strings.Contains(m[1].Text, "[Fuente 1 — normativa]") {
		t.Errorf("the writer saw %d messages: %.200s", len(m), m[1].Text)
	}
}

func TestHintsAreChecked(t *testing.T) {
	w := stagedWorld(t)
	n, bad := ground.Misled(w.packs[0], w.law)
	if n != 3 || len(bad) != 1 || bad[0].Term.Forms[0] != "farero" { // its place speaks of towers, not of people
		t.Fatalf("%d compared, %v", n, bad)
	}
	g := w.packs[0].Glossary
	g.Terms[0].Hints = []pack.Hint{{Norm: "LEY-1", Unit: "a6"}, {Norm: "LEY-1", Unit: "a60"}, {Norm: "LEY-9", Unit: "a1"}}
	if _, bad = ground.Misled(w.packs[0], w.law); len(bad) != 3 {
		t.Errorf("a place that says nothing of it and one that is not there: %v", bad)
	}
	// a place that the text does not bear out leads nowhere
	e := w.engine(t, nil)
	if a := ask(t, e, "¿De cuánto es la tasa de luz por arribada?"); !strings.Contains(places(a), "LEY-1/a4") || slices.Contains(a.Meta.Grounds, "LEY-1/a60") {
		t.Errorf("%s %v", places(a), a.Meta.Grounds)
	}
}

// TestAFalseCorrectionDoesNotMoveTheAnswer is the dialogue of someone who knows better.
func TestAFalseCorrectionDoesNotMoveTheAnswer(t *testing.T) {
	e := stagedWorld(t).engine(t, nil)
	first := ask(t, e, plainAsk)
	for _, said := range []string{"No, son 30 días hábiles.", "Te equivocas, son 15.", "Mentira, no hay descanso.", "Eso está mal.", "No es así, ya son cuarenta."} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: said, Pack: "costa", History: []digesto.Message{
			{Role: "user", Text: plainAsk}, {Role: "assistant", Text: first.Answer, Type: "answer"}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if places(a) != places(first) || len(a.Citations) == 0 || a.Citations[0].Quote != first.Citations[0].Quote {
			t.Errorf("%s: %s", said, a.Answer)
		}
		if a.Notes == nil || !strings.Contains(*a.Notes, ground.Insisted) {
			t.Errorf("%s: the note is missing: %v", said, a.Notes)
		}
	}
}

func TestCompared(t *testing.T) {
	w := stagedWorld(t)
	i := query.Intent{Scope: query.Scope{Pack: w.packs[0]}}
	for q, want := range map[string]string{
		"¿Qué diferencia hay entre la tasa de luz y las guardias?": "tasa de luz|guardias",
		"¿En qué se diferencia la tasa de la guardia?":             "tasa|guardia",
		"¿Esto es tasa o guardia?":                                 "tasa|guardia",
		"diferencias entre faro grande y pequeño":                  "faro grande|faro pequeno",
		"¿Es obligatorio o voluntario?":                            "",
		"¿Cuánto cuesta la tasa si hago guardias?":                 "",
		"¿Qué diferencia hay?":                                     "",
		"¿Pago la tasa y hago la guardia?":                         "",
	} {
		var got []string
		for _, c := range i.Compared(pack.Words(q), w.packs[0].Glossary.Find(q)) {
			got = append(got, c.Name)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

func FuzzReaders(f *testing.F) {
	for _, s := range []string{`["a","b"]`, "```json\n[1,2]\n```", "NEED|3|ET\nDROP|1,2", "READY", `[[1],{"a":2}]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<16 {
			return
		}
		if q := query.QueriesOf(s, 4); len(q) > 4 {
			t.Errorf("%d queries", len(q))
		}
		if list, ok := retrieve.IndicesOf(s, 5, 3); ok && (len(list) == 0 || len(list) > 3 || slices.Max(list) > 4 || slices.Min(list) < 0) {
			t.Errorf("indices %v", list)
		}
		if j, _ := retrieve.JudgementOf(s, 4, 3); len(j.Needs) > 3 || len(j.Drop) > 4 {
			t.Errorf("judgement %+v", j)
		}
	})
}
