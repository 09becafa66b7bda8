package quant

import (
	"math"
	"slices"
	"sync/atomic"

	"digesto/index/kernel"
)

// Nibbles are vectors of one length whose values are codes of four bits, for callers that
// score every one of them by a rule of their own. A row holds two codes a byte, the first in
// the low half; value j of it is (code − nibbleZero) · step[j].
type Nibbles struct {
	step   []float32
	parts  [][]byte        // whole rows
	first  []int           // of each part its first row
	square [][256]float32  // for each byte of a row the sum of the squares of its two values
	units  []atomic.Uint32 // see unit; 0 = not known yet, or none
}

// nibbleZero is the code of 0; codes are 0–14.
const nibbleZero = 7

// NewNibbles takes rows as EncodeNibbles writes them, one after another, in parts that are
// read where they are; step is the width of a code's step, a dimension (1 ≤ dimensions ≤
// 8,192). Bytes after the last whole row of a part are not read.
func NewNibbles(step []float32, parts ...[]byte) *Nibbles {
	r := &Nibbles{step: step}
	r.square = r.squares()
	n, w := 0, r.width()
	for _, rows := range parts {
		if rows = rows[:len(rows)/w*w]; len(rows) > 0 {
			r.parts, r.first = append(r.parts, rows), append(r.first, n)
			n += len(rows) / w
		}
	}
	r.units = make([]atomic.Uint32, n)
	return r
}

// unit is 1 over the length of row i, whose codes these are, and 0 where it has none. It is worked
// out when it is first asked for: most searches look at few rows.
func (r *Nibbles) unit(i int, codes []byte) float32 {
	if u := r.units[i].Load(); u != 0 {
		return math.Float32frombits(u)
	}
	sum := float32(0)
	for i, b := range codes[:r.width()] {
		sum += r.square[i][b]
	}
	if sum > 0 {
		sum = float32(1 / math.Sqrt(float64(sum)))
	}
	r.units[i].Store(math.Float32bits(sum))
	return sum
}

// squares gives for each byte of a row the sum of the squares of its two values.
func (r *Nibbles) squares() [][256]float32 {
	out := make([][256]float32, r.width())
	for i := range out {
		for b := range 256 {
			for half := range 2 {
				if at := 2*i + half; at < len(r.step) {
					x := float32(b>>(4*half)&15-nibbleZero) * r.step[at]
					out[i][b] += x * x
				}
			}
		}
	}
	return out
}

// width is the bytes of a row.
func (r *Nibbles) width() int { return (len(r.step) + 1) / 2 }

// Len is how many vectors there are.
func (r *Nibbles) Len() int { return len(r.units) }

// Vector writes the values of row i to v, which has one a dimension.
func (r *Nibbles) Vector(i int, v []float32) { DecodeNibbles(r.from(i), r.step, v) }

// AddUnits adds rows i to n-1, each brought to length 1, to sum, which has a value a dimension;
// a row without length adds nothing.
func (r *Nibbles) AddUnits(i, n int, sum []float32) {
	for rows := []byte(nil); i < n; i++ {
		if len(rows) == 0 {
			rows = r.from(i)
		}
		by := r.unit(i, rows)
		for d, step := range r.step {
			sum[d] += float32(int(rows[d/2]>>(4*(d%2))&15)-nibbleZero) * step * by
		}
		rows = rows[r.width():]
	}
}

// from gives the codes of row i and of those after it in its part.
func (r *Nibbles) from(i int) []byte {
	k, ok := slices.BinarySearch(r.first, i)
	if !ok {
		k--
	}
	return r.parts[k][(i-r.first[k])*r.width():]
}

// EncodeNibbles gives the codes of a vector, (dimensions+1)/2 bytes.
func EncodeNibbles(v, step []float32) []byte {
	out := make([]byte, (len(step)+1)/2)
	for i := range step {
		c := nibbleZero
		if i < len(v) && step[i] > 0 {
			c = min(14, max(0, nibbleZero+int(math.Round(float64(v[i]/step[i])))))
		}
		out[i/2] |= byte(c) << (4 * (i % 2))
	}
	return out
}

// DecodeNibbles writes to v, of one value a dimension, what EncodeNibbles wrote.
func DecodeNibbles(codes []byte, step, v []float32) {
	for i := range step {
		v[i] = float32(int(codes[i/2]>>(4*(i%2))&15)-nibbleZero) * step[i]
	}
}

// Dot writes to out, of Len values, the cosine of every row with a vector; a row or vector
// without length, or a vector of another length, is like nothing.
func (r *Nibbles) Dot(v []float32, out []float32) {
	r.DotRows(r.Query(v), 0, out[:r.Len()])
}

// NibblesQuery is a vector prepared to be compared with rows, for one goroutine. Its zero value is
// like nothing.
type NibblesQuery struct {
	by    *kernel.NibblesQuery // each value by its step, two a byte of a row
	scale float32              // what one of them stands for
	zero  int32                // what a row of zeros gives
	dots  []int32
}

// Query prepares a vector.
func (r *Nibbles) Query(v []float32) (q NibblesQuery) {
	u := Unit(v)
	if u == nil || len(v) != len(r.step) {
		return q
	}
	by, most := make([]float32, len(u)), float32(0)
	for i, x := range u {
		by[i] = x * r.step[i]
		most = max(most, by[i], -by[i])
	}
	values := make([]int16, 2*r.width())
	if most > 0 {
		for i, x := range by {
			values[i] = int16(math.Round(float64(x / most * kernel.QueryMost)))
			q.zero += nibbleZero * int32(values[i])
		}
	}
	q.by, q.scale, q.dots = kernel.NewNibblesQuery(values), most/kernel.QueryMost, make([]int32, kernel.VectorBlock)
	return q
}

// DotRows writes to out the cosines of as many rows as it has room for, from the first on.
func (r *Nibbles) DotRows(q NibblesQuery, first int, out []float32) {
	if q.by == nil {
		clear(out)
		return
	}
	w := r.width()
	for rows := []byte(nil); len(out) > 0; {
		if len(rows) == 0 {
			rows = r.from(first)
		}
		k := min(len(out), len(rows)/w, kernel.VectorBlock)
		most := min((k+3)&^3, len(rows)/w) // fours are what the kernel takes at once
		kernel.DotNibbles(rows[:most*w], most, w, q.by, q.dots[:most])
		for i := range k {
			out[i] = float32(q.dots[i]-q.zero) * (q.scale * r.unit(first+i, rows[i*w:]))
		}
		rows, out, first = rows[k*w:], out[k:], first+k
	}
}
