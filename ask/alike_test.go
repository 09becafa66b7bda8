package ask

import (
	"context"
	"math"
	"testing"

	"digesto"
	"digesto/extract"
	"digesto/pack"
	"digesto/question"
	"digesto/retrieve"
)

// likeWorld gives the hits of a question in the world of the tests, and the unit of
// each of its two fiches.
func likeWorld(t *testing.T, asked string) (h *retrieve.Hits, rest, fee retrieve.Like) {
	t.Helper()
	w := newWorld(t, true)
	h = &retrieve.Hits{}
	p := *w.packs[0]
	p.Retrieval.Cases = true
	h.Pack = &p
	h.Focus = &extract.Focus{Kind: question.KindOf(asked)}
	for _, f := range h.Pack.Fiches {
		for _, x := range f.Facts {
			l := retrieve.Like{Norm: f.Norm.ID, Unit: x.Unit}
			if x.Place == "a2" {
				rest = l
			} else {
				fee = l
			}
		}
	}
	if rest.Unit == "" || fee.Unit == "" {
		t.Fatal("the world has no fiches")
	}
	return h, rest, fee
}

func at(l retrieve.Like, cosine float64) retrieve.Like { l.Cosine = cosine; return l }

// TestASecondFicheCountsForItsPlace: two fiches of a place come before one that is a
// little nearer, a third adds nothing.
func TestASecondFicheCountsForItsPlace(t *testing.T) {
	h, rest, fee := likeWorld(t, "Me mandan al faro sin descansar")
	out := h.LikedPlaces([]retrieve.Like{at(fee, .62), at(rest, .6), at(rest, .55), at(rest, .54)})
	if len(out) != 2 || out[0].Fact.Place != "a2" {
		t.Fatalf("%+v", out)
	}
	if want := .6 + retrieve.SecondLike*(.55-retrieve.UsualLike); math.Abs(out[0].Likeness-want) > 1e-9 {
		t.Errorf("like %v, want %v", out[0].Likeness, want)
	}
	if math.Abs(out[0].Lead-.03) > 1e-9 || out[1].Lead != 0 || out[1].Certain() != 0 {
		t.Errorf("leads %v and %v", out[0].Lead, out[1].Lead)
	}
	if out[0].Weight() <= out[1].Weight() {
		t.Errorf("weights %v and %v", out[0].Weight(), out[1].Weight())
	}
	if far := (retrieve.Liked{Likeness: .6, Gap: .3}); math.Abs(far.Weight()-.2) > 1e-9 {
		t.Errorf("a place far behind the first counts %v by itself, not .2", far.Weight())
	}
}

// TestWhatAsksTheSame: near words with a small lead, or a large lead over all others;
// never a fiche that answers another kind of question.
func TestWhatAsksTheSame(t *testing.T) {
	for _, c := range []struct {
		name, question string
		likes          func(rest, fee retrieve.Like) []retrieve.Like
		want           bool
	}{
		{"near words", "¿Cuántos días libra el farero?", func(r, f retrieve.Like) []retrieve.Like { return []retrieve.Like{at(r, .75), at(f, .7)} }, true},
		{"near words of two places", "¿Cuántos días libra el farero?", func(r, f retrieve.Like) []retrieve.Like { return []retrieve.Like{at(r, .75), at(f, .74)} }, false},
		{"far words, no other place", "¿Cuántos días libra el farero?", func(r, f retrieve.Like) []retrieve.Like { return []retrieve.Like{at(r, .66), at(f, .4)} }, true},
		{"far words", "¿Cuántos días libra el farero?", func(r, f retrieve.Like) []retrieve.Like { return []retrieve.Like{at(r, .6), at(f, .5)} }, false},
		{"another kind", "¿Quién manda en el faro?", func(r, f retrieve.Like) []retrieve.Like { return []retrieve.Like{at(r, .9), at(f, .4)} }, false},
	} {
		h, rest, fee := likeWorld(t, c.question)
		if got := h.Same(h.LikedPlaces(c.likes(rest, fee))[0]); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestACaseIsAnsweredByItsPlace tells a case in none of the law's words: the place of
// the fiche that means the same is quoted; without one, nothing is.
func TestACaseIsAnsweredByItsPlace(t *testing.T) {
	_, rest, fee := likeWorld(t, "")
	const told = "Mi patrón no quiere soltarme ni una jornada, ¿cuánto me toca?"
	for _, c := range []struct {
		name    string
		likes   []retrieve.Like
		outcome digesto.Outcome
	}{
		{"one place", []retrieve.Like{at(rest, .72), at(rest, .7), at(fee, .4)}, digesto.OutcomeAnswer},
		{"none", nil, digesto.OutcomeRefusal},
		{"two places", []retrieve.Like{at(rest, .52), at(fee, .52)}, digesto.OutcomeRefusal},
	} {
		w := newWorld(t, true)
		p := *w.packs[0]
		p.Retrieval.Cases = true
		w.packs = []*pack.Pack{&p}
		e := w.engine(t, func(o *Options) {
			o.Alike = func(context.Context, *pack.Pack, string) ([]retrieve.Like, error) { return c.likes, nil }
		})
		a := ask(t, e, told)
		if a.Meta.Outcome != c.outcome {
			t.Errorf("%s: %s %s", c.name, a.Meta.Outcome, a.Answer)
		}
		if c.outcome == digesto.OutcomeAnswer && (len(a.Citations) == 0 || a.Citations[0].Ref.Unit != "a2") {
			t.Errorf("%s: %s", c.name, places(a))
		}
	}
}

// TestWithoutCasesOnlyTheSameCounts: where the fiches do not tell the cases of the
// domain, a second fiche and a lead count nothing.
func TestWithoutCasesOnlyTheSameCounts(t *testing.T) {
	h, rest, fee := likeWorld(t, "¿Cuántos días libra el farero?")
	p := *h.Pack
	p.Retrieval.Cases = false
	h.Pack = &p
	out := h.LikedPlaces([]retrieve.Like{at(rest, .66), at(rest, .6), at(fee, .4)})
	if out[0].Likeness != .66 || h.Same(out[0]) {
		t.Errorf("%+v", out[0])
	}
	if out = h.LikedPlaces([]retrieve.Like{at(rest, .75), at(fee, .7)}); !h.Same(out[0]) {
		t.Errorf("%+v", out[0])
	}
}
