//go:build linux

package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"digesto"
	"digesto/index"
)

var (
	corpusFile = flag.String("corpus", "", "unpacked corpus of JSON lines to measure with; without it TestScale skips")
	queryFile  = flag.String("queries", "", "questions, JSON lines with text")
	copies     = flag.Int("copies", 1, "how often the corpus is taken, words perturbed from the second on")
	lex        = flag.Bool("lex", false, "the full recipe (three kinds of term, title and body) instead of one field")
	dims       = flag.Int("dims", 0, "dimension of synthetic vectors, for hybrid queries; 0 = none")
	passes     = flag.Int("passes", 4, "how often all questions are asked")
	keepIn     = flag.String("keep", "", "folder to keep the index in, so that the next run need not build it")
)

// TestScale measures at size: build, disk, memory, opening, and what a query costs
// in CPU time, which other programs on the machine disturb less than its duration.
func TestScale(t *testing.T) {
	if *corpusFile == "" || *queryFile == "" {
		t.Skip("give -corpus and -queries to measure")
	}
	dir := *keepIn
	if dir == "" {
		dir = t.TempDir()
	}
	if _, err := os.Stat(filepath.Join(dir, "index.json")); err != nil {
		scaleBuild(t, dir)
	}
	start := time.Now()
	x, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	st := x.Stats()
	t.Logf("open %v; %d chunks, %d terms, %.1f MB", time.Since(start), st.Chunks, st.Terms, float64(st.Bytes)/1e6)
	queries := questions(t)
	for _, filter := range []string{"", "orden"} {
		var all []time.Duration
		for pass := range *passes {
			took, said := scalePass(t, x, queries, filter)
			all = append(all, took...)
			t.Logf("filter %q pass %d: %s", filter, pass, said)
		}
		first := all[:min(1000, len(all))]
		t.Logf("filter %q: the first %d queries took %.2f of the mean", filter, len(first), float64(mean(first))/float64(mean(all)))
	}
	t.Log(memoryUse())
}

func scaleBuild(t *testing.T, dir string) {
	opt := index.BuildOptions{Jobs: 1}
	if !*lex {
		opt.Scoring = OneField
	}
	if *dims > 0 {
		opt.Vectors = func(c digesto.Chunk) ([]float32, error) { return synthetic(c.ID), nil }
	}
	start, used := time.Now(), cpuTime()
	if err := index.Build(t.Context(), copied(*corpusFile, *copies), dir, opt); err != nil {
		t.Fatal(err)
	}
	t.Logf("build %v, of it CPU %v; %s", time.Since(start), cpuTime()-used, memoryUse())
	runtime.GC()
}

// copied gives the corpus n times; in copies every seventh word is another of the
// same text and every ninetieth a new one.
func copied(path string, n int) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for k := range n {
			f, err := os.Open(path)
			if err != nil {
				yield(digesto.Chunk{}, err)
				return
			}
			stop := false
			for c, err := range chunks(f, oneField) {
				if *lex {
					title, body, _ := strings.Cut(c.Body, "\n")
					c.Title, c.Body = title, body
				}
				if k > 0 {
					c.ID, c.Body = fmt.Sprintf("%d-%s", k, c.ID), perturb(c.Body, k)
				}
				if stop = !yield(c, err); stop {
					break
				}
			}
			f.Close()
			if stop {
				return
			}
		}
	}
}

func perturb(s string, k int) string {
	w := strings.Fields(s)
	for i := k; i < len(w); i += 7 {
		w[i] = w[(i*31+k*17)%len(w)]
	}
	for i := k; i < len(w); i += 90 {
		w[i] += string(rune('a'+k%26)) + "x"
	}
	return strings.Join(w, " ")
}

func questions(t *testing.T) (out []string) {
	f, err := os.Open(*queryFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var q struct{ Text string }
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q.Text)
	}
	return out
}

func mean(d []time.Duration) (m time.Duration) {
	for _, v := range d {
		m += v
	}
	return m / time.Duration(max(1, len(d)))
}

func scalePass(t *testing.T, x *index.Index, queries []string, filter string) (took []time.Duration, said string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used := cpuTime()
	for _, text := range queries {
		q := digesto.Query{Text: text, NoTotal: true}
		if filter != "" {
			q.Filter.In = map[string][]string{"rank": {filter}}
		}
		if *dims > 0 {
			q.Vector = synthetic(text)
		}
		start := time.Now()
		if _, err := x.Search(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	used = cpuTime() - used
	runtime.ReadMemStats(&after)
	sorted, n := slices.Sorted(slices.Values(took)), len(took)
	return took, fmt.Sprintf("CPU %v a query; duration mean %v p50 %v p95 %v p99 %v; %.1f allocations, %d bytes a query",
		used/time.Duration(n), mean(took), sorted[n/2], sorted[n*95/100], sorted[n*99/100],
		float64(after.Mallocs-before.Mallocs)/float64(n), (after.TotalAlloc-before.TotalAlloc)/uint64(n))
}

// synthetic gives a vector drawn from a string's hash.
func synthetic(s string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(s))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, *dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func memoryUse() string {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	var out []string
	for l := range strings.Lines(string(b)) {
		if strings.HasPrefix(l, "VmHWM") || strings.HasPrefix(l, "VmRSS") || strings.HasPrefix(l, "RssFile") {
			out = append(out, strings.Join(strings.Fields(l), " "))
		}
	}
	return strings.Join(out, ", ")
}
