package ask

import (
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
)

// narrowed is a world whose pack lets only law of one territory through; the law
// of markets is of that territory.
func narrowed(t *testing.T) world {
	t.Helper()
	w := newWorld(t, true)
	p := *w.packs[0]
	p.Filter = map[string]string{"norm": "LEY-2"}
	p.Classes = append(p.Classes, pack.Class{Name: "fuera", Outcome: digesto.OutcomeOutOfScope, Reply: "Solo respondo sobre los mercados de barrio y sus puestos."})
	w.packs = []*pack.Pack{&p}
	return w
}

func TestMandatoryFilterIsInEverySearch(t *testing.T) {
	w := narrowed(t)
	for q, want := range map[string]string{
		"¿Cómo se adjudican los puestos?":      "LEY-2",
		"¿Cuántos días descansa el farero?":    "LEY-1 is beyond the filter",
		"¿Qué horario tienen los puestos?":     "LEY-2",
		"¿Qué requisitos hay para ser farero?": "LEY-1 is beyond the filter",
	} {
		a := ask(t, w.engine(t, nil), q)
		for _, c := range a.Citations {
			if c.Ref.Document == "LEY-1" {
				t.Errorf("%q: cites law beyond the filter: %s", q, c.Quote)
			}
		}
		if want == "LEY-2" && (len(a.Citations) == 0 || a.Citations[0].Ref.Document != want) {
			t.Errorf("%q: no citation of %s: %+v", q, want, a)
		}
	}
}

func TestLawNamedBeyondTheFilterIsOutOfScope(t *testing.T) {
	w := narrowed(t)
	for _, q := range []string{"¿Qué dice el artículo 2 de la Ley de Faros?", "¿Qué dice la LFB sobre la tasa de luz?"} {
		a := ask(t, w.engine(t, nil), q)
		if a.Meta.Outcome != digesto.OutcomeOutOfScope || !strings.Contains(a.Answer, "Solo respondo sobre los mercados") || len(a.Citations) != 0 {
			t.Errorf("%q: %s %q", q, a.Meta.Outcome, a.Answer)
		}
		if a.Notes == nil || !strings.Contains(*a.Notes, "Ley de Faros") {
			t.Errorf("%q: the notes do not name the law", q)
		}
	}
	if a := ask(t, w.engine(t, nil), "¿Qué dice el artículo 2 de la Ley de Mercados?"); a.Meta.Outcome != digesto.OutcomeAnswer {
		t.Errorf("law within the filter: %s %q", a.Meta.Outcome, a.Answer)
	}
}
