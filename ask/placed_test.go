package ask

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/decide"
	"digesto/digest"
	"digesto/search"
	"digesto/write"
)

// coast is a digest of the invented law.
const coast = `norm: LEY-1
== a2
text: El farero descansa al menos veintidós días al año, y las fechas se las dicen un mes antes.
words: Nunca durará menos de veintidós días naturales
short: ¿Cuánto descansa un farero al año?
street: el del faro cuantos dias libra al año
street: me quitan dias libres en la torre de la luz
told: Llevo la luz del cabo desde enero y mi encargada me niega el verano entero. ¿Cuánto me toca parar?
told: Mi padre cuida la torre y nunca para. Dice el puerto que con una semana va bien.
== a4
text: Los barcos de pesca pagan la mitad de la tasa.
words: los barcos de pesca pagarán la mitad
short: ¿Cuánto paga de luz un pesquero?
street: a los de la bajura nos cobran lo mismo que a un mercante
street: rebaja de la luz pal barco de pescar
told: Tengo una trainera y me han cobrado como a un carguero al entrar.
told: Salimos a por sardina y el recibo de la torre es el mismo que el del ferry.
== a6
text: Esto no lo dice la ley.
words: palabras que no están en la ley
short: ¿Puede bailar el farero?
street: bailan los de la torre o no
street: baile en el faro se puede
told: Quiero montar una verbena arriba del todo.
told: La cuadrilla quiere bailar en la linterna.
`

// withDigest lets the digest lead to places.
func withDigest(t *testing.T, p decide.Model) func(*Options) {
	t.Helper()
	f, bad := digest.Parse("costa/digest/LEY-1.txt", coast)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	e, bad := digest.Parse("costa/digest/otros.txt", "elsewhere: yes\n== regatas\ntext: Las regatas las ordena el club de cada puerto: pregunte allí.\nshort: ¿Quién organiza las regatas?\nstreet: apuntarse a la regata del pueblo\nstreet: regata de traineras quien manda\ntold: Mi hija rema y quiere ir a la regata de agosto.\ntold: Somos seis y un bote para la regata.\n")
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	// By single asks alone: three entries are too few for profiles, and two of them tie.
	asks := search.NewAsks([]digest.File{f, e}, nil, search.Scoring{Words: .25, Sharp: 8, Centroid: 1e-9, Profile: 1e-9})
	return func(o *Options) {
		o.Places = func(_ context.Context, q decide.Query) ([]decide.Judged, error) {
			return p.Judge(asks.Join(asks.Search(q.Question, nil, 20, search.Allow{Entry: func(e *digest.Entry) bool { return q.Reach(e) }}), q.Articles), "costa"), nil
		}
	}
}

// sharp is a model that goes by how far a place is ahead alone.
func sharp(offset float64) decide.Model {
	return decide.Model{Weights: map[string]float64{"bias": 4, "lead": 6}, Scale: 1, Offsets: map[string]float64{"costa": offset}}
}

func TestPlaced(t *testing.T) {
	e := newWorld(t, true).engine(t, withDigest(t, sharp(-4)))
	a := ask(t, e, "¿me quitan dias libres en la torre?")
	if len(a.Citations) == 0 || a.Citations[0].Ref.Unit != "a2" || !strings.Contains(a.Answer, write.LineLead+"El farero descansa al menos veintidós días") || !strings.Contains(a.Citations[0].Quote, "veintidós") {
		t.Errorf("%+v", a)
	}
	if a := ask(t, e, "verbena y baile en la torre"); len(a.Citations) > 0 && a.Citations[0].Ref.Unit == "a6" && strings.Contains(a.Answer, "Esto no lo dice") {
		t.Errorf("an entry whose words the law has not: %s", a.Answer)
	}
	if a := ask(t, e, "quiero apuntarme a la regata de traineras"); !a.Refusal || !strings.Contains(a.Answer, "pregunte allí") {
		t.Errorf("what is elsewhere: %+v", a)
	}
	if a := ask(t, e, "¿Qué dice el artículo 6 de la Ley de Faros?"); a.Citations[0].Ref.Unit != "a6" {
		t.Errorf("a unit that is named: %+v", a)
	}
}

func TestReadings(t *testing.T) {
	e := newWorld(t, true).engine(t, withDigest(t, sharp(-4.2)))
	a := ask(t, e, "en la torre del cabo me cobran la luz y no libro")
	if a.Meta.Outcome != digesto.OutcomeClarification || len(a.Meta.Readings) != 2 || len(a.Citations) != 0 || len(a.Meta.Options) != 2 {
		t.Fatalf("%+v %+v", a, a.Meta)
	}
	for _, r := range a.Meta.Readings {
		if len(r.Citations) != 1 || r.Confidence <= 0 || !strings.HasPrefix(r.Text, "Si pregunta: ¿Cuánto") || !strings.Contains(a.Answer, r.Answer) {
			t.Errorf("%+v", r)
		}
	}
}

// One place that may be meant is offered, not refused.
func TestOneReading(t *testing.T) {
	e := newWorld(t, true).engine(t, withDigest(t, sharp(-6)))
	a := ask(t, e, "¿me quitan dias libres en la torre?")
	if a.Meta.Outcome != digesto.OutcomeClarification || len(a.Meta.Readings) != 1 || !strings.Contains(a.Answer, "Si es así, elíjalo") || strings.Contains(a.Answer, "Elija una") {
		t.Errorf("%+v %+v", a, a.Meta)
	}
}
