package index

import (
	"hash/fnv"
	"testing"

	"digesto"
	"digesto/text"
)

// TestPostings: a chunk has the terms that the embedded index counts, each once,
// by the name that stands in indexes already built.
func TestPostings(t *testing.T) {
	var an text.Analyser
	c := digesto.Chunk{Title: "Plazo de entrega", Body: "La entrega en plazo; el plazo de entrega y el plazo de pago."}
	want, length := map[Term]int{}, 0
	s := Scoring{}.WithDefaults()
	for _, f := range []struct {
		text   string
		weight int
	}{{c.Title, s.Title}, {c.Body, s.Body}} {
		EachTerm(an.Terms(f.text), func(k Kind, first, second text.Term) {
			if k == KindStem {
				length += f.weight
			}
			if s.Indexed(k) {
				want[Term{k, termText(k, first, second)}] += f.weight
			}
		})
	}
	list, n := Postings(&an, s, c)
	if n != length || len(list) != len(want) {
		t.Errorf("length %d of %d, terms %d of %d", n, length, len(list), len(want))
	}
	got := map[int64]Posting{}
	for i, p := range list {
		got[p.Term] = p
		if i > 0 && list[i-1].Term >= p.Term {
			t.Error("not in order, or twice")
		}
	}
	for term, tf := range want {
		h := fnv.New64a()
		_, _ = h.Write(append([]byte{byte(term.Kind)}, term.Text...))
		if term.Hash() != h.Sum64() || got[int64(h.Sum64())] != (Posting{int64(h.Sum64()), term.Kind, tf}) {
			t.Errorf("%v: %+v, want %d", term, got[int64(h.Sum64())], tf)
		}
	}
}
