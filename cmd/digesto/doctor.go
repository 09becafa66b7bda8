package main

import (
	"digesto/cmd/digesto/internal/show"
	"digesto/ops"
)

// doctorCmd looks at everything the program needs.
type doctorCmd struct {
	Judge     bool `help:"Hace preguntas al modelo configurado, compara lo que elige con lo que elige el programa, y guarda qué puede decidir."`
	Questions int  `default:"40" placeholder:"40" help:"Con --judge: cuántas preguntas; con pocas solo decide quien acierta siempre."`
}

// Examples of the command.
func (doctorCmd) Examples() []string {
	return []string{"digesto doctor", "digesto doctor --json", "digesto doctor --judge"}
}

// Run prints the findings; exit 7 when one fails.
func (c doctorCmd) Run(a *program) error {
	if c.Judge {
		return judges(a, c.Questions)
	}
	return printFindings(a, ops.Doctor(a.App))
}

func printFindings(a *program, all []ops.Finding) error {
	failed := false
	for _, f := range all {
		failed = failed || f.State == "fail"
	}
	if a.json {
		if err := a.printJSON(map[string]any{"ok": !failed, "findings": all}); err != nil {
			return err
		}
	} else {
		show.Findings(a.screen(), all)
	}
	if failed {
		return checkFailed("hay fallos", "Cada línea «FALLO» dice qué hacer.")
	}
	return nil
}
