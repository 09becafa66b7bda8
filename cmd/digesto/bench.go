package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/eval"
	"digesto/index"
	"digesto/index/bench"
	"digesto/text/cite"
)

// benchCmd groups the measures of speed.
type benchCmd struct {
	Search   benchSearchCmd   `cmd:"" help:"Construye un índice y busca: tiempos, tamaño y memoria."`
	Question benchQuestionCmd `cmd:"" help:"Lo que cuesta el modelo: al indexar, y de la pregunta a los resultados."`
	Load     benchLoadCmd     `cmd:"" help:"Sirve y se pregunta a sí mismo: tiempos, preguntas por segundo y memoria."`
	Engine   benchEngineCmd   `cmd:"" help:"Protocolo para medirse junto a otros motores."`
	Scale    benchScaleCmd    `cmd:"" help:"El mismo corpus en el índice integrado y en un servidor: una tabla."`
	Vectors  benchVectorsCmd  `cmd:"" help:"Búsqueda exacta de vectores, mismo protocolo."`
}

// Examples of the group.
func (benchCmd) Examples() []string {
	return []string{"digesto bench search --corpus corpus.jsonl --queries preguntas.jsonl", "digesto bench engine index corpus.jsonl ./indice"}
}

// benchEngineCmd speaks the protocol of the engines' bench.
type benchEngineCmd struct {
	Index  benchIndexCmd `cmd:"" help:"Indexa un corpus JSON Lines en una carpeta."`
	Search benchServeCmd `cmd:"" help:"Lee preguntas por la entrada estándar y responde una línea a cada una."`
}

// Examples of the group.
func (benchEngineCmd) Examples() []string {
	return []string{"digesto bench engine index corpus.jsonl ./indice", "digesto bench engine search ./indice < preguntas.jsonl"}
}

type benchIndexCmd struct {
	Corpus string `arg:"" placeholder:"CORPUS.jsonl" help:"Corpus: {_id, title, text, metadata.rank}."`
	Dir    string `arg:"" placeholder:"DIR" help:"Carpeta del índice."`
}

// Examples of the command.
func (benchIndexCmd) Examples() []string {
	return []string{"digesto bench engine index corpus.jsonl ./indice"}
}

// Run indexes.
func (c benchIndexCmd) Run(a *app) error { return bench.IndexFile(a.ctx, c.Corpus, c.Dir) }

type benchServeCmd struct {
	Dir string `arg:"" placeholder:"DIR" help:"Carpeta del índice."`
}

// Examples of the command.
func (benchServeCmd) Examples() []string {
	return []string{"digesto bench engine search ./indice < preguntas.jsonl"}
}

// Run answers until the input ends.
func (c benchServeCmd) Run(a *app) error { return bench.Search(a.ctx, c.Dir, a.in, a.out) }

type benchVectorsCmd struct {
	Base  string `arg:"" placeholder:"BASE.f32" help:"Vectores base, float32 seguidos."`
	Query string `arg:"" placeholder:"QUERY.f32" help:"Vectores de consulta."`
	Dim   int    `arg:"" placeholder:"DIM" help:"Dimensiones."`
	Dir   string `arg:"" placeholder:"DIR" help:"Carpeta de trabajo."`
}

// Examples of the command.
func (benchVectorsCmd) Examples() []string {
	return []string{"digesto bench vectors base.f32 query.f32 384 ./trabajo"}
}

// Run searches.
func (c benchVectorsCmd) Run(a *app) error {
	if c.Dim < 1 || c.Dim > 1<<16 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%d dimensiones no valen", c.Dim), Hint: "Use un número de 1 a 65536."}
	}
	return bench.Vectors(a.ctx, c.Base, c.Query, c.Dim, c.Dir, a.out)
}

// benchSearchCmd measures the index as the program uses it.
type benchSearchCmd struct {
	Corpus  string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines."`
	Dims    int    `name:"dims" placeholder:"N" help:"Añade vectores sintéticos de N dimensiones: mide la búsqueda híbrida."`
	Passes  int    `name:"passes" default:"3" placeholder:"N" help:"Pasadas medidas, después de una de calentamiento."`
}

// Examples of the command.
func (benchSearchCmd) Examples() []string {
	return []string{"digesto bench search --corpus corpus.jsonl --queries preguntas.jsonl", "digesto bench search --corpus corpus.jsonl --queries preguntas.jsonl --json"}
}

