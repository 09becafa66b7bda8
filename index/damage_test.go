package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/internal/long"
)

var (
	flips = flag.Int("flips", 2000, "single-byte flips to try")
	kills = flag.Int("kills", long.Of(60, 20), "writers to kill")
)

var vocabulary0 = strings.Fields("plazo recurso alzada silencio permiso jornada multa sanción cuantía solicitud notificación interesado treinta 38 62-A 48.4 ley orden decreto registro órgano acto nulo")

// made gives n synthetic chunks; the same seed gives the same.
func made(n int, seed uint64) []digesto.Chunk {
	r := rand.New(rand.NewPCG(seed, 1))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			// Squaring makes some words common, so that every form of postings occurs.
			f := r.Float64()
			fmt.Fprint(&b, vocabulary0[int(f*f*float64(len(vocabulary0)))], " ")
			if r.IntN(12) == 0 {
				fmt.Fprintf(&b, "palabra%d ", r.IntN(4*n*n+400))
			}
		}
		return b.String()
	}
	var out []digesto.Chunk
	for i := range n {
		norm := fmt.Sprintf("N%d", i/20)
		unit := fmt.Sprintf("%s/a%d", norm, i%20)
		out = append(out, digesto.Chunk{ID: unit + "/1", Norm: norm, Unit: unit, Title: words(4), Path: words(2), Body: words(5 + r.IntN(60)),
			Rank: []string{"ley", "orden", ""}[i/20%3], Current: i%31 != 0, ValidTo: []digesto.Date{"", "2020-01-01"}[min(1, i%31/30)]})
	}
	return out
}

func madeVector(c digesto.Chunk) ([]float32, error) {
	r := rand.New(rand.NewPCG(uint64(unitHash(c.ID)), 3))
	v := make([]float32, 40)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v, nil
}

func madeQuery(r *rand.Rand) digesto.Query {
	var w []string
	for range 1 + r.IntN(8) {
		w = append(w, vocabulary0[r.IntN(len(vocabulary0))])
	}
	if r.IntN(2) == 0 {
		w = append(w, fmt.Sprintf("palabra%d", r.IntN(500)))
	}
	q := digesto.Query{Text: strings.Join(w, " "), K: 1 + r.IntN(20), NoTotal: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		q.Filter.In = map[string][]string{"rank": {"orden"}}
	}
	if r.IntN(4) == 0 {
		q.Norms, q.Units = []string{"N3"}, []string{"N5/a2"}
	}
	if r.IntN(4) == 0 {
		q.Vector, _ = madeVector(digesto.Chunk{ID: q.Text})
	}
	q.Filter.History = r.IntN(4) == 0
	return q
}

// TestFlips: one changed byte anywhere is reported on opening or when first
// touched, and never changes a result.
func TestFlips(t *testing.T) {
	dir := t.TempDir()
	if err := Build(t.Context(), seq(made(2500, 1)...), dir, BuildOptions{Vectors: madeVector, Full: true}); err != nil {
		t.Fatal(err)
	}
	good, err := Open(dir, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer good.Close()
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	r := rand.New(rand.NewPCG(5, 5))
	var queries []digesto.Query
	var want []digesto.Results
	for range 12 {
		q := madeQuery(r)
		res, err := good.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		queries, want = append(queries, q), append(want, res)
	}
	detected := 0
	for range *flips {
		name := names[r.IntN(len(names))]
		b, err := os.ReadFile(name)
		if err != nil || len(b) == 0 {
			continue
		}
		at, bit := r.IntN(len(b)), byte(1+r.IntN(255))
		flipFile(t, name, at, bit)
		if damagedSearch(t, dir, queries, want) {
			detected++
		}
		flipFile(t, name, at, bit)
	}
	t.Logf("%d of %d flips met by opening and %d searches; none changed a result", detected, *flips, len(queries))
	if detected == 0 {
		t.Error("no flip was detected")
	}
}

func flipFile(t *testing.T, name string, at int, bit byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], int64(at)); err != nil {
		t.Fatal(err)
	}
	b[0] ^= bit
	if _, err := f.WriteAt(b[:], int64(at)); err != nil {
		t.Fatal(err)
	}
}

