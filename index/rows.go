package index

import "math"

// Rows are vectors of one length, kept as bytes, for callers that score every one
// of them by a rule of their own.
type Rows struct {
	dim, width, n int
	rows          []byte
	scales        []float32
}

// NewRows makes room for n vectors of dim values (1 ≤ dim ≤ 8,192), all zero.
func NewRows(dim, n int) *Rows {
	w := paddedWidth(dim)
	return &Rows{dim: dim, width: w, n: n, rows: make([]byte, paddedRows(n)*w), scales: make([]float32, n)}
}

// Len is how many vectors there are.
func (r *Rows) Len() int { return r.n }

// Set puts a vector at unit length in a row; one without length stays zero.
func (r *Rows) Set(i int, v []float32) {
	n, most := length(v), float32(0)
	if !(n > 0) || math.IsInf(n, 0) || len(v) != r.dim {
		return
	}
	for _, x := range v {
		most = max(most, x, -x)
	}
	r.scales[i] = most / 127 / float32(n)
	by, row := 127/most, r.rows[i*r.width:]
	for j, x := range v {
		row[j] = byte(int32(x*by+127.5) - 127) // rounded; the sum is never negative
	}
}

// Dot writes to out, of Len values, the cosine of every row with a vector.
func (r *Rows) Dot(v []float32, out []float32) {
	clear(out[:r.n])
	u := unitVector(v)
	if u == nil || len(v) != r.dim {
		return
	}
	q := make([]int8, 2*r.width)
	scale := quantise(q[:r.width], u)
	for i, x := range q[:r.width] {
		q[r.width+i] = max(x, -x)
	}
	var dots [vectorBlock]int32
	for from := 0; from < r.n; from += vectorBlock {
		n := min(vectorBlock, paddedRows(r.n)-from)
		dotRows(r.rows[from*r.width:(from+n)*r.width], n, r.width, q, &dots)
		for i := range min(n, r.n-from) {
			out[from+i] = float32(dots[i]) * scale * r.scales[from+i]
		}
	}
}
