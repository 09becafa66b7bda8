package decide

import "math"

// Outcome is what was stated of the likeliest place of a question, and whether it was
// the right one.
type Outcome struct {
	P     float64
	Right bool
}

// Band is a band of stated probabilities with how often they were right.
type Band struct {
	From   float64 // 0, .2, .4, .6 or .8
	N      int
	Stated float64 // mean
	Right  float64 // share
}

// Calibration counts outcomes by bands of a fifth; bands without any are left out.
func Calibration(list []Outcome) (out []Band) {
	var bands [5]Band
	for _, x := range list {
		b := &bands[min(4, int(x.P*5))]
		b.N++
		b.Stated += x.P
		b.Right += boolOf(x.Right)
	}
	for i, b := range bands {
		if b.N > 0 {
			out = append(out, Band{float64(i) / 5, b.N, b.Stated / float64(b.N), b.Right / float64(b.N)})
		}
	}
	return out
}

// Recalibrate finds the scale and offset of the log odds under which outcomes stated by
// a model without them are likeliest (Platt, 1999), by Newton's method.
func Recalibrate(list []Outcome) (scale, offset float64) {
	scale = 1
	for range steps {
		var g0, g1, h00, h01, h11 float64
		for _, x := range list {
			z := logit(x.P)
			p := 1 / (1 + math.Exp(-(scale*z + offset)))
			d, w := boolOf(x.Right)-p, p*(1-p)+1e-9
			g0, g1 = g0+d*z, g1+d
			h00, h01, h11 = h00+w*z*z, h01+w*z, h11+w
		}
		det := h00*h11 - h01*h01
		if det < 1e-12 {
			break
		}
		scale += (h11*g0 - h01*g1) / det
		offset += (h00*g1 - h01*g0) / det
	}
	return rounded(scale), rounded(offset)
}

// Offset finds the offset alone, for a scale.
func Offset(list []Outcome, scale float64) (offset float64) {
	for range steps {
		var g, h float64
		for _, x := range list {
			p := 1 / (1 + math.Exp(-(scale*logit(x.P) + offset)))
			g, h = g+boolOf(x.Right)-p, h+p*(1-p)+1e-9
		}
		if h > 0 {
			offset += g / h
		}
	}
	return rounded(offset)
}

// steps of Newton's method: it doubles the right digits at each.
const steps = 50

func logit(p float64) float64 { return math.Log(math.Max(p, 1e-9) / math.Max(1-p, 1e-9)) }

func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }
