package e5

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVNNI: products of unsigned bytes are those of the AVX2 code to the bit, and of
// the portable code but for its rounding. Without such a CPU it runs in an emulator
// (docs/speed.md).
func TestVNNI(t *testing.T) {
	if fastest() != levelVNNI {
		t.Skip("this CPU or build has no AVX-512 VNNI")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 40 {
		in, tokens := 64*(1+r.IntN(24)), 4*(1+r.IntN(5))
		l := randomLinear(r, 6*(1+r.IntN(8)), in)
		if i%4 == 0 { // all values at their limits
			for j := range l.q {
				l.q[j] = []int8{-127, 127}[r.IntN(2)]
			}
		}
		l.prepareBytes()
		x := make([]float32, tokens*in)
		for j := range x[in:] { // the first row is nothing but zeros
			x[in+j] = float32(r.NormFloat64())
			if i%4 == 0 {
				x[in+j] = 1
			}
		}
		var y [2][]float32
		var w [2]*workspace
		for j, lv := range []level{levelVNNI, levelSIMD} {
			w[j] = &workspace{quant: make([]int16, len(x)), scale: make([]float32, tokens)}
			y[j] = make([]float32, tokens*l.out)
			l.apply(w[j], x, tokens, y[j], lv)
		}
		for j, b := range w[0].bytes {
			if int16(b)-128 != w[1].quant[j] {
				t.Fatalf("activation %d: %d, AVX2 %d", j, int16(b)-128, w[1].quant[j])
			}
		}
		if !slices.Equal(y[0], y[1]) || !slices.Equal(w[0].scale, w[1].scale) {
			t.Fatalf("%d × %d, %d tokens: products differ", l.out, in, tokens)
		}
	}
}

// TestVNNIText: a whole text has the vector that AVX2 gives it. The reference texts
// are held by TestVectorsEqualTheReference.
func TestVNNIText(t *testing.T) {
	if fastest() != levelVNNI {
		t.Skip("this CPU or build has no AVX-512 VNNI")
	}
	m := load(t, Options{})
	ids := m.Tokens("el plazo de la prestación será fijado por la norma que la regule")
	a, b := make([]float32, means), make([]float32, means)
	for lv, out := range map[level][]float32{levelVNNI: a, levelSIMD: b} {
		if err := m.net.forward(context.Background(), m.workspace(), ids, out, lv); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(a, b) {
		t.Fatal("a text's vector differs")
	}
}

func randomLinear(r *rand.Rand, out, in int) linear {
	l := linear{out: out, in: in}
	for range out * in {
		l.q = append(l.q, int8(r.IntN(255)-127))
	}
	for range out {
		l.s, l.b = append(l.s, r.Float32()), append(l.b, r.Float32())
	}
	return l
}
