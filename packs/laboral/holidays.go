package laboral

import (
	"strconv"
	"time"

	"digesto/text"

	"github.com/govalues/decimal"
)

// legalHolidays is the least number of days of holiday a year.
const legalHolidays = 30

var holidayRule = Source{Norm: "BOE-A-2015-11430", Unit: "a38", Place: "artículo 38.1 del Estatuto de los Trabajadores",
	Text: "Vacaciones: como mínimo 30 días naturales por año trabajado, en proporción al tiempo de servicio (artículo 38.1 del Estatuto de los Trabajadores).",
	row:  "tvacaciones", core: "30 días naturales.", about: "periodo de vacaciones anuales retribuidas duración inferior a treinta días naturales"}

// accrual is holidays earned as a sum of fractions, one a calendar year.
type accrual struct {
	year, days, of int // days worked of the days of that year
}

// accrued splits [from, to) by calendar years.
func accrued(from, to time.Time) []accrual {
	var out []accrual
	for from.Before(to) {
		next := date(from.Year()+1, 1, 1)
		end := to
		if next.Before(to) {
			end = next
		}
		out = append(out, accrual{from.Year(), daysIn(from, end), yearDays(from.Year())})
		from = end
	}
	return out
}

func (c *Calc) holidays(in *input) (Result, error) {
	r := newResult(FnHolidays, "", "días")
	from, to, err := in.service()
	if err != nil {
		return r, err
	}
	days, said, err := in.whole("dias", "los días de vacaciones al año", 22, 60)
	if err != nil {
		return r, err
	}
	if !said {
		days = legalHolidays
		r.unknown("los días de vacaciones del convenio o del contrato", "Se cuentan los 30 naturales que la ley pone como mínimo; si son más, dígalo con «dias».")
	}
	taken, _, err := in.hundredths("disfrutadas", "los días ya disfrutados", 3660)
	if err != nil {
		return r, err
	}
	total := decimal.Zero
	for _, a := range accrued(from, to) {
		v := ratio(int64(days*a.days), int64(a.of))
		r.step(strconv.Itoa(a.year)+": "+strconv.Itoa(days)+" × "+strconv.Itoa(a.days)+" / "+strconv.Itoa(a.of), v, "días", holidayRule.Place)
		if total, err = total.Add(v); err != nil {
			return r, err
		}
	}
	left, err := total.Sub(decimal.MustNew(taken, 2))
	if err != nil {
		return r, err
	}
	sentence := "Le corresponden " + number(total) + " días de vacaciones por el tiempo del " + text.LongDay(from) + " al " + text.LongDay(to.AddDate(0, 0, -1))
	if taken > 0 {
		r.step("Menos los disfrutados: "+number(decimal.MustNew(taken, 2)), left, "días", holidayRule.Place)
		sentence += "; descontados los disfrutados, quedan " + number(left)
	}
	r.between(left, left)
	r.source(holidayRule)
	r.say(sentence + ".")
	if left.IsNeg() {
		r.warn("Se han disfrutado más días de los ganados hasta esa fecha.")
	}
	r.warn("Las vacaciones se fijan de común acuerdo y no se cambian por dinero mientras dura el contrato.")
	return r, nil
}
