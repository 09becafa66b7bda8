package show

import (
	"fmt"
	"strings"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/eval"
)

// PackReport prints how the cases of a pack went.
func PackReport(w terminal.Screen, p eval.PackReport) {
	fmt.Fprintln(w, w.Bold(p.Pack))
	for _, g := range p.Groups {
		name := string(g.Kind)
		if g.Category != "" {
			name = "  " + g.Category
		}
		fmt.Fprintf(w, "%-22s %4d  %.3f  [%.3f, %.3f]  p50 %.1f ms, p95 %.1f ms, %d llamadas\n", name, g.N, g.Score, g.CI.Low, g.CI.High, g.P50, g.P95, g.Calls)
		if g.Category == "" && len(g.Metrics) > 0 {
			fmt.Fprintln(w, "    "+g.Metrics.String())
		}
	}
	fmt.Fprintln(w, p.Line())
	if x := p.Compared; x != nil {
		fmt.Fprintf(w, "Frente a la referencia: %d casos comunes, %d nuevos, %d que ya no se ejecutan\n", x.Cases, x.New, x.Gone)
		if x.Other != "" {
			fmt.Fprintln(w, "  "+x.Other)
		}
		for _, d := range x.Kinds {
			note := ""
			if d.Is < d.Was {
				note = " · peor"
			}
			if d.Significant {
				note += " · significativo"
			}
			fmt.Fprintf(w, "  %-12s %.4f → %.4f (p = %.3f)%s\n", d.Kind, d.Was, d.Is, d.P, note)
		}
		if len(x.Worse) > 0 {
			fmt.Fprintln(w, "  peores:", strings.Join(x.Worse, " "))
		}
	}
}
