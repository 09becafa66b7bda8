package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"

	"digesto"
	"digesto/index"
	"digesto/index/bench"
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

// Run builds, opens, searches, prints.
func (c benchSearchCmd) Run(a *app) error {
	if c.Dims < 0 || c.Dims > 4096 || c.Passes < 1 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--dims o --passes no valen", Hint: "Use de 0 a 4096 dimensiones y al menos una pasada."}
	}
	b, r, err := a.searchBench(c.Corpus, c.Queries)
	if err != nil {
		return err
	}
	r.Dims = c.Dims
	opt := index.BuildOptions{}
	if c.Dims > 0 {
		opt.Model = "synthetic"
		opt.Vectors = func(ch digesto.Chunk) ([]float32, error) { return vectorOf(ch.ID, c.Dims), nil }
	}
	dir, built, err := b.build(a.ctx, b.corpus.Chunks(), opt)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r.BuildMS = built.clock
	if err := b.open(dir, index.OpenOptions{}, &r); err != nil {
		return err
	}
	defer b.ix.Close()
	vectors := map[string][]float32{} // made before the clock runs
	for _, text := range b.queries {
		vectors[text] = vectorOf(text, c.Dims)
	}
	took, _, err := b.ask(len(b.queries), c.Passes, func(text string) ([]float32, error) { return vectors[text], nil })
	if err != nil {
		return err
	}
	r.Mean, r.quantiles = meanOf(took), quantilesOf(took)
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
