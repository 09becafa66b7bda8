package ground

import "testing"

func strong() Evidence {
	return Evidence{Coverage: .9, Unit: 1, Lexical: .7, Margin: .6, Law: true, Kind: true, Order: .7, Stated: .9, Rare: 1, Spread: .5, Terms: 5}
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Evidence)
		want   Reason
	}{
		{"strong", func(*Evidence) {}, ""},
		{"what it names is absent", func(e *Evidence) { e.Absent = true }, ReasonAbsent},
		{"an exact unit stands", func(e *Evidence) { *e = Evidence{Exact: true} }, ""},
		{"no words", func(e *Evidence) { e.Terms = 0 }, ReasonNothing},
		{"few of its words", func(e *Evidence) { e.Unit = .2 }, ReasonThin},
		{"words hardly meet", func(e *Evidence) { e.Lexical = .05 }, ReasonThin},
		{"weak all over", func(e *Evidence) {
			*e = Evidence{Coverage: .4, Unit: .4, Lexical: .2, Law: true, Terms: 9}
		}, ReasonThin},
		{"a norm that is named and says nothing of it", func(e *Evidence) { e.Named, e.Unit = true, .2 }, ReasonThin},
		{"a norm that is named, and nothing else", func(e *Evidence) { e.Named, e.Unit, e.Terms = true, 0, 0 }, ""},
		{"no law found has the words that it is about", func(e *Evidence) { e.Unheard, e.Margin, e.Order, e.Stated, e.Spread = .3, .1, 0, .4, 0 }, ReasonThin},
		{"… and the rest is met clearly", func(e *Evidence) { e.Unheard = .3 }, ""},
		{"governed by what is not installed", func(e *Evidence) {
			*e = Evidence{Coverage: .4, Unit: .4, Lexical: .2, Law: true, Terms: 9, Elsewhere: true}
		}, ReasonElsewhere},
	} {
		e := strong()
		c.change(&e)
		v := Gate(e)
		if v.Reason != c.want || v.Reason == "" && v.Confidence <= 0 || v != Gate(e) {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// More evidence never lowers the confidence, and every feature has a weight with
// its provenance.
func TestGateModel(t *testing.T) {
	if GateModel.Provenance == "" {
		t.Error("weights without provenance")
	}
	for name := range (Evidence{}).Features() {
		if _, ok := GateModel.Weights[name]; !ok {
			t.Errorf("no weight for %s", name)
		}
	}
	base := Evidence{Coverage: .5, Unit: .5, Lexical: .3, Margin: .2, Order: .2, Stated: .5, Rare: .5, Spread: .3, Terms: 6, Law: true}
	for name, more := range map[string]func(*Evidence){
		"coverage": func(e *Evidence) { e.Coverage = .9 }, "margin": func(e *Evidence) { e.Margin = .9 }, "order": func(e *Evidence) { e.Order = .9 },
		"stated": func(e *Evidence) { e.Stated = .9 }, "spread": func(e *Evidence) { e.Spread = .9 }, "lexical": func(e *Evidence) { e.Lexical = .9 },
	} {
		e := base
		more(&e)
		if Confidence(e) < Confidence(base) {
			t.Errorf("more %s lowers the confidence", name)
		}
	}
}
