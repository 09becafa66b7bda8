// Command asm writes the AVX2 and AVX-512 VNNI kernels of the embedder: run
//
//	go run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg e5
//
// The int8 products are widened to 16 bits and multiplied with VPMADDWD, so
// that sums are exact integers: the same as in the portable code.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!digesto_portable")
	matTile()
	absMax()
	quantise()
	gelu()
	scores()
	softmax()
	weigh()
	addRow()
	matTile8()
	quantise8()
	Generate()
}

// fill makes a constant of eight equal floats. They are written as bits: a float
// without a fraction would be printed as an integer, and assembled as one.
func fill(name string, v float64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(i*4, U32(math.Float32bits(float32(v))))
	}
	return m
}

// matTile multiplies three rows of weights with four rows of activations.
func matTile() {
	TEXT("matTile", NOSPLIT, "func(w *int8, x *int16, k int, scale *float32, s *float32, b *float32, y *float32, n int)")
	Doc("matTile computes y[t][0:3] = Σ x[t]·w[r]·scale[t]·s[r]+b[r] for rows r 0–2 of w and t 0–3 of x,",
		"both k long (a multiple of 16) and contiguous; rows of y are n floats apart.")
	w := Load(Param("w"), GP64())
	x := Load(Param("x"), GP64())
	k := Load(Param("k"), GP64())
	var acc [3][4]VecVirtual
	for r := range acc {
		for t := range acc[r] {
			acc[r][t] = YMM()
			VPXOR(acc[r][t], acc[r][t], acc[r][t])
		}
	}
	w1, w2 := GP64(), GP64()
	LEAQ(Mem{Base: w, Index: k, Scale: 1}, w1)
	LEAQ(Mem{Base: w, Index: k, Scale: 2}, w2)
	x1, x2, x3 := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: x, Index: k, Scale: 2}, x1)
	LEAQ(Mem{Base: x, Index: k, Scale: 4}, x2)
	LEAQ(Mem{Base: x1, Index: k, Scale: 4}, x3)
	i := GP64()
	XORQ(i, i)
	Label("loop")
	rows := []Register{w, w1, w2}
	var wide [3]VecVirtual
	for r, base := range rows {
		wide[r] = YMM()
		VPMOVSXBW(Mem{Base: base, Index: i, Scale: 1}, wide[r])
	}
	for t, base := range []Register{x, x1, x2, x3} {
		for r := range rows {
			p := YMM()
			VPMADDWD(Mem{Base: base, Index: i, Scale: 2}, wide[r], p)
			VPADDD(p, acc[r][t], acc[r][t])
		}
	}
	ADDQ(Imm(16), i)
	CMPQ(i, k)
	JLT(LabelRef("loop"))

	sc, b := Load(Param("s"), GP64()), Load(Param("b"), GP64())
	y := Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	y1, y2, y3 := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: y, Index: n, Scale: 4}, y1)
	LEAQ(Mem{Base: y, Index: n, Scale: 8}, y2)
	LEAQ(Mem{Base: y1, Index: n, Scale: 8}, y3)
	scale := Load(Param("scale"), GP64())
	ts := XMM()
	VMOVUPS(Mem{Base: scale}, ts)
	for r := range rows {
		VPHADDD(acc[r][1], acc[r][0], acc[r][0])
		VPHADDD(acc[r][3], acc[r][2], acc[r][2])
		VPHADDD(acc[r][2], acc[r][0], acc[r][0])
		hi := XMM()
		VEXTRACTI128(Imm(1), acc[r][0], hi)
		lo := acc[r][0].AsX()
		VPADDD(hi, lo, lo)
		f, v := XMM(), XMM()
		VCVTDQ2PS(lo, f)
		VBROADCASTSS(Mem{Base: sc, Disp: 4 * r}, v)
		VMULPS(ts, v, v)
		VMULPS(v, f, f)
		VBROADCASTSS(Mem{Base: b, Disp: 4 * r}, v)
		VADDPS(v, f, f)
		VMOVSS(f, Mem{Base: y, Disp: 4 * r})
		VEXTRACTPS(Imm(1), f, Mem{Base: y1, Disp: 4 * r})
		VEXTRACTPS(Imm(2), f, Mem{Base: y2, Disp: 4 * r})
		VEXTRACTPS(Imm(3), f, Mem{Base: y3, Disp: 4 * r})
	}
	VZEROUPPER()
	RET()
}

// reduceMax leaves the largest of eight floats in the low lane.
func reduceMax(v VecVirtual) Register {
	hi := XMM()
	VEXTRACTF128(Imm(1), v, hi)
	x := v.AsX()
	VMAXPS(hi, x, x)
	VPERMILPS(Imm(0x4e), x, hi)
	VMAXPS(hi, x, x)
	VPERMILPS(Imm(0xb1), x, hi)
	VMAXPS(hi, x, x)
	return x
}

