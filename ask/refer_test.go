package ask

import (
	"context"
	"strings"
	"testing"

	"digesto/decide"
	"digesto/digest"
	"digesto/search"
)

// A refusal says which other pack of the country is certain to answer from installed law, and
// nothing of one that is not, nor of a norm that its own digest is about.
func TestRefer(t *testing.T) {
	w := newWorld(t, true)
	port := *w.packs[0]
	port.Name = "puerto"
	w.packs = append(w.packs, &port)
	own, bad := digest.Parse("costa/digest/otros.txt", "elsewhere: yes\n== pesca\ntext: La pesca no es de este paquete.\nshort: ¿Cuánto paga un pesquero?\nstreet: tasa del barco de pescar\nstreet: cuanto pago por pescar\ntold: Tengo una trainera y no sé qué pago.\ntold: Salimos a por sardina y cobran.\n")
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	law, bad := digest.Parse("puerto/digest/LEY-1.txt", coast)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	place := func(e *digest.Entry, p float64) []decide.Judged {
		return []decide.Judged{{Candidate: search.Candidate{Place: search.Place{ID: e.Place(), Entry: e, Entries: []search.Weighed{{Entry: e}}}}, P: p}}
	}
	for _, c := range []struct {
		name    string
		p       float64
		covered bool
		want    bool
	}{
		{"certain", .95, false, true},
		{"not certain", .85, false, false},
		{"a norm of its own digest", .95, true, false},
	} {
		e := w.engine(t, func(o *Options) {
			o.Covers = func(pack, norm string) bool { return pack == "puerto" || c.covered }
			o.Places = func(_ context.Context, q decide.Query) ([]decide.Judged, error) {
				if q.Pack == "puerto" {
					return place(&law.Entries[1], c.p), nil
				}
				return place(&own.Entries[0], .95), nil
			}
		})
		a := ask(t, e, "quiero apuntarme a la regata de traineras")
		if got := a.Notes != nil && strings.Contains(*a.Notes, "el paquete «puerto» ("); !a.Refusal || got != c.want {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}
