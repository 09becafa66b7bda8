package decide

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// Heard is how the vote of a judge of candidates bears on one of them: the shares for
// it, for the others and for none of them. They sum to 1.
type Heard struct{ For, Others, None float64 }

// Trust is what such a vote weighs, in log odds beside all other features of a place.
// The zero value gives it no weight.
type Trust struct {
	For    float64 `json:"for"`
	Others float64 `json:"others"`
	None   float64 `json:"none"`
}

func (t Trust) of(h Heard) float64 { return t.For*h.For + t.Others*h.Others + t.None*h.None }

// Weigh is the probability of a place that had p before the vote.
func (t Trust) Weigh(p float64, h Heard) float64 {
	return 1 / (1 + math.Exp(-(logit(p) + t.of(h))))
}

// Vote is what a judge was heard to say of a place of probability p, and whether the
// place answers.
type Vote struct {
	P float64
	Heard
	Right bool
}

// trustRidge is the penalty of the squares of the weights: a probe of forty questions is
// little evidence, and without it a judge that never erred there would never be doubted.
const trustRidge = .125

// FitTrust finds the weights under which votes are likeliest, given the probabilities
// before them: a judge that only repeats what was known gets none. Offset is by how much
// all places there are likelier or less likely than they were held to be, whatever was
// voted: a property of the questions, not of the judge.
func FitTrust(list []Vote) (t Trust, offset float64) {
	loss := func(w, grad []float64) float64 {
		t, sum := Trust{w[0], w[1], w[2]}, 0.
		grad[3] = 0
		for j := range 3 {
			grad[j] = 2 * trustRidge * w[j]
			sum += trustRidge * w[j] * w[j]
		}
		for _, x := range list {
			z := logit(x.P) + t.of(x.Heard) + w[3]
			y, p := boolOf(x.Right), 1/(1+math.Exp(-z))
			sum += math.Log1p(math.Exp(-math.Abs(z))) + math.Max(z, 0) - y*z
			for j, f := range []float64{x.For, x.Others, x.None, 1} {
				grad[j] += (p - y) * f
			}
		}
		return sum
	}
	grad := make([]float64, 4)
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { return loss(w, grad) },
		Grad: func(g, w []float64) { loss(w, g) },
	}, make([]float64, 4), &optimize.Settings{MajorIterations: 200}, &optimize.LBFGS{})
	if r == nil || err != nil && len(r.X) < 4 {
		return Trust{}, 0
	}
	return Trust{rounded(r.X[0]), rounded(r.X[1]), rounded(r.X[2])}, rounded(r.X[3])
}

// Moved is a trust that moves every place by an offset too: the shares sum to 1.
func (t Trust) Moved(offset float64) Trust {
	return Trust{t.For + offset, t.Others + offset, t.None + offset}
}
