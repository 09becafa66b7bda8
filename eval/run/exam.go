package run

import (
	"context"
	"math"

	"digesto/app"
	"digesto/eval"
)

// examSearch finds units of a corpus in BEIR layout as `eval retrieval` does.
type examSearch struct {
	*app.Searched
	corpus *eval.Corpus
	idf    func(word string, stem bool) int
}

// OpenExam opens the law of a file that an exam is answered by.
func OpenExam(a *app.App, path string) (*examSearch, error) {
	a.NoVectors = true
	t, err := a.FileTarget(path, false)
	if err != nil {
		return nil, err
	}
	c, err := eval.ReadCorpus(path)
	if err != nil {
		t.Close()
		return nil, err
	}
	s := &examSearch{Searched: t, corpus: c}
	if v, ok := t.Searcher.(interface{ Frequency(string, bool) int }); ok {
		s.idf = v.Frequency
	}
	return s, nil
}

// Weight is the idf of a stem.
func (s *examSearch) Weight(stem string) float64 {
	if s.idf == nil {
		return 1
	}
	n := float64(s.corpus.Len())
	df := float64(s.idf(stem, true))
	return math.Log(1 + (n-df+.5)/(df+.5))
}

func (s *examSearch) Find(ctx context.Context, asked, option string, k int) ([]eval.ExamUnit, error) {
	q := s.Query(asked)
	exact := map[string]bool{}
	for _, u := range q.Units {
		exact[u] = true
	}
	if option != "" {
		q.Text += " " + option
	}
	q.K = k
	res, err := s.Searcher.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []eval.ExamUnit
	top := 0.0
	for _, h := range res.Hits {
		if !exact[h.ID] {
			top = max(top, h.Score)
		}
	}
	for _, h := range res.Hits {
		title, body, ok := s.corpus.Text(h.ID)
		if !ok {
			continue
		}
		u := eval.ExamUnit{ID: h.ID, Headings: title, Body: body, Exact: exact[h.ID], Score: 1}
		if top > 0 {
			u.Score = min(1, h.Score/top)
		}
		out = append(out, u)
	}
	return out, nil
}
