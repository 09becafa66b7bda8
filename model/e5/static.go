package e5

import "math"

// static holds one vector a piece and the mean passage vector.
type static struct {
	row  []int32 // piece id → row of q, −1 where there is none
	q    []int8  // [rows][Dims]
	s    []float32
	mean []float32
}

func newStatic(file string, words int) (*static, error) {
	t, err := readTensors(file)
	if err != nil {
		return nil, err
	}
	st := &static{row: make([]int32, words)}
	for i := range st.row {
		st.row[i] = -1
	}
	rows, err := t.int32s("rows", -1)
	if err != nil {
		return nil, err
	}
	for i, id := range rows {
		if id < 0 || int(id) >= words {
			return nil, invalid("un vector estático es de una pieza que no existe", nil)
		}
		st.row[id] = int32(i)
	}
	if st.q, err = t.int8s("q", len(rows), Dims); err != nil {
		return nil, err
	}
	if st.s, err = t.floats("s", len(rows)); err != nil {
		return nil, err
	}
	st.mean, err = t.floats("mean", Dims)
	return st, err
}

// sum adds the vectors of the pieces, repeats too, and normalises. Every level gives
// the same vector to the bit.
func (st *static) sum(dst []float32, ids []int32, lv level) {
	clear(dst)
	for _, id := range ids {
		r := st.row[id]
		if r < 0 {
			continue
		}
		q, s := st.q[int(r)*Dims:(int(r)+1)*Dims], st.s[r]
		if lv == levelPortable {
			addRowPortable(dst, q, s)
		} else {
			addRowSIMD(dst, q, s)
		}
	}
	normalise(dst)
}

// centre subtracts the mean of a space and normalises again: it undoes the
// crowding of plain cosines between .75 and .95.
func centre(v, mean []float32) {
	for i, m := range mean {
		v[i] -= m
	}
	normalise(v)
}

// round8 is a helper of the portable code: round half to even, as the CPU does.
func round8(x float32) int16 { return int16(math.RoundToEven(float64(x))) }
