package vectorfile

import (
	"cmp"
	"math"
	"slices"
)

// Near is a text among others, and the product of its vector with another.
type Near struct {
	At      int
	Product float64
}

// Nearest gives the n texts whose vectors have the greatest products with one of unit
// length, the greatest first, equal ones in their order; texts without a vector are left
// out. The products are those of [File.Dot]: they are made of those texts alone whose
// product in single precision, which is three times as fast, lets them be among the n.
func (f *File) Nearest(keys []Key, v []float32, n int) []Near {
	if n <= 0 {
		return nil
	}
	type rough struct {
		row
		at  int
		sum float32
	}
	all := make([]rough, 0, len(keys))
	sums := make([]float32, 0, len(keys))
	var scale float32
	f.mu.RLock()
	for i, k := range keys {
		if r, ok := f.rows[k]; ok && len(r.bytes) == len(v) {
			x := rough{r, i, r.rough(v)}
			all, sums, scale = append(all, x), append(sums, x.sum), max(scale, r.scale)
		}
	}
	f.mu.RUnlock()
	least := float32(math.Inf(-1))
	if n < len(sums) {
		slices.Sort(sums)
		least = sums[len(sums)-n] - 2*scale*roughError(v)
	}
	var out []Near
	for _, x := range all {
		if x.sum >= least {
			out = append(out, Near{x.at, x.dot(v)})
		}
	}
	slices.SortFunc(out, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Product, a.Product), a.At-b.At) })
	return out[:min(n, len(out))]
}

// rough is dot in single precision, in four sums side by side.
func (r row) rough(v []float32) float32 {
	var a, b, c, d float32
	x := r.bytes
	v = v[:len(x)]
	for ; len(x) >= 4 && len(v) >= 4; x, v = x[4:], v[4:] {
		a += float32(x[0]) * v[0]
		b += float32(x[1]) * v[1]
		c += float32(x[2]) * v[2]
		d += float32(x[3]) * v[3]
	}
	for i, y := range x {
		a += float32(y) * v[i]
	}
	return (a + b + c + d) * r.scale
}

// roughError bounds how far rough may be from dot, before the scale: each term of a
// sum of n passes through n roundings at most (Higham, "Accuracy and Stability of
// Numerical Algorithms", section 3.1), and no byte is greater than 128.
func roughError(v []float32) float32 {
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	return float32(128 * sum * float64(len(v)+8) * 0x1p-24)
}
