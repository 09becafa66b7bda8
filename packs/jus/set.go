package jus

import (
	"bytes"
	"strings"

	"digesto"
)

// Set gives the table of values with one more row, to be stored in place of the
// old one. The new table passes the same rules as any other: one value a date, a
// positive amount, a source. The table in use is not touched.
func (c *Calc) Set(date digesto.Date, amount, source string) ([]byte, error) {
	d, err := ParseNumber(amount, maxValueDigits)
	if err != nil {
		return nil, err
	}
	source = strings.Join(strings.Fields(source), " ")
	if source == "" {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta la fuente del valor.", Hint: "Use --source con el acuerdo o la página que lo publica."}
	}
	if !validDate(date) {
		return nil, invalid("Escriba la fecha como AAAA-MM-DD.", "«%s» no es una fecha", date)
	}
	out := append(bytes.TrimRight(bytes.Clone(c.raw), "\n"), '\n')
	out = append(out, string(date)+"\t"+d.Pad(2).String()+"\t"+source+"\t\tValor agregado por el usuario.\n"...)
	if _, err := New(Options{Values: out}); err != nil {
		return nil, err
	}
	return out, nil
}
