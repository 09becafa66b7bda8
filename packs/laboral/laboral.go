// Package laboral calculates what Spanish labour law and Social Security law
// count: severance, the settlement at the end of a contract, time limits,
// holidays earned and the length of the contributory unemployment benefit. It
// also keeps the figures that change by year.
//
// Its tables of facts (data/) name the article that each rule stands in. All
// arithmetic is in decimals and exact: a result is one fraction, rounded once,
// half away from zero. Where a datum that decides is missing, the result is a
// range and says which datum it is; nothing is chosen inside a range.
package laboral

import (
	_ "embed"
	"fmt"
	"slices"

	"digesto"
	"digesto/pack"
)

// The tables, as embedded.
var (
	//go:embed data/severance.tsv
	embeddedSeverance []byte
	//go:embed data/deadlines.tsv
	embeddedDeadlines []byte
	//go:embed data/figures.tsv
	embeddedFigures []byte
)

// The functions of the calculator, as commands and calls name them.
const (
	FnSeverance  = "despido"
	FnSettlement = "finiquito"
	FnDeadline   = "plazo"
	FnHolidays   = "vacaciones"
	FnBenefit    = "paro"
	FnFigures    = "cifras"
)

// Functions lists them in the order in which people see them.
func Functions() []string {
	return []string{FnSeverance, FnSettlement, FnDeadline, FnHolidays, FnBenefit, FnFigures}
}

// Calc holds the tables. It is read-only and safe for any number of goroutines.
type Calc struct {
	severance []severanceRule
	deadlines []deadlineRule
	figures   []Figure
}

// New reads the tables.
func New() (*Calc, error) {
	c := &Calc{}
	var err error
	if c.severance, err = readSeverance(embeddedSeverance); err != nil {
		return nil, err
	}
	if c.deadlines, err = readDeadlines(embeddedDeadlines); err != nil {
		return nil, err
	}
	c.figures, err = readFigures(embeddedFigures)
	return c, err
}

// Attach gives a pack its calculator and the rows of the tables as citable texts.
func Attach(p *pack.Pack) error {
	c, err := New()
	if err != nil {
		return err
	}
	p.Fiches = append(p.Fiches, c.Fiches()...)
	p.Tools = append(p.Tools, &Tool{calc: c})
	return nil
}

// Do runs a function by name. Arguments are text, as on the command line; one
// that the function does not know is an error, so that a misspelt datum is never
// left out in silence.
func (c *Calc) Do(function string, args map[string]string, today digesto.Date) (Result, error) {
	known, ok := arguments[function]
	if !ok {
		return Result{}, &digesto.Error{Code: digesto.CodeUsage, Message: "La función «" + function + "» no existe", Hint: "Las que hay: despido, finiquito, plazo, vacaciones, paro y cifras."}
	}
	for k := range args {
		if !slices.Contains(known, k) {
			return Result{}, invalid(fmt.Sprintf("Los de «%s» son: %s.", function, list(known)), "El dato «%s» no existe", k)
		}
	}
	in := &input{args: args, today: today}
	switch function {
	case FnSeverance:
		return c.severanceOf(in)
	case FnSettlement:
		return c.settlement(in)
	case FnDeadline:
		return c.deadline(in)
	case FnHolidays:
		return c.holidays(in)
	case FnBenefit:
		return c.benefit(in)
	}
	return c.figure(in)
}

// arguments are the names of the data of each function.
var arguments = map[string][]string{
	FnSeverance:  {"tipo", "desde", "hasta", "salario", "pagas", "anual", "diario"},
	FnSettlement: {"tipo", "desde", "hasta", "salario", "pagas", "anual", "diario", "pendiente", "devengo", "disfrutadas", "dias"},
	FnDeadline:   {"tipo", "desde", "festivos", "papeleta", "conciliacion", "agosto", "comision"},
	FnHolidays:   {"desde", "hasta", "dias", "disfrutadas"},
	FnBenefit:    {"cotizados", "base", "hijos", "iprem", "fecha"},
	FnFigures:    {"nombre", "fecha", "year"},
}

// Arguments gives the names of the data that a function takes.
func Arguments(function string) []string { return slices.Clone(arguments[function]) }

func list(names []string) string {
	s := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			s += " y "
		default:
			s += ", "
		}
		s += n
	}
	return s
}

func invalid(hint, format string, a ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, a...), Hint: hint}
}
