package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// matTile8 multiplies six rows of weights with four rows of activations, 64 of each
// an instruction. The instruction takes unsigned by signed bytes: activations carry
// 128 more, and low, 128 times the sum of a row's weights, is taken off at the end.
func matTile8() {
	TEXT("matTile8", NOSPLIT, "func(w *int8, x *uint8, k int, scale *float32, s *float32, b *float32, low *int32, y *float32, n int)")
	Doc("matTile8 computes y[t][0:6] = (Σ x[t]·w[r] − low[r])·scale[t]·s[r]+b[r] for rows r 0–5 of w and t 0–3 of x,",
		"both k long (a multiple of 64) and contiguous; rows of y are n floats apart. Needs AVX-512 F, VL and VNNI.")
	w, x, k := Load(Param("w"), GP64()), Load(Param("x"), GP64()), Load(Param("k"), GP64())
	var acc [6][4]VecVirtual
	for r := range acc {
		for t := range acc[r] {
			acc[r][t] = ZMM()
			VPXORD(acc[r][t], acc[r][t], acc[r][t])
		}
	}
	w3, x3, end := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: w, Index: k, Scale: 2}, w3)
	ADDQ(k, w3)
	LEAQ(Mem{Base: x, Index: k, Scale: 2}, x3)
	ADDQ(k, x3)
	LEAQ(Mem{Base: w, Index: k, Scale: 1}, end)
	Label("loop8")
	var act [4]VecVirtual
	for t, m := range []Mem{{Base: x}, {Base: x, Index: k, Scale: 1}, {Base: x, Index: k, Scale: 2}, {Base: x3}} {
		act[t] = ZMM()
		VMOVDQU32(m, act[t])
	}
	for r := range acc {
		base := Mem{Base: []Register{w, w3}[r/3]}
		if r%3 > 0 {
			base.Index, base.Scale = k, uint8(r%3)
		}
		row := ZMM()
		VMOVDQU32(base, row)
		for t := range act {
			vpdpbusd(row, act[t], acc[r][t])
		}
	}
	for _, p := range []Register{w, w3, x, x3} {
		ADDQ(Imm(64), p)
	}
	CMPQ(w, end)
	JNE(LabelRef("loop8"))
	storeTile8(&acc)
	VZEROUPPER()
	RET()
}

// storeTile8 sums the lanes, four tokens at a time, and scales.
func storeTile8(acc *[6][4]VecVirtual) {
	sc, b, low := Load(Param("s"), GP64()), Load(Param("b"), GP64()), Load(Param("low"), GP64())
	y, n := Load(Param("y"), GP64()), Load(Param("n"), GP64())
	y1, y2, y3 := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: y, Index: n, Scale: 4}, y1)
	LEAQ(Mem{Base: y, Index: n, Scale: 8}, y2)
	LEAQ(Mem{Base: y1, Index: n, Scale: 8}, y3)
	ts := XMM()
	VMOVUPS(Mem{Base: Load(Param("scale"), GP64())}, ts)
	for r := range acc {
		var q [4]VecVirtual
		for t, a := range acc[r] {
			h, l := YMM(), XMM()
			VEXTRACTI64X4(Imm(1), a, h)
			VPADDD(a.AsY(), h, h)
			VEXTRACTI32X4(Imm(1), h, l)
			q[t] = XMM()
			VPADDD(h.AsX(), l, q[t])
		}
		// Four registers of four sums become one with a sum each.
		a, c, d, e := XMM(), XMM(), XMM(), XMM()
		VPUNPCKLDQ(q[1], q[0], a)
		VPUNPCKHDQ(q[1], q[0], c)
		VPADDD(c, a, a)
		VPUNPCKLDQ(q[3], q[2], d)
		VPUNPCKHDQ(q[3], q[2], e)
		VPADDD(e, d, d)
		VPUNPCKLQDQ(d, a, c)
		VPUNPCKHQDQ(d, a, e)
		VPADDD(e, c, c)
		f, v := XMM(), XMM()
		VPBROADCASTD(Mem{Base: low, Disp: 4 * r}, v)
		VPSUBD(v, c, c)
		VCVTDQ2PS(c, f)
		VBROADCASTSS(Mem{Base: sc, Disp: 4 * r}, v)
		VMULPS(ts, v, v)
		VMULPS(v, f, f)
		VBROADCASTSS(Mem{Base: b, Disp: 4 * r}, v)
		VADDPS(v, f, f)
		for t, p := range []Register{y, y1, y2, y3} {
			if t == 0 {
				VMOVSS(f, Mem{Base: p, Disp: 4 * r})
				continue
			}
			VEXTRACTPS(Imm(uint64(t)), f, Mem{Base: p, Disp: 4 * r})
		}
	}
}

func quantise8() {
	TEXT("quantise8", NOSPLIT, "func(x *float32, n int, inv float32, out *uint8)")
	Doc("quantise8 writes round-half-even(x·inv)+128 as bytes; n is a multiple of 16. Needs AVX-512 F.")
	x, n, out := Load(Param("x"), GP64()), Load(Param("n"), GP64()), Load(Param("out"), GP64())
	inv, flip, bits := ZMM(), XMM(), GP32()
	addr, err := Param("inv").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, inv)
	MOVL(U32(0x80808080), bits)
	VMOVD(bits, flip)
	VPBROADCASTD(flip, flip)
	v, b := ZMM(), XMM()
	Label("quant8loop")
	VMULPS(Mem{Base: x}, inv, v)
	VCVTPS2DQ(v, v)
	VPMOVSDB(v, b)
	VPXOR(flip, b, b)
	VMOVDQU(b, Mem{Base: out})
	ADDQ(Imm(64), x)
	ADDQ(Imm(16), out)
	SUBQ(Imm(16), n)
	JG(LabelRef("quant8loop"))
	VZEROUPPER()
	RET()
}

// vpdpbusd adds to each lane of sum four products of unsigned by signed bytes. The
// generator's table has no VNNI, so the instruction is written out.
func vpdpbusd(signed, unsigned, sum VecVirtual) {
	Instruction(&ir.Instruction{Opcode: "VPDPBUSD", Operands: []Op{signed, unsigned, sum},
		Inputs: []Op{signed, unsigned, sum}, Outputs: []Op{sum}, ISA: []string{"AVX512VNNI"}})
}
