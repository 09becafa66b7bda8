package main

import (
	"digesto/cmd/digesto/internal/show"
	evalrun "digesto/eval/run"
)

// evalDialoguesCmd holds scripted conversations.
type evalDialoguesCmd struct {
	Pack  string `name:"pack" default:"argentina" placeholder:"PAQUETE" help:"Paquete de los diálogos que no dicen el suyo."`
	Clear string `name:"clear" placeholder:"FICHERO.jsonl" help:"Preguntas claras: ninguna ha de repreguntarse (como mucho el 2 %)."`
	Turns string `name:"turns" placeholder:"FICHERO.jsonl" help:"Escribe aquí cada turno con su respuesta."`
	File  string `arg:"" optional:"" placeholder:"FICHERO.jsonl" help:"Diálogos; sin él, los del paquete."`
}

// Examples of the command.
func (evalDialoguesCmd) Examples() []string {
	return []string{"digesto eval dialogues", "digesto eval dialogues --clear preguntas.jsonl --json", "digesto eval dialogues misdialogos.jsonl --pack argentina"}
}

// Run holds the dialogues and prints what came of them; exit 7 when a bound is missed.
func (c evalDialoguesCmd) Run(a *program) error {
	r, err := evalrun.DialoguesRun(c).Hold(a.App, a.err)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(map[string]any{"metrics": map[string]float64{"outcome_exact": r.Share, "unneeded_share": r.Needless, "clarified_twice": float64(r.Twice), "clear_clarified_share": r.ClearShare}, "counts": r})
	} else {
		show.Dialogues(a.screen(), r)
	}
	if err == nil && r.Missed() {
		err = checkFailed("los diálogos no llegan a lo exigido", noWorse)
	}
	return err
}
