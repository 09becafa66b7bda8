package ask

import (
	"context"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"digesto/decide"
	"digesto/digest"
	"digesto/pack"
	"digesto/search"
)

// TestPlacedInFiches: what a fiche says whose law is not installed is led to before it is said to
// be elsewhere; where its law is installed that is led to.
func TestPlacedInFiches(t *testing.T) {
	files := maps.Clone(manifest)
	files["costa/fiches.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(string(manifest["costa/fiches.yaml"].Data), "fiches:\n", "  DEC-5: {name: del Decreto 5/2024, url: \"https://example.org/DEC-5\"}\nfiches:\n", 1) + `
  - id: regata
    title: La regata
    facts:
      - {id: precio, ask: "¿Cuánto cuesta la regata?", text: "Apuntarse a la regata cuesta doce euros por bote.", norm: DEC-5, unit: a1, ref: artículo 1}
`)}
	p, err := pack.Load(files, "costa")
	if err != nil {
		t.Fatal(err)
	}
	w := world{packs: []*pack.Pack{p}, own: embeddedView(t, p), law: view(t, lawDocs())}
	var entries []digest.File
	for name, text := range map[string]string{
		"costa/digest/ficha-costa-regata.txt": "norm: ficha-costa-regata\n== sprecio\ntext: Salir en la regata son doce euros el bote.\nwords: cuesta doce euros por bote\nshort: ¿Cuánto cuesta la regata?\nstreet: cuanto piden por remar en la regata\nstreet: precio del bote en la regata\ntold: Somos seis y un bote: ¿qué nos cobran?\ntold: Mi hija rema y no sé qué hay que pagar.\n",
		"costa/digest/ficha-costa-faro.txt":   "norm: ficha-costa-faro\n== sdescanso\ntext: El farero descansa veintidós días.\nwords: al menos veintidós días naturales\nshort: ¿Cuánto libra el farero?\nstreet: dias libres en la torre\nstreet: vacas del de la luz\ntold: Llevo la luz y no paro.\ntold: Mi padre cuida la torre sin descanso.\n",
		"costa/digest/otros.txt":              "elsewhere: yes\n== regatas\ntext: Las regatas las ordena el club de cada puerto: pregunte allí.\nshort: ¿Quién organiza las regatas?\nstreet: apuntarse a la regata del pueblo\nstreet: regata de traineras quien manda\ntold: Mi hija quiere ir a la regata de agosto.\ntold: Somos del club de enfrente.\n",
	} {
		f, bad := digest.Parse(name, text)
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		entries = append(entries, f)
	}
	asks := search.NewAsks(entries, nil, search.Scoring{Words: .25, Sharp: 8, Centroid: 1e-9, Profile: 1e-9})
	reached := map[string]bool{}
	e := w.engine(t, func(o *Options) {
		o.Places = func(_ context.Context, q decide.Query) ([]decide.Judged, error) {
			return sharp(-4).Judge(asks.Join(asks.Search(q.Question, nil, 20, search.Allow{Entry: func(e *digest.Entry) bool {
				reached[e.Place()] = q.Reach(e)
				return q.Reach(e)
			}}), q.Articles), "costa"), nil
		}
	})
	a := ask(t, e, "¿cuánto piden por remar en la regata con un bote?")
	if len(a.Citations) != 1 || a.Citations[0].Ref.Document != "ficha-costa-regata" || !strings.Contains(a.Citations[0].Quote, "doce euros") {
		t.Errorf("%+v", a)
	}
	if !reached["ficha-costa-regata/sprecio"] || reached["ficha-costa-faro/sdescanso"] {
		t.Errorf("reached: %v", reached)
	}
	if a := ask(t, e, "quiero apuntarme a la regata de traineras"); !a.Refusal || !strings.Contains(a.Answer, "pregunte allí") {
		t.Errorf("what is elsewhere: %+v", a)
	}
}
