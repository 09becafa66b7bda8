package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const prefetchAhead = 4096

// dotRows multiplies four rows at a time with the query. The instruction takes
// unsigned by signed bytes, so the query's absolute values meet rows that carry the
// query's signs; with no value of −128 the pair sums fit 16 bits.
func dotRows() {
	TEXT("dotRowsAVX2", NOSPLIT, "func(rows *int8, groups, chunks int, query *int8, out *int32)")
	Doc("dotRowsAVX2 is dotRowsGo: groups of four rows, chunks of 32 dimensions each; query is its values, then their absolute values.")
	rows, groups := Load(Param("rows"), GP64()), Load(Param("groups"), GP64())
	chunks, query, out := Load(Param("chunks"), GP64()), Load(Param("query"), GP64()), Load(Param("out"), GP64())
	width := GP64()
	MOVQ(chunks, width)
	SHLQ(Imm(5), width)
	abs := GP64()
	LEAQ(Mem{Base: query, Index: width, Scale: 1}, abs)
	ones := YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	var row [4]reg.GPVirtual
	var sum [4]reg.VecVirtual
	for i := range row {
		row[i], sum[i] = GP64(), YMM()
	}
	Label("dot_group")
	MOVQ(rows, row[0])
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: row[i-1], Index: width, Scale: 1}, row[i])
	}
	for i := range sum {
		VPXOR(sum[i], sum[i], sum[i])
	}
	at := GP64()
	XORQ(at, at)
	ahead := GP64()
	MOVQ(rows, ahead)
	Label("dot_chunk")
	// One core reads faster than its own prefetcher asks: fetch what comes two
	// groups later, 128 bytes a chunk, as much as a chunk of four rows uses.
	PREFETCHT0(Mem{Base: ahead, Disp: prefetchAhead})
	PREFETCHT0(Mem{Base: ahead, Disp: prefetchAhead + 64})
	ADDQ(U32(128), ahead)
	q, a := YMM(), YMM()
	VMOVDQU(Mem{Base: query, Index: at, Scale: 1}, q)
	VMOVDQU(Mem{Base: abs, Index: at, Scale: 1}, a)
	for i := range row {
		v := YMM()
		VMOVDQU(Mem{Base: row[i], Index: at, Scale: 1}, v)
		VPSIGNB(q, v, v)
		VPMADDUBSW(v, a, v)
		VPMADDWD(ones, v, v)
		VPADDD(v, sum[i], sum[i])
	}
	ADDQ(Imm(32), at)
	CMPQ(at, width)
	JNE(LabelRef("dot_chunk"))
	VPHADDD(sum[1], sum[0], sum[0])
	VPHADDD(sum[3], sum[2], sum[2])
	VPHADDD(sum[2], sum[0], sum[0])
	x := XMM()
	VEXTRACTI128(Imm(1), sum[0], x)
	VPADDD(sum[0].AsX(), x, x)
	VMOVDQU(x, Mem{Base: out})
	ADDQ(Imm(16), out)
	LEAQ(Mem{Base: row[3], Index: width, Scale: 1}, rows)
	DECQ(groups)
	JNZ(LabelRef("dot_group"))
	VZEROUPPER()
	RET()
}

