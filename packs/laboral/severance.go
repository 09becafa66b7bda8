package laboral

import (
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"

	"digesto/pack"
	"digesto/text"
)

// severanceRule is one row of data/severance.tsv.
type severanceRule struct {
	kind, name        string
	days, cap         int    // of salary a year; months of salary, 0 = no cap
	by                string // "mes", "día", "fija", "nada"
	norm, unit, place string
	words             []pack.Pattern
	scaled            bool // its days come from the scale of temporary contracts
}

func readSeverance(data []byte) ([]severanceRule, error) {
	rows, err := table("severance.tsv", data, "kind", "name", "days", "cap", "by", "norm", "unit", "place", "words")
	if err != nil {
		return nil, err
	}
	var out []severanceRule
	for _, r := range rows {
		x := severanceRule{kind: r["kind"], name: r["name"], by: r["by"], norm: r["norm"], unit: r["unit"], place: r["place"]}
		var e1, e2, e3 error
		x.days, e1 = strconv.Atoi(r["days"])
		x.cap, e2 = strconv.Atoi(r["cap"])
		x.words, e3 = patterns(r["words"])
		if first(e1, e2, e3) != nil || x.days < 0 || x.cap < 0 || x.days > 60 || x.cap > 60 || !strings.Contains(" mes día fija nada ", " "+x.by+" ") {
			return nil, bad("severance.tsv", r, "días, tope, prorrateo o palabras no válidos")
		}
		out = append(out, x)
	}
	return out, nil
}

// text is the row as a sentence: what a citation of it quotes.
func (s severanceRule) text() string {
	switch s.by {
	case "nada":
		return s.name + ": sin indemnización (" + s.place + ")."
	case "fija":
		return s.name + ": un mes de salario (" + s.place + ")."
	}
	t := s.name + ": " + strconv.Itoa(s.days) + " días de salario por año de servicio"
	if s.cap > 0 {
		t += ", con un máximo de " + strconv.Itoa(s.cap) + " mensualidades"
	}
	return t + " (" + s.place + ")."
}

// core is the rule's figures alone, as its article has them.
func (s severanceRule) core() string {
	switch {
	case s.by == "nada":
		return ""
	case s.by == "fija":
		return "Un mes de salario."
	case s.cap == 9: // written as months there
		return strconv.Itoa(s.days) + " días de salario por año."
	case s.cap > 0:
		return strconv.Itoa(s.days) + " días de salario por año, " + strconv.Itoa(s.cap) + " mensualidades."
	}
	return strconv.Itoa(s.days) + " días de salario por año."
}

func (s severanceRule) source() Source {
	if s.scaled {
		return scaleRule
	}
	about := strconv.Itoa(s.days) + " días de salario por año de servicio indemnización mensualidades"
	switch s.by {
	case "fija":
		about = "muerte jubilación incapacidad empresario cantidad equivalente a un mes de salario"
	case "nada":
		about = "despido procedente convalidará sin derecho a indemnización"
	}
	core := s.core()
	if s.kind == "voluntad" { // it sends to the rule of unfair dismissal
		core = ""
		about = "derecho a las indemnizaciones señaladas para el despido improcedente"
	}
	return Source{Norm: s.norm, Unit: s.unit, Place: s.place, Text: s.text(), row: "tindemnizacion-" + s.kind, core: core, about: about}
}

// The former rule of unfair dismissal and the scale of temporary contracts.
var (
	reform     = date(2012, 2, 12)
	formerRule = Source{Norm: "BOE-A-2015-11430", Unit: "dt11", Place: "disposición transitoria undécima del Estatuto de los Trabajadores",
		Text:  "Contratos anteriores al 12 de febrero de 2012: 45 días por año hasta ese día y 33 después, hasta 720 días; si lo anterior a la reforma ya los pasa, hasta 42 mensualidades (disposición transitoria undécima del Estatuto de los Trabajadores).",
		row:   "tindemnizacion-dos-periodos",
		core:  "Cuarenta y cinco días, treinta y tres días, setecientos veinte días, cuarenta y dos mensualidades.",
		about: "contratos formalizados con anterioridad 12 de febrero de 2012 cuarenta y cinco días de salario por año de servicio setecientos veinte días cuarenta y dos mensualidades"}
	scaleRule = Source{Norm: "BOE-A-2015-11430", Unit: "dt8", Place: "disposición transitoria octava del Estatuto de los Trabajadores",
		Text:  "Fin de contrato temporal: 8 días por año si el contrato es de 2011 o anterior, 9 si es de 2012, 10 de 2013, 11 de 2014 y 12 desde 2015 (disposición transitoria octava del Estatuto de los Trabajadores).",
		row:   "tindemnizacion-temporal-escala",
		core:  "Ocho, nueve, diez, once y doce días de salario.",
		about: "días de salario por cada año de servicio contratos temporales celebrados"}
)

