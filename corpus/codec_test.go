package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"testing"

	"digesto"

	"github.com/google/go-cmp/cmp"
)

// fill gives every field below v a value of its own that is not zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("valor-%d", *n))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("fill: " + v.Kind().String())
	}
}

// TestCodecKnowsEveryField fails when a field is added to the vocabulary and
// not to the stored form: it would be lost in silence.
func TestCodecKnowsEveryField(t *testing.T) {
	n := 0
	var norm digesto.Norm
	fill(reflect.ValueOf(&norm).Elem(), &n)
	norm.Name, norm.Page, norm.Anchors = "", "", false // of the packs: never stored
	var e encoder
	for _, provenance := range []func(*digesto.Norm){
		func(n *digesto.Norm) { n.Supplied, n.Secondary = false, false },
		func(n *digesto.Norm) { n.Official, n.Proof, n.Supplied, n.Secondary = false, "", false, false },
		func(n *digesto.Norm) { n.Supplied, n.Secondary = true, true },
		func(n *digesto.Norm) { n.Supplied, n.Secondary = true, false },
	} {
		provenance(&norm)
		e = encoder{}
		encode(&e, &norm, normForm)
		var got digesto.Norm
		if err := decode(string(e.buf), &got, normForm); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(norm, got); d != "" {
			t.Errorf("norm (-put +read):\n%s", d)
		}
	}

	var unit digesto.Unit
	fill(reflect.ValueOf(&unit).Elem(), &n)
	for i := range unit.Versions {
		sum := sha256.Sum256([]byte(unit.Versions[i].Text))
		unit.Versions[i].SHA256 = hex.EncodeToString(sum[:])
	}
	e = encoder{}
	encode(&e, &unit, unitForm)
	back, err := decodeUnit(unit.Norm, string(e.buf))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(unit, back); d != "" {
		t.Errorf("unit (-put +read):\n%s", d)
	}

	file := fileEntry{path: "f", hash: "h", defects: make([]Defect, 2)}
	for i := range file.defects {
		fill(reflect.ValueOf(&file.defects[i]).Elem(), &n)
	}
	m := &manifest{files: []fileEntry{file}, copies: []copyEntry{{norm: norm, file: "f", sum: sha256.Sum256(nil), size: 7, units: 3, behind: "otra\x00g", cites: []string{"a", "b"},
		woven: woven{of: "o", states: 5, sum: sha256.Sum256([]byte("w")), size: 9, units: 4}, former: true, prints: "p", named: true, chosen: true}}}
	data, _ := m.encode()
	read, err := decodeManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, read, cmp.AllowUnexported(manifest{}, copyEntry{}, fileEntry{}, woven{})); d != "" {
		t.Errorf("manifest (-put +read):\n%s", d)
	}
}

func TestUnknownFieldsAreSkipped(t *testing.T) {
	var e encoder
	e.str(1, "a1")
	e.str(90, "de una versión posterior")
	e.int(91, 7)
	e.str(4, "Artículo 1")
	u, err := decodeUnit("N", string(e.buf))
	if err != nil || u.ID != "a1" || u.Label != "Artículo 1" {
		t.Errorf("%+v, %v", u, err)
	}
}

func FuzzNormFile(f *testing.F) {
	d := sample()
	complete(d.Norm.ID, d.Units)
	data, err := encodeUnits(d.Units[:2])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := readTable(bytesReaderAt(data), int64(len(data)))
		if err != nil {
			return
		}
		if len(tab.refs) > len(data) {
			t.Fatalf("%d units out of %d bytes", len(tab.refs), len(data))
		}
		for i := range tab.refs[:min(len(tab.refs), 64)] {
			readUnit(bytesReaderAt(data), "N", &tab.refs[i])
		}
	})
}

// FuzzRecords skips the checksums, which keep most damage away from the decoders.
func FuzzRecords(f *testing.F) {
	d := sample()
	complete(d.Norm.ID, d.Units)
	var e, n encoder
	encode(&e, &d.Units[0], unitForm)
	encode(&n, &d.Norm, normForm)
	f.Add(string(e.buf))
	f.Add(string(n.buf))
	f.Fuzz(func(t *testing.T, rec string) {
		decode(rec, new(digesto.Norm), normForm)
		decodeTable(rec, int64(len(rec)))
		u, err := decodeUnit("N", rec)
		if err != nil {
			return
		}
		var e encoder
		encode(&e, &u, unitForm)
		if again, err := decodeUnit("N", string(e.buf)); err != nil || !cmp.Equal(u, again) {
			t.Fatalf("what was read does not survive: %v", err)
		}
	})
}

func FuzzManifest(f *testing.F) {
	d := sample()
	m := &manifest{copies: []copyEntry{{norm: d.Norm, file: "f", units: 3}}, files: []fileEntry{{path: "f", hash: "h", defects: []Defect{{Kind: "k"}}}}}
	data, _ := m.encode()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(data)
		if err != nil {
			return
		}
		if len(m.copies)+len(m.files) > len(data) {
			t.Fatal("more entries than bytes")
		}
		m.visible()
		m.superseded()
		again, _ := m.encode()
		if _, err := decodeManifest(again); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}

func FuzzState(f *testing.F) {
	f.Add(state{textHash("a"), ""}.encode())
	f.Add([]byte("digesto corpus 1\n\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		st, err := parseState("CURRENT", data)
		if err == nil && string(st.encode()) != string(data) {
			t.Fatalf("%q reads as %+v", data, st)
		}
	})
}
