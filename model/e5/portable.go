package e5

import "math"

// dot4 is the product of one row of weights with four rows of activations.
func dot4(w []int8, x []int16, k int) (a, b, c, d int32) {
	x0, x1, x2, x3 := x[:k], x[k:2*k], x[2*k:3*k], x[3*k:4*k]
	w = w[:k]
	for i := range w {
		v := int32(w[i])
		a += v * int32(x0[i])
		b += v * int32(x1[i])
		c += v * int32(x2[i])
		d += v * int32(x3[i])
	}
	return a, b, c, d
}

func (l *linear) portable(x []int16, scale []float32, tokens int, y []float32) {
	for t := 0; t < tokens; t += 4 {
		for r := range l.out {
			a, b, c, d := dot4(l.q[r*l.in:], x[t*l.in:], l.in)
			s, bias := l.s[r], l.b[r]
			y[t*l.out+r] = float32(a)*(scale[t]*s) + bias
			y[(t+1)*l.out+r] = float32(b)*(scale[t+1]*s) + bias
			y[(t+2)*l.out+r] = float32(c)*(scale[t+2]*s) + bias
			y[(t+3)*l.out+r] = float32(d)*(scale[t+3]*s) + bias
		}
	}
}

func quantisePortable(x []float32, out []int16) (scale float32) {
	var m float32
	for _, v := range x {
		m = max(m, max(v, -v))
	}
	if m == 0 {
		clear(out[:len(x)])
		return 0
	}
	inv := 127 / m
	for i, v := range x {
		out[i] = round8(v * inv)
	}
	return m / 127
}

func geluPortable(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)*(math.Sqrt2/2))))
	}
}

func attendPortable(q, keys []float32, stride int, values []float32, t int, prob, out []float32) {
	prob = prob[:t]
	clear(prob)
	for e, v := range q {
		for s, k := range keys[e*stride:][:t] {
			prob[s] += v * k
		}
	}
	m := float32(math.Inf(-1))
	for _, p := range prob {
		m = max(m, p)
	}
	var sum float32
	for s, p := range prob {
		prob[s] = float32(math.Exp(float64(p - m)))
		sum += prob[s]
	}
	clear(out)
	for s, p := range prob {
		for e, v := range values[s*3*Dims:][:headDim] {
			out[e] += p * v
		}
	}
	for e := range out {
		out[e] /= sum
	}
}
