package main

import (
	"fmt"
	"io"
	"os"

	"digesto/disk"
	evalrun "digesto/eval/run"
)

// evalVerifyCmd checks texts whose truth is known.
type evalVerifyCmd struct {
	FalseMost int     `name:"false-most" default:"-1" placeholder:"N" help:"Acaba con código 7 si más de N textos falsos tienen una cita VERIFIED."`
	TrueLeast float64 `name:"true-least" placeholder:"0..1" help:"Acaba con código 7 si se reconocen menos textos verdaderos que esa parte."`
	List      bool    `name:"list" help:"Escribe también cada texto en que se yerra."`
	File      string  `arg:"" placeholder:"FICHERO.jsonl" help:"Textos: {_id, text, truth, kind, pack, as_of, quotes} por línea."`
}

// Examples of the command.
func (evalVerifyCmd) Examples() []string {
	return []string{"digesto eval verify textos.jsonl", "digesto eval verify textos.jsonl --list", "digesto eval verify textos.jsonl --false-most 1 --true-least .94"}
}

// Run checks the texts and prints how many were judged rightly.
func (c evalVerifyCmd) Run(a *program) error {
	in, err := os.Open(c.File)
	if err != nil {
		return disk.Error(err, c.File, "")
	}
	defer in.Close()
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	r, err := evalrun.MeasureVerdicts(a.App, w, in, c.File)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		c.print(a.out, r)
	}
	if c.FalseMost >= 0 && r.All.Wrongly > c.FalseMost || r.Recall < c.TrueLeast {
		return checkFailed("las comprobaciones no llegan a lo exigido", noWorse)
	}
	return nil
}

func (c evalVerifyCmd) print(w io.Writer, r evalrun.Verdicts) {
	fmt.Fprintf(w, "%-28s %18s %18s\n", "", "falsos VERIFIED", "ciertos reconocidos")
	for _, k := range append(r.Kinds, r.All) {
		fmt.Fprintf(w, "%-28s %11d de %3d %11d de %3d\n", k.Kind, k.Wrongly, k.False, k.Known, k.True)
	}
	fmt.Fprintf(w, "precisión %.3f, cobertura %.3f\n", r.Precision, r.Recall)
	fmt.Fprintf(w, "\n%-34s %5s %6s\n", "regla", "peso", "veces")
	for _, u := range r.Rules {
		fmt.Fprintf(w, "%-34s %5d %6d\n", u.Rule, u.Weight, u.Fired)
	}
	if !c.List {
		return
	}
	for _, x := range r.Wrong {
		fmt.Fprintf(w, "\n%s (%s, %s): %s\n", x.ID, x.Truth, x.Kind, x.Text)
		for _, v := range x.Verdicts {
			fmt.Fprintf(w, "    %s\n", v)
		}
	}
}
