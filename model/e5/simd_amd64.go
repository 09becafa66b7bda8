//go:build amd64 && !digesto_portable

package e5

import "golang.org/x/sys/cpu"

// fastest is the fastest code that this CPU runs.
func fastest() level {
	switch c := &cpu.X86; {
	case !c.HasAVX2 || !c.HasFMA:
		return levelPortable
	case c.HasAVX512F && c.HasAVX512VL && c.HasAVX512VNNI:
		return levelVNNI
	}
	return levelSIMD
}

// vnni multiplies in tiles of six rows by four tokens, activations as bytes.
func (l *linear) vnni(w *workspace, x []float32, tokens int, y []float32) {
	w.bytes = grow(w.bytes, tokens*l.in)
	for t := range tokens {
		w.scale[t] = quantiseBytes(x[t*l.in:(t+1)*l.in], w.bytes[t*l.in:(t+1)*l.in])
	}
	for r := 0; r < l.out; r += 6 {
		for t := 0; t < tokens; t += 4 {
			matTile8(&l.q[r*l.in], &w.bytes[t*l.in], l.in, &w.scale[t], &l.s[r], &l.b[r], &l.low[r], &y[t*l.out+r], l.out)
		}
	}
}

// quantiseBytes is quantiseSIMD with 128 added: zero is 128.
func quantiseBytes(x []float32, out []uint8) (scale float32) {
	m, inv := absMax(&x[0], len(x)), float32(0)
	if m != 0 {
		inv = 127 / m
	}
	quantise8(&x[0], len(x), inv, &out[0])
	return m / 127
}

// simd multiplies in tiles of three rows by four tokens. The weights of three
// rows stay in the first-level cache while all tokens pass by.
func (l *linear) simd(x []int16, scale []float32, tokens int, y []float32) {
	for r := 0; r < l.out; r += 3 {
		w := &l.q[r*l.in]
		for t := 0; t < tokens; t += 4 {
			matTile(w, &x[t*l.in], l.in, &scale[t], &l.s[r], &l.b[r], &y[t*l.out+r], l.out)
		}
	}
}

func quantiseSIMD(x []float32, out []int16) (scale float32) {
	m := absMax(&x[0], len(x))
	if m == 0 {
		clear(out[:len(x)])
		return 0
	}
	quantise(&x[0], len(x), 127/m, &out[0])
	return m / 127
}

func geluSIMD(x []float32) { gelu(&x[0], len(x)) }

func attendSIMD(q, keys []float32, stride int, values []float32, t int, prob, out []float32) {
	prob = prob[:stride]
	scores(&q[0], &keys[0], stride, stride, &prob[0])
	m := prob[0]
	for _, p := range prob[:t] {
		m = max(m, p)
	}
	for s := t; s < stride; s++ {
		prob[s] = -1e30
	}
	sum := expRow(&prob[0], stride, m)
	weigh(&prob[0], &values[0], 3*Dims, t, 1/sum, &out[0])
}

func addRowSIMD(dst []float32, q []int8, s float32) { addRow(&dst[0], &q[0], s, len(dst)) }
