package indextest_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"digesto/index"
	"digesto/index/indextest"
	"digesto/internal/long"

	"pgregory.net/rapid"
)

// machine builds anew from more chunks or fewer, reopens, and dies in the middle of
// writing; after every step the index finds what the twin finds, and a reader opened
// long ago still finds what was there then.
type machine struct {
	dir   string
	twin  *indextest.Naive
	x     *index.Index
	old   *index.Index // a reader that stays
	then  *indextest.Naive
	steps *int
}

func (m *machine) open(t *rapid.T) {
	if m.x != nil {
		m.x.Close()
	}
	var err error
	if m.x, err = index.Open(m.dir, index.OpenOptions{}); err != nil {
		t.Fatal(err)
	}
}

// build makes the index of what the twin has now.
func (m *machine) build(t *rapid.T) {
	if err := index.Build(t.Context(), m.twin.Chunks(), m.dir, index.BuildOptions{Jobs: rapid.IntRange(1, 2).Draw(t, "jobs")}); err != nil {
		t.Fatal(err)
	}
	m.open(t)
}

func (m *machine) put(t *rapid.T) {
	for range rapid.IntRange(1, 8).Draw(t, "n") {
		m.twin.Put(drawChunk(t))
	}
	m.build(t)
}

func (m *machine) remove(t *rapid.T) {
	ids := m.twin.IDs()
	if len(ids) == 0 {
		t.Skip("nothing to remove")
	}
	for _, id := range rapid.SliceOfN(rapid.SampledFrom(ids), 1, 4).Draw(t, "ids") {
		m.twin.Delete(id)
	}
	m.build(t)
}

// crash leaves what a writer that died leaves: a half segment and a half manifest.
func (m *machine) crash(t *rapid.T) {
	for _, name := range []string{"99999998-0.seg", "index.json.new"} {
		if err := os.WriteFile(filepath.Join(m.dir, name), []byte("DIGES"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m.open(t)
}

func (m *machine) keep(t *rapid.T) {
	if m.old != nil {
		m.old.Close()
	}
	var err error
	if m.old, err = index.Open(m.dir, index.OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	m.then = indextest.NewNaive(index.Scoring{}, slices.Collect(maps.Values(m.twin.All()))...)
}

func (m *machine) check(t *rapid.T) {
	*m.steps++
	same(t, m.x, m.twin, drawQuery(t))
	if m.old != nil && rapid.Bool().Draw(t, "old") {
		same(t, m.old, m.then, drawQuery(t))
	}
	if got := m.x.Stats().Chunks; got != m.twin.Len() {
		t.Fatalf("%d chunks, want %d", got, m.twin.Len())
	}
	if rapid.IntRange(0, 9).Draw(t, "check") == 0 {
		if err := m.x.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func init() { long.Rapid() }

// TestMachine runs one round of some 3,000 steps; at least 10,000 with DIGESTO_LONG.
func TestMachine(t *testing.T) {
	steps := 0
	for steps == 0 || steps < 10_000 && long.Wanted() && !t.Failed() {
		rapid.Check(t, func(t *rapid.T) {
			dir := memoryDir(t)
			m := &machine{dir: dir, twin: indextest.NewNaive(index.Scoring{}), steps: &steps}
			defer func() {
				m.x.Close()
				if m.old != nil {
					m.old.Close()
				}
				os.RemoveAll(dir)
			}()
			m.build(t)
			t.Repeat(map[string]func(*rapid.T){"put": m.put, "remove": m.remove, "crash": m.crash, "keep": m.keep, "": m.check})
		})
	}
	t.Logf("%d steps", steps)
}

// memoryDir is a folder in memory where there is one: thousands of small indexes
// are written, each flushed to the disk.
func memoryDir(t *rapid.T) string {
	base := "/dev/shm"
	if _, err := os.Stat(base); err != nil {
		base = ""
	}
	dir, err := os.MkdirTemp(base, "index")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
