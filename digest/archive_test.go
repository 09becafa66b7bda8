package digest_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
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
			return e.Place() == o.Place() && e.Text == o.Text && e.File == o.File && e.Line == o.Line && kept(&e, &o)
		})
	})
}

// whole says that all asks of an open entry are at hand.
func whole(e *digest.Entry) bool { return len(e.Asks)+1 == e.Leads() }

// kept says that an entry of an archive, open, has of the asks of the same one in a folder the
// plain one or all, and knows how many there are of each kind.
func kept(e, of *digest.Entry) bool {
	for _, k := range digest.Kinds {
		if e.Count(k) != of.Count(k) {
			return false
		}
	}
	has := func(x *digest.Entry) (out []string) {
		for _, a := range x.Asks {
			out = append(out, a.Text)
		}
		return out
	}
	if whole(e) {
		return slices.Equal(has(e), has(of))
	}
	return slices.Equal(has(e), []string{of.Short()}) && e.Lead(0) == digest.Ask{} && e.Lead(e.Leads()-1).Text == of.Text
}

// TestLazy: entries of an archive know their place before they are opened, and then all else;
// several may open them at once.
func TestLazy(t *testing.T) {
	dir := twoPacks()
	var long strings.Builder
	long.WriteString("# nota\nnorm: LEY-9\nskip: a99 | nadie pregunta\n\n")
	for i := range 600 {
		fmt.Fprintf(&long, "== a%d\ntext: Se riega a las %d.\nwords: riegue de noche\nshort: ¿A qué hora se riega el bancal %d?\nstreet: riego del bancal\n  número %d\nsame: LEY-1/a%d\n\n", i, i, i, i, i)
	}
	dir["a/digest/LEY-9.txt"] = &fstest.MapFile{Data: []byte(long.String())}
	dir["a/digest/talk.txt"] = &fstest.MapFile{Data: []byte("elsewhere: talk\n== hola\ntext: Hola.\nuntil: LEY-7\nshort: hola\n")}
	packed := archived(t, dir)
	for _, p := range []string{"a", "b", "c"} {
		want, _, err := digest.Pack(dir, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := digest.Lazy(packed, p)
		if err != nil || len(got) != len(want) {
			t.Fatal(p, err, len(got), len(want))
		}
		for i := range want {
			if got[i].Name != want[i].Name || !bytes.Equal(got[i].Sum, want[i].Sum) || len(got[i].Entries) != len(want[i].Entries) || !reflect.DeepEqual(got[i].Skipped, want[i].Skipped) {
				t.Fatalf("%+v, want %+v", got[i], want[i])
			}
			for k := range want[i].Entries {
				e, x := &got[i].Entries[k], &want[i].Entries[k]
				if e.Place() != x.Place() || e.Line != x.Line || e.Leads() != x.Leads() || e.Talk != x.Talk || !slices.Equal(e.Same, x.Same) || !slices.Equal(e.Until, x.Until) || e.Text != "" {
					t.Fatalf("%+v, want %+v", e, x)
				}
			}
			var g sync.WaitGroup
			for k := range want[i].Entries {
				e, x := &got[i].Entries[k], &want[i].Entries[k]
				g.Go(func() {
					if err := e.Open(); err != nil || e.Text != x.Text || e.Words != x.Words || !kept(e, x) || whole(e) != (k%64 == 0 || len(x.Asks) == 1) {
						t.Errorf("%v %+v, want %+v", err, e, x)
					}
				})
			}
			g.Wait()
		}
	}
	name := "a/" + digest.Archive
	files, err := digest.Lazy(packed, "a")
	packed[name] = &fstest.MapFile{Data: packed[name].Data[:len(packed[name].Data)-200]}
	last := &files[0].Entries[len(files[0].Entries)-1]
	if x := files[len(files)-2]; len(x.Entries) > 0 {
		last = &x.Entries[len(x.Entries)-1]
	}
	if code := digesto.CodeOf(last.Open()); err != nil || code != digesto.CodeInvalid {
		t.Error(err, code, "an archive that was cut meanwhile is read")
	}
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
		"no head": archiveOf(t, "{", nil), "a way out": archiveOf(t, `[{"name":"../LEY-1.txt"}]`, nil), "no name": archiveOf(t, `[{"name":""}]`, nil),
		"more than there is": archiveOf(t, `[{"name":"LEY-1.txt","blocks":[{"size":99,"plain":9,"entries":1}]}]`, []byte("abc")),
		"too long a block":   archiveOf(t, `[{"name":"LEY-1.txt","blocks":[{"size":3,"plain":999999999}]}]`, []byte("abc")),
		"no block":           archiveOf(t, `[{"name":"LEY-1.txt","blocks":[{"size":3,"plain":9,"entries":1}]}]`, []byte("abc")),
		"too large a head":   append([]byte("digesto entradas 3\n\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"), "abc"...),
	} {
		packed["a/digest.zst"] = &fstest.MapFile{Data: data}
		if _, _, err := digest.Pack(packed, "a"); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// archiveOf is an archive with this head and these bytes for blocks.
func archiveOf(t testing.TB, head string, blocks []byte) []byte {
	out, sections := []byte("digesto entradas 3\n"), []byte(nil)
	for _, x := range []string{head, "\x02a1\x01\x01\x00\x00\x00\x00\x00", "street: quien riega"} {
		zipped := zip(t, x)
		out, sections = binary.LittleEndian.AppendUint32(out, uint32(len(zipped))), append(sections, zipped...)
	}
	return slices.Concat(out, sections, blocks)
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
	f.Add([]byte(`[{"name":"LEY-1.txt","top":"norm: LEY-1\n","blocks":[{"size":3,"plain":9,"entries":1}]}]`), []byte("abc"), false)
	f.Add([]byte("(\xb5/\xfd"), []byte(nil), true)
	f.Fuzz(func(t *testing.T, data, blocks []byte, raw bool) {
		if !raw {
			data = archiveOf(t, string(data), blocks)
		}
		files, err := digest.Lazy(fstest.MapFS{"a/digest.zst": {Data: data}}, "a")
		if err != nil && digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%v", err)
		}
		for _, x := range files {
			if len(x.Name) <= len("a/digest/") {
				t.Errorf("a file without a name: %q", x.Name)
			}
			for i := range x.Entries {
				_ = x.Entries[i].Open()
			}
		}
	})
}
