package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/text"
	"digesto/text/cite"
)

// depth is how many hits are asked for: enough for hit@100 of documents, and of laws.
const depth = 100

// BuildFunc gives a Searcher over chunks and a function that closes it. hash names the chunks'
// source: an index built before for the same hash may be used again.
type BuildFunc func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error)

// RetrievalOptions says what is measured. Build is required.
type RetrievalOptions struct {
	Build   BuildFunc
	Queries string       // file; empty = queries.jsonl in the folder
	Qrels   string       // file; empty = qrels.tsv in the folder
	ByLaw   bool         // rank laws (the id before ":") instead of documents
	Aliases []cite.Alias // names of norms, from packs
	Packs   []*pack.Pack // whose own words are spelt right; none = the indexed words alone
	// Query makes a search of a question (its spelling corrected, if the Searcher has a
	// vocabulary); nil = Corpus.Query.
	Query func(c *Corpus, t *cite.Table, question string) digesto.Query
	// Embed gives the vector of a question, for an index that Build made with vectors of
	// the same model; nil = words alone. Its time counts.
	Embed func(ctx context.Context, question string) ([]float32, error)
	Run   io.Writer // receives each query's hits as JSON Lines; nil = nothing
}

// RetrievalReport is the result of a run; its JSON form is the one of `eval retrieval --json`.
type RetrievalReport struct {
	Metrics   Metrics `json:"metrics"`
	Queries   int     `json:"queries"`
	Documents int     `json:"documents"`
	GroupBy   string  `json:"group_by,omitempty"`
	Latency   Latency `json:"latency_ms"`
}

// Latency is the time of a search, its analysis included, in milliseconds.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	Max  float64 `json:"max"`
}

// runLine is a line of the run file.
type runLine struct {
	ID   string   `json:"_id"`
	NS   int64    `json:"ns"`
	Hits []runHit `json:"hits"`
}

type runHit struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// Retrieval indexes the corpus of a folder in BEIR layout, searches its queries one
// after the other and measures. Judgements about documents that the corpus does not
// have are an error: such a figure would say nothing.
func Retrieval(ctx context.Context, dir string, opt RetrievalOptions) (RetrievalReport, error) {
	set, err := load(dir, opt)
	if err != nil {
		return RetrievalReport{}, err
	}
	searcher, done, err := opt.Build(ctx, set.corpus.Hash, set.corpus.Chunks())
	if err != nil {
		return RetrievalReport{}, err
	}
	defer func() { _ = done() }() // the index was only read
	return set.run(ctx, searcher, opt)
}

type set struct {
	corpus  *Corpus
	table   *cite.Table
	queries []question
	gold    qrels
	byLaw   bool // judgements may name laws instead of documents
}

func load(dir string, opt RetrievalOptions) (*set, error) {
	corpus, err := ReadCorpus(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := readQueries(cmp.Or(opt.Queries, filepath.Join(dir, "queries.jsonl")))
	if err != nil {
		return nil, err
	}
	gold, err := readQrels(cmp.Or(opt.Qrels, filepath.Join(dir, "qrels.tsv")))
	if err != nil {
		return nil, err
	}
	s := &set{corpus: corpus, table: corpus.Table(opt.Aliases), queries: queries, gold: gold, byLaw: opt.ByLaw}
	if opt.ByLaw {
		s.gold = byLaw(gold)
	}
	return s, s.check(gold)
}

// check asserts that every relevant document is in the corpus and every query has one.
func (s *set) check(gold qrels) error {
	missing, judged := 0, 0
	example := ""
	for _, q := range s.queries {
		if len(gold[q.ID]) > 0 {
			judged++
		}
		for id := range gold[q.ID] {
			if !s.corpus.Has(id) && !(s.byLaw && s.corpus.hasLaw(id)) {
				missing++
				example = max(example, id)
			}
		}
	}
	if missing > 0 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("%d documentos relevantes no están en el corpus (por ejemplo %s)", missing, example),
			Hint: "Corrija qrels.tsv o el corpus: con ese defecto ninguna cifra dice nada."}
	}
	if judged == 0 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Ninguna pregunta tiene un documento relevante en qrels.tsv", Hint: "Compruebe que los identificadores de preguntas y qrels coinciden."}
	}
	return nil
}

func byLaw(gold qrels) qrels {
	out := qrels{}
	for q, docs := range gold {
		out[q] = map[string]float64{}
		for id, g := range docs {
			out[q][LawOf(id)] = max(out[q][LawOf(id)], g)
		}
	}
	return out
}

func (s *set) run(ctx context.Context, searcher digesto.Searcher, opt RetrievalOptions) (RetrievalReport, error) {
	rep := RetrievalReport{Documents: s.corpus.Len()}
	if opt.ByLaw {
		rep.GroupBy = "law"
	}
	makeQuery := opt.Query
	if makeQuery == nil {
		makeQuery = (*Corpus).Query
	}
	var enc *json.Encoder
	if opt.Run != nil {
		enc = json.NewEncoder(opt.Run)
		enc.SetEscapeHTML(false)
	}
	var total mean
	var err error
	times := make([]time.Duration, 0, len(s.queries))
	for _, q := range s.queries {
		start := time.Now()
		query := makeQuery(s.corpus, s.table, Corrected(searcher, q.Text, opt.Packs...))
		query.K = depth
		if opt.Embed != nil {
			if query.Vector, err = opt.Embed(ctx, q.Text); err != nil {
				return rep, err
			}
		}
		res, err := searcher.Search(ctx, query)
		took := time.Since(start)
		if err != nil {
			return rep, err
		}
		if enc != nil {
			if err := enc.Encode(lineOf(q.ID, took, res.Hits)); err != nil {
				return rep, err
			}
		}
		if len(s.gold[q.ID]) == 0 {
			continue
		}
		times = append(times, took)
		total.add(measure(ranking(res.Hits, opt.ByLaw), s.gold[q.ID]))
	}
	rep.Metrics, rep.Queries, rep.Latency = total.metrics(), total.n, latency(times)
	return rep, nil
}

// vocabulary is a Searcher that knows its words.
type vocabulary interface {
	Frequency(word string, stem bool) int
}

// Corrected mends the spelling of a question against the words that are indexed
// and those that packs know; a Searcher without a vocabulary leaves it as it is.
func Corrected(s digesto.Searcher, question string, packs ...*pack.Pack) string {
	if v, ok := s.(vocabulary); ok {
		question, _ = text.Correct(question, pack.Spelling(v.Frequency, packs...))
	}
	return question
}

func lineOf(id string, took time.Duration, hits []digesto.Hit) runLine {
	l := runLine{ID: id, NS: took.Nanoseconds(), Hits: make([]runHit, len(hits))}
	for i, h := range hits {
		l.Hits[i] = runHit{h.ID, h.Score}
	}
	return l
}

// ranking gives the ids of hits in order, or their laws, each once.
func ranking(hits []digesto.Hit, byLaw bool) []string {
	out := make([]string, 0, len(hits))
	seen := map[string]bool{}
	for _, h := range hits {
		id := h.ID
		if byLaw {
			id = LawOf(id)
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func latency(times []time.Duration) Latency {
	if len(times) == 0 {
		return Latency{}
	}
	slices.Sort(times)
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	at := func(p float64) time.Duration { return times[min(len(times)-1, int(p*float64(len(times))))] }
	return Latency{Mean: ms(sum / time.Duration(len(times))), P50: ms(at(.5)), P95: ms(at(.95)), Max: ms(times[len(times)-1])}
}
