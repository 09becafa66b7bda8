package digest_test

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/digest"

	"github.com/klauspost/compress/zstd"
)

// twoPacks are the folders of two packs, of which b borrows a file of a.
func twoPacks() fstest.MapFS {
	entry := func(norm, unit string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("norm: " + norm + "\n== " + unit + "\ntext: Se riega de noche.\nwords: riegue de noche\nshort: ¿Cuándo se riega " + norm + "?\n")}
	}
	return fstest.MapFS{
		"a/digest/LEY-1.txt":    entry("LEY-1", "a1"),
		"a/digest/LEY-2.txt":    entry("LEY-2", "a2"),
		"b/digest/LEY-3.txt":    entry("LEY-3", "a3"),
		"b/digest/shared.list":  {Data: []byte("a/digest/LEY-2.txt\n")},
		"b/digest/notes.md":     {Data: []byte("nadie lo lee")},
		"all/digest/others.txt": {Data: []byte("elsewhere: yes\n== horas\ntext: No está aquí.\nshort: ¿Qué hora es?\n")},
	}
}

// archived holds the same packs, their folders packed.
func archived(t *testing.T, dir fs.FS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := digest.Packs(dir)
	if err != nil || !slices.Equal(names, []string{"a", "all", "b"}) {
		t.Fatal(names, err)
	}
	for _, n := range names {
		var w bytes.Buffer
		if err := digest.WriteArchive(&w, dir, n); err != nil {
			t.Fatal(err)
		}
		out[n+"/"+digest.Archive] = &fstest.MapFile{Data: w.Bytes()}
	}
	return out
}

// TestArchive: a packed digest is read as its folder is.
func TestArchive(t *testing.T) {
	dir := twoPacks()
	packed := archived(t, dir)
	for _, p := range []string{"a", "b", "c"} {
		want, _, err := digest.Pack(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		got, bad, err := digest.Pack(packed, p)
		if err != nil || len(bad) > 0 || !same(got, want) {
			t.Errorf("%s: %v %v %+v, want %+v", p, err, bad, got, want)
		}
	}
	want, _, err := digest.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := digest.Load(packed); err != nil || len(want) != 4 || !same(got, want) {
		t.Errorf("%v: %+v, want %+v", err, got, want)
	}
	b, _, err := digest.Pack(packed, "b")
	if err != nil || !slices.ContainsFunc(b, func(f digest.File) bool { return f.Norm == "LEY-2" }) {
		t.Errorf("%v: b has not what it borrows: %+v", err, b)
	}
}

func same(a, b []digest.File) bool {
	return slices.EqualFunc(a, b, func(x, y digest.File) bool {
		return x.Name == y.Name && x.Norm == y.Norm && slices.EqualFunc(x.Entries, y.Entries, func(e, o digest.Entry) bool {
			return e.Place() == o.Place() && e.Text == o.Text && e.File == o.File && e.Line == o.Line && slices.Equal(e.Asks, o.Asks)
		})
	})
}

// TestArchiveDamage: a pack that borrows what is not there, and an archive that is cut, changed or
// foreign, are errors that say so.
func TestArchiveDamage(t *testing.T) {
	dir := twoPacks()
	delete(dir, "a/digest/LEY-2.txt")
	if _, _, err := digest.Pack(dir, "b"); err == nil {
		t.Error("what is borrowed and not there is not missed")
	}
	packed := archived(t, twoPacks())
	whole := packed["a/digest.zst"].Data
	for name, data := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)/2], "changed": append(slices.Clone(whole[:len(whole)-3]), 1, 2, 3), "foreign": []byte("no es un archivo"),
		"too long a file": zip(t, "999999999 LEY-1.txt\n\nnorm: LEY-1\n"), "more than there is": zip(t, "99 LEY-1.txt\n\nnorm: LEY-1\n"),
		"a way out": zip(t, "3 ../LEY-1.txt\n\nabc"), "no size": zip(t, "LEY-1.txt\n\nabc"), "no end": zip(t, "3 LEY-1.txt\n"), "a line without end": zip(t, "3 "+strings.Repeat("L", 1<<20)+"\n\nabc"),
	} {
		packed["a/digest.zst"] = &fstest.MapFile{Data: data}
		if _, _, err := digest.Pack(packed, "a"); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func zip(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

func FuzzArchive(f *testing.F) {
	f.Add([]byte("12 LEY-1.txt\n\nnorm: LEY-1\n"), false)
	f.Add([]byte("(\xb5/\xfd"), true)
	f.Fuzz(func(t *testing.T, data []byte, raw bool) {
		if !raw {
			data = zip(t, string(data))
		}
		files, _, err := digest.Pack(fstest.MapFS{"a/digest.zst": {Data: data}}, "a")
		if err != nil && digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%v", err)
		}
		for _, x := range files {
			if len(x.Name) <= len("a/digest/") {
				t.Errorf("a file without a name: %q", x.Name)
			}
		}
	})
}
