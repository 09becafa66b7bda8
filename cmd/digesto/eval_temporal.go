package main

import (
	"context"
	"fmt"

	"digesto"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalTemporalCmd asks the same questions on several days.
type evalTemporalCmd struct {
	Pack  string   `name:"pack" placeholder:"PAQUETE" help:"Solo los casos de ese paquete."`
	Texts string   `name:"texts" placeholder:"CARPETA" help:"Carpeta con copias fechadas (NORMA@AAAA-MM-DD.md): cada cita se busca en la de su día."`
	File  []string `arg:"" optional:"" placeholder:"FICHERO.jsonl" help:"Casos; sin ficheros, los de los paquetes."`
}

// Examples of the command.
func (evalTemporalCmd) Examples() []string {
	return []string{"digesto eval temporal", "digesto eval temporal --pack laboral --texts ./historico --json"}
}

// Run prints what missed and the totals; exit 7 when law that did not hold was
// cited or an answer is wrong.
func (c evalTemporalCmd) Run(a *program) error {
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	cases, err := evalrun.TemporalCases(c.Pack, c.File)
	if err != nil {
		return err
	}
	engine, err := a.Engine(w)
	if err != nil {
		return err
	}
	law, done, err := w.Law.View()
	if err != nil {
		return err
	}
	defer done()
	if law.Snapshot == nil {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada", Hint: "Instálela con «digesto corpus add CARPETA»."}
	}
	opt := eval.TemporalOptions{Law: law.Snapshot, Out: a.err,
		Ask: func(ctx context.Context, q digesto.Question) (digesto.Answer, error) { return engine.Ask(ctx, q, nil) }}
	if c.Texts != "" {
		opt.Copy = evalrun.DatedCopies(c.Texts)
	}
	n, err := eval.Temporal(a.Context, cases, opt)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(map[string]any{"metrics": map[string]float64{"right": evalrun.Share(n.Right, n.Dates), "repealed_as_current": float64(n.Repealed)}, "counts": n, "queries": n.Questions})
	} else {
		_, err = fmt.Fprintf(a.out, "%d preguntas en %d fechas: %d bien (%.3f), %d sin respuesta, %d en otro lugar, %d de otra fecha; %d comparadas con su copia fechada\nDerecho no vigente citado como vigente: %d\n",
			n.Questions, n.Dates, n.Right, evalrun.Share(n.Right, n.Dates), n.Refused, n.Elsewhere, n.Wrong, n.States, n.Repealed)
	}
	if err != nil {
		return err
	}
	if n.Repealed > 0 || n.Wrong > 0 {
		return checkFailed("hay respuestas de otra fecha", "Cada línea dice qué falla en su caso.")
	}
	return nil
}
