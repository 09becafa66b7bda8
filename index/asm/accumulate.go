package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Accumulators of a block: 2,048 × int16.
const (
	blockDocs  = 2048
	blockBytes = 2 * blockDocs
)

// addDelta adds looked-up contributions at running sums of distances. The place is
// masked, so that no input whatever can write outside the block.
func addDelta() {
	TEXT("addDeltaAVX2", NOSPLIT, "func(acc *int16, gaps, codes *byte, n int, t *uint16)")
	Doc("addDeltaAVX2 is addDeltaGo without bounds checks, four entries a turn.")
	acc, gaps, codes := Load(Param("acc"), GP64()), Load(Param("gaps"), GP64()), Load(Param("codes"), GP64())
	n, t := Load(Param("n"), GP64()), Load(Param("t"), GP64())
	at := GP64()
	XORQ(at, at)
	gap, place, code := [4]reg.GPVirtual{}, [4]reg.GPVirtual{}, [4]reg.GPVirtual{}
	for i := range gap {
		gap[i], place[i], code[i] = GP64(), GP64(), GP64()
	}
	one := func(i int) {
		MOVBQZX(Mem{Base: gaps, Disp: i}, gap[i])
		MOVBQZX(Mem{Base: codes, Disp: i}, code[i])
		ADDQ(gap[i], at)
		MOVQ(at, place[i])
		ANDQ(U32(blockDocs-1), place[i])
		MOVWLZX(Mem{Base: t, Index: code[i], Scale: 2}, code[i].As32())
		ADDW(code[i].As16(), Mem{Base: acc, Index: place[i], Scale: 2})
	}
	SUBQ(Imm(4), n)
	JL(LabelRef("delta_tail"))
	Label("delta_four")
	for i := range 4 {
		one(i)
	}
	ADDQ(Imm(4), gaps)
	ADDQ(Imm(4), codes)
	SUBQ(Imm(4), n)
	JGE(LabelRef("delta_four"))
	Label("delta_tail")
	ADDQ(Imm(4), n)
	JZ(LabelRef("delta_done"))
	Label("delta_one")
	one(0)
	INCQ(gaps)
	INCQ(codes)
	DECQ(n)
	JNZ(LabelRef("delta_one"))
	Label("delta_done")
	RET()
}

// addDense adds ⌊code·w/256⌋ + 1 for every code but 0: the high half of
// (code·256)·w, and one where the code is not 0.
func addDense() {
	TEXT("addDenseAVX2", NOSPLIT, "func(acc *int16, codes *byte, w uint16)")
	Doc("addDenseAVX2 is addDenseGo, 32 documents a turn.")
	acc, codes := Load(Param("acc"), GP64()), Load(Param("codes"), GP64())
	w32 := GP32()
	Load(Param("w"), w32.As16())
	w, zero := YMM(), YMM()
	x := XMM()
	MOVWLZX(w32.As16(), w32)
	VMOVD(w32, x)
	VPBROADCASTW(x, w)
	VPXOR(zero, zero, zero)
	end := GP64()
	LEAQ(Mem{Base: codes, Disp: blockDocs}, end)
	Label("dense_next")
	for i := range 2 {
		c, some, v := YMM(), YMM(), YMM()
		VPMOVZXBW(Mem{Base: codes, Disp: 16 * i}, c)
		VPCMPGTW(zero, c, some) // −1 where there is a code
		VPSLLW(Imm(8), c, c)
		VPMULHUW(w, c, v)
		VPSUBW(some, v, v)
		VPADDW(Mem{Base: acc, Disp: 32 * i}, v, v)
		VMOVDQU(v, Mem{Base: acc, Disp: 32 * i})
	}
	ADDQ(Imm(32), codes)
	ADDQ(Imm(64), acc)
	CMPQ(codes, end)
	JNE(LabelRef("dense_next"))
	VZEROUPPER()
	RET()
}

// atLeast looks at 32 documents a turn and leaves them at once when none reaches
// the threshold, as is nearly always so.
func atLeast() {
	TEXT("atLeastAVX2", NOSPLIT, "func(acc *int16, least int16, out *uint16) int")
	Doc("atLeastAVX2 is atLeastGo.")
	acc, out := Load(Param("acc"), GP64()), Load(Param("out"), GP64())
	l := GP32()
	Load(Param("least"), l.As16())
	DECL(l)
	x, least := XMM(), YMM()
	VMOVD(l, x)
	VPBROADCASTW(x, least) // least−1: greater than it is at least least
	at, start := GP64(), GP64()
	XORQ(at, at)
	MOVQ(out, start)
	Label("atleast_next")
	a, b := YMM(), YMM()
	VMOVDQU(Mem{Base: acc, Index: at, Scale: 2}, a)
	VMOVDQU(Mem{Base: acc, Index: at, Scale: 2, Disp: 32}, b)
	VPCMPGTW(least, a, a)
	VPCMPGTW(least, b, b)
	VPACKSSWB(b, a, a)
	VPERMQ(Imm(0xD8), a, a)
	bits := GP32()
	VPMOVMSKB(a, bits)
	TESTL(bits, bits)
	JNZ(LabelRef("atleast_some"))
	Label("atleast_more")
	ADDQ(Imm(32), at)
	CMPQ(at, U32(blockDocs))
	JNE(LabelRef("atleast_next"))
	SUBQ(start, out)
	SHRQ(Imm(1), out)
	VZEROUPPER()
	Store(out, ReturnIndex(0))
	RET()
	Label("atleast_some")
	bit := GP32()
	TZCNTL(bits, bit)
	ADDL(at.As32(), bit)
	MOVW(bit.As16(), Mem{Base: out})
	ADDQ(Imm(2), out)
	BLSRL(bits, bits)
	JNZ(LabelRef("atleast_some"))
	JMP(LabelRef("atleast_more"))
}

