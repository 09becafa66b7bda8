package e5

// apply quantises tokens rows of x (tokens a multiple of four) and multiplies.
func (l *linear) apply(w *workspace, x []float32, tokens int, y []float32, simd bool) {
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
func activate(x []float32, simd bool) {
	if simd {
		geluSIMD(x)
		return
	}
	geluPortable(x)
}

func attendOne(q, keys []float32, stride int, values []float32, t int, prob, out []float32, simd bool) {
	if simd {
		attendSIMD(q, keys, stride, values, t, prob, out)
		return
	}
	attendPortable(q, keys, stride, values, t, prob, out)
}
