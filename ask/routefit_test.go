package ask

import (
	"context"
	"math"
	"slices"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/packs"
	"digesto/query"
)

func TestRouteWeightsAreOfKnownFeatures(t *testing.T) {
	for name := range routeModel.Weights {
		if !slices.Contains(routeNames[:], name) {
			t.Errorf("route.json weighs %q, which nothing reads", name)
		}
	}
	for _, name := range routeNames {
		if _, ok := routeModel.Weights[name]; !ok {
			t.Errorf("%q has no weight", name)
		}
	}
	if routeModel.Provenance == "" || routeModel.Sure <= .5 || routeModel.Sure >= 1 {
		t.Errorf("sure %v, provenance %q", routeModel.Sure, routeModel.Provenance)
	}
}

func TestByCountryAddsUpThePacksOfOneLaw(t *testing.T) {
	north, works := &pack.Pack{Name: "norte", Jurisdictions: []string{"aa"}}, &pack.Pack{Name: "obras", Jurisdictions: []string{"aa-n", "aa"}}
	south := &pack.Pack{Name: "sur", Jurisdictions: []string{"bb"}}
	for _, c := range []struct {
		name  string
		list  []fit
		first *pack.Pack
		p     float64
		sure  bool
	}{
		{"two packs of one law are not two answers", []fit{{pack: north, p: .4}, {pack: south, p: .2}, {pack: works, p: .4}}, north, .8, true},
		{"the likelier pack of the law", []fit{{pack: north, p: .1}, {pack: works, p: .8}, {pack: south, p: .1}}, works, .9, true},
		{"two laws fit: asked", []fit{{pack: north, p: .45}, {pack: south, p: .55}}, south, .55, false},
		{"an example is sure where it leads", []fit{{pack: north, p: .4}, {pack: south, p: .6, asked: true}}, south, .6, true},
		{"… and not where it does not", []fit{{pack: north, p: .51}, {pack: south, p: .49, asked: true}}, north, .51, false},
	} {
		got := byCountry(c.list)[0]
		if got.pack != c.first || math.Abs(got.p-c.p) > 1e-9 || got.sure() != c.sure {
			t.Errorf("%s: %s %.2f sure %v", c.name, got.pack.Name, got.p, got.sure())
		}
	}
}

// TestAskedAlike: two laws that answer plainly make one question of two; an unlikely
// second, or one that the question names, does not.
func TestAskedAlike(t *testing.T) {
	plain := routeFeatures{rConfidence: .9, rStated: 1, rUnit: 1}
	named, thin := plain, plain
	named[rSignal], thin[rStated] = .3, .5
	if !plain.plain() || named.plain() || thin.plain() {
		t.Errorf("plain %v, with a signal %v, half said %v", plain.plain(), named.plain(), thin.plain())
	}
	for _, c := range []struct {
		law  []fit
		want bool
	}{
		{[]fit{{p: .85, plain: true}, {p: .15, plain: true}}, true},
		{[]fit{{p: .95, plain: true}, {p: .05, plain: true}}, false},
		{[]fit{{p: .85, plain: true}, {p: .15}}, false},
		{[]fit{{p: .85}, {p: .15, plain: true}}, false},
		{[]fit{{p: 1, plain: true}}, false},
	} {
		if got := askedAlike(c.law); got != c.want {
			t.Errorf("%+v: %v", c.law, got)
		}
	}
}

// TestRouteWithoutLaw: with nothing installed the packs' own texts, signals and
// calculators route; what two countries ask alike is asked back, never guessed.
func TestRouteWithoutLaw(t *testing.T) {
	e := realEngine(t, query.View{})
	for _, c := range []struct{ question, pack string }{
		{"¿Cuánto vale el JUS hoy?", "jus"},
		{"30jus en pesos", "jus"},
		{"¿Qué requisitos tiene el IMV?", "clara"},
		{"¿Qué hace la SUNAT si no pago una multa?", "peru"},
		{"¿Cuántos días de vacaciones me corresponden al año?", "laboral"},
		{"¿Cuándo se cobra el aguinaldo?", "argentina"},
	} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: c.question}, nil)
		if err != nil || a.Meta.Pack != c.pack {
			t.Errorf("%s: %q (%v), want %s", c.question, a.Meta.Pack, err, c.pack)
		}
	}
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		a, err := e.Ask(context.Background(), digesto.Question{Text: p.FirstQuestion}, nil)
		if err != nil || a.Meta.Pack != p.Name {
			t.Errorf("first question of %s went to %q (%v)", p.Name, a.Meta.Pack, err)
		}
	}
	const alike = "¿Puede el propietario subirme el alquiler?"
	for place, want := range map[string]string{"": "", "Madrid": "clara", "Cusco": "peru", "España": "clara", "Córdoba": ""} { // two countries have a Córdoba
		a, err := e.Ask(context.Background(), digesto.Question{Text: alike, Territory: place}, nil)
		if err != nil || a.Meta.Pack != want {
			t.Errorf("%q in %q: %q, want %q (%v)", alike, place, a.Meta.Pack, want, err)
		}
	}
	for q, want := range map[string]string{"¿Cuál es el tipo de IVA en España?": "es", "vacaciones en el Perú": "pe", "Nací en Argentina, ¿puedo pedir la nacionalidad española?": "", "¿Qué IVA se paga?": "", "": ""} {
		if got := e.countryNamed(q); got != want {
			t.Errorf("%q is asked in %q, want %q", q, got, want)
		}
	}
	if _, err := e.Ask(context.Background(), digesto.Question{Text: alike, Pack: "clara", Territory: "Atlántida"}, nil); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a place that nobody knows: %v", err)
	}
	for _, q := range []string{"qwrtzp xkcd mnbvq", "¿Cuál es la masa del bosón de Higgs?"} {
		a, err := e.Ask(context.Background(), digesto.Question{Text: q}, nil)
		if err != nil || a.Meta.Outcome == digesto.OutcomeAnswer {
			t.Errorf("%s: %s %q (%v)", q, a.Meta.Outcome, a.Answer, err)
		}
	}
}