func absMax() {
	TEXT("absMax", NOSPLIT, "func(x *float32, n int) float32")
	Doc("absMax gives the largest absolute value of n floats; n is a multiple of 8.")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	mask := GLOBL("absmask", RODATA|NOPTR)
	for i := range 8 {
		DATA(i*4, U32(0x7fffffff))
	}
	m, v, mv := YMM(), YMM(), YMM()
	VMOVUPS(mask, mv)
	VXORPS(m, m, m)
	Label("maxloop")
	VANDPS(Mem{Base: x}, mv, v)
	VMAXPS(v, m, m)
	ADDQ(Imm(32), x)
	SUBQ(Imm(8), n)
	JG(LabelRef("maxloop"))
	r := reduceMax(m)
	Store(r, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func quantise() {
	TEXT("quantise", NOSPLIT, "func(x *float32, n int, inv float32, out *int16)")
	Doc("quantise writes round-half-even(x·inv) as int16; n is a multiple of 16.")
	x, n, out := Load(Param("x"), GP64()), Load(Param("n"), GP64()), Load(Param("out"), GP64())
	inv := YMM()
	addr, err := Param("inv").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, inv)
	a, b := YMM(), YMM()
	Label("quantloop")
	VMULPS(Mem{Base: x}, inv, a)
	VMULPS(Mem{Base: x, Disp: 32}, inv, b)
	VCVTPS2DQ(a, a)
	VCVTPS2DQ(b, b)
	VPACKSSDW(b, a, a)
	VPERMQ(Imm(0xd8), a, a)
	VMOVDQU(a, Mem{Base: out})
	ADDQ(Imm(64), x)
	ADDQ(Imm(32), out)
	SUBQ(Imm(16), n)
	JG(LabelRef("quantloop"))
	VZEROUPPER()
	RET()
}

// exp replaces x (≤ 0 wanted, any allowed from −87 up) by e^x: Cephes' expf,
// degree 5, relative error below 2e-7.
type expConst struct{ min, log2e, c1, c2, p0, p1, p2, p3, p4, p5, one, bias Mem }

var consts *expConst

func expConsts() *expConst {
	if consts == nil {
		bias := GLOBL("expbias", RODATA|NOPTR)
		for i := range 8 {
			DATA(i*4, U32(127))
		}
		consts = &expConst{fill("expmin", -87), fill("explog2e", math.Log2E), fill("expc1", 0.693359375),
			fill("expc2", -2.12194440e-4), fill("expp0", 1.9875691500e-4), fill("expp1", 1.3981999507e-3),
			fill("expp2", 8.3334519073e-3), fill("expp3", 4.1665795894e-2), fill("expp4", 1.6666665459e-1),
			fill("expp5", 0.5), fill("expone", 1), bias}
	}
	return consts
}

func exp(x VecVirtual) {
	c := expConsts()
	n, p, r2 := YMM(), YMM(), YMM()
	VMAXPS(c.min, x, x)
	VMULPS(c.log2e, x, n)
	VROUNDPS(Imm(0), n, n)
	VMOVUPS(c.c1, r2)
	VFNMADD231PS(r2, n, x)
	VMOVUPS(c.c2, r2)
	VFNMADD231PS(r2, n, x)
	VMOVUPS(c.p0, p)
	for _, k := range []Mem{c.p1, c.p2, c.p3, c.p4, c.p5} {
		VFMADD213PS(k, x, p)
	}
	VMULPS(x, x, r2)
	VADDPS(c.one, x, x)
	VFMADD213PS(x, r2, p)
	VCVTPS2DQ(n, n)
	VPADDD(c.bias, n, n)
	VPSLLD(Imm(23), n, n)
	VMULPS(n, p, x)
}

func gelu() {
	half, inv2, pp := fill("geluhalf", 0.5), fill("gelusqrt", math.Sqrt2/2), fill("gelup", 0.3275911)
	coef := []Mem{fill("gelua4", -1.453152027), fill("gelua3", 1.421413741), fill("gelua2", -0.284496736), fill("gelua1", 0.254829592)}
	a5 := fill("gelua5", 1.061405429)
	sign := GLOBL("signmask", RODATA|NOPTR)
	for i := range 8 {
		DATA(i*4, U32(0x80000000))
	}
	c := expConsts()
	TEXT("gelu", NOSPLIT, "func(x *float32, n int)")
	Doc("gelu replaces each of n floats (n a multiple of 8) by x·Φ(x), with erf by Abramowitz and Stegun 7.1.26 (error below 2e-7).")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	v, z, t, p, e, s := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	Label("geluloop")
	VMOVUPS(Mem{Base: x}, v)
	VMULPS(inv2, v, z)
	VMOVUPS(sign, t)
	VANDPS(t, z, s)  // sign of x
	VANDNPS(z, t, z) // |x|/√2
	VMOVUPS(pp, t)
	VFMADD213PS(c.one, z, t)
	VMOVUPS(c.one, p)
	VDIVPS(t, p, t)
	VMOVUPS(a5, p)
	for _, k := range coef {
		VFMADD213PS(k, t, p)
	}
	VMULPS(t, p, p)
	VMULPS(z, z, e)
	VXORPS(sign, e, e)
	exp(e)
	VFNMADD213PS(c.one, e, p) // erf(|z|) = 1 − p·e
	VORPS(s, p, p)
	VADDPS(c.one, p, p)
	VMULPS(half, v, v)
	VMULPS(v, p, p)
	VMOVUPS(p, Mem{Base: x})
	ADDQ(Imm(32), x)
	SUBQ(Imm(8), n)
	JG(LabelRef("geluloop"))
	VZEROUPPER()
	RET()
}

func scores() {
	TEXT("scores", NOSPLIT, "func(q *float32, kt *float32, stride int, n int, out *float32)")
	Doc("scores computes out[s] = Σe q[e]·kt[e·stride+s] for e 0–31 and s 0–n−1; n is a multiple of 16, stride ≥ n.")
	q, kt, stride, n, out := Load(Param("q"), GP64()), Load(Param("kt"), GP64()), Load(Param("stride"), GP64()), Load(Param("n"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(2), stride)
	a, b, w := YMM(), YMM(), YMM()
	p := GP64()
	Label("scoreloop")
	VXORPS(a, a, a)
	VXORPS(b, b, b)
	MOVQ(kt, p)
	for e := range 32 {
		VBROADCASTSS(Mem{Base: q, Disp: 4 * e}, w)
		VFMADD231PS(Mem{Base: p}, w, a)
		VFMADD231PS(Mem{Base: p, Disp: 32}, w, b)
		ADDQ(stride, p)
	}
	VMOVUPS(a, Mem{Base: out})
	VMOVUPS(b, Mem{Base: out, Disp: 32})
	ADDQ(Imm(64), kt)
	ADDQ(Imm(64), out)
	SUBQ(Imm(16), n)
	JG(LabelRef("scoreloop"))
	VZEROUPPER()
	RET()
}

func softmax() {
	TEXT("expRow", NOSPLIT, "func(x *float32, n int, max float32) float32")
	Doc("expRow replaces x by e^(x−max) and gives the sum; n is a multiple of 8, padding holds −1e30.")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	m, sum, v := YMM(), YMM(), YMM()
	addr, err := Param("max").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, m)
	VXORPS(sum, sum, sum)
	Label("exploop")
	VMOVUPS(Mem{Base: x}, v)
	VSUBPS(m, v, v)
	exp(v)
	VMOVUPS(v, Mem{Base: x})
	VADDPS(v, sum, sum)
	ADDQ(Imm(32), x)
	SUBQ(Imm(8), n)
	JG(LabelRef("exploop"))
	hi := XMM()
	VEXTRACTF128(Imm(1), sum, hi)
	lo := sum.AsX()
	VADDPS(hi, lo, lo)
	VHADDPS(lo, lo, lo)
	VHADDPS(lo, lo, lo)
	Store(lo, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func weigh() {
	TEXT("weigh", NOSPLIT, "func(p *float32, v *float32, stride int, n int, inv float32, out *float32)")
	Doc("weigh computes out[0:32] = inv·Σs p[s]·v[s·stride : s·stride+32] for s 0–n−1.")
	p, v, stride, n, out := Load(Param("p"), GP64()), Load(Param("v"), GP64()), Load(Param("stride"), GP64()), Load(Param("n"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(2), stride)
	var acc [4]VecVirtual
	for i := range acc {
		acc[i] = YMM()
		VXORPS(acc[i], acc[i], acc[i])
	}
	w := YMM()
	Label("weighloop")
	VBROADCASTSS(Mem{Base: p}, w)
	for i := range acc {
		VFMADD231PS(Mem{Base: v, Disp: 32 * i}, w, acc[i])
	}
	ADDQ(Imm(4), p)
	ADDQ(stride, v)
	DECQ(n)
	JG(LabelRef("weighloop"))
	addr, err := Param("inv").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, w)
	for i := range acc {
		VMULPS(w, acc[i], acc[i])
		VMOVUPS(acc[i], Mem{Base: out, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

func addRow() {
	TEXT("addRow", NOSPLIT, "func(dst *float32, q *int8, s float32, n int)")
	Doc("addRow adds q[i]·s to dst[i] for i 0–n−1, each product and sum rounded; n is a multiple of 16.")
	dst, q, n := Load(Param("dst"), GP64()), Load(Param("q"), GP64()), Load(Param("n"), GP64())
	s := YMM()
	addr, err := Param("s").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, s)
	a, b := YMM(), YMM()
	Label("addloop")
	VPMOVSXBD(Mem{Base: q}, a)
	VPMOVSXBD(Mem{Base: q, Disp: 8}, b)
	VCVTDQ2PS(a, a)
	VCVTDQ2PS(b, b)
	VMULPS(s, a, a)
	VMULPS(s, b, b)
	VADDPS(Mem{Base: dst}, a, a)
	VADDPS(Mem{Base: dst, Disp: 32}, b, b)
	VMOVUPS(a, Mem{Base: dst})
	VMOVUPS(b, Mem{Base: dst, Disp: 32})
	ADDQ(Imm(64), dst)
	ADDQ(Imm(16), q)
	SUBQ(Imm(16), n)
	JG(LabelRef("addloop"))
	VZEROUPPER()
	RET()
}
