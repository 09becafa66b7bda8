package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// NewBasis finds the first principal components of vectors (Pearson, 1901).
func NewBasis(model string, vectors [][]float32, kept int) Basis {
	whole := len(vectors[0])
	mean := make([]float64, whole)
	for _, v := range vectors {
		for i, x := range v {
			mean[i] += float64(x) / float64(len(vectors))
		}
	}
	cov := mat.NewSymDense(whole, nil)
	d := mat.NewVecDense(whole, nil)
	for _, v := range vectors {
		for i, x := range v {
			d.SetVec(i, float64(x)-mean[i])
		}
		cov.SymRankOne(cov, 1/float64(len(vectors)), d)
	}
	var e mat.EigenSym
	e.Factorize(cov, true)
	var axes mat.Dense
	e.VectorsTo(&axes)
	values := e.Values(nil) // ascending
	b := Basis{Model: model}
	for _, x := range mean {
		b.Mean = append(b.Mean, float32(x))
	}
	for k := range min(kept, whole) {
		col := whole - 1 - k
		axis := make([]float32, whole)
		for i := range axis {
			axis[i] = float32(axes.At(i, col))
		}
		b.Axes, b.Sigma = append(b.Axes, axis), append(b.Sigma, float32(math.Sqrt(max(0, values[col]))))
	}
	return b
}
