package quant

import "digesto/index/kernel"

// Rows are vectors of one length, eight bits a value, for callers that want the product of every
// one of them.
type Rows struct {
	width int
	data  []byte    // whole rows
	scale []float32 // of each row what one of its values stands for
}

// RowWidth is the bytes of a row of so many dimensions: a multiple of 32, those that are over 0.
func RowWidth(dim int) int { return (dim + 31) &^ 31 }

// NewRows takes rows of so many dimensions as AppendRow writes them, read where they are, with
// the scale of each.
func NewRows(dim int, data []byte, scale []float32) *Rows {
	w := RowWidth(dim)
	n := min(len(scale), len(data)/w)
	return &Rows{w, data[:n*w], scale[:n]}
}

// AppendRow appends the row of a vector, and gives its scale.
func AppendRow(to []byte, v []float32) ([]byte, float32) {
	row := make([]int8, RowWidth(len(v)))
	scale := Bytes(row, v)
	for _, x := range row {
		to = append(to, byte(x))
	}
	return to, scale
}

// Dot writes to out, which has a place a row, the products with a vector brought to length 1; a
// vector without length, or of another length, is like nothing.
func (r *Rows) Dot(v, out []float32) {
	u := Unit(v)
	if u == nil || RowWidth(len(v)) != r.width {
		clear(out)
		return
	}
	query := make([]int8, 2*r.width)
	by := Query(query, u)
	var dots [kernel.VectorBlock]int32
	for first := 0; first < len(r.scale); first += kernel.VectorBlock {
		n := min(kernel.VectorBlock, len(r.scale)-first)
		rows := r.data[first*r.width : (first+n)*r.width]
		if n%4 > 0 { // the kernel takes fours
			rows = append(rows[:len(rows):len(rows)], make([]byte, (4-n%4)*r.width)...)
		}
		kernel.DotRows(rows, (n+3)&^3, r.width, query, &dots)
		for i, scale := range r.scale[first : first+n] {
			out[first+i] = float32(dots[i]) * scale * by
		}
	}
}
