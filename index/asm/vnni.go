package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// four multiplies four rows with the query, 64 dimensions an instruction. The
// instruction takes unsigned by signed bytes: with 128 added to each value of a row
// (a flip of its highest bit) the sum is too large by 128 · Σ query, which is taken
// off at the end. Sums of 32 bits cannot overflow up to 8,192 dimensions.
type four struct {
	query, width, at reg.GPVirtual
	flip             reg.VecVirtual // 128 in every byte
	excess           reg.VecVirtual // 128 · Σ query, four times
	row              [4]reg.GPVirtual
	sum              [4]reg.VecVirtual
}

func newFour(query, width reg.Register) *four {
	f := &four{query: query.(reg.GPVirtual), width: width.(reg.GPVirtual), at: GP64(), flip: ZMM(), excess: XMM()}
	for i := range f.row {
		f.row[i], f.sum[i] = GP64(), ZMM()
	}
	bytes := GP32()
	MOVL(U32(0x80808080), bytes)
	VPBROADCASTD(bytes, f.flip)
	sum := ZMM()
	VPXORD(sum, sum, sum)
	f.chunks("excess", func(load func(base reg.Register) reg.VecVirtual) {
		vpdpbusd(load(f.query), f.flip, sum)
	})
	y, x := YMM(), XMM()
	VEXTRACTI64X4(Imm(1), sum, y)
	VPADDD(y, sum.AsY(), y)
	VEXTRACTI128(Imm(1), y, x)
	VPADDD(y.AsX(), x, x)
	VPHADDD(x, x, x)
	VPHADDD(x, x, f.excess)
	return f
}

// chunks walks over the dimensions, 64 at a time; 32 may be left, and are read
// with zeros behind them.
func (f *four) chunks(name string, do func(load func(base reg.Register) reg.VecVirtual)) {
	end := GP64()
	MOVQ(f.width, end)
	ANDQ(I32(-64), end)
	XORQ(f.at, f.at)
	CMPQ(f.at, end)
	JE(LabelRef(name + "_rest"))
	Label(name + "_chunk")
	do(func(base reg.Register) reg.VecVirtual {
		v := ZMM()
		VMOVDQU32(Mem{Base: base, Index: f.at, Scale: 1}, v)
		return v
	})
	ADDQ(Imm(64), f.at)
	CMPQ(f.at, end)
	JNE(LabelRef(name + "_chunk"))
	Label(name + "_rest")
	CMPQ(end, f.width)
	JE(LabelRef(name + "_done"))
	do(func(base reg.Register) reg.VecVirtual {
		v := ZMM()
		VMOVDQU(Mem{Base: base, Index: f.at, Scale: 1}, v.AsY())
		return v
	})
	Label(name + "_done")
}

// multiply leaves the four products at out and goes on to the next place there.
// Behind the last 32 dimensions a row's flipped zeros meet zeros of the query.
func (f *four) multiply(name string, out reg.Register, each func()) {
	for i := range f.sum {
		VPXORD(f.sum[i], f.sum[i], f.sum[i])
	}
	f.chunks(name, func(load func(base reg.Register) reg.VecVirtual) {
		each()
		q := load(f.query)
		for i := range f.row {
			v := load(f.row[i])
			VPXORD(f.flip, v, v)
			vpdpbusd(q, v, f.sum[i])
		}
	})
	var half [4]reg.VecVirtual
	for i := range half {
		half[i] = YMM()
		VEXTRACTI64X4(Imm(1), f.sum[i], half[i])
		VPADDD(half[i], f.sum[i].AsY(), half[i])
	}
	VPHADDD(half[1], half[0], half[0])
	VPHADDD(half[3], half[2], half[2])
	VPHADDD(half[2], half[0], half[0])
	x := XMM()
	VEXTRACTI128(Imm(1), half[0], x)
	VPADDD(half[0].AsX(), x, x)
	VPSUBD(f.excess, x, x)
	VMOVDQU(x, Mem{Base: out})
	ADDQ(Imm(16), out)
}

// dotRowsVNNI is dotRows for CPUs with AVX-512 VNNI.
func dotRowsVNNI() {
	TEXT("dotRowsVNNI", NOSPLIT, "func(rows *int8, groups, chunks int, query *int8, out *int32)")
	Doc("dotRowsVNNI is dotRowsGo: groups of four rows, chunks of 32 dimensions each; needs AVX-512 F and VNNI.")
	rows, groups := Load(Param("rows"), GP64()), Load(Param("groups"), GP64())
	width, query, out := Load(Param("chunks"), GP64()), Load(Param("query"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(5), width)
	f := newFour(query, width)
	ahead := GP64()
	Label("vnni_group")
	MOVQ(rows, f.row[0])
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: f.row[i-1], Index: width, Scale: 1}, f.row[i])
	}
	MOVQ(rows, ahead)
	f.multiply("vnni", out, func() {
		for i := range 4 { // as many lines as four rows use here
			PREFETCHT0(Mem{Base: ahead, Disp: prefetchAhead + 64*i})
		}
		ADDQ(U32(256), ahead)
	})
	LEAQ(Mem{Base: f.row[3], Index: width, Scale: 1}, rows)
	DECQ(groups)
	JNZ(LabelRef("vnni_group"))
	VZEROUPPER()
	RET()
}

// dotPicksVNNI is dotPicks for CPUs with AVX-512 VNNI.
func dotPicksVNNI() {
	TEXT("dotPicksVNNI", NOSPLIT, "func(rows *int8, picks *uint32, groups, chunks int, query *int8, out *int32)")
	Doc("dotPicksVNNI is dotPicksGo: groups of four rows, chunks of 32 dimensions each; needs AVX-512 F and VNNI.")
	rows, picks, groups := Load(Param("rows"), GP64()), Load(Param("picks"), GP64()), Load(Param("groups"), GP64())
	width, query, out := Load(Param("chunks"), GP64()), Load(Param("query"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(5), width)
	f := newFour(query, width)
	Label("vnnipick_group")
	for i := range f.row {
		MOVL(Mem{Base: picks, Disp: 4 * i}, f.row[i].As32())
		IMULQ(width, f.row[i])
		ADDQ(rows, f.row[i])
	}
	ADDQ(Imm(16), picks)
	CMPQ(groups, Imm(1))
	JE(LabelRef("vnnipick_last"))
	fetchFour("vnnipick_ahead_", rows, picks, width)
	Label("vnnipick_last")
	f.multiply("vnnipick", out, func() {})
	DECQ(groups)
	JNZ(LabelRef("vnnipick_group"))
	VZEROUPPER()
	RET()
}

// fetchFour asks for the lines of the next four rows.
func fetchFour(name string, rows, picks, width reg.Register) {
	for i := range 4 {
		next, left := GP64(), GP64()
		MOVL(Mem{Base: picks, Disp: 4 * i}, next.As32())
		IMULQ(width, next)
		ADDQ(rows, next)
		MOVQ(width, left)
		label := name + string(rune('0'+i))
		Label(label)
		PREFETCHT0(Mem{Base: next})
		ADDQ(Imm(64), next)
		SUBQ(Imm(64), left)
		JG(LabelRef(label))
	}
}

// vpdpbusd adds to each lane of sum four products of unsigned by signed bytes. The
// generator's table has no VNNI, so the instruction is written out.
func vpdpbusd(signed, unsigned, sum reg.VecVirtual) {
	Instruction(&ir.Instruction{Opcode: "VPDPBUSD", Operands: []Op{signed, unsigned, sum},
		Inputs: []Op{signed, unsigned, sum}, Outputs: []Op{sum}, ISA: []string{"AVX512VNNI"}})
}
