package decide

import (
	"cmp"
	"context"
	"slices"

	"digesto/digest"
)

// Entries gives the entries of a place of a pack, the nearest to several ways of asking
// the same first: by the mean of their cosines. nil without a model of meaning.
func (f *Finder) Entries(ctx context.Context, pack, place string, questions []string) ([]*digest.Entry, error) {
	asks, err := f.Asks(pack)
	if err != nil || f.opt.Vector == nil {
		return nil, err
	}
	var full [][]float32
	for _, q := range questions {
		v, err := f.opt.Vector(ctx, q)
		if err != nil {
			return nil, err
		}
		full = append(full, v)
	}
	mean := map[*digest.Entry]float64{}
	var out []*digest.Entry
	for e, list := range asks.Entries(place, full) {
		for _, c := range list {
			mean[e] += c / float64(len(list))
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(x, y *digest.Entry) int {
		return cmp.Or(cmp.Compare(mean[y], mean[x]), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return out, nil
}