// count keeps a counter a lane: a comparison gives −1 where it holds.
func count() {
	TEXT("countAVX2", NOSPLIT, "func(acc *int16, least int16) int")
	Doc("countAVX2 is countGo.")
	acc := Load(Param("acc"), GP64())
	l := GP32()
	Load(Param("least"), l.As16())
	DECL(l)
	x, least := XMM(), YMM()
	VMOVD(l, x)
	VPBROADCASTW(x, least) // least−1: greater than it is at least least
	var n [4]reg.VecVirtual
	for i := range n {
		n[i] = YMM()
		VPXOR(n[i], n[i], n[i])
	}
	end := GP64()
	LEAQ(Mem{Base: acc, Disp: blockBytes}, end)
	Label("count_next")
	for i := range n {
		v := YMM()
		VMOVDQU(Mem{Base: acc, Disp: 32 * i}, v)
		VPCMPGTW(least, v, v)
		VPSUBW(v, n[i], n[i])
	}
	ADDQ(Imm(128), acc)
	CMPQ(acc, end)
	JNE(LabelRef("count_next"))
	VPADDW(n[1], n[0], n[0])
	VPADDW(n[3], n[2], n[2])
	VPADDW(n[2], n[0], n[0])
	ones, y := YMM(), XMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	VPMADDWD(ones, n[0], n[0])
	VEXTRACTI128(Imm(1), n[0], y)
	VPADDD(n[0].AsX(), y, y)
	for _, shift := range []uint64{8, 4} {
		z := XMM()
		VPSRLDQ(Imm(shift), y, z)
		VPADDD(z, y, y)
	}
	r := GP64()
	VMOVD(y, r.As32())
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}

// applyMask spreads 16 bits over 16 lanes: each lane keeps its own bit, and is
// excluded where the bit is missing.
func applyMask() {
	TEXT("applyMaskAVX2", NOSPLIT, "func(acc *int16, bits *uint64)")
	Doc("applyMaskAVX2 is applyMaskGo.")
	acc, bits := Load(Param("acc"), GP64()), Load(Param("bits"), GP64())
	lane := GLOBL("laneBits", RODATA|NOPTR)
	for i := range 16 {
		DATA(2*i, U16(1<<i))
	}
	own, low, zero := YMM(), YMM(), YMM()
	VMOVDQU(lane, own)
	VPXOR(zero, zero, zero)
	VPCMPEQW(low, low, low)
	VPSLLW(Imm(15), low, low) // −32768
	end := GP64()
	LEAQ(Mem{Base: bits, Disp: blockDocs / 8}, end)
	Label("mask_next")
	for i := range 2 {
		v := YMM()
		VPBROADCASTW(Mem{Base: bits, Disp: 2 * i}, v)
		VPAND(own, v, v)
		VPCMPEQW(zero, v, v)
		VPAND(low, v, v)
		VMOVDQU(v, Mem{Base: acc, Disp: 32 * i})
	}
	ADDQ(Imm(4), bits)
	ADDQ(Imm(64), acc)
	CMPQ(bits, end)
	JNE(LabelRef("mask_next"))
	VZEROUPPER()
	RET()
}

// findGap skips 32 distances at a time by their sum, then walks.
func findGap() {
	TEXT("findGapAVX2", NOSPLIT, "func(gaps *byte, n int, id uint32) int")
	Doc("findGapAVX2 is findGapGo.")
	gaps, n := Load(Param("gaps"), GP64()), Load(Param("n"), GP64())
	id := GP64()
	Load(Param("id"), id.As32())
	at, i, after := GP64(), GP64(), GP64()
	XORQ(at, at)
	XORQ(i, i)
	zero, s := YMM(), YMM()
	x, y := XMM(), XMM()
	VPXOR(zero, zero, zero)
	Label("gap_skip")
	LEAQ(Mem{Base: i, Disp: 32}, after)
	CMPQ(after, n)
	JG(LabelRef("gap_walk"))
	VPSADBW(Mem{Base: gaps, Index: i, Scale: 1}, zero, s)
	VEXTRACTI128(Imm(1), s, x)
	VPADDQ(s.AsX(), x, x)
	VPSRLDQ(Imm(8), x, y)
	VPADDQ(y, x, x)
	sum := GP64()
	VMOVQ(x, sum)
	ADDQ(at, sum)
	CMPQ(sum, id)
	JGE(LabelRef("gap_walk"))
	MOVQ(sum, at)
	MOVQ(after, i)
	JMP(LabelRef("gap_skip"))
	Label("gap_walk")
	CMPQ(i, n)
	JGE(LabelRef("gap_none"))
	g := GP64()
	MOVBQZX(Mem{Base: gaps, Index: i, Scale: 1}, g)
	ADDQ(g, at)
	CMPQ(at, id)
	JGE(LabelRef("gap_found"))
	INCQ(i)
	JMP(LabelRef("gap_walk"))
	Label("gap_found")
	JNE(LabelRef("gap_none"))
	VZEROUPPER()
	Store(i, ReturnIndex(0))
	RET()
	Label("gap_none")
	MOVQ(I32(-1), i)
	VZEROUPPER()
	Store(i, ReturnIndex(0))
	RET()
}
