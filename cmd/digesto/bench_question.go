package main

import (
	"fmt"
	"os"
	"time"

	"digesto"
	"digesto/model"
)

// benchQuestionCmd measures what the binary's model costs: in indexing, and from the
// text of a question to its hits.
type benchQuestionCmd struct {
	Corpus  string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines."`
	Passes  int    `name:"passes" default:"1" placeholder:"N" help:"Pasadas medidas, después de diez preguntas de calentamiento."`
}

// Examples of the command.
func (benchQuestionCmd) Examples() []string {
	return []string{"GOMAXPROCS=1 digesto bench question --corpus corpus.jsonl --queries preguntas.jsonl"}
}

// questionReport is what was measured. Every question is embedded here, also those
// that a search would leave to their words.
type questionReport struct {
	benchReport
	WordsMS    float64 `json:"words_build_ms"`   // building without vectors
	VectorsMS  float64 `json:"vectors_build_ms"` // what vectors add to it
	WordsCPU   float64 `json:"words_build_cpu_ms"`
	VectorsCPU float64 `json:"vectors_build_cpu_ms"` // 0 where the system does not tell
	ReadyMS    float64 `json:"model_ready_ms"`       // loading the model and embedding once
	EmbedMean  float64 `json:"embed_mean_ms"`
	EmbedP95   float64 `json:"embed_p95_ms"`
}

// Run builds twice, then asks.
func (c benchQuestionCmd) Run(a *app) error {
	if c.Passes < 1 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "--passes no vale", Hint: "Use al menos una pasada."}
	}
	m := ownMeaning(false)
	if m == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "este binario no lleva el modelo de vectores", Hint: "Compile sin la etiqueta digesto_nomodel."}
	}
	b, report, err := a.searchBench(c.Corpus, c.Queries)
	if err != nil {
		return err
	}
	r := questionReport{benchReport: report}
	embed := func(text string) ([]float32, error) {
		v, err := m.first.Embed(a.ctx, []string{text}, model.Query)
		if err != nil {
			return nil, err
		}
		return v[0], nil
	}
	start := time.Now()
	if _, err := embed("plazo"); err != nil {
		return err
	}
	r.ReadyMS = ms(time.Since(start))
	var dirs [2]string
	var built [2]cost
	for k, with := range []*meaning{nil, m} {
		opt, chunks := with.vectored(a.ctx, b.corpus.Chunks())
		if dirs[k], built[k], err = b.build(a.ctx, chunks, opt); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dirs[k]) }()
	}
	r.BuildMS, r.WordsMS, r.WordsCPU = built[1].clock, built[0].clock, built[0].cpu
	r.VectorsMS, r.VectorsCPU = built[1].clock-built[0].clock, built[1].cpu-built[0].cpu
	if err := b.open(dirs[1], m.opened(), &r.benchReport); err != nil {
		return err
	}
	defer b.ix.Close()
	took, embedding, err := b.ask(10, c.Passes, embed)
	if err != nil {
		return err
	}
	r.Mean, r.quantiles = meanOf(took), quantilesOf(took)
	r.EmbedMean, r.EmbedP95 = meanOf(embedding), quantilesOf(embedding).P95
	r.PeakRSS = peakRSS()
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas × %d pasadas, %d procesadores\nindexar: palabras %.1f s (procesador %.1f s) · los vectores añaden %.1f s (procesador %.1f s) · disco %.1f MB\nmodelo listo en %.0f ms\nde la pregunta a los resultados: media %.2f ms, p50 %.2f, p95 %.2f, p99 %.2f · de eso, vector de la pregunta: media %.2f, p95 %.2f\n",
		r.Documents, r.Queries, c.Passes, r.CPUs, r.WordsMS/1e3, r.WordsCPU/1e3, r.VectorsMS/1e3, r.VectorsCPU/1e3, float64(r.DiskBytes)/1e6,
		r.ReadyMS, r.Mean, r.P50, r.P95, r.P99, r.EmbedMean, r.EmbedP95)
	return nil
}
