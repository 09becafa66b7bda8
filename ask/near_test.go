package ask

import (
	"context"
	"testing"

	"digesto"
	"digesto/decide"
	"digesto/dialogue"
	"digesto/digest"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
	"digesto/search"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
		ok   bool
	}{{"a38", "a38", 0, true}, {"a38", "a41", 3, true}, {"a47bis", "a47", 0, true}, {"a3", "da3", 0, false}, {"an", "an", 0, true}} {
		if d, ok := distance(c.a, c.b); ok != c.ok || ok && d != c.want {
			t.Errorf("%s %s: %v %v", c.a, c.b, d, ok)
		}
	}
}

// TestKept: what stands near a place in play is likelier, the nearer the more; another norm is not.
func TestKept(t *testing.T) {
	at := query.Turn{Read: dialogue.Turn{Move: dialogue.MoveAspect, About: &dialogue.Subject{Places: []string{"LIB-1/a10"}}}}
	entry := func(norm, unit string) *digest.Entry { return &digest.Entry{Norm: norm, Unit: unit} }
	kept := func(at query.Turn, norm, unit string) float64 {
		var m signs
		kept(at, entry(norm, unit), &m)
		return m.z()
	}
	near, far, other := kept(at, "LIB-1", "a11"), kept(at, "LIB-1", "a60"), kept(at, "LIB-2", "a11")
	if !(near > far && far > other && other == 0) {
		t.Errorf("near %v, far %v, of another norm %v", near, far, other)
	}
	if stands := beside(at.Read.About.Places); !stands(entry("LIB-1", "a20")) || stands(entry("LIB-1", "a21")) || stands(entry("LIB-2", "a10")) {
		t.Error("what stands beside")
	}
}

// TestTelling: a word that fewer entries have says more for the one that has it.
func TestTelling(t *testing.T) {
	entry := func(text string) *odd {
		return &odd{entries: map[*digest.Entry]map[string]bool{{}: stems(text)}}
	}
	pays, days := entry("se paga la jornada"), entry("se avisa con cinco días")
	found := map[string]*odd{"a": pays, "b": days, "c": entry("dura tres días"), "d": entry("quedan dos días")}
	words := telling(found, stems("paga días"))
	if pays.says(words) <= days.says(words) {
		t.Errorf("%v: %v and %v", words, pays.says(words), days.says(words))
	}
}