// Severance is counted in twelfths of a day of salary: a month of salary is
// 365 / 12 days, that is 365 twelfths.
const (
	dayTwelfths   = 12
	monthTwelfths = 365
	yearTwelfths  = 365 * 12
)

// twelfths are days of salary in twelfths: what one month of service at n days a
// year gives is n of them, so all of severance is in whole numbers.
type twelfths int64

// earned is what a time of service gives, before and after the cap.
type earned struct {
	got, raw twelfths
	steps    []stepLine
	capped   string
	place    string // of the cap
}

type stepLine struct {
	text  string
	t     twelfths
	place string
}

// served counts months, a month begun as a whole one.
func served(from, to time.Time, begun bool) int {
	n, rest := monthsIn(from, to)
	if rest && begun {
		n++
	}
	return n
}

// twelfths applies a rule to the service from one day to another, last
// day excluded. begun says whether a month that has begun counts whole.
func (s severanceRule) twelfths(from, to time.Time, begun bool) earned {
	if s.days == 33 && s.cap == 24 && from.Before(reform) {
		return s.twoPeriods(from, to, begun)
	}
	n := served(from, to, begun)
	e := earned{raw: twelfths(n * s.days), place: s.place}
	e.steps = []stepLine{{plural(n, "mes", "meses") + " de servicio a " + strconv.Itoa(s.days) + " días por año", e.raw, s.place}}
	e.got = e.raw
	if most := twelfths(s.cap * monthTwelfths); s.cap > 0 && e.got > most {
		e.got, e.capped = most, "tope de "+strconv.Itoa(s.cap)+" mensualidades"
	}
	return e
}

// twoPeriods applies the rule for contracts from before the reform of 2012.
func (s severanceRule) twoPeriods(from, to time.Time, begun bool) earned {
	cut := reform
	if to.Before(cut) {
		cut = to
	}
	a := served(from, cut, begun)
	b := served(cut, to, begun)
	old, later := twelfths(45*a), twelfths(33*b)
	e := earned{raw: old + later, got: old + later, place: formerRule.Place}
	e.steps = []stepLine{
		{plural(a, "mes", "meses") + " antes del 12 de febrero de 2012, a 45 días por año", old, formerRule.Place},
		{plural(b, "mes", "meses") + " desde ese día, a 33 días por año", later, formerRule.Place},
	}
	const most = 720 * dayTwelfths
	switch {
	case old > most: // what was earned before the reform is the cap, up to 42 months of salary
		e.got = min(old, 42*monthTwelfths)
		e.capped = "lo anterior a la reforma pasa de 720 días: es el máximo"
		if e.got < old {
			e.capped = "tope de 42 mensualidades"
		}
	case e.got > most:
		e.got, e.capped = most, "tope de 720 días de salario"
	}
	return e
}

// amount gives the money for twelfths of days of a yearly salary.
func (t twelfths) amount(year decimal.Decimal) (decimal.Decimal, error) {
	return share(year, int64(t), yearTwelfths)
}

// days writes the days that twelfths are.
func (t twelfths) days() decimal.Decimal { return ratio(int64(t), dayTwelfths) }

// ruleOf finds the rule of a kind; without one, unfair dismissal.
func (c *Calc) ruleOf(kind string) (severanceRule, error) {
	var names []string
	for _, r := range c.severance {
		if r.kind == kind {
			return r, nil
		}
		names = append(names, r.kind)
	}
	return severanceRule{}, invalid("Los que hay: "+list(names)+".", "El tipo «%s» no existe", kind)
}

// service reads the first and the last day of work; the second is given back excluded.
func (in *input) service() (from, to time.Time, err error) {
	if from, err = in.need("desde", "la fecha de antigüedad"); err != nil {
		return
	}
	if to, err = in.need("hasta", "el último día de trabajo"); err != nil {
		return
	}
	if to.Before(from) {
		err = invalid("Revise las dos fechas.", "El contrato acaba (%s) antes de empezar (%s)", iso(to), iso(from))
	}
	return from, to.AddDate(0, 0, 1), err
}