// damagedSearch says whether the damage was met; a result that differs is an error.
// What searches do not meet, Check must.
func damagedSearch(t *testing.T, dir string, queries []digesto.Query, want []digesto.Results) bool {
	t.Helper()
	met := func(err error) bool {
		if c := digesto.CodeOf(err); c != digesto.CodeInvalid {
			t.Errorf("code %q of %v", c, err)
		}
		return true
	}
	x, err := Open(dir, OpenOptions{})
	if err != nil {
		return met(err)
	}
	defer x.Close()
	for i, q := range queries {
		res, err := x.Search(t.Context(), q)
		if err != nil {
			return met(err)
		}
		if !reflect.DeepEqual(res, want[i]) {
			t.Fatalf("a flipped byte changed the result of %+v", q)
		}
	}
	if err := x.Check(t.Context()); err == nil {
		t.Fatal("Check did not find a flipped byte")
	}
	return false
}

// FuzzSegment: no bytes make a segment panic or run for ever, not even such whose
// checksums fit.
func FuzzSegment(f *testing.F) {
	var b bytes.Buffer
	a, err := analyse(f.Context(), seq(made(60, 2)...), BuildOptions{Jobs: 1, Vectors: madeVector}, "")
	if err != nil {
		f.Fatal(err)
	}
	current, _ := a.parts()
	if err := a.assemble(&b, BuildOptions{}.spec(), current, false); err != nil {
		f.Fatal(err)
	}
	whole := b.Bytes()
	f.Add([]byte(magic), uint32(0), true)
	f.Add([]byte{0xFF, 0xFF, 0xFF}, uint32(700), true)
	f.Add([]byte{1}, uint32(9), false)
	f.Fuzz(func(t *testing.T, patch []byte, at uint32, repair bool) {
		b := bytes.Clone(whole)
		copy(b[int(at)%len(b):], patch)
		if repair {
			repairSums(b)
		}
		s, err := openSegment("fuzz", b)
		if err != nil {
			return
		}
		x := newIndex([]*segment{s}, s.meta.Scoring)
		r := rand.New(rand.NewPCG(uint64(at), 1))
		for range 4 {
			x.Search(t.Context(), madeQuery(r))
		}
		x.Check(t.Context())
	})
}

// repairSums makes the checksums right again, so that what they guard is reached.
func repairSums(b []byte) {
	f, err := parseFile("", b)
	if err != nil && !errors.As(err, new(*digesto.Error)) || f == nil {
		return
	}
	w := newFileWriter(io.Discard)
	w.write(f.data)
	if w.n%pageBytes != 0 {
		w.closePage()
	}
	copy(f.pages, w.pages)
	foot := b[len(b)-footerBytes:]
	binary.LittleEndian.PutUint32(foot[28:], crc32.Checksum(b[len(f.data):len(b)-12], castagnoli))
}

// TestKilledWriters: a writer killed at any moment leaves the old state or the new.
func TestKilledWriters(t *testing.T) {
	if dir := os.Getenv("INDEX_WRITER"); dir != "" {
		writeForEver(t, dir)
	}
	dir := t.TempDir()
	if err := Build(t.Context(), seq(made(100, 100)...), dir, BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip("the test's own program is unknown: ", err)
	}
	r := rand.New(rand.NewPCG(9, 9))
	states := map[int]int{}
	for range *kills {
		c := exec.Command(self, "-test.run=^TestKilledWriters$")
		c.Env = append(os.Environ(), "INDEX_WRITER="+dir)
		steps, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// It tells each step, so that a slow machine too kills it while it writes.
		if _, err := io.ReadFull(steps, make([]byte, 1+r.IntN(3))); err != nil {
			t.Fatal("the writer ended by itself: ", err)
		}
		time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		x, err := Open(dir, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := x.Stats().Chunks
		if n%100 != 0 || n == 0 || n > 600 {
			t.Fatalf("%d chunks: neither an old nor a new state", n)
		}
		states[n]++
		x.Close()
	}
	t.Log("states found by chunks:", states)
	if *kills >= 50 && len(states) < 2 {
		t.Error("hardly any writer got anywhere: the test shows nothing")
	}
}

// writeForEver builds until it is killed. Every state has a multiple of 100 chunks.
func writeForEver(t *testing.T, dir string) {
	for i := uint64(os.Getpid()); ; i++ {
		os.Stdout.WriteString(".")
		n := int(100 * (1 + i%6))
		if err := Build(t.Context(), seq(made(n, i)...), dir, BuildOptions{Jobs: 1}); err != nil {
			t.Fatal(err)
		}
	}
}
