package laboral

import (
	"strconv"
	"time"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/text"
)

// The places that a settlement rests on.
var (
	payRule = Source{Norm: "BOE-A-2015-11430", Unit: "a29", Place: "artículo 29.1 del Estatuto de los Trabajadores",
		about: "liquidación y pago del salario puntual y documentalmente períodos mensuales"}
	bonusRule = Source{Norm: "BOE-A-2015-11430", Unit: "a31", Place: "artículo 31 del Estatuto de los Trabajadores",
		Text: "Pagas extraordinarias: dos al año, una en Navidad; pueden prorratearse en las doce mensualidades si lo dice el convenio (artículo 31 del Estatuto de los Trabajadores).",
		row:  "tpagas", core: "Dos gratificaciones.", about: "dos gratificaciones extraordinarias al año"}
	settleRule = Source{Norm: "BOE-A-2015-11430", Unit: "a49", Place: "artículo 49.2 del Estatuto de los Trabajadores",
		Text: "Finiquito: al extinguirse el contrato la empresa acompaña una propuesta del documento de liquidación de lo que debe (artículo 49.2 del Estatuto de los Trabajadores).",
		row:  "tfiniquito", about: "propuesta del documento de liquidación de las cantidades adeudadas"}
)

// sums adds up the lines of a settlement, low and high apart.
type sums struct{ low, high decimal.Decimal }

func (s *sums) add(low, high decimal.Decimal) error {
	var e1, e2 error
	s.low, e1 = s.low.Add(low)
	s.high, e2 = s.high.Add(high)
	return first(e1, e2)
}

// settlement gives what is owed at the end: salary, extra pays and holidays, and
// the compensation of the kind of end when it is named.
func (c *Calc) settlement(in *input) (Result, error) {
	r := newResult(FnSettlement, in.args["tipo"], "EUR")
	from, to, err := in.service()
	if err != nil {
		return r, err
	}
	p, err := in.salary()
	if err != nil {
		return r, err
	}
	r.Steps = append(r.Steps, p.step)
	if !p.known() || p.payments == 0 {
		r.unknown("cuántas pagas al año", "Con 12 pagas las extraordinarias van prorrateadas y no se deben aparte; con 14 se debe lo ganado de cada una. Dígalo con «pagas».")
	}
	sum := sums{decimal.Zero, decimal.Zero}
	for _, part := range []func(*Result, *input, time.Time, time.Time, pay, *sums) error{pendingPay, extraPays, unusedHolidays} {
		if err := part(&r, in, from, to, p, &sum); err != nil {
			return r, err
		}
	}
	if err := c.compensation(&r, in, from, to, p, &sum); err != nil {
		return r, err
	}
	r.between(sum.low, sum.high)
	r.source(settleRule)
	direct := r.direct
	r.direct = nil
	r.say("Finiquito al " + text.LongDay(to.AddDate(0, 0, -1)) + ": " + span(sum.low, sum.high) + " brutos.")
	for _, x := range r.Parts {
		r.say("- " + x.Name + ": " + span(decimal.MustParse(*x.Low), decimal.MustParse(*x.High)) + " (" + x.Place + ")")
	}
	r.direct = append(r.direct, direct...)
	r.warn("Son cantidades brutas, antes de cotización e impuestos. El convenio puede mejorar cada una.")
	return r, nil
}

// payments gives the pays a year to count with, at the low and the high end.
func (p pay) counts() (low, high int) {
	if p.payments > 0 {
		return p.payments, p.payments
	}
	return 12, 14
}

// pendingPay is the salary of the days of the last month not yet paid, in
// thirtieths; a whole month is a whole pay.
func pendingPay(r *Result, in *input, from, to time.Time, p pay, sum *sums) error {
	last := to.AddDate(0, 0, -1)
	start, said, err := in.day("pendiente")
	if err != nil {
		return err
	}
	if !said {
		start = date(last.Year(), int(last.Month()), 1)
		if start.Before(from) {
			start = from
		}
		r.unknown("desde qué día se debe el salario", "Se cuenta desde el día 1 del último mes; si es otro, dígalo con «pendiente».")
	}
	if start.Before(from) || start.After(to) {
		return invalid("Revise «pendiente».", "El salario pendiente (%s) no está dentro del contrato", iso(start))
	}
	whole, _ := monthsIn(start, to)
	days := min(30, daysIn(addMonths(start, whole), to))
	thirtieths := int64(30*whole + days)
	n1, n2 := p.counts()
	low, high, err := ofMonth(p, n1, n2, thirtieths)
	if err != nil {
		return err
	}
	sentence := "Salario pendiente desde el " + text.LongDay(start) + ": " + plural(whole, "mes", "meses") + " y " + plural(days, "día", "días") + " de 30"
	r.step(sentence, low, "EUR", payRule.Place)
	r.part("Salario pendiente", "EUR", low, high, payRule.Place)
	r.source(payRule)
	return sum.add(low, high)
}

// ofMonth gives thirtieths of a monthly pay. A monthly salary is the same
// whatever the number of pays: the yearly one differs.
func ofMonth(p pay, low, high int, thirtieths int64) (a, b decimal.Decimal, err error) {
	if a, err = share(p.low, thirtieths, int64(30*low)); err != nil {
		return
	}
	b, err = share(p.high, thirtieths, int64(30*high))
	if b.Cmp(a) < 0 {
		a, b = b, a
	}
	return
}

// bonus is one extra pay: the window in which it is earned up to a day.
type bonus struct {
	name     string
	from, to time.Time // last day excluded
}