func (c *Calc) severanceOf(in *input) (Result, error) {
	kind := in.args["tipo"]
	r := newResult(FnSeverance, kind, "EUR")
	if kind == "" {
		kind = "improcedente"
		r.Kind = kind
		r.unknown("el tipo de extinción", "Se ha calculado como despido improcedente; si es otra causa, dígala con «tipo».")
	}
	rule, err := c.ruleOf(kind)
	if err != nil {
		return r, err
	}
	from, to, err := in.service()
	if err != nil {
		return r, err
	}
	p, err := in.salary()
	if err != nil {
		return r, err
	}
	return r, c.severanceInto(&r, rule, from, to, p)
}

// severanceInto writes the calculation of one rule into a result.
func (c *Calc) severanceInto(r *Result, rule severanceRule, from, to time.Time, p pay) error {
	r.Steps = append(r.Steps, p.step)
	rule = rule.dated(from)
	low, high, err := rule.pay(r, from, to, p)
	if err != nil {
		return err
	}
	r.between(low, high)
	r.source(rule.source())
	r.say(rule.name + ": " + span(low, high) + " de indemnización, por el tiempo del " + text.LongDay(from) + " al " + text.LongDay(to.AddDate(0, 0, -1)) + ".")
	r.say("Regla: " + rule.text())
	if !p.known() {
		r.unknown("cuántas pagas al año", "El extremo bajo es con 12 pagas y el alto con 14: dígalo con «pagas».")
	}
	if rule.by == "mes" {
		r.warn("El salario que cuenta es el bruto, con la parte proporcional de las pagas extraordinarias; un convenio o contrato puede mejorar la cantidad.")
	}
	return nil
}

// dated applies the scale of temporary contracts by the day they began.
func (s severanceRule) dated(from time.Time) severanceRule {
	if s.kind != "temporal" || from.Year() >= 2015 {
		return s
	}
	s.days = max(8, from.Year()-2003)
	s.place, s.scaled = scaleRule.Place, true
	return s
}

// pay gives the amounts of a rule, with its steps.
func (s severanceRule) pay(r *Result, from, to time.Time, p pay) (low, high decimal.Decimal, err error) {
	switch s.by {
	case "nada":
		r.note("El despido procedente no da indemnización", s.place)
		return decimal.Zero.Pad(2), decimal.Zero.Pad(2), nil
	case "fija":
		return both(p, 1, 12, func(v decimal.Decimal) { r.step("Un mes de salario: anual / 12", v, "EUR", s.place) })
	case "día":
		d := int64(daysIn(from, to))
		n := int64(s.days) * d
		r.step(plural(int(d), "día", "días")+" de servicio × "+strconv.Itoa(s.days)+" / 365, en días de salario", ratio(n, 365), "días", s.place)
		return both(p, n, 365*365, func(v decimal.Decimal) { r.step("Salario anual / 365 × esos días", v, "EUR", s.place) })
	}
	return s.payByMonth(r, from, to, p)
}

func (s severanceRule) payByMonth(r *Result, from, to time.Time, p pay) (low, high decimal.Decimal, err error) {
	e := s.twelfths(from, to, true)
	for _, l := range e.steps {
		r.step(l.text+", en días de salario", l.t.days(), "días", l.place)
	}
	if s.days == 33 && s.cap == 24 && from.Before(reform) {
		r.source(formerRule)
	}
	if e.capped != "" {
		r.step("Se aplica el "+strings.TrimPrefix(e.capped, "el ")+", en días de salario", e.got.days(), "días", e.place)
	}
	if part := s.twelfths(from, to, false); part.got != e.got {
		v, err := part.got.amount(p.low)
		if err != nil {
			return low, high, err
		}
		r.warn("El mes empezado se ha contado entero, como suelen hacer los tribunales; contando solo meses completos serían " + Euros(v) + ".")
	}
	return both(p, int64(e.got), yearTwelfths, func(v decimal.Decimal) { r.step("Salario anual / 365 × esos días", v, "EUR", s.place) })
}

// both gives num/den of the lowest and the highest salary.
func both(p pay, num, den int64, say func(decimal.Decimal)) (low, high decimal.Decimal, err error) {
	if low, err = share(p.low, num, den); err != nil {
		return
	}
	if high, err = share(p.high, num, den); err != nil {
		return
	}
	say(low)
	if high.Cmp(low) != 0 {
		say(high)
	}
	return
}
