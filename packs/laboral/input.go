package laboral

import (
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/text"
	"digesto/text/figure"
)

// input reads the data of a calculation.
type input struct {
	args  map[string]string
	today digesto.Date
}

func (in *input) has(key string) bool { return strings.TrimSpace(in.args[key]) != "" }

// day reads a date; ok is false when it is not given.
func (in *input) day(key string) (t time.Time, ok bool, err error) {
	s := strings.TrimSpace(in.args[key])
	if s == "" {
		return t, false, nil
	}
	t, err = parseDay(s)
	return t, err == nil, err
}

// need reads a date that must be there.
func (in *input) need(key, what string) (time.Time, error) {
	t, ok, err := in.day(key)
	if err == nil && !ok {
		err = invalid("Diga «"+key+"» como AAAA-MM-DD.", "Falta %s", what)
	}
	return t, err
}

// parseDay reads a day of the calendar between 1950 and 2100.
func parseDay(s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1950 || t.Year() > 2100 {
		return t, invalid("Escriba la fecha como AAAA-MM-DD, entre 1950 y 2100.", "La fecha «%s» no es válida", s)
	}
	return t, nil
}

// days reads a list of dates.
func (in *input) days(key string) (map[time.Time]bool, error) {
	out := map[time.Time]bool{}
	for _, s := range strings.FieldsFunc(in.args[key], func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		t, err := parseDay(s)
		if err != nil {
			return nil, err
		}
		out[t] = true
	}
	return out, nil
}

// maxMoney bounds an amount: with it every product below stays exact.
var maxMoney = decimal.MustParse("99999999.99")

// money reads an amount in euros, written in Spanish or with a decimal point.
func (in *input) money(key, what string) (d decimal.Decimal, ok bool, err error) {
	s := strings.TrimSpace(in.args[key])
	if s == "" {
		return d, false, nil
	}
	v, read := figure.Parse(strings.TrimSpace(strings.TrimSuffix(s, "€")), figure.LocaleOf("es-ES"))
	if read {
		d, err = decimal.Parse(v)
	}
	if !read || err != nil || !d.IsPos() || d.Cmp(maxMoney) > 0 || d.Trim(0).Scale() > 2 {
		return d, false, invalid("Escriba un importe en euros, mayor que cero y con dos decimales como mucho: 1800 o 1.800,50.", "«%s» no vale para %s", s, what)
	}
	return d.Trim(0), true, nil
}

// whole reads a whole number between two bounds; ok is false when it is not given.
func (in *input) whole(key, what string, low, high int) (n int, ok bool, err error) {
	s := strings.TrimSpace(in.args[key])
	if s == "" {
		return 0, false, nil
	}
	n, err = strconv.Atoi(s)
	if err != nil || n < low || n > high {
		return 0, false, invalid("Escriba un número entero entre "+strconv.Itoa(low)+" y "+strconv.Itoa(high)+".", "«%s» no vale para %s", s, what)
	}
	return n, true, nil
}

// hundredths reads a number of days with at most two decimals, in hundredths.
func (in *input) hundredths(key, what string, most int) (n int64, ok bool, err error) {
	s := strings.TrimSpace(in.args[key])
	if s == "" {
		return 0, false, nil
	}
	v, read := figure.Parse(s, figure.LocaleOf("es-ES"))
	var d decimal.Decimal
	if read {
		d, err = decimal.Parse(v)
	}
	if !read || err != nil || d.IsNeg() || d.Trim(0).Scale() > 2 || d.Cmp(decimal.MustNew(int64(most), 0)) > 0 {
		return 0, false, invalid("Escriba un número de días entre 0 y "+strconv.Itoa(most)+", con dos decimales como mucho.", "«%s» no vale para %s", s, what)
	}
	whole, frac, _ := d.Int64(2)
	return whole*100 + frac, true, nil
}

// yes reads sí or no; ok is false when it is not given.
func (in *input) yes(key string) (yes, ok bool, err error) {
	switch text.Fold(strings.TrimSpace(in.args[key])) {
	case "":
		return false, false, nil
	case "si", "true", "1":
		return true, true, nil
	case "no", "false", "0":
		return false, true, nil
	}
	return false, false, invalid("Escriba si o no.", "«%s» no vale para %s", in.args[key], key)
}

// pay is a yearly salary, gross; low and high differ when it is not known how
// many payments a year there are.
type pay struct {
	low, high decimal.Decimal
	payments  int // 0 = not known
	step      digesto.Step
}

func (p pay) known() bool { return p.low.Cmp(p.high) == 0 }

// salary reads the yearly, monthly or daily salary. A monthly one without the
// number of payments counts from twelve to fourteen.
func (in *input) salary() (pay, error) {
	given := 0
	for _, k := range []string{"salario", "anual", "diario"} {
		if in.has(k) {
			given++
		}
	}
	if given != 1 {
		return pay{}, invalid("Diga solo uno: salario (al mes, bruto) con pagas, anual o diario.", "Falta el salario, o hay más de uno")
	}
	pagas, counted, err := in.whole("pagas", "las pagas al año", 12, 16)
	if err != nil {
		return pay{}, err
	}
	if d, ok, err := in.money("anual", "el salario anual"); err != nil || ok {
		return pay{d, d, pagas, digesto.Step{Text: "Salario anual bruto", Result: d.Pad(2).String(), Unit: "EUR"}}, err
	}
	if d, ok, err := in.money("diario", "el salario diario"); err != nil || ok {
		y, err2 := times(d, 365)
		return pay{y, y, pagas, digesto.Step{Text: "Salario anual: " + Euros(d) + " al día × 365", Result: y.Pad(2).String(), Unit: "EUR"}}, first(err, err2)
	}
	d, _, err := in.money("salario", "el salario mensual")
	if err != nil {
		return pay{}, err
	}
	lo, hi := 12, 14
	if counted {
		lo, hi = pagas, pagas
	}
	low, err1 := times(d, int64(lo))
	high, err2 := times(d, int64(hi))
	text := "Salario anual: " + Euros(d) + " × " + strconv.Itoa(lo) + " pagas"
	if lo != hi {
		text += "; con " + strconv.Itoa(hi) + " pagas, " + Euros(high)
	}
	return pay{low, high, pagas, digesto.Step{Text: text, Result: low.Pad(2).String(), Unit: "EUR"}}, first(err1, err2)
}

func first(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}
