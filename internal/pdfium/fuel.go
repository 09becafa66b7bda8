package pdfium

import (
	"bytes"
	"errors"
)

// A file can be made to keep PDFium busy for hours: forms that draw forms, a
// cross-reference table that loops. The runtime's own way to stop a call asks
// the host at every turn of every loop and makes reading three times slower.
// So the module is given a counter before it is compiled: every loop turn and
// every call of a function takes one unit of fuel, and at zero the call traps.
// It also makes the limit the same on every machine.

// fuelExport is the name of the counter, an i32 that the host fills.
const fuelExport = "digesto_fuel"

// pageFuel is what one page may burn, a second or two of work: thirty times
// what the fullest page of thirty laws takes. openFuel is for the opening of a
// document, where a damaged one is searched byte by byte.
const (
	pageFuel = 1 << 27
	openFuel = 1 << 29
)

// DocumentFuel is what all pages of a document may burn together: sixteen of the
// dearest, and for each twice what a full page of a law takes; a quarter of an
// hour of work at most. A machine that is busy with other things does not change it.
func DocumentFuel(pages int) int64 {
	return min(1<<37, 16*pageFuel+int64(pages)*1<<23)
}

var errWasm = errors.New("not a WebAssembly module that can be metered")

// Section ids (WebAssembly Core Specification 2.0, § 5.5.2).
const (
	sectionImport = 2
	sectionGlobal = 6
	sectionExport = 7
	sectionCode   = 10
)

// meter gives the module with a fuel counter built in. It copes with modules
// that import no global, have a global and an export section, and use no SIMD.
func meter(module []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil { // an index out of range: the module is cut short
			out, err = nil, errWasm
		}
	}()
	if !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errWasm
	}
	out = append(make([]byte, 0, len(module)+len(module)/8), module[:8]...)
	r := wasmReader{b: module[:len(module):len(module)], at: 8} // its capacity must not feign more bytes
	var global int
	for r.at < len(r.b) {
		id := r.byte()
		size := r.leb()
		body := r.b[r.at : r.at+size]
		r.at += size
		switch id {
		case sectionGlobal:
			n, rest := splitVec(body)
			global = n
			body = wasmCat(wasmLeb(n+1), rest, []byte{typeI32, 1, opConst, 0x7f, opEnd}) // mutable, starts at 2³²−1
		case sectionExport:
			n, rest := splitVec(body)
			body = wasmCat(wasmLeb(n+1), rest, wasmStr(fuelExport), []byte{3}, wasmLeb(global))
		case sectionCode:
			body = meterCode(body, burn(global))
		}
		out = wasmCatTo(out, []byte{id}, wasmLeb(len(body)), body)
	}
	return out, nil
}

// burn is the code that takes one unit of fuel, or traps.
func burn(global int) []byte {
	g := wasmLeb(global)
	return wasmCat(
		[]byte{0x23}, g, []byte{0x45, 0x04, typeVoid, 0x00, opEnd}, // global.get; i32.eqz; if; unreachable; end
		[]byte{0x23}, g, []byte{opConst, 1, 0x6b, 0x24}, g, // global.get; 1; i32.sub; global.set
	)
}

// meterCode puts burn at the head of every function and every loop.
func meterCode(body, burn []byte) []byte {
	r := wasmReader{b: body}
	n := r.leb()
	out := append(make([]byte, 0, len(body)+len(body)/8), wasmLeb(n)...)
	var f []byte
	for range n {
		size := r.leb()
		end := r.at + size
		start := r.at
		for range r.leb() { // locals: count and type
			r.leb()
			r.byte()
		}
		f = append(append(f[:0], r.b[start:r.at]...), burn...)
		for r.at < end {
			at := r.at
			op := r.instruction()
			f = append(f, r.b[at:r.at]...)
			if op == opLoop {
				f = append(f, burn...)
			}
		}
		out = wasmCatTo(out, wasmLeb(len(f)), f)
	}
	return out
}

func splitVec(body []byte) (n int, rest []byte) {
	r := wasmReader{b: body}
	n = r.leb()
	return n, body[r.at:]
}

// wasmReader walks over a binary. It panics at the end of it; meter recovers.
type wasmReader struct {
	b  []byte
	at int
}

func (r *wasmReader) byte() byte { r.at++; return r.b[r.at-1] }

func (r *wasmReader) leb() (n int) {
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		n |= int(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	panic(errWasm)
}

func (r *wasmReader) lebs(n int) {
	for ; n > 0; n-- {
		for r.byte() >= 0x80 {
		}
	}
}

// instruction steps over one instruction with its immediates (§ 5.4) and gives its opcode.
func (r *wasmReader) instruction() byte {
	op := r.byte()
	switch {
	case op == 0x0e: // br_table
		r.lebs(r.leb() + 1)
	case op == 0x1c: // select with types
		r.lebs(r.leb())
	case op == 0x11, op >= 0x28 && op <= 0x3e: // call_indirect; loads and stores
		r.lebs(2)
	case op >= 0x02 && op <= 0x04, op == opBr, op == opBrIf, op == opCall, op >= 0x20 && op <= 0x26,
		op >= 0x3f && op <= 0x42, op == 0xd0, op == 0xd2:
		r.lebs(1)
	case op == 0x43:
		r.at += 4
	case op == 0x44:
		r.at += 8
	case op == 0xfc:
		r.lebs(map[int]int{8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}[r.leb()])
	case op <= 0x01, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	default:
		panic(errWasm)
	}
	return op
}
