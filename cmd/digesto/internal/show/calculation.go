package show

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/packs/jus"
	"digesto/packs/laboral"
)

// Fees prints a calculation of fees.
func Fees(w terminal.Screen, r jus.Result) {
	w.Lines(r.Text(), 0)
	proof(w, r)
}

// FeesCompared prints a comparison of fees.
func FeesCompared(w terminal.Screen, c jus.Comparison) {
	fmt.Fprintln(w, terminal.Clean(c.Text()))
	proof(w, c.Result)
}

// proof prints the steps of a calculation of fees and what it stands on.
func proof(w terminal.Screen, r jus.Result) {
	steps(w, r.Steps)
	if len(r.Sources) > 0 {
		fmt.Fprintln(w, "\n"+w.Bold("Fuentes"))
	}
	for _, s := range r.Sources {
		w.Lines(s.Text, 2)
	}
}

// FeeServices lists services with their code and quantity.
func FeeServices(w terminal.Screen, rows []FeeService) {
	for _, r := range rows {
		fmt.Fprintf(w, "%s  %s  %s\n", w.Bold(fmt.Sprintf("%-34s", r.Code)), quantityOf(r), terminal.Clean(r.Name))
	}
}

// Labor prints a calculation of labour law.
func Labor(w terminal.Screen, r laboral.Result) {
	w.Lines(r.Text(), 0)
	steps(w, r.Steps)
	if len(r.Sources) > 0 {
		fmt.Fprintln(w, "\n"+w.Bold("Se apoya en"))
	}
	for _, s := range r.Sources {
		w.Lines(s.Place, 2)
	}
}

// FeeService is a service of which fees are asked, or a group of cases of one.
type FeeService struct {
	Code     string  `json:"code"`
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Min      *string `json:"min"`
	Max      *string `json:"max"`
	Per      string  `json:"per,omitempty"`
	Percent  string  `json:"percent,omitempty"`
	Of       string  `json:"of,omitempty"`
	Place    string  `json:"place"`
	Since    string  `json:"since,omitempty"`
	Question string  `json:"question,omitempty"`
}

// quantityOf writes the quantity of a service in a few words.
func quantityOf(r FeeService) string {
	var s string
	switch {
	case r.Kind == "cases":
		s = "según el caso"
	case r.Min != nil && r.Max != nil && *r.Min != *r.Max:
		s = *r.Min + " a " + *r.Max + " JUS"
	case r.Kind == "minimum" && r.Min != nil:
		s = "desde " + *r.Min + " JUS"
	case r.Min != nil:
		s = *r.Min + " JUS"
	}
	if r.Percent != "" {
		s = strings.TrimPrefix(s+", "+r.Percent+" %", ", ")
	}
	if r.Per != "" {
		s += " por " + r.Per
	}
	return s
}

// steps prints the steps of a calculation, each with its place in the law.
func steps(w terminal.Screen, steps []digesto.Step) {
	if len(steps) > 0 {
		fmt.Fprintln(w, "\n"+w.Bold("Cálculo"))
	}
	for _, s := range steps {
		fmt.Fprintln(w, terminal.Indent(stepLine(s), w.Columns(), 2))
	}
}
