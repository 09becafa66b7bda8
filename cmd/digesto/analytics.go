package main

import (
	"fmt"
	"time"

	"digesto"
	"digesto/store"
)

// analyticsCmd counts how questions ended.
type analyticsCmd struct {
	Days int `name:"days" default:"30" placeholder:"N" help:"Días que se miran, hasta hoy."`
}

// Examples of the command.
func (analyticsCmd) Examples() []string {
	return []string{"digesto analytics", "digesto analytics --days 7 --json"}
}

// Run prints the counts.
func (c analyticsCmd) Run(a *app) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	runs, err := s.Runs(a.ctx, a.now().AddDate(0, 0, -c.Days), time.Time{})
	if err != nil {
		return err
	}
	r := store.Analyse(runs)
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d preguntas en %d días; repreguntas %.1f %%\n", r.Questions, c.Days, 100*r.Clarification)
	for _, d := range r.Days {
		fmt.Fprintf(a.out, "  %s", d.Date)
		for _, k := range messageTypes {
			if n := d.Types[k]; n > 0 {
				fmt.Fprintf(a.out, " · %s %d", k, n)
			}
		}
		fmt.Fprintln(a.out)
	}
	for _, v := range r.Variants {
		fmt.Fprintf(a.out, "  prompt %s v%s: %d preguntas · repregunta %.1f %% (%.1f–%.1f) · contesta %.1f %% (%.1f–%.1f)\n", v.Prompt, v.Version, v.Questions,
			100*v.Clarification.Value, 100*v.Clarification.Low, 100*v.Clarification.High, 100*v.Success.Value, 100*v.Success.Low, 100*v.Success.High)
	}
	for _, t := range r.Unanswered {
		fmt.Fprintf(a.out, "  sin respuesta (%d): %s\n", t.Count, clean(t.Topic))
	}
	return nil
}

// messageTypes are the ends of a question, in the order in which people read them.
var messageTypes = []string{"answer", "clarification", "refusal", "non_legal", "reformulate_request", "out_of_scope", "advice", "error"}
