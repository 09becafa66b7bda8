package vectorfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto"
)

var space = Space{Name: "modelo-1", Dims: 40, Hash: "abc"}

func unit(seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, space.Dims)
	sum := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func open(t *testing.T, path string, s Space) *File {
	t.Helper()
	f, err := Open(path, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestKeepsVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "x.vec")
	f := open(t, path, space)
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty file was written")
	}
	for i := range 20 {
		if err := f.Put(KeyOf(fmt.Sprint("texto ", i)), unit(uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	g := open(t, path, space)
	if g.Len() != 20 || g.Has(KeyOf("otro")) || g.Space() != space || g.Path() != path {
		t.Errorf("%d vectors, %v", g.Len(), g.Space())
	}
	for i := range 20 {
		v := unit(uint64(i))
		if d, ok := g.Dot(KeyOf(fmt.Sprint("texto ", i)), v); !ok || math.Abs(d-1) > .01 {
			t.Errorf("vector %d with itself: %v %v", i, d, ok)
		}
	}
	if _, ok := g.Dot(KeyOf("texto 1"), unit(1)[:10]); ok {
		t.Error("a vector of another length was compared")
	}
}

func TestRefusesWhatIsNoVector(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "x"), space)
	bad := unit(1)
	bad[3] = float32(math.NaN())
	if f.Put(KeyOf("a"), bad) == nil || f.Put(KeyOf("a"), unit(1)[:39]) == nil || f.Len() != 0 {
		t.Error("kept")
	}
	if err := f.Put(KeyOf("a"), make([]float32, space.Dims)); err != nil { // an article without a known word
		t.Error(err)
	}
	if d, ok := f.Dot(KeyOf("a"), unit(2)); !ok || d != 0 {
		t.Errorf("%v %v", d, ok)
	}
}

// TestAnotherModel: a file of another name, dimension or weights is refused with the command to run.
func TestAnotherModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f := open(t, path, space)
	if f.Put(KeyOf("a"), unit(1)) != nil || f.Save() != nil {
		t.Fatal("not saved")
	}
	for _, s := range []Space{{"modelo-2", 40, "abc"}, {"modelo-1", 41, "abc"}, {"modelo-1", 40, "abd"}} {
		_, err := Open(path, s)
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != digesto.CodeConflict || !strings.Contains(e.Hint, "digesto corpus vectors --new") || !strings.Contains(e.Message, "modelo-1") {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// TestEveryFlippedBitIsFound: no damaged byte gives vectors.
func TestEveryFlippedBitIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f := open(t, path, space)
	for i := range 3 {
		if err := f.Put(KeyOf(fmt.Sprint(i)), unit(uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		if _, _, err := decode(bad); err == nil {
			t.Fatalf("byte %d flipped and not found", i)
		}
		if _, _, err := decode(data[:i]); err == nil {
			t.Fatalf("cut at %d and not found", i)
		}
	}
	if err := os.WriteFile(path, data[:len(data)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, space); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error(err)
	}
}

// TestTwoWriters: what another process saved meanwhile stays.
func TestTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	a, b := open(t, path, space), open(t, path, space)
	if a.Put(KeyOf("a"), unit(1)) != nil || b.Put(KeyOf("b"), unit(2)) != nil || a.Save() != nil || b.Save() != nil {
		t.Fatal("not saved")
	}
	if c := open(t, path, space); c.Len() != 2 {
		t.Errorf("%d vectors, want both", c.Len())
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

func TestManyGoroutines(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "x"), space)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				k := KeyOf(fmt.Sprint(j))
				_ = f.Put(k, unit(uint64(j)))
				f.Dot(k, unit(3))
				if j%25 == i {
					_ = f.Save()
				}
			}
		})
	}
	wg.Wait()
	if f.Len() != 50 {
		t.Errorf("%d vectors", f.Len())
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(magic))
	f.Add(encode(space, map[Key]row{KeyOf("a"): {1, make([]int8, 40)}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		s, rows, err := decode(b)
		if err == nil && len(rows) > 0 && !bytes.HasPrefix(encode(s, rows), []byte(magic)) {
			t.Error("not written again")
		}
	})
}
