package pack_test

import (
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
)

func TestSynonyms(t *testing.T) {
	s := sixth(t).Synonyms
	if s.Len() != 2 {
		t.Errorf("%d groups", s.Len())
	}
	tests := []struct {
		in   string
		want []string
	}{
		{"¿Hay OPAC?", []string{"catálogo en línea", "catálogo"}},
		{"opac", []string{"catálogo en línea", "catálogo"}},
		{"el CATALOGO en linea", []string{"OPAC"}}, // "catálogo" is already in the question
		{"quiero llevarme un libro", nil},
		{"llevarse un libro", []string{"préstamo"}},
		{"préstamo OPAC", []string{"llevarse un libro", "catálogo en línea", "catálogo"}},
		{"", nil},
		{"nada", nil},
	}
	for _, x := range tests {
		if got := s.Expand(x.in); !slices.Equal(got, x.want) {
			t.Errorf("%q: %q, want %q", x.in, got, x.want)
		}
	}
	var none *pack.Synonyms
	if none.Expand("x") != nil {
		t.Error("no synonyms, yet alternatives")
	}
}

func TestClassify(t *testing.T) {
	p := sixth(t)
	for q, want := range map[string]digesto.Outcome{
		"¡Hola!": digesto.OutcomeNonLegal, "¿Cuándo abre el museo?": digesto.OutcomeOutOfScope,
		"la biblioteca del museo": "", "¿Cuánto dura un préstamo?": "", "": "",
		"¡Te quiero!": digesto.OutcomeNonLegal, "No te quiero contar" + strings.Repeat(", mi caso con el libro", 6): "", // a letter is no small talk
	} {
		if got := p.Classify(pack.ToolQuestion{Text: q}); got.Outcome != want || (want != "") != (got.Reply != "") {
			t.Errorf("%q: %+v", q, got)
		}
	}
	if c, ok := p.Class("prestamo"); !ok || len(c.Tiers) != 2 || c.Tiers[0].K != 5 {
		t.Errorf("class %+v", c)
	}
	p.Classifier = always{}
	if got := p.Classify(pack.ToolQuestion{Text: "hola"}); got.Classes[0] != "siempre" {
		t.Errorf("the classifier was not asked: %+v", got)
	}
}

type always struct{}

func (always) Classify(pack.ToolQuestion) pack.Classification {
	return pack.Classification{Classes: []string{"siempre"}}
}

func TestAmbiguity(t *testing.T) {
	p := sixth(t)
	for q, want := range map[string]bool{
		"carnés": true, "Háblame de carnés": true, "necesito información sobre el carné, por favor": true, "carnés de la biblioteca": true,
		"carné de adulto": false, "¿Cuánto cuesta el carné?": false, "": false, "háblame de": false, "préstamos": false,
	} {
		if _, ok := p.Ambiguous(q); ok != want {
			t.Errorf("%q: %v", q, ok)
		}
	}
	a, _ := p.Ambiguous("carnés")
	for reply, want := range map[string]string{
		"infantil": "requisitos del carné infantil", "el de adulto": "requisitos del carné de adulto", "para un niño": "requisitos del carné infantil",
		"los dos, adulto e infantil": "requisitos del carné infantil", "no sé": "", "soy mayor y tengo un niño": "",
	} {
		o, ok := a.Resolve(reply)
		if ok != (want != "") || ok && o.Query != want {
			t.Errorf("%q: %+v %v", reply, o, ok)
		}
	}
}

func TestRoute(t *testing.T) {
	p := sixth(t)
	if s, why := p.Signalled("¿La biblioteca hace préstamo de libros?"); s != 4 || len(why) != 2 {
		t.Errorf("%v %v", s, why)
	}
	if got := pack.Route([]*pack.Pack{p}, "la hemeroteca"); len(got) != 0 {
		t.Errorf("a negative signal routes: %+v", got)
	}
	other := sixth(t)
	other.Name = "antes"
	got := pack.Route([]*pack.Pack{p, other}, "biblioteca")
	if len(got) != 2 || got[0].Pack.Name != "antes" {
		t.Errorf("ties are not by name: %+v", got)
	}
}

func TestBodyFor(t *testing.T) {
	p := sixth(t)
	for q, want := range map[string]string{"¿préstamos?": "Mostrador", "otra cosa": "Dirección", "": "Dirección"} {
		if b, ok := p.BodyFor(q); !ok || b.Name != want {
			t.Errorf("%q: %+v", q, b)
		}
	}
	p.Bodies = nil
	if _, ok := p.BodyFor("x"); ok {
		t.Error("a body where there is none")
	}
}

func TestTerritories(t *testing.T) {
	g := sixth(t).Territories
	tests := []struct{ in, code string }{
		{"becas en Villa Alta", "zz-va"},
		{"becas en la ciudad de Villa Alta", "zz-va/villa-alta"},
		{"vivo en paz", "zz-pz"}, // after "en" the weak name counts; the caller knows the limits of that
		{"quiero paz y libros", ""},
		{"en San Blas del Monte o Villa Alta", "zz-va/san-blas"},
		{"Villa Alta", "zz-va"},
		{"en general", ""},
		{"Vivía en San Blas del Monte. ¿Hay becas en Villa Alta?", "zz-va"},
		{"antes en san blas del monte. hay becas en Villa Alta?", "zz-va"},
		{"Vivo en San Blas del Monte. ¿Hay becas?", "zz-va/san-blas"},
		{"¿qué pide la beca altera?", "zz-va"},
		{"¿qué pide la beca altera en San Blas del Monte?", "zz-va/san-blas"},
		{"", ""},
	}
	for _, x := range tests {
		got, ok := g.Detect(x.in)
		if ok != (x.code != "") || got.Code != x.code {
			t.Errorf("%q: %+v %v, want %q", x.in, got, ok, x.code)
		}
	}
	if r, _ := g.Detect("en San Blas del Monte"); r.Region != "zz-va" {
		t.Errorf("region %q", r.Region)
	}
	p := sixth(t)
	p.Places = map[string]string{"zz": "Zetalandia"}
	for named, code := range map[string]string{"Villa Alta": "zz-va", "ciudad de villa alta": "zz-va/villa-alta", "zz-va": "zz-va", "zz-va/villa-alta": "zz-va/villa-alta", "Paz": "zz-pz",
		"zetalandia": "zz", "zz": "zz", "Atlántida": "", "zz-no": "", "": "", "en": ""} {
		if got, ok := p.Territory(named); ok != (code != "") || got.Code != code {
			t.Errorf("named %q: %+v %v, want %q", named, got, ok, code)
		}
	}
	for _, name := range p.PlaceNames() {
		if _, ok := p.Territory(name); !ok {
			t.Errorf("%q is offered and not known", name)
		}
	}
	var none *pack.Gazetteer
	if _, ok := none.Detect("en Villa Alta"); ok || none.Len() != 0 {
		t.Error("no gazetteer, yet a place")
	}
}

// TestCore: words of request are struck from the beginning of a question, and "me" only
// where it is one of them.
func TestCore(t *testing.T) {
	p := sixth(t)
	for in, want := range map[string]string{
		"necesito info sobre becas": "becas", "me podés decir cuánto dura una beca": "decir cuánto dura una beca", "Hola, quiero saber de becas": "becas",
		"me quitaron la beca": "me quitaron la beca", "quiero saber": "quiero saber", "la beca": "la beca", "": "",
	} {
		if got := p.Core(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
