package show

import (
	"fmt"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/store"
)

// Analytics prints how the questions of so many days ended.
func Analytics(w terminal.Screen, r store.Analytics, days int) {
	fmt.Fprintf(w, "%d preguntas en %d días; repreguntas %.1f %%\n", r.Questions, days, 100*r.Clarification)
	for _, d := range r.Days {
		fmt.Fprintf(w, "  %s", d.Date)
		for _, k := range messageTypes {
			if n := d.Types[k]; n > 0 {
				fmt.Fprintf(w, " · %s %d", k, n)
			}
		}
		fmt.Fprintln(w)
	}
	for _, v := range r.Variants {
		fmt.Fprintf(w, "  prompt %s v%s: %d preguntas · repregunta %s · contesta %s · tras la repregunta contesta %s de %d\n", v.Prompt, v.Version, v.Questions,
			rateText(v.Clarification), rateText(v.Success), rateText(v.FollowUp), v.Clarifications)
	}
	for _, t := range r.Trials {
		fmt.Fprintf(w, "  prompt %s, v%s menos v%s: repregunta %s · tras la repregunta contesta %s\n", t.Prompt, t.B, t.A, points(t.Clarification), points(t.FollowUp))
	}
	for _, t := range r.Unanswered {
		fmt.Fprintf(w, "  sin respuesta (%d): %s\n", t.Count, terminal.Clean(t.Topic))
	}
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
