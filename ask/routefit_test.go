package ask

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/packs"
	"digesto/query"
	"digesto/route"
)

func TestRouteWeightsAreOfKnownFeatures(t *testing.T) {
	for name := range route.RouteModel.Weights {
		if !slices.Contains(route.RouteNames[:], name) {
			t.Errorf("route.json weighs %q, which nothing reads", name)
		}
	}
	for _, name := range route.RouteNames {
		if _, ok := route.RouteModel.Weights[name]; !ok {
			t.Errorf("%q has no weight", name)
		}
	}
	if route.RouteModel.Provenance == "" || route.RouteModel.Sure <= .5 || route.RouteModel.Sure >= 1 {
		t.Errorf("sure %v, provenance %q", route.RouteModel.Sure, route.RouteModel.Provenance)
	}
}

func TestByCountryAddsUpThePacksOfOneLaw(t *testing.T) {
	north, works := &pack.Pack{Name: "norte", Jurisdictions: []string{"aa"}}, &pack.Pack{Name: "obras", Jurisdictions: []string{"aa-n", "aa"}}
	south := &pack.Pack{Name: "sur", Jurisdictions: []string{"bb"}}
	for _, c := range []struct {
		name  string
		list  []route.Fit
		first *pack.Pack
		p     float64
		sure  bool
	}{
		{"two packs of one law are not two answers", []route.Fit{{Pack: north, P: .4}, {Pack: south, P: .2}, {Pack: works, P: .4}}, north, .8, true},
		{"the likelier pack of the law", []route.Fit{{Pack: north, P: .1}, {Pack: works, P: .8}, {Pack: south, P: .1}}, works, .9, true},
		{"two laws fit: asked", []route.Fit{{Pack: north, P: .45}, {Pack: south, P: .55}}, south, .55, false},
		{"an example is sure where it leads", []route.Fit{{Pack: north, P: .4}, {Pack: south, P: .6, Asked: true}}, south, .6, true},
		{"… and not where it does not", []route.Fit{{Pack: north, P: .51}, {Pack: south, P: .49, Asked: true}}, north, .51, false},
	} {
		got := route.ByCountry(c.list)[0]
		if got.Pack != c.first || math.Abs(got.P-c.p) > 1e-9 || got.Sure() != c.sure {
			t.Errorf("%s: %s %.2f sure %v", c.name, got.Pack.Name, got.P, got.Sure())
		}
	}
}

// TestAskedAlike: two laws that answer plainly make one question of two; an unlikely
// second, or one that the question names, does not.
func TestAskedAlike(t *testing.T) {
	plain := route.RouteFeatures{route.RConfidence: .9, route.RStated: 1, route.RUnit: 1}
	named, thin := plain, plain
	named[route.RSignal], thin[route.RStated] = .3, .5
	if !plain.Plain() || named.Plain() || thin.Plain() {
		t.Errorf("plain %v, with a signal %v, half said %v", plain.Plain(), named.Plain(), thin.Plain())
	}
	for _, c := range []struct {
		law  []route.Fit
		want bool
	}{
		{[]route.Fit{{P: .85, Plain: true}, {P: .15, Plain: true}}, true},
		{[]route.Fit{{P: .95, Plain: true}, {P: .05, Plain: true}}, false},
		{[]route.Fit{{P: .85, Plain: true}, {P: .15}}, false},
		{[]route.Fit{{P: .85}, {P: .15, Plain: true}}, false},
		{[]route.Fit{{P: 1, Plain: true}}, false},
	} {
		if got := route.AskedAlike(c.law); got != c.want {
			t.Errorf("%+v: %v", c.law, got)
		}
	}
}

// TestRouteWithoutLaw: with nothing installed the packs' own texts, signals and
// calculators route; what two countries ask alike is asked back, never guessed.
func TestRouteWithoutLaw(t *testing.T) {
	e := realEngine(t, query.View{}, byPackDigest)
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
		options := strings.Join(a.Meta.Options, " ")
		if err != nil || a.Meta.Pack != p.Name && !strings.Contains(options, p.Name) { // two countries may ask it alike
			t.Errorf("first question of %s went to %q, or %q (%v)", p.Name, a.Meta.Pack, options, err)
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
		if got := e.CountryNamed(q); got != want {
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