// dotPicks is dotRows for rows by number. While four are multiplied it fetches the
// next four: they lie anywhere.
func dotPicks() {
	TEXT("dotPicksAVX2", NOSPLIT, "func(rows *int8, picks *uint32, groups, chunks int, query *int8, out *int32)")
	Doc("dotPicksAVX2 is dotPicksGo: groups of four rows, chunks of 32 dimensions each; query is its values, then their absolute values.")
	rows, picks, groups := Load(Param("rows"), GP64()), Load(Param("picks"), GP64()), Load(Param("groups"), GP64())
	width, query, out := Load(Param("chunks"), GP64()), Load(Param("query"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(5), width)
	ones := YMM()
	VPCMPEQW(ones, ones, ones)
	VPSRLW(Imm(15), ones, ones)
	var row [4]reg.GPVirtual
	var sum [4]reg.VecVirtual
	for i := range row {
		row[i], sum[i] = GP64(), YMM()
	}
	at, abs := GP64(), GP64()
	Label("pick_group")
	for i := range row {
		MOVL(Mem{Base: picks, Disp: 4 * i}, row[i].As32())
		IMULQ(width, row[i])
		ADDQ(rows, row[i])
		VPXOR(sum[i], sum[i], sum[i])
	}
	ADDQ(Imm(16), picks)
	CMPQ(groups, Imm(1))
	JE(LabelRef("pick_last"))
	fetchFour("pick_ahead_", rows, picks, width)
	Label("pick_last")
	XORQ(at, at)
	LEAQ(Mem{Base: query, Index: width, Scale: 1}, abs)
	Label("pick_chunk")
	q, a := YMM(), YMM()
	VMOVDQU(Mem{Base: query, Index: at, Scale: 1}, q)
	VMOVDQU(Mem{Base: abs, Index: at, Scale: 1}, a)
	for i := range row {
		v := YMM()
		VMOVDQU(Mem{Base: row[i], Index: at, Scale: 1}, v)
		VPSIGNB(q, v, v)
		VPMADDUBSW(v, a, v)
		VPMADDWD(ones, v, v)
		VPADDD(v, sum[i], sum[i])
	}
	ADDQ(Imm(32), at)
	CMPQ(at, width)
	JNE(LabelRef("pick_chunk"))
	VPHADDD(sum[1], sum[0], sum[0])
	VPHADDD(sum[3], sum[2], sum[2])
	VPHADDD(sum[2], sum[0], sum[0])
	x := XMM()
	VEXTRACTI128(Imm(1), sum[0], x)
	VPADDD(sum[0].AsX(), x, x)
	VMOVDQU(x, Mem{Base: out})
	ADDQ(Imm(16), out)
	DECQ(groups)
	JNZ(LabelRef("pick_group"))
	VZEROUPPER()
	RET()
}

// scanCodes looks 32 rows up at once. Entries are at most 63, so four of them fit a
// byte before they are spread over 16 bits: even rows and odd rows apart.
func scanCodes() {
	TEXT("scanCodesAVX2", NOSPLIT, "func(codes *byte, tiles, pairs int, table *byte, out *int16)")
	Doc("scanCodesAVX2 is scanCodesGo: tiles of 32 rows, pairs of chunks of 32 bytes each.")
	codes, tiles, pairs := Load(Param("codes"), GP64()), Load(Param("tiles"), GP64()), Load(Param("pairs"), GP64())
	table, out := Load(Param("table"), GP64()), Load(Param("out"), GP64())
	nibble, low := YMM(), YMM()
	VPCMPEQW(nibble, nibble, nibble)
	VPSRLW(Imm(12), nibble, nibble)
	VPACKUSWB(nibble, nibble, nibble) // 15 in every byte
	VPCMPEQW(low, low, low)
	VPSRLW(Imm(8), low, low) // 255 in every word
	even, odd := YMM(), YMM()
	entry, left := GP64(), GP64()
	Label("codes_tile")
	VPXOR(even, even, even)
	VPXOR(odd, odd, odd)
	MOVQ(table, entry)
	MOVQ(pairs, left)
	Label("codes_pair")
	PREFETCHT0(Mem{Base: codes, Disp: prefetchAhead})
	sum := [2]reg.VecVirtual{YMM(), YMM()}
	for i := range sum {
		b, c := YMM(), YMM()
		VMOVDQU(Mem{Base: codes, Disp: 32 * i}, b)
		VPAND(nibble, b, sum[i])
		VPSRLW(Imm(4), b, b)
		VPAND(nibble, b, b)
		VBROADCASTI128(Mem{Base: entry, Disp: 32 * i}, c)
		VPSHUFB(sum[i], c, sum[i])
		VBROADCASTI128(Mem{Base: entry, Disp: 32*i + 16}, c)
		VPSHUFB(b, c, b)
		VPADDB(b, sum[i], sum[i])
	}
	VPADDB(sum[1], sum[0], sum[0])
	high := YMM()
	VPSRLW(Imm(8), sum[0], high)
	VPAND(low, sum[0], sum[0])
	VPADDW(sum[0], even, even)
	VPADDW(high, odd, odd)
	ADDQ(Imm(64), codes)
	ADDQ(Imm(64), entry)
	DECQ(left)
	JNZ(LabelRef("codes_pair"))
	// Words of a lane: rows 0 2 4 … and 1 3 5 …; lanes hold rows 0–15 and 16–31.
	a, b := YMM(), YMM()
	VPUNPCKLWD(odd, even, a)
	VPUNPCKHWD(odd, even, b)
	VMOVDQU(a.AsX(), Mem{Base: out})
	VMOVDQU(b.AsX(), Mem{Base: out, Disp: 16})
	VEXTRACTI128(Imm(1), a, Mem{Base: out, Disp: 32})
	VEXTRACTI128(Imm(1), b, Mem{Base: out, Disp: 48})
	ADDQ(Imm(64), out)
	DECQ(tiles)
	JNZ(LabelRef("codes_tile"))
	VZEROUPPER()
	RET()
}

// reach finds the rows whose product, times their scale, reaches a threshold.
func reach() {
	TEXT("reachAVX2", NOSPLIT, "func(dots *int32, scales *float32, n int, least float32, out *uint16) int")
	Doc("reachAVX2 is reachGo; n is a multiple of 8.")
	dots, scales, n := Load(Param("dots"), GP64()), Load(Param("scales"), GP64()), Load(Param("n"), GP64())
	out := Load(Param("out"), GP64())
	least := YMM()
	addr, err := Param("least").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(addr.Addr, least)
	start, at := GP64(), GP64()
	MOVQ(out, start)
	XORQ(at, at)
	Label("reach_next")
	v := YMM()
	VCVTDQ2PS(Mem{Base: dots, Index: at, Scale: 4}, v)
	VMULPS(Mem{Base: scales, Index: at, Scale: 4}, v, v)
	VCMPPS(Imm(0x1D), least, v, v) // ≥, ordered, quiet
	bits := GP32()
	VMOVMSKPS(v, bits)
	TESTL(bits, bits)
	JNZ(LabelRef("reach_some"))
	Label("reach_more")
	ADDQ(Imm(8), at)
	CMPQ(at, n)
	JL(LabelRef("reach_next"))
	SUBQ(start, out)
	SHRQ(Imm(1), out)
	VZEROUPPER()
	Store(out, ReturnIndex(0))
	RET()
	Label("reach_some")
	bit := GP32()
	TZCNTL(bits, bit)
	ADDL(at.As32(), bit)
	MOVW(bit.As16(), Mem{Base: out})
	ADDQ(Imm(2), out)
	BLSRL(bits, bits)
	JNZ(LabelRef("reach_some"))
	JMP(LabelRef("reach_more"))
}

// dotNibbles multiplies four rows of four-bit codes at a time with the query. Of a word of 16
// bits, four codes, each becomes a word of its own and meets its plane of the query. The
// last chunk may reach into the next row, where the query is zero.
func dotNibbles() {
	TEXT("dotNibblesAVX2", NOSPLIT, "func(rows *byte, groups, width, chunks int, query *int16, out *int32)")
	Doc("dotNibblesAVX2 is dotNibblesGo: groups of four rows, of each so many chunks of 16 bytes; query has four planes of eight values a chunk.")
	rows, groups, width := Load(Param("rows"), GP64()), Load(Param("groups"), GP64()), Load(Param("width"), GP64())
	end, query, out := Load(Param("chunks"), GP64()), Load(Param("query"), GP64()), Load(Param("out"), GP64())
	SHLQ(Imm(4), end)
	mask := YMM()
	VPCMPEQW(mask, mask, mask)
	VPSRLW(Imm(12), mask, mask)
	var row [4]reg.GPVirtual
	for i := range row {
		row[i] = GP64()
	}
	sum := [2]reg.VecVirtual{YMM(), YMM()}
	Label("nibble_group")
	MOVQ(rows, row[0])
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: row[i-1], Index: width, Scale: 1}, row[i])
	}
	for i := range sum {
		VPXOR(sum[i], sum[i], sum[i])
	}
	at := GP64()
	XORQ(at, at)
	Label("nibble_chunk")
	var plane [4]reg.VecVirtual
	for i := range plane {
		plane[i] = YMM()
		VBROADCASTI128(Mem{Base: query, Index: at, Scale: 4, Disp: 16 * i}, plane[i])
	}
	for i := range sum {
		v := YMM()
		VMOVDQU(Mem{Base: row[2*i], Index: at, Scale: 1}, v.AsX())
		VINSERTI128(Imm(1), Mem{Base: row[2*i+1], Index: at, Scale: 1}, v, v)
		for j := range plane {
			code := YMM()
			if j == 0 {
				VPAND(mask, v, code)
			} else {
				VPSRLW(Imm(uint64(4*j)), v, code)
			}
			if j == 1 || j == 2 {
				VPAND(mask, code, code)
			}
			VPMADDWD(plane[j], code, code)
			VPADDD(code, sum[i], sum[i])
		}
	}
	ADDQ(Imm(16), at)
	CMPQ(at, end)
	JNE(LabelRef("nibble_chunk"))
	// The rows of the first sum are 0 and 1, a lane each, those of the second 2 and 3.
	VPHADDD(sum[1], sum[0], sum[0])
	VPHADDD(sum[0], sum[0], sum[0])
	x := XMM()
	VEXTRACTI128(Imm(1), sum[0], x)
	VPUNPCKLDQ(x, sum[0].AsX(), x)
	VMOVDQU(x, Mem{Base: out})
	ADDQ(Imm(16), out)
	LEAQ(Mem{Base: row[3], Index: width, Scale: 1}, rows)
	DECQ(groups)
	JNZ(LabelRef("nibble_group"))
	VZEROUPPER()
	RET()
}
