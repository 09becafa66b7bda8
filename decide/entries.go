package decide

import (
	"cmp"
	"context"
	"slices"

	"digesto/digest"
)

// Near is what entries of places are compared with.
type Near struct {
	Pack      string
	Places    []string
	Questions []string
	// Leave says that an ask does not count; nil = all do.
	Leave func(ask string) bool
}

// Meant is an entry with the cosine of its nearest ask to each question.
type Meant struct {
	*digest.Entry
	Cos []float64
}

// Entries gives the entries of places, by place and in the order of the digest; nil
// without a model of meaning.
func (f *Finder) Entries(ctx context.Context, n Near) (map[string][]Meant, error) {
	asks, err := f.Asks(n.Pack)
	if err != nil || f.opt.Vector == nil {
		return nil, err
	}
	var full [][]float32
	for _, q := range n.Questions {
		v, err := f.opt.Vector(ctx, q)
		if err != nil {
			return nil, err
		}
		full = append(full, v)
	}
	out := map[string][]Meant{}
	for e, cos := range asks.Entries(n.Places, full, n.Leave) {
		id := asks.Leader(e.Place())
		out[id] = append(out[id], Meant{e, cos})
	}
	for _, list := range out {
		slices.SortFunc(list, func(x, y Meant) int {
			return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
		})
	}
	return out, nil
}

// Topic gives the words of a question that name what it is about for who is led to one of
// these places of a pack ([search.Asks.Topic]).
func (f *Finder) Topic(pack, question string, places []string, n int) []string {
	asks, err := f.Asks(pack)
	if err != nil {
		return nil
	}
	return asks.Topic(question, places, n)
}
