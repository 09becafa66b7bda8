package ask

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"digesto"
	"digesto/verify"

	"github.com/google/go-cmp/cmp"
)

func TestAnswersFromTheLaw(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for _, c := range []struct{ q, place, holds, also string }{
		{"¿Cuántos días de vacaciones tiene el farero?", "LEY-1/a2", "veintidós días naturales", "lo fija el convenio"},
		{"¿Qué plazo hay para recurrir la resolución del director?", "LEY-1/a5", "quince días", ""},
		{"¿Quién resuelve las quejas contra el farero?", "LEY-1/a5", "El director del puerto", ""},
		{"requisitos para ser farero", "LEY-1/a3", "c) Saber nadar.", "Se exceptúa de la letra c)"},
		{"¿Cuánto es la tasa de luz?", "LEY-1/a4", "45,50 euros", "pagarán la mitad"},
		{"¿Puede el farero apagar la luz de noche?", "LEY-1/a6", "no podrá apagar la luz", "excepto por orden escrita"},
		{"¿Qué se entiende por faro?", "LEY-1/a1", "Se entiende por faro", ""},
		{"multa por abandonar el puesto", "LEY-2/a3", "120 euros", ""},
		{"¿Cuánto dura cada guardia?", "LEY-1/a7bis", "ocho horas", ""},
		{"art. 7 bis LFB", "LEY-1/a7bis", "por parejas", ""},
		{"¿Qué dice el artículo 2 de la Ley 2/2002?", "LEY-2/a2", "de siete a quince horas", "domingo"},
		{"artículos 1 y 3 de la Ley de Mercados", "LEY-2/a1", "sorteo público", "120 euros"},
	} {
		a := ask(t, e, c.q)
		if a.Meta.Outcome != digesto.OutcomeAnswer {
			t.Errorf("%s: %s %s", c.q, a.Meta.Outcome, a.Answer)
			continue
		}
		if p, _, _ := strings.Cut(places(a), " "); p != c.place {
			t.Errorf("%s: from %s, want %s", c.q, p, c.place)
		}
		if !strings.Contains(a.Answer, c.holds) || !strings.Contains(a.Answer, c.also) {
			t.Errorf("%s: %s", c.q, a.Answer)
		}
	}
}

