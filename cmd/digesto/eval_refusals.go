package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/disk"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalRefusalsCmd takes laws out of the index and asks their questions.
type evalRefusalsCmd struct {
	Queries string   `name:"queries" placeholder:"FICHERO" help:"Preguntas; sin él, DIR/queries.jsonl."`
	Qrels   string   `name:"qrels" placeholder:"FICHERO" help:"Juicios (de artículos o de leyes); sin él, DIR/qrels.tsv."`
	DropLaw []string `name:"drop-law" placeholder:"ID" help:"Ley que se quita (se puede repetir; all o sin él: cada ley con preguntas, por turno)."`
	Pack    string   `name:"pack" placeholder:"PAQUETE" help:"Paquete de las preguntas; sin él, el que convenga a cada una."`
	Run_    string   `name:"run" placeholder:"FICHERO" help:"Guarda cada pregunta con su resultado y su evidencia, en JSON Lines."`
	Plot    string   `name:"plot" placeholder:"FICHERO.svg" help:"Dibuja cobertura frente a acierto (SVG, o HTML con .html)."`
	Base    string   `name:"baseline" placeholder:"FICHERO" help:"Cifras de referencia de la curva: sale con 7 si es peor que ellas."`
	Update  bool     `name:"update" help:"Escribe las cifras de referencia en --baseline."`
	Dir     string   `arg:"" placeholder:"DIR" help:"Carpeta con corpus.jsonl, queries.jsonl y qrels.tsv."`
}

// Examples of the command.
func (evalRefusalsCmd) Examples() []string {
	return []string{"digesto eval refusals ./examen", "digesto eval refusals ./examen --drop-law BOE-A-2015-10566 --plot curva.svg --json"}
}

// Run asks with every law present and with each taken out, and prints the shares.
func (c evalRefusalsCmd) Run(a *program) error {
	a.NoVectors = true
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	docs, done, err := evalrun.Documents(a.App, w, filepath.Join(c.Dir, "corpus.jsonl"), c.Pack)
	if err != nil {
		return err
	}
	defer done()
	opt := eval.RefusalOptions{Queries: c.Queries, Qrels: c.Qrels, Laws: c.laws(), Pack: c.Pack, Aliases: app.AliasesOf(w.Packs)}
	opt.Engine = func(ctx context.Context, without string) (eval.AskFunc, func(), error) {
		e, err := evalrun.EngineWithout(a.App, ctx, w, docs, without)
		if err != nil {
			return nil, nil, err
		}
		return func(ctx context.Context, q digesto.Question) (digesto.Answer, error) { return e.Ask(ctx, q, nil) }, func() {}, nil
	}
	out, flush, err := disk.Results(c.Run_)
	if err != nil {
		return err
	}
	if out != nil {
		opt.Out = out
	}
	rep, err := eval.Refusals(a.Context, c.Dir, opt)
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	if c.Plot != "" {
		if err := os.WriteFile(c.Plot, eval.Plot(rep, strings.HasSuffix(c.Plot, ".html")), 0o644); err != nil {
			return disk.Error(err, c.Plot, "")
		}
	}
	if a.json {
		err = a.printJSON(rep)
	} else {
		err = show.Refusals(a.screen(), rep)
	}
	if err != nil || c.Base == "" {
		return err
	}
	return c.compare(rep.Counts)
}

// compare holds the curve against the golden one, or writes it anew.
func (c evalRefusalsCmd) compare(counts []eval.CurveCounts) error {
	if c.Update {
		if err := os.WriteFile(c.Base, eval.WriteCurve(counts), 0o644); err != nil {
			return disk.Error(err, c.Base, "")
		}
		return nil
	}
	data, err := os.ReadFile(c.Base)
	if err != nil {
		return disk.Error(err, c.Base, "Escríbalo con --update.")
	}
	golden, err := eval.ReadCurve(data)
	if err != nil {
		return err
	}
	if falls := eval.CurveFalls(golden, counts); len(falls) > 0 {
		return checkFailed("la curva es peor que la de referencia: "+strings.Join(falls, "; "), noWorse)
	}
	return nil
}

// laws are the laws to take out; nil = all.
func (c evalRefusalsCmd) laws() []string {
	if len(c.DropLaw) == 1 && c.DropLaw[0] == "all" {
		return nil
	}
	return c.DropLaw
}
