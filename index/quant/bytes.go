// Package quant keeps vectors in fewer bits than they come with: a byte a dimension with one
// scale for all (bytes.go), four bits with a scale for each dimension (nibbles.go), or two bits
// that choose which rows are looked at more closely (coarse.go).
package quant

import "math"

// Bytes writes v·1/scale to row and gives the scale; 0 for a vector of zeros or
// with a value that is no number.
func Bytes(row []int8, v []float32) float32 {
	clear(row)
	most := float32(0)
	for _, x := range v {
		if x != x || x > math.MaxFloat32 || x < -math.MaxFloat32 {
			return 0
		}
		most = max(most, x, -x)
	}
	if most == 0 {
		return 0
	}
	for i, x := range v {
		row[i] = int8(math.Round(float64(x) * 127 / float64(most)))
	}
	return most / 127
}

// Query writes the bytes of v to the first half of query, and their absolute values to the second,
// as the kernels for rows of bytes want it (kernel.DotRows), and gives the scale.
func Query(query []int8, v []float32) float32 {
	half := len(query) / 2
	scale := Bytes(query[:half], v)
	for i, x := range query[:half] {
		query[half+i] = max(x, -x)
	}
	return scale
}

// length is that of v, in float64 arithmetic.
func length(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return math.Sqrt(sum)
}

// Unit gives v at length 1, in float64 arithmetic; nil for a vector without length.
func Unit(v []float32) []float32 {
	n := length(v)
	if !(n > 0) || math.IsInf(n, 0) {
		return nil
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / n)
	}
	return out
}