func TestWithoutPlace(t *testing.T) {
	for in, want := range map[string]string{
		"¿Cuánto dura, en Mar Chica?":            "¿Cuánto dura?",
		"¿Cuánto dura en el Mar Chica el viaje?": "¿Cuánto dura el viaje?",
		"¿Qué dice la ley de Mar Chica?":         "¿Qué dice la ley de Mar Chica?",
		"¿Cuánto dura?":                          "¿Cuánto dura?",
	} {
		if got := withoutPlace(in, "Mar Chica"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestAnotherCountry: a word changes the country that is asked, and nothing of its law is carried.
func TestAnotherCountry(t *testing.T) {
	home := &pack.Pack{Name: "costa", Jurisdictions: []string{"mm"}, Places: map[string]string{"mm": "Mar"}}
	away := &pack.Pack{Name: "sierra", Jurisdictions: []string{"ss"}, Places: map[string]string{"ss": "Sierra"}}
	if home.Jurisdiction() == "" || home.Jurisdiction() == away.Jurisdiction() {
		t.Fatalf("jurisdictions %q and %q", home.Jurisdiction(), away.Jurisdiction())
	}
	history := []digesto.Message{{Role: "user", Text: "¿Cuánto dura el descanso?"}, {Role: "assistant", Type: "answer", Pack: "costa", Places: []string{"LIB-1/a3"}}}
	for said, want := range map[string]string{"¿y en Sierra?": "¿Cuánto dura el descanso en Sierra?", "¿y en la Sierra?": "¿Cuánto dura el descanso en Sierra?"} {
		got := resume(query.Turn{Q: digesto.Question{Text: said, Pack: "costa", History: history}, Said: said}, []*pack.Pack{home, away})
		if got.Q.Pack != "" || got.Q.Text != want || got.GoesOn() || got.Topic != "¿Cuánto dura el descanso?" {
			t.Errorf("%q: pack %q, %q, topic %q, goes on %v", said, got.Q.Pack, got.Q.Text, got.Topic, got.GoesOn())
		}
	}
	for _, said := range []string{"¿y en Mar?", "¿y si voy en tren a la Sierra el lunes?"} {
		got := resume(query.Turn{Q: digesto.Question{Text: said, Pack: "costa", History: history}, Said: said}, []*pack.Pack{home, away})
		if got.Q.Pack != "costa" {
			t.Errorf("%q: pack %q", said, got.Q.Pack)
		}
	}
	back := append(history, digesto.Message{Role: "user", Text: "¿y en Sierra?"}, digesto.Message{Role: "assistant", Type: "answer", Pack: "sierra", Topic: "¿Cuánto dura el descanso?", Places: []string{"SIE-1/a2"}})
	if got := resume((query.Turn{Q: digesto.Question{Text: "¿y si soy menor?", Pack: "costa", History: back}, Said: "¿y si soy menor?"}), []*pack.Pack{home, away}); got.Q.Pack != "sierra" {
		t.Errorf("the next question is put to %q", got.Q.Pack)
	}
}

// TestOfferedIsInPlay: who takes none of the readings and goes on is near what they stand on; who
// gets none of them asks anew.
func TestOfferedIsInPlay(t *testing.T) {
	home := &pack.Pack{Name: "costa", Jurisdictions: []string{"mm"}, Places: map[string]string{"mm": "Mar"}}
	for _, readings := range [][]string{{"¿Cuánto descansa un farero?", "¿Quién cobra la luz?"}, nil} {
		history := []digesto.Message{{Role: "user", Text: "En la torre no libro y me cobran la luz."}, {Role: "assistant", Type: "clarification", Pack: "costa", Places: []string{"LIB-1/a3", "LIB-1/a4"}, Readings: readings}}
		for said, move := range map[string]dialogue.Move{"¿y si soy menor?": dialogue.MoveCondition, "mi jefe dice que no me toca": dialogue.MovePushback} {
			got := resume(query.Turn{Q: digesto.Question{Text: said, Pack: "costa", History: history}, Said: said}, []*pack.Pack{home})
			if on := got.Reading != query.PromptFollowup || got.Topic != ""; on != (readings != nil) {
				t.Errorf("%q after %d readings: topic %q, %+v", said, len(readings), got.Topic, got.Read)
			}
			if readings != nil && (got.Read.Move != move || len(got.Read.About.Places) != 2) {
				t.Errorf("%q: %+v", said, got.Read)
			}
		}
	}
}

// TestLeaves: what a message says by itself of a matter elsewhere ends the subject only where
// nothing at hand answers nearly as probably, by itself or near what was spoken of.
func TestLeaves(t *testing.T) {
	away, here := &digest.Entry{Unit: "recetas"}, &digest.Entry{Norm: "LIB-1", Unit: "a3"}
	judged := func(e *digest.Entry, p float64) decide.Judged {
		return decide.Judged{Candidate: search.Candidate{Place: search.Place{Entry: e}}, P: p}
	}
	read := func(said string, move dialogue.Move) *retrieve.Hits {
		h := &retrieve.Hits{}
		h.Pack = &pack.Pack{Name: "costa"}
		h.Read = dialogue.Turn{Move: move, Text: said}
		return h
	}
	for name, c := range map[string]struct {
		said       string
		move       dialogue.Move
		away, here float64
		near       float64
		want       bool
	}{
		"plain":             {"¿qué crema va bien para la espalda?", dialogue.MoveAspect, .7, .1, .3, true},
		"unsure":            {"¿qué crema va bien para la espalda?", dialogue.MoveAspect, .4, .1, .3, false},
		"answered here too": {"¿qué crema va bien para la espalda?", dialogue.MoveAspect, .7, .4, .3, false},
		"answered near":     {"¿qué crema va bien para la espalda?", dialogue.MoveAspect, .7, .1, .8, false},
		"no words":          {"¿cuánto es?", dialogue.MoveAspect, .7, .1, .3, false},
		"somebody says so":  {"dice que la crema va bien para la espalda", dialogue.MovePushback, .7, .1, .3, false},
	} {
		e := &Engine{opt: Options{Places: func(context.Context, decide.Query) ([]decide.Judged, error) {
			return []decide.Judged{judged(away, c.away), judged(here, c.here)}, nil
		}}}
		got, err := e.leaves(t.Context(), read(c.said, c.move), c.said, []decide.Judged{judged(here, c.near)})
		if err != nil || (len(got) > 0) != c.want || c.want && got[0].Entry != away {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