// benchReport is what was measured; times in milliseconds.
type benchReport struct {
	Documents int     `json:"documents"`
	Dims      int     `json:"dims,omitempty"`
	Queries   int     `json:"queries"`
	BuildMS   float64 `json:"build_ms"`
	OpenMS    float64 `json:"open_ms"`
	DiskBytes int64   `json:"disk_bytes"`
	PeakRSS   int64   `json:"peak_rss_bytes"` // of the whole process; 0 = not known on this system
	P50       float64 `json:"p50_ms"`
	P95       float64 `json:"p95_ms"`
	P99       float64 `json:"p99_ms"`
	Mean      float64 `json:"mean_ms"`
	CPUs      int     `json:"cpus"`
}

// Run builds, opens, searches, prints.
func (c benchSearchCmd) Run(a *app) error {
	if c.Dims < 0 || c.Dims > 4096 || c.Passes < 1 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--dims o --passes no valen", Hint: "Use de 0 a 4096 dimensiones y al menos una pasada."}
	}
	corpus, err := eval.ReadCorpus(c.Corpus)
	if err != nil {
		return err
	}
	queries, err := a.readTexts(c.Queries)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return fileError(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := benchReport{Documents: corpus.Len(), Dims: c.Dims, Queries: len(queries), CPUs: runtime.GOMAXPROCS(0)}
	start := time.Now()
	opt := index.BuildOptions{}
	if c.Dims > 0 {
		opt.Model = "synthetic"
		opt.Vectors = func(ch digesto.Chunk) ([]float32, error) { return vectorOf(ch.ID, c.Dims), nil }
	}
	if err := index.Build(a.ctx, corpus.Chunks(), dir, opt); err != nil {
		return err
	}
	r.BuildMS = ms(time.Since(start))
	r.DiskBytes = treeSize(dir)
	start = time.Now()
	ix, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		return err
	}
	defer ix.Close()
	r.OpenMS = ms(time.Since(start))
	aliases, err := a.aliases()
	if err != nil {
		return err
	}
	table := cite.NewTable(aliases, corpus.Norms())
	var took []time.Duration
	for pass := range c.Passes + 1 {
		for _, text := range queries {
			vector := vectorOf(text, c.Dims)
			start := time.Now()
			q := corpus.Query(table, eval.Corrected(ix, text))
			q.K, q.Vector = 10, vector
			if _, err := ix.Search(a.ctx, q); err != nil {
				return err
			}
			if pass > 0 {
				took = append(took, time.Since(start))
			}
		}
	}
	r.times(took)
	r.PeakRSS = peakRSS()
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas × %d pasadas, %d procesadores\nconstruir %.0f ms · abrir %.2f ms · disco %.1f MB · memoria máxima %.0f MB\nbuscar: media %.3f ms, p50 %.3f, p95 %.3f, p99 %.3f\n",
		r.Documents, r.Queries, c.Passes, r.CPUs, r.BuildMS, r.OpenMS, float64(r.DiskBytes)/1e6, float64(r.PeakRSS)/1e6, r.Mean, r.P50, r.P95, r.P99)
	return nil
}

// vectorOf makes a vector out of a name: the same for the same name, spread
// like noise. It measures speed, never quality. nil for no dimensions.
func vectorOf(name string, dims int) []float32 {
	if dims <= 0 {
		return nil
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(dims)))
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// times fills the quantiles by nearest rank.
func (r *benchReport) times(took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.SortFunc(took, cmp.Compare[time.Duration])
	at := func(q float64) float64 { return ms(took[min(int(q*float64(len(took))), len(took)-1)]) }
	r.P50, r.P95, r.P99 = at(.5), at(.95), at(.99)
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	r.Mean = ms(sum) / float64(len(took))
}

// readTexts reads the texts of JSON Lines queries.
func (a *app) readTexts(path string) ([]string, error) {
	in, done, err := a.openInput(path)
	if err != nil {
		return nil, err
	}
	defer done()
	var out []string
	for line, err := range jsonLines(in, path) {
		if err != nil {
			return nil, err
		}
		var q batchQuery
		if err := line.decode(&q); err != nil {
			return nil, err
		}
		out = append(out, q.Text)
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

// peakRSS reads the largest resident size of the process where the system tells it.
func peakRSS() int64 {
	data, err := os.ReadFile("/proc/self/status")
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
