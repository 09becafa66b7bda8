package indextest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"digesto"
	"digesto/index"
	"digesto/index/indextest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var words = strings.Fields(`plazo días hábiles naturales recurso alzada silencio administrativo notificación interesado treinta
y ocho 38 62-A 48.4 persona trabajadora excedencia permiso jornada sanción multa cuantía procedimiento solicitud la de en el`)

func drawText(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, most).Draw(t, label), " ")
}

var days = []digesto.Date{"", "2019-01-01", "2020-06-30", "2024-12-31"}

func drawChunk(t *rapid.T) digesto.Chunk {
	norm := rapid.SampledFrom([]string{"", "N1", "N2", "N3"}).Draw(t, "norm")
	unit := fmt.Sprintf("%s/a%d", norm, rapid.IntRange(1, 12).Draw(t, "unit"))
	version := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version")
	c := digesto.Chunk{
		ID: unit + "/" + version, Norm: norm, Unit: unit, Version: version,
		Title: drawText(t, "title", 4), Path: drawText(t, "path", 3), Body: drawText(t, "body", 12),
		Rank:      rapid.SampledFrom([]string{"", "ley", "orden"}).Draw(t, "rank"),
		Territory: rapid.SampledFrom([]string{"", "x-a", "x-b"}).Draw(t, "territory"),
		ValidFrom: rapid.SampledFrom(days).Draw(t, "from"), ValidTo: rapid.SampledFrom(days).Draw(t, "to"),
		Current: rapid.Bool().Draw(t, "current"),
	}
	if rapid.Bool().Draw(t, "packed") {
		c.Packs = rapid.SliceOfN(rapid.SampledFrom([]string{"uno", "dos"}), 1, 2).Draw(t, "packs")
	}
	if rapid.Bool().Draw(t, "meta") {
		c.Meta = map[string]string{"tipo": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "tipo")}
	}
	return c
}

func drawQuery(t *rapid.T) digesto.Query {
	q := digesto.Query{Text: drawText(t, "text", 6), K: rapid.SampledFrom([]int{0, 1, 3, 50}).Draw(t, "k")}
	if rapid.Bool().Draw(t, "more") {
		q.Also = []string{drawText(t, "also", 2)}
		q.Norms = rapid.SliceOfN(rapid.SampledFrom([]string{"N1", "N2", "absent"}), 0, 2).Draw(t, "norms")
		q.Units = rapid.SliceOfN(rapid.SampledFrom([]string{"N1/a1", "N2/a3", "/a2", "N9/a9"}), 0, 2).Draw(t, "units")
	}
	if rapid.IntRange(0, 3).Draw(t, "demanding") == 0 {
		q.Require, q.Phrases = []string{drawText(t, "require", 2)}, []string{drawText(t, "phrase", 3)}
	}
	f := digesto.Filter{History: rapid.Bool().Draw(t, "history"), AsOf: rapid.SampledFrom(days).Draw(t, "as of")}
	for _, field := range []struct {
		name   string
		values []string
	}{{"rank", []string{"ley", "orden"}}, {"territory", []string{"x-a"}}, {"pack", []string{"uno"}}, {"tipo", []string{"a", "z"}},
		{"norm", []string{"N1", "N3"}}, {"id", []string{"N1/a1/1", "N2/a2/2"}}, {"current", []string{"true"}}} {
		if rapid.IntRange(0, 4).Draw(t, "filter "+field.name) == 0 {
			if f.In == nil {
				f.In = map[string][]string{}
			}
			f.In[field.name] = field.values
		}
	}
	if rapid.Bool().Draw(t, "wider") {
		f.Wider = []string{"territory"}
	}
	q.Filter = f
	return q
}

// TestModelMemory: the index in memory finds what the twin finds.
func TestModelMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		twin := indextest.NewNaive(index.Scoring{})
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			twin.Put(drawChunk(t))
		}
		x, err := index.Memory(t.Context(), twin.Chunks(), index.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		for range 8 {
			same(t, x, twin, drawQuery(t))
		}
	})
}

func same(t *rapid.T, x, twin digesto.Searcher, q digesto.Query) {
	t.Helper()
	got, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	want, err := twin.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%+v: twin (-) and index (+) differ:\n%s", q, d)
	}
}

// TestModelDisk: the same after writing and opening, with segments of several blocks.
func TestModelDisk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		twin := indextest.NewNaive(index.Scoring{})
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			twin.Put(drawChunk(t))
		}
		dir := memoryDir(t)
		defer os.RemoveAll(dir)
		if err := index.Build(t.Context(), twin.Chunks(), dir, index.BuildOptions{Jobs: rapid.IntRange(1, 3).Draw(t, "jobs")}); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(dir, index.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if err := x.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			same(t, x, twin, drawQuery(t))
		}
	})
}
