package main

import (
	"fmt"

	jury "digesto/judge"
	"digesto/ops"
)

// judges tries the configured model as a judge of candidates and prints what it is worth.
func judges(a *program, questions int) error {
	p, err := ops.TryJudge(a.App, questions)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(p)
	}
	printProbe(a, p)
	return nil
}

func printProbe(a *program, p jury.Probe) {
	fmt.Fprintf(a.out, "%d preguntas, %d en las que el programa duda; sin respuesta del modelo %d\n", p.Questions, p.Doubtful, p.Failed)
	fmt.Fprintf(a.out, "aciertos: modelo %d, programa %d, juntos %d (donde duda: programa %d, juntos %d de %d)\n", p.Agreed, p.Own, p.Both, p.OwnDoubt, p.BothDoubt, p.Doubtful)
	fmt.Fprintf(a.out, "%.1f s por pregunta; %d + %d fichas; coste %.4f; instrucciones para modelos %s\n", p.Seconds, p.In, p.Out, p.Cost, map[jury.Size]string{jury.Small: "pequeños", jury.Large: "grandes"}[p.Prompts])
	fmt.Fprintf(a.out, "peso de su voto: %+.2f a favor, %+.2f a otro, %+.2f a ninguno\n", p.Trust.For, p.Trust.Others, p.Trust.None)
	fmt.Fprintf(a.out, "puede decidir %s\n", ops.MayDecide[p.May])
}
