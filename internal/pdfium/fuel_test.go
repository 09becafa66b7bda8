package pdfium

import (
	"context"
	"encoding/binary"
	"reflect"
	"testing"

	"digesto/third_party/pdfium"

	"github.com/tetratelabs/wazero"
)

func TestLeb(t *testing.T) {
	for n, want := range map[int][]byte{0: {0}, 127: {0x7f}, 128: {0x80, 1}, 300: {0xac, 2}, 1 << 20: {0x80, 0x80, 0x40}} {
		if got := wasmLeb(n); !reflect.DeepEqual(got, want) {
			t.Errorf("wasmLeb(%d) = %x, want %x", n, got, want)
		}
		r := wasmReader{b: want}
		if got := r.leb(); got != n || r.at != len(want) {
			t.Errorf("leb(%x) = %d after %d bytes", want, got, r.at)
		}
	}
}

// TestMeterStopsALoop meters a module of one function that loops for ever.
func TestMeterStopsALoop(t *testing.T) {
	ctx := context.Background()
	module := wasmCat([]byte("\x00asm\x01\x00\x00\x00"),
		wasmSection(1, wasmVec([]byte{0x60, 0, 0})), wasmSection(3, wasmVec([]byte{0})),
		wasmSection(sectionGlobal, wasmVec([]byte{typeI32, 0, opConst, 7, opEnd})),
		wasmSection(sectionExport, wasmVec(wasmCat(wasmStr("spin"), []byte{0, 0}))),
		wasmSection(sectionCode, wasmVec(wasmCat(wasmLeb(8), []byte{0, opLoop, typeVoid, opBr, 0, opEnd, 0x01, opEnd}))))
	metered, err := meter(module)
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntime(ctx)
	defer func() { _ = r.Close(ctx) }()
	m, err := r.Instantiate(ctx, metered)
	if err != nil {
		t.Fatal(err)
	}
	fuel := m.ExportedGlobal(fuelExport).(interface {
		Get() uint64
		Set(uint64)
	})
	fuel.Set(100_000)
	if _, err := m.ExportedFunction("spin").Call(ctx); err == nil {
		t.Fatal("an endless loop ended well")
	}
	if fuel.Get() != 0 {
		t.Errorf("%d units of fuel left", fuel.Get())
	}
}

func TestReadGlyph(t *testing.T) {
	b := make([]byte, charRecord)
	binary.LittleEndian.PutUint32(b, 'ñ')
	binary.LittleEndian.PutUint32(b[8:], 0x41200000)          // 10
	binary.LittleEndian.PutUint64(b[24:], 0x4014000000000000) // 5
	b[52], b[53] = 1, 1
	g := readGlyph(b)
	if g.R != 'ñ' || g.Left != 10 || g.X != 5 || !g.Generated || !g.Hyphen {
		t.Errorf("glyph %+v", g)
	}
}

func TestMeterRefusesWhatItCannotRead(t *testing.T) {
	metered, err := meter(pdfium.Wasm)
	if err != nil || len(metered) <= len(pdfium.Wasm) {
		t.Fatalf("metered %d bytes of %d: %v", len(metered), len(pdfium.Wasm), err)
	}
	for _, bad := range [][]byte{nil, []byte("\x00asm"), pdfium.Wasm[:5000], append([]byte("\x00asm\x01\x00\x00\x00"), 10, 0xff, 0xff)} {
		if _, err := meter(bad); err == nil {
			t.Errorf("%d bytes passed for a module", len(bad))
		}
	}
}
