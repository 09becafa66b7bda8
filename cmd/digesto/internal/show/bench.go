package show

import (
	"fmt"
	"text/tabwriter"

	speed "digesto/bench"
	"digesto/cmd/digesto/internal/terminal"
)

// Load prints how a server did under load.
func Load(w terminal.Screen, r speed.LoadReport) {
	with := "sin modelo"
	if r.Stub {
		with = fmt.Sprintf("con un modelo que contesta al instante (%d llamadas)", r.Model)
	}
	fmt.Fprintf(w, "%d normas instaladas, %s, %d CPU\n", r.Norms, with, r.CPUs)
	row := func(name string, q speed.Quantiles) {
		fmt.Fprintf(w, "  %-22s p50 %.1f ms · p95 %.1f ms · p99 %.1f ms\n", name, q.P50, q.P95, q.P99)
	}
	row("de una en una", r.Alone)
	row(fmt.Sprintf("%d a la vez", r.Clients), r.Together)
	row("procesador de cada una", r.Processor)
	how := "lo encontrado se guarda para la siguiente vez"
	if r.Anew {
		how = "cada vez se busca de nuevo"
	}
	fmt.Fprintf(w, "  %d preguntas distintas: %s\n", r.Questions, how)
	fmt.Fprintf(w, "  %d preguntas, %d errores, %.0f por segundo, %.2f ms de procesador cada una\n", r.Requests, r.Errors, r.PerSecond, r.CPU)
	fmt.Fprintf(w, "  memoria en uso: %.1f MB tras la primera décima parte, %.1f MB a la mitad, %.1f MB al final\n", mb(r.Heap[0]), mb(r.Heap[4]), mb(r.Heap[9]))
	fmt.Fprintf(w, "  memoria residente: %.0f MB antes, %.0f MB a la mitad, %.0f MB al final (máximo %.0f MB)\n", float64(r.RSS[0])/1e6, float64(r.RSS[5])/1e6, float64(r.RSS[10])/1e6, float64(r.PeakRSS)/1e6)
	fmt.Fprintf(w, "  gorrutinas: %d antes, %d a la mitad, %d al final con las conexiones abiertas, %d cerradas estas\n", r.Goroutines[0], r.Running[5], r.Running[10], r.Goroutines[1])
}

func mb(n uint64) float64 { return float64(n) / 1e6 }

// Scale prints the embedded index and a server's side by side.
func Scale(to terminal.Screen, r speed.ScaleReport) error {
	fmt.Fprintf(to, "%d documentos, %d preguntas de cada forma, %d procesadores\n", r.Documents, r.Questions, r.CPUs)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "dónde\tfiltro\tconstruir s\tdisco MB\tmemoria MB\tp50 ms\tp95 ms\tp99 ms\t")
	for _, r := range r.Rows {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t\n", r.Where, map[bool]string{false: "no", true: "rango"}[r.Filter], r.Build, float64(r.Disk)/1e6, float64(r.RSS)/1e6, r.P50, r.P95, r.P99)
	}
	return w.Flush()
}

// Size prints what each size costs.
func Size(to terminal.Screen, rows []speed.SizeRow) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "artículos\ttextos MB\tinstalar s\tmemoria MB\tbiblioteca MB\tíndice MB\tbuscar p50 ms\tp95\tp99\tresponder p50 ms\tp95\tmemoria MB\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t%.0f\t\n", r.Articles, float64(r.Source)/1e6, r.Install, float64(r.InstallRSS)/1e6,
			float64(r.Library)/1e6, float64(r.Index)/1e6, r.Search.P50, r.Search.P95, r.Search.P99, r.Answer.P50, r.Answer.P95, float64(r.ServeRSS)/1e6)
	}
	return w.Flush()
}
