package index

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/text"
)

// TestMergedIsOnePass: an index merged of many runs, in files or in memory, has the bytes
// of one made in one pass with everything in maps.
func TestMergedIsOnePass(t *testing.T) {
	chunks := made(400, 5)
	chunks[5].Body = strings.Repeat("boya ", 70_000) + chunks[5].Body // a frequency that stands apart
	again := chunks[17]
	again.Body = "palabra que solo dice la última vez"
	chunks = append(chunks, again, digesto.Chunk{ID: "suelto", Unit: "otra", Body: "sin vector ni prefijo", Meta: map[string]string{"sala": "cuarta"}, Current: true})
	vectors := func(c digesto.Chunk) ([]float32, error) {
		if c.ID == "suelto" {
			return nil, nil
		}
		return madeVector(c)
	}
	want := onePass(t, chunks, BuildOptions{Vectors: vectors, Full: true})
	for _, held := range []int{1, 300, 5000, 0} {
		for _, jobs := range []int{1, 3} {
			opt := BuildOptions{Vectors: vectors, Full: true, Jobs: jobs, held: held}
			dir := t.TempDir()
			if err := Build(t.Context(), seq(chunks...), dir, opt); err != nil {
				t.Fatal(err)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
			for i, f := range files {
				if got, err := os.ReadFile(f); err != nil || !bytes.Equal(got, want[i]) {
					t.Errorf("%d postings held by %d goroutines: other bytes in %s (%v)", held, jobs, f, err)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*"+spoolSuffix)); len(files) != len(want) || len(left) > 0 {
				t.Errorf("%d postings held by %d goroutines: %d segments, want %d; left behind: %v", held, jobs, len(files), len(want), left)
			}
			for i, s := range memory(t, opt, chunks...).snap.segs {
				if !bytes.HasPrefix(want[i], s.f.data) {
					t.Errorf("%d postings held by %d goroutines in memory: other bytes", held, jobs)
				}
			}
		}
	}
}

// onePass makes the segments of an index as plainly as can be: terms as strings, in maps.
func onePass(t *testing.T, chunks []digesto.Chunk, opt BuildOptions) (segments [][]byte) {
	t.Helper()
	last := map[string]digesto.Chunk{}
	for _, c := range chunks {
		last[c.ID] = c
	}
	vectors, err := newSpool("")
	if err != nil {
		t.Fatal(err)
	}
	sp := opt.spec()
	for _, current := range []bool{true, false} {
		keep := newShard(sp.Scoring, opt, 1<<30, vectors) // of vectors and traits alone
		var docs []*segDoc
		for _, c := range last {
			if c.Current == current {
				d := &segDoc{id: c.ID, unit: c.Unit, traits: keep.traitsOf(&c)}
				keep.vector(c, &d.docVector)
				docs = append(docs, d)
			}
		}
		if err := cmp.Or(keep.err, vectors.flush()); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(docs, compareDocs)
		var found [kinds]map[string]map[uint32]uint32 // term → document → frequency
		for k := range found {
			found[k] = map[string]map[uint32]uint32{}
		}
		var an text.Analyser
		for i, d := range docs {
			c := last[d.id]
			for _, f := range []struct {
				text   string
				weight int
			}{{c.Title, sp.Scoring.Title}, {c.Path, sp.Scoring.Path}, {c.Body, sp.Scoring.Body}} {
				EachTerm(an.Terms(f.text), func(k Kind, first, second text.Term) {
					term := termText(k, first, second)
					if found[k][term] == nil {
						found[k][term] = map[uint32]uint32{}
					}
					found[k][term][uint32(i)] += uint32(f.weight)
					if k == KindStem {
						d.length += uint32(f.weight)
					}
				})
			}
		}
		stems := slices.Sorted(maps.Keys(found[KindStem]))
		var b bytes.Buffer
		err := writeSegment(&b, sp, docs, keep.dim, !current, func(each eachTerm) error {
			for k := range kinds {
				// A space is before every letter, so that bigrams are in the order of their stems.
				for _, term := range slices.Sorted(maps.Keys(found[k])) {
					first, second := splitBigram(Term{Kind(k), term})
					a, _ := slices.BinarySearch(stems, first)
					z, _ := slices.BinarySearch(stems, second)
					in := slices.Sorted(maps.Keys(found[k][term]))
					var tfs []uint32
					for _, doc := range in {
						tfs = append(tfs, found[k][term][doc])
					}
					each(Kind(k), []byte(term), text.Bigram(uint32(a), uint32(z)), in, tfs)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		segments = append(segments, b.Bytes())
	}
	return segments
}

// TestSortRuns: parts that are sorted are merged to what sorting gives.
func TestSortRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	by := func(a, b uint32) int { return int(a) - int(b) }
	for _, runs := range []int{0, 1, 2, 5, 16, 400} {
		var p []uint32
		for i, v := range r.Perm(1000) {
			p = append(p, uint32(v))
			if runs > 0 && (i+1)%max(1, 1000/runs) == 0 {
				slices.Sort(p[i+1-1000/runs:])
			}
		}
		sortRuns(p[:len(p)*min(runs, 1)], by)
		if !slices.IsSorted(p[:len(p)*min(runs, 1)]) {
			t.Errorf("%d runs: not sorted", runs)
		}
	}
}

// BenchmarkBuildHeap tells how much heap a build holds at most, garbage included, for so
// many documents: what grows is what is held of each until the end, not its postings.
func BenchmarkBuildHeap(b *testing.B) {
	for _, n := range []int{5_000, 20_000, 80_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			some := made(5_000, 7)
			chunks := func(yield func(digesto.Chunk, error) bool) {
				for i := range n {
					c := some[i%len(some)]
					c.ID = fmt.Sprintf("%s/%d", c.ID, i)
					if !yield(c, nil) {
						return
					}
				}
			}
			defer debug.SetGCPercent(debug.SetGCPercent(40)) // as an install has it
			for b.Loop() {
				stop, most := make(chan struct{}), make(chan uint64)
				go func() {
					peak := uint64(0)
					for {
						select {
						case <-stop:
							most <- peak
							return
						case <-time.After(5 * time.Millisecond):
							var m runtime.MemStats
							runtime.ReadMemStats(&m)
							peak = max(peak, m.HeapAlloc)
						}
					}
				}()
				err := Build(b.Context(), chunks, b.TempDir(), BuildOptions{Jobs: 2, Vectors: madeVector, held: 1 << 17})
				close(stop)
				b.ReportMetric(float64(<-most)/1e6, "heap-MB")
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
