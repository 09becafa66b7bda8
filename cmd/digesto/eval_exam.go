package main

import (
	"path/filepath"

	"digesto/cmd/digesto/internal/show"
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
	return show.Exam(a.screen(), rep)
}
