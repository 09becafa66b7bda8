package e5

// level says which code runs. All give the same products to the bit; what is
// computed in floats (the exponential, sums over tokens) may differ in the last.
type level uint8

const (
	levelPortable level = iota
	levelSIMD           // AVX2
	levelVNNI           // AVX-512 VNNI for the products, AVX2 for the rest
)

// apply quantises tokens rows of x (tokens a multiple of four) and multiplies.
func (l *linear) apply(w *workspace, x []float32, tokens int, y []float32, lv level) {
	if lv == levelVNNI && l.low != nil {
		l.vnni(w, x, tokens, y)
		return
	}
	simd := lv != levelPortable
	for t := range tokens {
		row, out := x[t*l.in:(t+1)*l.in], w.quant[t*l.in:(t+1)*l.in]
		if simd {
			w.scale[t] = quantiseSIMD(row, out)
		} else {
			w.scale[t] = quantisePortable(row, out)
		}
	}
	if simd {
		l.simd(w.quant, w.scale, tokens, y)
		return
	}
	l.portable(w.quant, w.scale, tokens, y)
}

// activate is GELU.
func activate(x []float32, lv level) {
	if lv != levelPortable {
		geluSIMD(x)
		return
	}
	geluPortable(x)
}

func attendOne(q, keys []float32, stride int, values []float32, t int, prob, out []float32, lv level) {
	if lv != levelPortable {
		attendSIMD(q, keys, stride, values, t, prob, out)
		return
	}
	attendPortable(q, keys, stride, values, t, prob, out)
}

// prepareBytes sums the rows of weights, which is what multiplication by unsigned
// bytes needs. A shape that its tiles do not fit keeps the other code.
func (l *linear) prepareBytes() {
	if l.out%6 != 0 || l.in%64 != 0 {
		return
	}
	l.low = make([]int32, l.out)
	for r := range l.low {
		l.low[r] = 128 * sumOf(l.q[r*l.in:(r+1)*l.in])
	}
}
