package ask_test

import (
	"encoding/json"
	"testing"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
	"digesto/query"
)

// TestToneChangesNoCitation asks the same in every tone.
func TestToneChangesNoCitation(t *testing.T) {
	e := toneEngine(t)
	want, seen := "", map[string]bool{}
	for _, tone := range []string{"", "formal", "academico", "conciso"} {
		a, err := e.Ask(t.Context(), digesto.Question{Text: "¿Cuánto es la UIT en 2026?", Pack: "peru", Tone: tone}, nil)
		if err != nil || len(a.Citations) == 0 {
			t.Fatalf("%q: %v %+v", tone, err, a)
		}
		raw, _ := json.Marshal(a.Citations)
		if want == "" {
			want = string(raw)
		}
		if string(raw) != want || seen[a.Answer] {
			t.Errorf("%q: citations differ, or the wording does not: %s", tone, a.Answer)
		}
		seen[a.Answer] = true
	}
	if _, err := e.Ask(t.Context(), digesto.Question{Text: "¿Cuánto dura?", Pack: "peru", Tone: "gritón"}, nil); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("an unknown tone: %v", err)
	}
}

func toneEngine(t *testing.T) *ask.Engine {
	t.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := ask.New(ask.Options{Packs: all, Embedded: embeddedOf(t, all)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// embeddedOf holds the fiches of the packs in memory.
func embeddedOf(t *testing.T, all []*pack.Pack) query.View {
	t.Helper()
	var docs []corpus.Document
	for _, p := range all {
		for n, units := range p.Norms {
			docs = append(docs, corpus.Document{Norm: n, Units: units})
		}
	}
	s := corpus.Memory(docs...)
	x, err := index.Memory(t.Context(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return query.View{Snapshot: s, Searcher: x}
}
