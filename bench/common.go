// Package bench measures the speed of the program: of its index, of questions, of a whole server.
package bench

import (
	"cmp"
	"context"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/disk"
	"digesto/eval"
	"digesto/index"
	"digesto/text/cite"
)

// What the measures of speed share: reading corpus and questions, building an index
// in a folder of its own, asking as the program does, and the figures.

// Quantiles are times in milliseconds.
type Quantiles struct {
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
}

// quantilesOf gives the quantiles by nearest rank; it sorts what it is given.
func quantilesOf(took []time.Duration) (q Quantiles) {
	if len(took) == 0 {
		return q
	}
	slices.Sort(took)
	at := func(q float64) float64 { return Ms(took[min(int(q*float64(len(took))), len(took)-1)]) }
	return Quantiles{at(.5), at(.95), at(.99)}
}

func meanOf(took []time.Duration) float64 {
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	return Ms(sum) / float64(max(1, len(took)))
}

// Ms is a time in milliseconds.
func Ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// SearchReport is what was measured; times in milliseconds.
type SearchReport struct {
	Documents int     `json:"documents"`
	Dims      int     `json:"dims,omitempty"`
	Queries   int     `json:"queries"`
	BuildMS   float64 `json:"build_ms"`
	OpenMS    float64 `json:"open_ms"`
	DiskBytes int64   `json:"disk_bytes"`
	PeakRSS   int64   `json:"peak_rss_bytes"` // of the whole process; 0 = not known on this system
	Quantiles
	Mean float64 `json:"mean_ms"`
	CPUs int     `json:"cpus"`
}

// searchBench is a corpus, the questions put to it, and what they are measured with.
type searchBench struct {
	a       *app.App
	corpus  *eval.Corpus
	queries []string
	table   *cite.Table
	ix      *index.Index
}

func newSearchBench(a *app.App, corpus, queries string) (*searchBench, SearchReport, error) {
	b := &searchBench{a: a}
	var err error
	if b.corpus, err = eval.ReadCorpus(corpus); err == nil {
		b.queries, err = readTexts(a, queries)
	}
	if err != nil {
		return nil, SearchReport{}, err
	}
	aliases, err := a.Aliases()
	if err != nil {
		return nil, SearchReport{}, err
	}
	b.table = cite.NewTable(aliases, b.corpus.Norms())
	return b, SearchReport{Documents: b.corpus.Len(), Queries: len(b.queries), CPUs: runtime.GOMAXPROCS(0)}, nil
}

// cost is what a step took by the clock and of the processors, in milliseconds.
type cost struct{ clock, cpu float64 }

// build makes an index in a folder that the caller removes.
func (b *searchBench) build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) (dir string, c cost, err error) {
	if dir, err = os.MkdirTemp("", "digesto-bench-"); err != nil {
		return "", c, disk.Error(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	start, cpu := time.Now(), cpuTime()
	if err = index.Build(ctx, chunks, dir, opt); err != nil {
		_ = os.RemoveAll(dir)
		return "", c, err
	}
	return dir, cost{Ms(time.Since(start)), Ms(cpuTime() - cpu)}, nil
}

// open opens the index that the questions are put to and notes what that took.
func (b *searchBench) open(dir string, opt index.OpenOptions, r *SearchReport) (err error) {
	start := time.Now()
	b.ix, err = index.Open(dir, opt)
	r.OpenMS, r.DiskBytes = Ms(time.Since(start)), treeSize(dir)
	return err
}

// one asks as a search of the program does: spelling, norms, vector, search. It gives
// what all of it took, and the vector alone.
func (b *searchBench) one(text string, vector func(string) ([]float32, error)) (whole, embedding time.Duration, err error) {
	start := time.Now()
	q := b.corpus.Query(b.table, eval.Corrected(b.ix, text))
	q.K = 10
	before := time.Now()
	if q.Vector, err = vector(text); err != nil {
		return 0, 0, err
	}
	embedding = time.Since(before)
	_, err = b.ix.Search(b.a.Context, q)
	return time.Since(start), embedding, err
}

// ask puts the questions as often as passes says, after some that count for nothing.
func (b *searchBench) ask(warm, passes int, vector func(string) ([]float32, error)) (took, embedding []time.Duration, err error) {
	list := slices.Concat(b.queries[:min(warm, len(b.queries))], slices.Repeat(b.queries, passes))
	for i, text := range list {
		whole, vec, err := b.one(text, vector)
		if err != nil {
			return nil, nil, err
		}
		if i >= min(warm, len(b.queries)) {
			took, embedding = append(took, whole), append(embedding, vec)
		}
	}
	return took, embedding, nil
}

// readTexts reads the texts of JSON Lines queries, or of questions as evaluation sets have them.
func readTexts(a *app.App, path string) ([]string, error) {
	in, done, err := a.OpenInput(path)
	if err != nil {
		return nil, err
	}
	defer done()
	var out []string
	for line, err := range disk.Lines(in, path) {
		if err != nil {
			return nil, err
		}
		var q struct {
			Text     string `json:"text"`
			Question string `json:"question"`
		}
		if err := line.Decode(&q); err != nil {
			return nil, err
		}
		out = append(out, cmp.Or(q.Text, q.Question))
	}
	return out, nil
}

func treeSize(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			if fi, err := d.Info(); err == nil && fi.Mode().IsRegular() {
				n += fi.Size()
			}
		}
		return nil
	})
	return n
}

// peakRSS reads the largest resident size of this process where the system tells it.
func peakRSS() int64 { return peakOf("self") }

// peakOf reads that of a process, named by its number.
func peakOf(process string) int64 {
	data, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb << 10
		}
	}
	return 0
}
