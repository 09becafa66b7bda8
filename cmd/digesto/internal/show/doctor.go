package show

import (
	"fmt"

	"digesto/cmd/digesto/internal/terminal"
	jury "digesto/judge"
	"digesto/ops"
)

// Probe prints what a model is worth as a judge of candidates.
func Probe(w terminal.Screen, p jury.Probe) {
	fmt.Fprintf(w, "%d preguntas, %d en las que el programa duda; sin respuesta del modelo %d\n", p.Questions, p.Doubtful, p.Failed)
	fmt.Fprintf(w, "aciertos: modelo %d, programa %d, juntos %d (donde duda: programa %d, juntos %d de %d)\n", p.Agreed, p.Own, p.Both, p.OwnDoubt, p.BothDoubt, p.Doubtful)
	fmt.Fprintf(w, "%.1f s por pregunta; %d + %d fichas; coste %.4f; instrucciones para modelos %s\n", p.Seconds, p.In, p.Out, p.Cost, map[jury.Size]string{jury.Small: "pequeños", jury.Large: "grandes"}[p.Prompts])
	fmt.Fprintf(w, "peso de su voto: %+.2f a favor, %+.2f a otro, %+.2f a ninguno\n", p.Trust.For, p.Trust.Others, p.Trust.None)
	fmt.Fprintf(w, "puede decidir %s\n", ops.MayDecide[p.May])
}

// Findings prints what was looked at and how it is.
func Findings(w terminal.Screen, all []ops.Finding) {
	for _, f := range all {
		mark := map[string]string{"ok": w.Good("bien "), "warn": w.Mark("ojo  "), "fail": w.Bad("FALLO")}[f.State]
		fmt.Fprintf(w, "%s  %s: %s\n", mark, f.What, terminal.Clean(f.Detail))
	}
}
