package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"digesto"
	"digesto/eval"
	"digesto/index"
)

// benchScaleCmd measures the same chunks in the embedded index and in a server's.
type benchScaleCmd struct {
	Corpus  string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines."`
	Times   int    `name:"times" default:"1" placeholder:"N" help:"Repite el corpus N veces, con palabras cambiadas en cada copia."`
	Limit   int    `name:"limit" placeholder:"N" help:"Solo los N primeros documentos del corpus."`
	Server  bool   `name:"server-only" help:"Solo el índice del servidor, sin el integrado."`
	Reuse   bool   `name:"reuse" help:"Si el índice del servidor ya está construido, no vuelve a construirlo."`
	Asked   int    `name:"asked" default:"200" placeholder:"N" help:"Cuántas preguntas se hacen de cada forma."`
}

// Examples of the command.
func (benchScaleCmd) Examples() []string {
	return []string{"digesto bench scale --corpus leyes.jsonl --queries preguntas.jsonl --times 10 --index postgres://digesto@bd/digesto"}
}

// scaleRow is what was measured in one place; times in milliseconds.
type scaleRow struct {
	Where  string  `json:"where"`
	Filter bool    `json:"filter"`
	Build  float64 `json:"build_s"`
	Disk   int64   `json:"disk_bytes"`
	RSS    int64   `json:"peak_rss_bytes"` // of this process so far, in which the embedded index is
	quantiles
}

// sized is an index that knows what it takes on disk.
type sized interface {
	Size(ctx context.Context) (int64, error)
}

// Run builds in both places, searches and prints one table.
func (c benchScaleCmd) Run(a *app) error {
	if c.Times < 1 || c.Times > 1000 || c.Asked < 1 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--times o --asked no valen", Hint: "Use de 1 a 1000 copias y al menos una pregunta."}
	}
	corpus, err := eval.ReadCorpus(c.Corpus)
	if err != nil {
		return err
	}
	texts, err := a.readTexts(c.Queries)
	if err != nil {
		return err
	}
	texts = texts[:min(len(texts), c.Asked)]
	var rows []scaleRow
	n := 0
	chunks := c.copies(corpus, &n)
	if !c.Server {
		if err := c.near(a, &rows, chunks, texts); err != nil {
			return err
		}
	}
	if at := a.conf.get("index"); at != "" {
		if err := c.far(a, &rows, at, chunks, texts); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"documents": n, "cpus": runtime.NumCPU(), "questions": len(texts), "rows": rows})
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas de cada forma, %d procesadores\n", n, len(texts), runtime.NumCPU())
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "dónde\tfiltro\tconstruir s\tdisco MB\tmemoria MB\tp50 ms\tp95 ms\tp99 ms\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t\n", r.Where, map[bool]string{false: "no", true: "rango"}[r.Filter], r.Build, float64(r.Disk)/1e6, float64(r.RSS)/1e6, r.P50, r.P95, r.P99)
	}
	return w.Flush()
}

// near measures the embedded index.
func (c benchScaleCmd) near(a *app, rows *[]scaleRow, chunks iter.Seq2[digesto.Chunk, error], texts []string) error {
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return fileError(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	defer func() { _ = os.RemoveAll(dir) }()
	began := time.Now()
	if err := index.Build(a.ctx, chunks, dir, index.BuildOptions{}); err != nil {
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
func (c benchScaleCmd) far(a *app, rows *[]scaleRow, at string, chunks iter.Seq2[digesto.Chunk, error], texts []string) error {
	x, err := openRemote(a.ctx, at, "bench-scale", "")
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }() // read only
	build := x.Build
	if c.Reuse {
		build = x.Ensure
	}
	began := time.Now()
	if err := build(a.ctx, chunks, index.BuildOptions{}); err != nil {
		return err
	}
	kind, _, _ := strings.Cut(at, ":")
	r := scaleRow{Where: kind, Build: time.Since(began).Seconds()}
	if s, ok := x.(sized); ok {
		if r.Disk, err = s.Size(a.ctx); err != nil {
			return err
		}
	}
	return c.measure(a, rows, r, x, texts)
}

// measure asks every question without and with a filter, after a warm-up of ten.
func (c benchScaleCmd) measure(a *app, rows *[]scaleRow, r scaleRow, x digesto.Searcher, texts []string) error {
	for _, filter := range []bool{false, true} {
		var took []time.Duration
		for i, text := range append(texts[:min(10, len(texts)):min(10, len(texts))], texts...) {
			q := digesto.Query{Text: text, K: 10, NoTotal: true}
			if filter {
				q.Filter.In = map[string][]string{"rank": {"ley", "Ley"}}
			}
			began := time.Now()
			if _, err := x.Search(a.ctx, q); err != nil {
				return err
			}
			if i >= 10 {
				took = append(took, time.Since(began))
			}
		}
		r.Filter, r.quantiles, r.RSS = filter, quantilesOf(took), peakRSS()
		*rows = append(*rows, r)
	}
	return nil
}

// copies gives the corpus several times; from the second on every eleventh word of a
// copy is one of its own, so that no two are equal.
func (c benchScaleCmd) copies(corpus *eval.Corpus, n *int) iter.Seq2[digesto.Chunk, error] {
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
