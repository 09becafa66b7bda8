package fees

import (
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// Conversion says what to convert: exactly one of Jus and Pesos.
type Conversion struct {
	Jus   string // "30", "2,5", "2.5"
	Pesos string // "1000000", "1000000,50"
	When  Period
}

// ParseNumber reads a number of the command line: digits with one decimal
// point or comma at most. It does not guess thousands separators: "1.000" with
// exactly three decimals and a point is refused rather than misread.
func ParseNumber(s string, digits int) (decimal.Decimal, error) {
	t := strings.TrimSpace(s)
	if strings.Count(t, ".")+strings.Count(t, ",") > 1 {
		return decimal.Decimal{}, Invalid("Escriba el número sin separador de miles: 1000000 o 1000000,50.", "«%s» no es un número", s)
	}
	if i := strings.IndexAny(t, ".,"); i > 0 && len(t)-i-1 == 3 && t[0] != '0' {
		return decimal.Decimal{}, Invalid("Escriba 1000 (sin separador de miles) o 1,0 (con otro número de decimales).",
			"«%s» puede ser mil o uno con tres decimales", s)
	}
	d, err := decimal.Parse(strings.Replace(t, ",", ".", 1))
	if err != nil || strings.ContainsAny(t, "eE+") {
		return decimal.Decimal{}, Invalid("Escriba el número con cifras: 30, 2,5 o 1000000.", "«%s» no es un número", s)
	}
	return checkNumber(d, s, digits)
}

func checkNumber(d decimal.Decimal, shown string, digits int) (decimal.Decimal, error) {
	if !d.IsPos() {
		return d, Invalid("Escriba una cantidad mayor que cero.", "«%s» no es una cantidad mayor que cero", shown)
	}
	if d.Trim(0).Prec() > digits || d.Trim(0).Scale() > 6 {
		return d, Invalid("Use una cantidad con menos cifras.", "«%s» tiene demasiadas cifras: como mucho %d, y 6 decimales", shown, digits)
	}
	return d.Trim(0), nil
}

// Convert turns JUS into pesos or pesos into JUS with the value in force on a
// day; over a month or year it gives both ends and chooses none.
func (c *Tables) Convert(q Conversion, today digesto.Date) (Result, error) {
	if (q.Jus == "") == (q.Pesos == "") {
		return Result{}, &digesto.Error{Code: digesto.CodeUsage, Message: "Hay que dar exactamente una cantidad: JUS o pesos.", Hint: "Use --jus N o --pesos N."}
	}
	var amount decimal.Decimal
	var err error
	if q.Jus != "" {
		amount, err = ParseNumber(q.Jus, maxJusDigits)
	} else {
		amount, err = ParseNumber(q.Pesos, maxPesosDigits)
	}
	if err != nil {
		return Result{}, err
	}
	return c.convert(amount, q.Jus != "", q.When, today)
}

func (c *Tables) convert(amount decimal.Decimal, fromJus bool, when Period, today digesto.Date) (Result, error) {
	unit := "JUS"
	if fromJus {
		unit = "ARS"
	}
	r := newResult(unit)
	r.rule(Service{}, unitPlace)
	r.rule(Service{}, payPlace)
	if when.IsDay() {
		v := c.at(when.From, today)
		if !v.ok {
			r.say(v.refusal, "Sin ese valor no se puede convertir "+Give(amount, fromJus)+".")
			return r, nil
		}
		out, err := r.convertAt(amount, fromJus, when.From, v)
		if err != nil {
			return r, err
		}
		r.ok, r.stale = true, v.stale
		r.Warn(v.warnings...)
		r.Result, r.Low, r.High = money(out), money(out), money(out)
		r.ValueDate, r.JusValue = dateOf(v.Date), money(v.Amount)
		r.say(Give(amount, fromJus) + " equivalen a " + get(out, fromJus) + ".")
		return r, nil
	}
	return c.convertOver(r, amount, fromJus, when, today)
}

func (c *Tables) convertOver(r Result, amount decimal.Decimal, fromJus bool, when Period, today digesto.Date) (Result, error) {
	r.Kind = "period"
	from, to, fd, td, note := c.ends(when, today)
	if !to.ok {
		r.say(to.refusal, "Sin ese valor no se puede convertir "+Give(amount, fromJus)+".")
		return r, nil
	}
	a, err := r.convertAt(amount, fromJus, fd, from)
	if err != nil {
		return r, err
	}
	b, err := r.convertAt(amount, fromJus, td, to)
	if err != nil {
		return r, err
	}
	r.ok = true
	r.Warn(note)
	r.Warn(append(from.warnings, to.warnings...)...)
	r.From, r.To, r.Changes = point(fd, from), point(td, to), c.changes(fd, td)
	r.From.Result, r.To.Result = money(a), money(b)
	if c.constant(from, to) {
		r.Result, r.ValueDate, r.JusValue = money(b), dateOf(to.Date), money(to.Amount)
		r.Low, r.High = money(b), money(b)
		r.say("En " + when.Name + ", " + Give(amount, fromJus) + " equivalían a " + get(b, fromJus) + ": el valor no cambió en el período.")
		return r, nil
	}
	low, high := a, b
	if low.Cmp(high) > 0 {
		low, high = high, low
	}
	r.Low, r.High = money(low), money(high)
	if when.Name == "" { // two days are asked about
		diff, pct, err := r.movement(a, b)
		if err != nil {
			return r, err
		}
		r.Result = money(diff)
		r.say(Give(amount, fromJus) + ": " + get(a, fromJus) + " al " + LongDate(fd) + " y " + get(b, fromJus) + " al " + LongDate(td) + ". " + OnlyIf(fromJus, "Diferencia: "+moved(diff, pct)+"."))
		return r, nil
	}
	r.say("En " + when.Name + ", " + Give(amount, fromJus) + " equivalían a " + get(a, fromJus) + " con el valor " + from.known() + " al " + LongDate(fd) +
		" y a " + get(b, fromJus) + " con el " + to.known() + " al " + LongDate(td) + ". Diga el día para tener una sola cifra.")
	return r, nil
}

// convertAt calculates with one value and writes the step.
func (r *Result) convertAt(amount decimal.Decimal, fromJus bool, d digesto.Date, v inForce) (decimal.Decimal, error) {
	r.value(v.Value)
	r.step(v.on(d), v.Amount, "ARS", v.unit())
	if fromJus {
		exact, out, err := product(amount, v.Amount)
		if err != nil {
			return out, err
		}
		r.step(Local(amount)+" JUS × "+Local(v.Amount)+" = "+Local(exact)+", redondeado al centavo", out, "ARS", v.unit())
		return out, nil
	}
	shown, out, err := quotient(amount, v.Amount)
	if err != nil {
		return out, err
	}
	r.step(Local(amount)+" ÷ "+Local(v.Amount)+" = "+Local(shown)+", redondeado a dos decimales", out, "JUS", v.unit())
	return out, nil
}

func Give(amount decimal.Decimal, jus bool) string {
	if jus {
		return Jus(amount)
	}
	return Pesos(amount)
}

func get(out decimal.Decimal, fromJus bool) string {
	if fromJus {
		return Pesos(out)
	}
	return Local(out.Pad(2)) + " JUS"
}

// mustParse reads a decimal that this package wrote itself.
func mustParse(s string) decimal.Decimal { return decimal.MustParse(s) }
