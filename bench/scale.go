package bench

import (
	"context"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/disk"
	"digesto/eval"
	"digesto/index"
)

// ScaleOptions are what is measured.
type ScaleOptions struct {
	Corpus  string
	Queries string
	Times   int
	Limit   int
	Server  bool
	Reuse   bool
	Asked   int
}

// scaleRow is what was measured in one place; times in milliseconds.
type scaleRow struct {
	Where  string  `json:"where"`
	Filter bool    `json:"filter"`
	Build  float64 `json:"build_s"`
	Disk   int64   `json:"disk_bytes"`
	RSS    int64   `json:"peak_rss_bytes"` // of this process so far, in which the embedded index is
	Quantiles
}

// sized is an index that knows what it takes on disk.
type sized interface {
	Size(ctx context.Context) (int64, error)
}

// ScaleReport is what was measured in each place.
type ScaleReport struct {
	Documents int        `json:"documents"`
	CPUs      int        `json:"cpus"`
	Questions int        `json:"questions"`
	Rows      []scaleRow `json:"rows"`
}

// Scale builds in both places and searches.
func Scale(a *app.App, c ScaleOptions) (ScaleReport, error) {
	if c.Times < 1 || c.Times > 1000 || c.Asked < 1 {
		return ScaleReport{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "--times o --asked no valen", Hint: "Use de 1 a 1000 copias y al menos una pregunta."}
	}
	corpus, err := eval.ReadCorpus(c.Corpus)
	if err != nil {
		return ScaleReport{}, err
	}
	texts, err := readTexts(a, c.Queries)
	if err != nil {
		return ScaleReport{}, err
	}
	texts = texts[:min(len(texts), c.Asked)]
	var rows []scaleRow
	n := 0
	chunks := c.copies(corpus, &n)
	if !c.Server {
		if err := c.near(a, &rows, chunks, texts); err != nil {
			return ScaleReport{}, err
		}
	}
	if at := a.Settings.Get("index"); at != "" {
		if err := c.far(a, &rows, at, chunks, texts); err != nil {
			return ScaleReport{}, err
		}
	}
	return ScaleReport{n, runtime.NumCPU(), len(texts), rows}, nil
}

// near measures the embedded index.
func (c ScaleOptions) near(a *app.App, rows *[]scaleRow, chunks iter.Seq2[digesto.Chunk, error], texts []string) error {
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return disk.Error(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	defer func() { _ = os.RemoveAll(dir) }()
	began := time.Now()
	if err := index.Build(a.Context, chunks, dir, index.BuildOptions{}); err != nil {
		return err
	}
	took := time.Since(began)
	x, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		return err
	}
	defer x.Close()
	return c.measure(a, rows, scaleRow{Where: "integrado", Build: took.Seconds(), Disk: treeSize(dir)}, x, texts)
}

// far measures the index of a server.
func (c ScaleOptions) far(a *app.App, rows *[]scaleRow, at string, chunks iter.Seq2[digesto.Chunk, error], texts []string) error {
	x, err := law.OpenRemote(a.Context, at, "bench-scale", "")
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }() // read only
	build := x.Build
	if c.Reuse {
		build = x.Ensure
	}
	began := time.Now()
	if err := build(a.Context, chunks, index.BuildOptions{}); err != nil {
		return err
	}
	kind, _, _ := strings.Cut(at, ":")
	r := scaleRow{Where: kind, Build: time.Since(began).Seconds()}
	if s, ok := x.(sized); ok {
		if r.Disk, err = s.Size(a.Context); err != nil {
			return err
		}
	}
	return c.measure(a, rows, r, x, texts)
}

// measure asks every question without and with a filter, after a warm-up of ten.
func (c ScaleOptions) measure(a *app.App, rows *[]scaleRow, r scaleRow, x digesto.Searcher, texts []string) error {
	for _, filter := range []bool{false, true} {
		var took []time.Duration
		for i, text := range append(texts[:min(10, len(texts)):min(10, len(texts))], texts...) {
			q := digesto.Query{Text: text, K: 10, NoTotal: true}
			if filter {
				q.Filter.In = map[string][]string{"rank": {"ley", "Ley"}}
			}
			began := time.Now()
			if _, err := x.Search(a.Context, q); err != nil {
				return err
			}
			if i >= 10 {
				took = append(took, time.Since(began))
			}
		}
		r.Filter, r.Quantiles, r.RSS = filter, quantilesOf(took), peakRSS()
		*rows = append(*rows, r)
	}
	return nil
}

// copies gives the corpus several times; from the second on every eleventh word of a
// copy is one of its own, so that no two are equal.
func (c ScaleOptions) copies(corpus *eval.Corpus, n *int) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		*n = 0
		for k := range c.Times {
			i := 0
			for ch, err := range corpus.Chunks() {
				if i++; c.Limit > 0 && i > c.Limit {
					break
				}
				if k > 0 {
					words := strings.Fields(ch.Body)
					for j := k % 11; j < len(words); j += 11 {
						words[j] += fmt.Sprint("x", k)
					}
					suffix := fmt.Sprintf("~%d", k)
					ch.ID, ch.Unit, ch.Norm, ch.Body = ch.ID+suffix, ch.Unit+suffix, ch.Norm+suffix, strings.Join(words, " ")
				}
				*n++
				if !yield(ch, err) || err != nil {
					return
				}
			}
		}
	}
}
