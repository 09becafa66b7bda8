package bench

import (
	"os"
	"time"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/model"
)

// QuestionOptions are what is measured.
type QuestionOptions struct {
	Corpus  string
	Queries string
	Passes  int
}

// QuestionReport is what was measured. Every question is embedded here, also those
// that a search would leave to their words.
type QuestionReport struct {
	SearchReport
	WordsMS    float64 `json:"words_build_ms"`   // building without vectors
	VectorsMS  float64 `json:"vectors_build_ms"` // what vectors add to it
	WordsCPU   float64 `json:"words_build_cpu_ms"`
	VectorsCPU float64 `json:"vectors_build_cpu_ms"` // 0 where the system does not tell
	ReadyMS    float64 `json:"model_ready_ms"`       // loading the model and embedding once
	EmbedMean  float64 `json:"embed_mean_ms"`
	EmbedP95   float64 `json:"embed_p95_ms"`
}

// Question builds an index with and without vectors, then asks.
func Question(a *app.App, c QuestionOptions) (QuestionReport, error) {
	if c.Passes < 1 {
		return QuestionReport{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "--passes no vale", Hint: "Use al menos una pasada."}
	}
	m := law.OwnEmbedding(false)
	if m == nil {
		return QuestionReport{}, &digesto.Error{Code: digesto.CodeUnavailable, Message: "este binario no lleva el modelo de vectores", Hint: "Compile sin la etiqueta digesto_nomodel."}
	}
	b, report, err := newSearchBench(a, c.Corpus, c.Queries)
	if err != nil {
		return QuestionReport{}, err
	}
	r := QuestionReport{SearchReport: report}
	embed := func(text string) ([]float32, error) {
		v, err := m.First.Embed(a.Context, []string{text}, model.Query)
		if err != nil {
			return nil, err
		}
		return v[0], nil
	}
	start := time.Now()
	if _, err := embed("plazo"); err != nil {
		return QuestionReport{}, err
	}
	r.ReadyMS = Ms(time.Since(start))
	var dirs [2]string
	var built [2]cost
	for k, with := range []*law.Embedding{nil, m} {
		opt, chunks := with.Vectored(a.Context, b.corpus.Chunks())
		if dirs[k], built[k], err = b.build(a.Context, chunks, opt); err != nil {
			return QuestionReport{}, err
		}
		defer func() { _ = os.RemoveAll(dirs[k]) }()
	}
	r.BuildMS, r.WordsMS, r.WordsCPU = built[1].clock, built[0].clock, built[0].cpu
	r.VectorsMS, r.VectorsCPU = built[1].clock-built[0].clock, built[1].cpu-built[0].cpu
	if err := b.open(dirs[1], m.Opened(), &r.SearchReport); err != nil {
		return QuestionReport{}, err
	}
	defer b.ix.Close()
	took, embedding, err := b.ask(10, c.Passes, embed)
	if err != nil {
		return QuestionReport{}, err
	}
	r.Mean, r.Quantiles = meanOf(took), quantilesOf(took)
	r.EmbedMean, r.EmbedP95 = meanOf(embedding), quantilesOf(embedding).P95
	r.PeakRSS = peakRSS()
	return r, nil
}
