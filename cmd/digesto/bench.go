package main

import (
	"fmt"

	"digesto"
	speed "digesto/bench"
	"digesto/index/bench"
)

// benchCmd groups the measures of speed.
type benchCmd struct {
	Search   benchSearchCmd   `cmd:"" help:"Construye un índice y busca: tiempos, tamaño y memoria."`
	Question benchQuestionCmd `cmd:"" help:"Lo que cuesta el modelo: al indexar, y de la pregunta a los resultados."`
	Load     benchLoadCmd     `cmd:"" help:"Sirve y se pregunta a sí mismo: tiempos, preguntas por segundo y memoria."`
	Engine   benchEngineCmd   `cmd:"" help:"Protocolo para medirse junto a otros motores."`
	Scale    benchScaleCmd    `cmd:"" help:"El mismo corpus en el índice integrado y en un servidor: una tabla."`
	Size     benchSizeCmd     `cmd:"" help:"Instala un corpus en varios tamaños y pregunta: lo que cuesta cada uno."`
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
func (c benchIndexCmd) Run(a *program) error { return bench.IndexFile(a.Context, c.Corpus, c.Dir) }

type benchServeCmd struct {
	Dir string `arg:"" placeholder:"DIR" help:"Carpeta del índice."`
}

// Examples of the command.
func (benchServeCmd) Examples() []string {
	return []string{"digesto bench engine search ./indice < preguntas.jsonl"}
}

// Run answers until the input ends.
func (c benchServeCmd) Run(a *program) error { return bench.Search(a.Context, c.Dir, a.in, a.out) }

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
func (c benchVectorsCmd) Run(a *program) error {
	if c.Dim < 1 || c.Dim > 1<<16 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%d dimensiones no valen", c.Dim), Hint: "Use un número de 1 a 65536."}
	}
	return bench.Vectors(a.Context, c.Base, c.Query, c.Dim, c.Dir, a.out)
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

// Run measures and prints.
func (c benchSearchCmd) Run(a *program) error {
	r, err := speed.Search(a.App, speed.SearchOptions(c))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas × %d pasadas, %d procesadores\nconstruir %.0f ms · abrir %.2f ms · disco %.1f MB · memoria máxima %.0f MB\nbuscar: media %.3f ms, p50 %.3f, p95 %.3f, p99 %.3f\n",
		r.Documents, r.Queries, c.Passes, r.CPUs, r.BuildMS, r.OpenMS, float64(r.DiskBytes)/1e6, float64(r.PeakRSS)/1e6, r.Mean, r.P50, r.P95, r.P99)
	return nil
}
