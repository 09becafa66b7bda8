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
func (c analyticsCmd) Run(a *program) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	s, err := a.OpenDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	runs, err := s.Runs(a.Context, a.Now().AddDate(0, 0, -c.Days), time.Time{})
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
		fmt.Fprintf(a.out, "  prompt %s v%s: %d preguntas · repregunta %s · contesta %s · tras la repregunta contesta %s de %d\n", v.Prompt, v.Version, v.Questions,
			rateText(v.Clarification), rateText(v.Success), rateText(v.FollowUp), v.Clarifications)
	}
	for _, t := range r.Trials {
		fmt.Fprintf(a.out, "  prompt %s, v%s menos v%s: repregunta %s · tras la repregunta contesta %s\n", t.Prompt, t.B, t.A, points(t.Clarification), points(t.FollowUp))
	}
	for _, t := range r.Unanswered {
		fmt.Fprintf(a.out, "  sin respuesta (%d): %s\n", t.Count, clean(t.Topic))
	}
	return nil
}

// rateText is a proportion with its interval.
func rateText(s store.Share) string {
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*s.Value, 100*s.Low, 100*s.High)
}

// points is a difference in percentage points, with what may be said of it.
func points(d store.Difference) string {
	says := "sin diferencia demostrada"
	if d.Sure {
		says = "diferencia demostrada"
	}
	return fmt.Sprintf("%+.1f puntos (%+.1f a %+.1f; %s)", 100*d.Value, 100*d.Low, 100*d.High, says)
}

// messageTypes are the ends of a question, in the order in which people read them.
var messageTypes = []string{"answer", "clarification", "refusal", "non_legal", "reformulate_request", "out_of_scope", "advice", "error"}
