package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"digesto/eval"
)

// evalExamCmd sits an exam by evidence alone.
type evalExamCmd struct {
	Corpus string `name:"corpus" placeholder:"DIR" help:"Carpeta con corpus.jsonl; sin él, la del fichero."`
	Masked bool   `name:"masked" help:"Enunciados sin los números de los artículos (question_masked)."`
	Run_   string `name:"run" placeholder:"FICHERO" help:"Guarda la opción elegida y las palabras que deciden, en JSON Lines."`
	File   string `arg:"" placeholder:"FICHERO.jsonl" help:"Líneas {\"id\",\"question\",\"options\",\"correct\"}."`
}

// Examples of the command.
func (evalExamCmd) Examples() []string {
	return []string{"digesto eval exam examen/questions.jsonl", "digesto eval exam examen/questions.jsonl --masked --run elegidas.jsonl --json"}
}

// Run sits the exam and prints its marks.
func (c evalExamCmd) Run(a *app) error {
	questions, err := eval.ReadExam(c.File)
	if err != nil {
		return err
	}
	dir := c.Corpus
	if dir == "" {
		dir = filepath.Dir(c.File)
	}
	s, err := a.examSearch(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return err
	}
	defer s.close()
	opt := eval.ExamOptions{Find: s.find, Weight: s.weight, Masked: c.Masked}
	out, flush, err := runFile(c.Run_)
	if err != nil {
		return err
	}
	if out != nil {
		opt.Out = out
	}
	rep, err := eval.Exam(a.ctx, questions, opt)
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(rep)
	}
	return printExam(a.out, rep)
}

func printExam(w io.Writer, r eval.ExamReport) error {
	row := func(name string, m eval.ExamMetrics) {
		fmt.Fprintf(w, "%-24s %4d preguntas · bien %.3f · contestadas %.3f · bien de las contestadas %.3f · nota (bien − mal/3) %.3f\n", name, m.N, m.Accuracy, m.Answered, m.Precision, m.Score)
	}
	row("todas", r.Metrics)
	if m, ok := r.Groups["plain"]; ok {
		row("comprobadas, sin negar", m)
	}
	if m, ok := r.Groups["negated"]; ok {
		row("negadas", m)
	}
	return nil
}

// examSearch finds units of a corpus in BEIR layout as `eval retrieval` does.
type examSearch struct {
	*target
	corpus *eval.Corpus
	idf    func(word string, stem bool) int
}

func (a *app) examSearch(path string) (*examSearch, error) {
	a.noVectors = true
	t, err := a.fileTarget(path, false)
	if err != nil {
		return nil, err
	}
	c, err := eval.ReadCorpus(path)
	if err != nil {
		t.close()
		return nil, err
	}
	s := &examSearch{target: t, corpus: c}
	if v, ok := t.searcher.(interface{ Frequency(string, bool) int }); ok {
		s.idf = v.Frequency
	}
	return s, nil
}

// weight is the idf of a stem.
func (s *examSearch) weight(stem string) float64 {
	if s.idf == nil {
		return 1
	}
	n := float64(s.corpus.Len())
	df := float64(s.idf(stem, true))
	return math.Log(1 + (n-df+.5)/(df+.5))
}

func (s *examSearch) find(ctx context.Context, asked, option string, k int) ([]eval.ExamUnit, error) {
	q := s.query(asked)
	exact := map[string]bool{}
	for _, u := range q.Units {
		exact[u] = true
	}
	if option != "" {
		q.Text += " " + option
	}
	q.K = k
	res, err := s.searcher.Search(ctx, q)
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
