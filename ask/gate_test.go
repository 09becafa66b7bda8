package ask

import (
	"testing"

	"digesto/ground"
)

func strong() ground.Evidence {
	return ground.Evidence{Coverage: .9, Unit: 1, Lexical: .7, Margin: .6, Law: true, Kind: true, Order: .7, Stated: .9, Rare: 1, Told: 1, Spread: .5, Terms: 5}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*ground.Evidence)
		want   ground.Reason
	}{
		{"strong", func(*ground.Evidence) {}, ""},
		{"what it names is absent", func(e *ground.Evidence) { e.Absent = true }, ground.ReasonAbsent},
		{"an exact unit stands", func(e *ground.Evidence) { *e = ground.Evidence{Exact: true} }, ""},
		{"no words", func(e *ground.Evidence) { e.Terms = 0 }, ground.ReasonNothing},
		{"few of its words", func(e *ground.Evidence) { e.Unit = .2 }, ground.ReasonThin},
		{"words hardly meet", func(e *ground.Evidence) { e.Lexical = .05 }, ground.ReasonThin},
		{"weak all over", func(e *ground.Evidence) {
			*e = ground.Evidence{Coverage: .4, Unit: .4, Lexical: .2, Law: true, Terms: 9}
		}, ground.ReasonThin},
		{"a norm that is named and says nothing of it", func(e *ground.Evidence) { e.Named, e.Unit = true, .2 }, ground.ReasonThin},
		{"a norm that is named, and nothing else", func(e *ground.Evidence) { e.Named, e.Unit, e.Terms = true, 0, 0 }, ""},
		{"its telling words stand nowhere", func(e *ground.Evidence) { e.Rare, e.Unit, e.Lexical, e.Terms = .4, .4, .2, 3 }, ground.ReasonThin},
		{"… but a fiche asks the same", func(e *ground.Evidence) { e.Rare, e.Unit, e.Lexical, e.Terms, e.Vouched = .4, .4, .2, 3, .9 }, ""},
		{"… of many", func(e *ground.Evidence) { e.Rare, e.Unit, e.Lexical = .4, .4, .2 }, ""},
		{"no law found has the word that it is about", func(e *ground.Evidence) { e.Unheard, e.Margin, e.Order, e.Stated = .3, .1, 0, .5 }, ground.ReasonThin},
		{"… but a fiche asks the same", func(e *ground.Evidence) { e.Unheard, e.Margin, e.Order, e.Stated, e.Vouched = .3, .1, 0, .5, .9 }, ""},
		{"… or nearly the same of nothing that is asked", func(e *ground.Evidence) { e.Unheard, e.Vouched = .7, .7 }, ground.ReasonThin},
		{"… of a question that tells more than it asks", func(e *ground.Evidence) { e.Unheard, e.Margin, e.Order, e.Stated, e.Terms = .3, .1, 0, .5, 6 }, ""},
		{"… and the rest is met clearly", func(e *ground.Evidence) { e.Unheard = .3 }, ""},
		{"met by other words of others", func(e *ground.Evidence) {
			e.Told, e.Lexical, e.Margin, e.Order, e.Stated, e.Rare = .4, .3, .1, 0, .4, .4
		}, ground.ReasonThin},
		{"… and told clearly all the same", func(e *ground.Evidence) { e.Told = .4 }, ""},
		{"like by itself", func(e *ground.Evidence) {
			*e = ground.Evidence{Law: true, Principal: true, Terms: 4, Like: .8, Margin: .1, Lexical: .2}
		}, ""},
		{"like by its lead alone", func(e *ground.Evidence) {
			*e = ground.Evidence{Law: true, Principal: true, Terms: 4, Like: .7, Margin: 1, Lexical: .2}
		}, ground.ReasonThin},
		{"… and said there", func(e *ground.Evidence) {
			*e = ground.Evidence{Law: true, Principal: true, Terms: 4, Like: .7, Margin: 1, Lexical: .2, Told: .3}
		}, ""},
		{"governed by what is not installed", func(e *ground.Evidence) { e.Margin, e.Order, e.Spread, e.Elsewhere = .1, 0, .2, true }, ground.ReasonElsewhere},
	} {
		e := strong()
		c.change(&e)
		v := ground.Gate(e, ground.DefaultThresholds)
		if v.Reason != c.want || v.Reason == "" && v.Confidence <= 0 || v != ground.Gate(e, ground.DefaultThresholds) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// More evidence never lowers the confidence, and every feature has a weight with
// its provenance.
func TestGateModel(t *testing.T) {
	if ground.GateModel.Provenance == "" {
		t.Error("weights without provenance")
	}
	for name := range (ground.Evidence{}).Features() {
		if _, ok := ground.GateModel.Weights[name]; !ok {
			t.Errorf("no weight for %s", name)
		}
	}
	base := ground.Evidence{Coverage: .5, Unit: .5, Lexical: .3, Margin: .2, Order: .2, Stated: .5, Rare: .5, Spread: .3, Terms: 6, Law: true}
	for name, more := range map[string]func(*ground.Evidence){
		"coverage": func(e *ground.Evidence) { e.Coverage = .9 }, "margin": func(e *ground.Evidence) { e.Margin = .9 }, "order": func(e *ground.Evidence) { e.Order = .9 },
		"stated": func(e *ground.Evidence) { e.Stated = .9 }, "spread": func(e *ground.Evidence) { e.Spread = .9 }, "lexical": func(e *ground.Evidence) { e.Lexical = .9 },
	} {
		e := base
		more(&e)
		if ground.Confidence(e) < ground.Confidence(base) {
			t.Errorf("more %s lowers the confidence", name)
		}
	}
	everyday := ground.Evidence{Terms: 5, Principal: true, Coverage: .5}
	long, elsewhere, vouched, told := everyday, everyday, everyday, everyday
	told.Terms, told.Like = ground.LongTerms+1, .6
	long.Terms, elsewhere.Coverage, vouched.Terms, vouched.Vouched = ground.LongTerms+1, .1, ground.LongTerms+1, .9
	for name, c := range map[string]struct {
		e    ground.Evidence
		less bool
	}{"everyday": {everyday, true}, "long": {long, false}, "said elsewhere": {elsewhere, false}, "long and vouched for": {vouched, true}, "a case told": {told, true}} {
		plain := c.e
		plain.Principal, plain.Vouched = false, 0
		if less := ground.DefaultThresholds.Least(c.e) < ground.DefaultThresholds.Least(plain); less != c.less {
			t.Errorf("%s: asked less of the principal law: %v", name, less)
		}
	}
	if !(ground.DefaultThresholds.Least(ground.Evidence{Terms: 3}) < ground.DefaultThresholds.Least(ground.Evidence{Terms: 9})) {
		t.Error("a long question needs no more than a short one")
	}
}