func TestEveryAnswerIsProved(t *testing.T) {
	w := newWorld(t, true)
	e := w.engine(t, nil)
	for _, q := range []string{"descanso del farero", "tasa de luz", "requisitos", "recurso", "guardias", "sanciones por abandono del puesto"} {
		a := ask(t, e, q)
		if err := verify.Valid(a); err != nil {
			t.Errorf("%s: %v", q, err)
		}
		for _, c := range a.Citations {
			if v := verify.Quote(c, w.law.Snapshot, ""); v != verify.Proved {
				t.Errorf("%s: %s %q", q, v, c.Quote)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for _, c := range []struct{ q, says, notes string }{
		{"¿Cuántos satélites orbitan el planeta Marte?", "No encontré", "2 normas instaladas"},
		{"¿Qué dice el artículo 99 de la Ley de Faros?", "artículo 99", "no existe en el texto instalado"},
		{"¿Qué plazo fija la Ley de Puertos Secos para descargar?", "no está instalado", "corpus add CARPETA --pack costa"},
		{"¿Qué plazo fija la Ley 77/1999 para descargar?", "Ley 77/1999", "Consejo de Costas"},
	} {
		a := ask(t, e, c.q)
		if a.Meta.Outcome != digesto.OutcomeRefusal || !a.Refusal || a.Confidence != 0 || len(a.Citations) != 0 {
			t.Errorf("%s: %s %s", c.q, a.Meta.Outcome, a.Answer)
			continue
		}
		if a.Notes == nil || !strings.Contains(a.Answer, c.says) || !strings.Contains(*a.Notes, c.notes) {
			t.Errorf("%s: %q", c.q, a.Answer)
			if a.Notes != nil {
				t.Log(*a.Notes)
			}
		}
	}
}

func TestFixedOutcomes(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for q, want := range map[string]digesto.Outcome{
		"¿Quién eres?": digesto.OutcomeNonLegal, "¿Me conviene recurrir?": digesto.OutcomeAdvice, "¿Quién resuelve las quejas?": digesto.OutcomeAnswer,
	} {
		a := ask(t, e, q)
		if a.Meta.Outcome != want {
			t.Errorf("%s: %s", q, a.Meta.Outcome)
		}
		if want != digesto.OutcomeAnswer && (len(a.Citations) > 0 || a.Refusal) {
			t.Errorf("%s: cites or refuses", q)
		}
	}
}

func TestWithoutLawTheFicheAnswers(t *testing.T) {
	e := newWorld(t, false).engine(t, nil)
	a := ask(t, e, "¿Cuántos días de vacaciones tiene el farero?")
	if a.Meta.Outcome != digesto.OutcomeAnswer || a.Citations[0].Ref.Official || a.Confidence >= verify.Sure {
		t.Fatalf("%+v", a)
	}
	if a.Notes == nil || !strings.Contains(*a.Notes, "corpus add CARPETA --pack costa") || !strings.Contains(*a.Notes, "no es el texto oficial") {
		t.Errorf("notes: %v", a.Notes)
	}
	if a.Meta.Corpus != "embedded" {
		t.Errorf("corpus %q", a.Meta.Corpus)
	}
}

func TestContradictedFicheIsWithdrawn(t *testing.T) {
	w := newWorld(t, true)
	e := w.engine(t, nil)
	a := ask(t, e, "¿Cuánto cuesta la tasa de luz?")
	if strings.Contains(a.Answer, "40 euros") || !strings.Contains(a.Answer, "45,50 euros") {
		t.Error(a.Answer)
	}
}

func TestSameQuestionSameBytes(t *testing.T) {
	w := newWorld(t, true)
	five := func(e *Engine) string {
		a := ask(t, e, "¿Cuántos días de vacaciones tiene el farero?")
		a.Meta = nil
		raw, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	first := five(w.engine(t, nil))
	for range 5 {
		if d := cmp.Diff(first, five(w.engine(t, nil))); d != "" {
			t.Fatal(d)
		}
	}
}

func TestEventsInOrder(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	var kinds []string
	var text strings.Builder
	a, err := e.Ask(context.Background(), digesto.Question{Text: "¿Quién resuelve las quejas contra el farero?", Pack: "costa"}, func(ev digesto.Event) {
		if n := len(kinds); n == 0 || kinds[n-1] != ev.Kind {
			kinds = append(kinds, ev.Kind)
		}
		if ev.Kind == "delta" {
			text.WriteString(ev.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"session", "stage", "delta", "answer", "done"}, kinds); d != "" {
		t.Error(d)
	}
	if text.String() != a.Answer {
		t.Errorf("deltas %q, answer %q", text.String(), a.Answer)
	}
}

func TestBadQuestions(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for _, c := range []struct {
		q    digesto.Question
		want digesto.Code
	}{
		{digesto.Question{Text: "  "}, digesto.CodeInvalid},
		{digesto.Question{Text: strings.Repeat("a", 5000)}, digesto.CodeTooLarge},
		{digesto.Question{Text: "hola", Pack: "otro"}, digesto.CodeNotFound},
		{digesto.Question{Text: "hola", AsOf: "ayer"}, digesto.CodeInvalid},
	} {
		_, err := e.Ask(context.Background(), c.q, nil)
		if digesto.CodeOf(err) != c.want {
			t.Errorf("%.20q: %v", c.q.Text, err)
		}
	}
	for _, q := range []string{"?", "...", "\x00\xff", "🙂🙂", "{}", "artículo", "el la los", "1", "«»"} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "costa"}, nil)
		if err != nil {
			t.Errorf("%q: %v", q, err)
		} else if err := verify.Valid(a); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	}
}

func TestSpellingIsCorrectedAndSaid(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	a := ask(t, e, "¿Quién resuelve las quegas contra el farero?")
	if a.Meta.Outcome != digesto.OutcomeAnswer || !strings.HasPrefix(places(a), "LEY-1/a5") {
		t.Errorf("%s %s", a.Meta.Outcome, a.Answer)
	}
	if a.Notes == nil || !strings.Contains(*a.Notes, "también «quejas»") {
		t.Errorf("not said: %v", a.Notes)
	}
}
