package laboral

import (
	"context"
	"errors"

	"digesto"
	"digesto/pack"
)

// Tool is the calculator as the engine, the assistant and MCP see it.
type Tool struct{ calc *Calc }

// Name is "laboral".
func (t *Tool) Name() string { return "laboral" }

// Calc gives the tables behind the tool.
func (t *Tool) Calc() *Calc { return t.calc }

// Calculate does one of the functions. A call read from a question that lacks a
// datum asks for it; one from a command or a program gets an error.
func (t *Tool) Calculate(_ context.Context, call pack.ToolCall) (pack.ToolResult, error) {
	r, err := t.calc.Do(call.Function, call.Args, call.Today)
	if err != nil {
		if e := (*digesto.Error)(nil); errors.As(err, &e) && call.Question != "" && e.Code == digesto.CodeInvalid {
			return pack.ToolResult{Outcome: digesto.OutcomeClarification, Text: e.Message + ". " + ask(call.Function), Missing: []string{e.Message}, Steps: []digesto.Step{}}, nil
		}
		return pack.ToolResult{}, err
	}
	return r.tool(), nil
}

// ask says what a calculation needs.
func ask(function string) string {
	switch function {
	case FnSeverance:
		return "Diga desde cuándo trabaja, el último día, el salario bruto y cuántas pagas al año, y qué despido es: «Entré el 1 de marzo de 2015, me despiden el 30 de junio de 2026, gano 1.800 euros al mes en 14 pagas»."
	case FnSettlement:
		return "Diga la fecha de entrada, el último día, el salario bruto, cuántas pagas al año y las vacaciones ya disfrutadas."
	case FnDeadline:
		return "Diga el día desde el que se cuenta, por ejemplo la fecha del despido."
	case FnHolidays:
		return "Diga desde qué día y hasta qué día ha trabajado."
	case FnBenefit:
		return "Diga cuántos días ha cotizado en los últimos seis años."
	}
	return "Diga de qué fecha."
}

// tool gives the result in the engine's form: the article first, our row of it
// after.
func (r *Result) tool() pack.ToolResult {
	out := pack.ToolResult{Outcome: digesto.OutcomeAnswer, Text: r.Text(), Steps: r.Steps, Data: r}
	for _, s := range r.Sources {
		out.Sources = append(out.Sources, pack.ToolSource{Norm: s.Norm, Unit: s.Unit, About: s.about})
	}
	for _, s := range r.Sources {
		if s.row != "" && s.Text != "" {
			out.Sources = append(out.Sources, pack.ToolSource{Norm: RowsNorm, Unit: s.row, Quote: s.Text})
		}
	}
	for _, u := range r.Unknown {
		out.Missing = append(out.Missing, u.Name)
	}
	return out
}
