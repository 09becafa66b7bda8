package e5

import "math"

// portable multiplies four tokens at a time, two in one 64-bit product: with
// x = x₀ + x₁·2³² a sum of w·x is Σw·x₀ + Σw·x₁·2³², and the two come apart as
// long as each stays below 2³¹; 1536·127·128 does by far.
func (l *linear) portable(x []int16, scale []float32, tokens int, y []float32) {
	var p, q [inner]int64
	for t := 0; t < tokens; t += 4 {
		pack(p[:l.in], x[t*l.in:], x[(t+1)*l.in:])
		pack(q[:l.in], x[(t+2)*l.in:], x[(t+3)*l.in:])
		for r := range l.out {
			s, u := dotPairs(l.q[r*l.in:][:l.in], p[:l.in], q[:l.in])
			a, b := apart(s)
			c, d := apart(u)
			s1, bias := l.s[r], l.b[r]
			y[t*l.out+r] = float32(a)*(scale[t]*s1) + bias
			y[(t+1)*l.out+r] = float32(b)*(scale[t+1]*s1) + bias
			y[(t+2)*l.out+r] = float32(c)*(scale[t+2]*s1) + bias
			y[(t+3)*l.out+r] = float32(d)*(scale[t+3]*s1) + bias
		}
	}
}

// pack puts two rows of activations side by side.
func pack(to []int64, low, high []int16) {
	low, high = low[:len(to)], high[:len(to)]
	for i := range to {
		to[i] = int64(low[i]) + int64(high[i])<<32
	}
}

// dotPairs is the product of one row of weights with two packed pairs of rows.
func dotPairs(w []int8, p, q []int64) (s, u int64) {
	p, q = p[:len(w)], q[:len(w)]
	var s1, u1 int64
	for len(w) >= 4 {
		a, b := p[:4:4], q[:4:4]
		w0, w1, w2, w3 := int64(w[0]), int64(w[1]), int64(w[2]), int64(w[3])
		s += w0*a[0] + w2*a[2]
		s1 += w1*a[1] + w3*a[3]
		u += w0*b[0] + w2*b[2]
		u1 += w1*b[1] + w3*b[3]
		w, p, q = w[4:], p[4:], q[4:]
	}
	for i, v := range w {
		s += int64(v) * p[i]
		u += int64(v) * q[i]
	}
	return s + s1, u + u1
}

// apart gives the two sums of a packed one.
func apart(s int64) (low, high int32) {
	low = int32(s)
	return low, int32((s - int64(low)) >> 32)
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

// addRowPortable rounds the product before it is added: a processor that would do both
// at once must not give another vector.
func addRowPortable(dst []float32, q []int8, s float32) {
	q = q[:len(dst)]
	for i := range dst {
		dst[i] += float32(float32(q[i]) * s)
	}
}
