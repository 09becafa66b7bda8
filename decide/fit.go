package decide

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// Example is a candidate of a question whose answer is known.
type Example struct {
	Features []float64
	Right    bool
	Weight   float64
}

// ridge keeps weights small where examples say little: the penalty of their squares, an
// example.
const ridge = 1e-6

// Fit finds the weights under which the examples are likeliest (logistic regression
// with a ridge), by L-BFGS.
func Fit(list []Example) (map[string]float64, error) {
	total := 0.
	for _, x := range list {
		total += x.Weight
	}
	loss := func(w, grad []float64) float64 {
		sum := 0.
		for j := range grad {
			grad[j] = 0
		}
		for _, x := range list {
			z := 0.
			for j, f := range x.Features {
				z += w[j] * f
			}
			y := boolOf(x.Right)
			p := 1 / (1 + math.Exp(-z))
			sum += x.Weight * (math.Log1p(math.Exp(-math.Abs(z))) + math.Max(z, 0) - y*z)
			for j := range grad {
				grad[j] += x.Weight * (p - y) * x.Features[j]
			}
		}
		sum /= total
		for j := range grad {
			grad[j] = grad[j]/total + 2*ridge*w[j]
			sum += ridge * w[j] * w[j]
		}
		return sum
	}
	grad := make([]float64, len(names))
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { return loss(w, grad) },
		Grad: func(g, w []float64) { loss(w, g) },
	}, make([]float64, len(names)), &optimize.Settings{MajorIterations: 2000}, &optimize.LBFGS{})
	if r == nil {
		return nil, err
	}
	out := map[string]float64{}
	for j, n := range names {
		out[n] = math.Round(r.X[j]*1000) / 1000
	}
	return out, nil
}