// bonuses gives the windows that the last day of work lies in.
func bonuses(last time.Time, half bool) []bonus {
	y := last.Year()
	if half {
		if last.Month() <= time.June {
			return []bonus{{"Paga de verano", date(y, 1, 1), date(y, 7, 1)}}
		}
		return []bonus{{"Paga de Navidad", date(y, 7, 1), date(y+1, 1, 1)}}
	}
	s := date(y, 7, 1)
	if last.Before(s) {
		s = date(y-1, 7, 1)
	}
	return []bonus{{"Paga de verano", s, date(s.Year()+1, 7, 1)}, {"Paga de Navidad", date(y, 1, 1), date(y+1, 1, 1)}}
}

// extraPays is what is earned of the two extra pays: by years or by half-years,
// and both when it is not known which.
func extraPays(r *Result, in *input, from, to time.Time, p pay, sum *sums) error {
	low, high := p.counts()
	if high == 12 {
		r.note("Pagas extraordinarias prorrateadas: nada pendiente", bonusRule.Place)
		return nil
	}
	if high != 14 {
		r.unknown("cuándo se gana cada paga de más de dos", "El convenio lo fija; aquí se cuentan las dos de la ley.")
	}
	how := in.args["devengo"]
	if how != "" && how != "anual" && how != "semestral" {
		return invalid("Escriba anual o semestral.", "«%s» no vale para devengo", how)
	}
	var ends []decimal.Decimal
	for _, half := range []bool{false, true} {
		if how == "anual" && half || how == "semestral" && !half {
			continue
		}
		v, err := bonusSum(r, from, to, p, high, half)
		if err != nil {
			return err
		}
		ends = append(ends, v)
	}
	if how == "" {
		r.unknown("si las pagas se ganan por años o por semestres", "Lo dice el convenio; dígalo con «devengo».")
	}
	a, b := ends[0], ends[len(ends)-1]
	if b.Cmp(a) < 0 {
		a, b = b, a
	}
	if low == 12 {
		a = decimal.Zero.Pad(2)
	}
	r.part("Pagas extraordinarias", "EUR", a, b, bonusRule.Place)
	r.source(bonusRule)
	return sum.add(a, b)
}

func bonusSum(r *Result, from, to time.Time, p pay, payments int, half bool) (decimal.Decimal, error) {
	total := decimal.Zero.Pad(2)
	for _, b := range bonuses(to.AddDate(0, 0, -1), half) {
		start := b.from
		if start.Before(from) {
			start = from
		}
		days, of := daysIn(start, to), daysIn(b.from, b.to)
		v, err := share(p.high, int64(days), int64(payments*of))
		if err != nil {
			return total, err
		}
		r.step(b.name+", ganada "+map[bool]string{true: "por semestre", false: "por año"}[half]+": "+strconv.Itoa(days)+" / "+strconv.Itoa(of)+" de una paga", v, "EUR", bonusRule.Place)
		if total, err = total.Add(v); err != nil {
			return total, err
		}
	}
	return total, nil
}

// unusedHolidays is the pay for the holidays of the last year not taken.
func unusedHolidays(r *Result, in *input, from, to time.Time, p pay, sum *sums) error {
	days, said, err := in.whole("dias", "los días de vacaciones al año", 22, 60)
	if err != nil {
		return err
	}
	if !said {
		days = legalHolidays
	}
	taken, told, err := in.hundredths("disfrutadas", "los días ya disfrutados", 366)
	if err != nil {
		return err
	}
	last := to.AddDate(0, 0, -1)
	start := date(last.Year(), 1, 1)
	if start.Before(from) {
		start = from
	}
	of := int64(yearDays(last.Year()))
	num := 100*int64(days*daysIn(start, to)) - taken*of // hundredths of a day × days of the year
	if !told {
		r.unknown("los días de vacaciones ya disfrutados este año", "Se cuenta que ninguno; dígalos con «disfrutadas».")
	}
	if num <= 0 {
		r.note("Vacaciones: no queda ninguna por disfrutar", holidayRule.Place)
		if num < 0 {
			r.warn("Se han disfrutado más vacaciones de las ganadas: la empresa puede querer descontarlas.")
		}
		return nil
	}
	r.step("Vacaciones no disfrutadas de "+strconv.Itoa(last.Year()), ratio(num, 100*of), "días", holidayRule.Place)
	low, high, err := both(p, num, 100*of*365, func(v decimal.Decimal) {
		r.step("Salario anual / 365 × esos días", v, "EUR", holidayRule.Place)
	})
	if err != nil {
		return err
	}
	r.part("Vacaciones no disfrutadas", "EUR", low, high, holidayRule.Place)
	r.source(holidayRule)
	return sum.add(low, high)
}

// compensation adds that of the kind of end, when one is named.
func (c *Calc) compensation(r *Result, in *input, from, to time.Time, p pay, sum *sums) error {
	kind := in.args["tipo"]
	switch kind {
	case "":
		r.unknown("cómo acaba el contrato", "No se ha sumado ninguna indemnización; dígalo con «tipo» (improcedente, objetivo, temporal, baja…).")
		return nil
	case "baja", "dimision":
		r.note("La dimisión no da indemnización", "artículo 49.1.d) del Estatuto de los Trabajadores")
		return nil
	}
	rule, err := c.ruleOf(kind)
	if err != nil {
		return err
	}
	one := newResult(FnSeverance, kind, "EUR")
	if err := c.severanceInto(&one, rule, from, to, p); err != nil {
		return err
	}
	low, high := decimal.MustParse(*one.Low), decimal.MustParse(*one.High)
	r.Steps = append(r.Steps, append([]digesto.Step(nil), one.Steps[1:]...)...)
	r.part("Indemnización", "EUR", low, high, rule.place)
	r.source(one.Sources...)
	for _, w := range one.Warnings {
		r.warn(w)
	}
	return sum.add(low, high)
}
