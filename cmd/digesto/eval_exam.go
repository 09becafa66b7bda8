package main

import (
	"fmt"
	"io"
	"path/filepath"

	"digesto/disk"
	"digesto/eval"
	evalrun "digesto/eval/run"
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
func (c evalExamCmd) Run(a *program) error {
	questions, err := eval.ReadExam(c.File)
	if err != nil {
		return err
	}
	dir := c.Corpus
	if dir == "" {
		dir = filepath.Dir(c.File)
	}
	s, err := evalrun.OpenExam(a.App, filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return err
	}
	defer s.Close()
	opt := eval.ExamOptions{Find: s.Find, Weight: s.Weight, Masked: c.Masked}
	out, flush, err := disk.Results(c.Run_)
	if err != nil {
		return err
	}
	if out != nil {
		opt.Out = out
	}
	rep, err := eval.Exam(a.Context, questions, opt)
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
