package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"slices"

	"digesto"
	"digesto/cmd/digesto/internal/show"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalAnswersCmd asks many questions and proves every quotation.
type evalAnswersCmd struct {
	AtLeast map[string]float64 `name:"at-least" placeholder:"CIFRA=MÍNIMO" help:"Mínimos que se exigen (first, answered, refused, page, holds, routed, not_asked, same_law, verbatim) en lugar de todas las expectativas."`
	Pack    string             `name:"pack" placeholder:"PAQUETE" help:"Paquete de las preguntas que no dicen el suyo."`
	Recipe  string             `name:"recipe" placeholder:"measured|collections" help:"Cómo se busca en la ley; véase «digesto ask --help»."`
	File    string             `arg:"" placeholder:"FICHERO.jsonl" help:"Líneas {\"_id\",\"question\",\"as_of\"?,\"history\"?,\"expect\"?}."`
}

// Examples of the command.
func (evalAnswersCmd) Examples() []string {
	return []string{"digesto eval answers preguntas.jsonl --pack laboral > respuestas.jsonl", "digesto eval answers preguntas.jsonl --json | jq .counts"}
}

// Run prints one answer a line and the totals on stderr; exit 7 when a
// quotation is not verbatim, a question fails or an expectation is missed.
func (c evalAnswersCmd) Run(a *program) error {
	cases, err := eval.ReadCases(c.File)
	if err != nil {
		return err
	}
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := a.TakeRecipe(w, c.Recipe, false); err != nil {
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
	out := bufio.NewWriter(a.out)
	n, err := eval.Answers(a.Context, cases, eval.AnswersOptions{
		Ask:  func(ctx context.Context, q digesto.Question) (digesto.Answer, error) { return engine.Ask(ctx, q, nil) },
		Text: func(r digesto.Ref) (string, error) { return evalrun.StoredText(r, law, w.Embedded) },
		Pack: c.Pack, Out: out,
	})
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	if err != nil {
		return err
	}
	a.Say("%d preguntas: %d contestadas, %d negativas, %d otras, %d fallidas · %d citas, %d literales en su sitio", n.Questions, n.Answered, n.Refused, n.Other, n.Failed, n.Quotes, n.Verbatim)
	if n.Expected > 0 {
		a.Say("%d expectativas, %d cumplidas", n.Expected, n.Met)
	}
	if n.Placed > 0 {
		a.Say("%d con artículo conocido: en los fundamentos %d (%.3f), primera cita %d (%.3f); con palabras que no deben estar %d", n.Placed, n.Grounded, float64(n.Grounded)/float64(n.Placed), n.First, float64(n.First)/float64(n.Placed), n.Stale)
	}
	rates := n.Rates()
	if n.Quotes > 0 {
		rates["verbatim"] = float64(n.Verbatim) / float64(n.Quotes)
	}
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		a.Say("%-16s %.3f  %s", name, rates[name], show.RateNames[name])
	}
	for name, least := range c.AtLeast {
		if got, ok := rates[name]; !ok || got < least {
			return checkFailed(fmt.Sprintf("%s es %.3f; se exige %.3f", name, got, least), noWorse)
		}
	}
	if n.Verbatim < n.Quotes || n.Failed > 0 || n.Met < n.Expected && len(c.AtLeast) == 0 {
		return checkFailed("hay citas no literales, fallos o expectativas sin cumplir", "Cada línea dice qué falla en su caso.")
	}
	return nil
}
