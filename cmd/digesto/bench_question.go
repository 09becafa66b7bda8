package main

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"digesto"
	"digesto/eval"
	"digesto/index"
	"digesto/model"
	"digesto/text/cite"
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
	corpus, err := eval.ReadCorpus(c.Corpus)
	if err != nil {
		return err
	}
	queries, err := a.readTexts(c.Queries)
	if err != nil {
		return err
	}
	r := questionReport{benchReport: benchReport{Documents: corpus.Len(), Queries: len(queries), CPUs: runtime.GOMAXPROCS(0)}}
	start := time.Now()
	if _, err := m.first.Embed(a.ctx, []string{"plazo"}, model.Query); err != nil {
		return err
	}
	r.ReadyMS = ms(time.Since(start))
	words, err := r.build(a, corpus, nil)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(words) }()
	r.WordsMS, r.WordsCPU = r.BuildMS, r.VectorsCPU
	dir, err := r.build(a, corpus, m)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r.VectorsMS, r.VectorsCPU = r.BuildMS-r.WordsMS, r.VectorsCPU-r.WordsCPU
	r.DiskBytes = treeSize(dir)
	if err := r.ask(a, corpus, dir, m, queries, c.Passes); err != nil {
		return err
	}
	r.PeakRSS = peakRSS()
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas × %d pasadas, %d procesadores\nindexar: palabras %.1f s (procesador %.1f s) · los vectores añaden %.1f s (procesador %.1f s) · disco %.1f MB\nmodelo listo en %.0f ms\nde la pregunta a los resultados: media %.2f ms, p50 %.2f, p95 %.2f, p99 %.2f · de eso, vector de la pregunta: media %.2f, p95 %.2f\n",
		r.Documents, r.Queries, c.Passes, r.CPUs, r.WordsMS/1e3, r.WordsCPU/1e3, r.VectorsMS/1e3, r.VectorsCPU/1e3, float64(r.DiskBytes)/1e6,
		r.ReadyMS, r.Mean, r.P50, r.P95, r.P99, r.EmbedMean, r.EmbedP95)
	return nil
}

// build makes an index with the vectors of a meaning, or without; the CPU time goes
// to VectorsCPU, whichever it is.
func (r *questionReport) build(a *app, corpus *eval.Corpus, m *meaning) (string, error) {
	dir, err := os.MkdirTemp("", "digesto-bench-")
	if err != nil {
		return "", fileError(err, os.TempDir(), "Hace falta sitio en la carpeta temporal.")
	}
	start, cpu := time.Now(), cpuTime()
	opt, chunks := m.vectored(a.ctx, corpus.Chunks())
	if err := index.Build(a.ctx, chunks, dir, opt); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	r.BuildMS, r.VectorsCPU = ms(time.Since(start)), ms(cpuTime()-cpu)
	return dir, nil
}

// ask measures each question: spelling, norms, vector, search.
func (r *questionReport) ask(a *app, corpus *eval.Corpus, dir string, m *meaning, queries []string, passes int) error {
	start := time.Now()
	ix, err := index.Open(dir, m.opened())
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
	var took, embedding []time.Duration
	one := func(text string) error {
		start := time.Now()
		q := corpus.Query(table, eval.Corrected(ix, text))
		q.K = 10
		before := time.Now()
		v, err := m.first.Embed(a.ctx, []string{text}, model.Query)
		if err != nil {
			return err
		}
		after := time.Now()
		q.Vector = v[0]
		_, err = ix.Search(a.ctx, q)
		took, embedding = append(took, time.Since(start)), append(embedding, after.Sub(before))
		return err
	}
	for _, text := range queries[:min(10, len(queries))] {
		if err := one(text); err != nil {
			return err
		}
	}
	took, embedding = nil, nil
	for range passes {
		for _, text := range queries {
			if err := one(text); err != nil {
				return err
			}
		}
	}
	var e benchReport
	e.times(embedding)
	r.EmbedMean, r.EmbedP95 = e.Mean, e.P95
	r.times(took)
	return nil
}
