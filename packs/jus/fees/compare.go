package fees

import (
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// JusCode compares the unit itself.
const JusCode = "jus"

// Compare gives the value of the unit, or a service in pesos, on two days, with
// the difference and the percentage. What is not known on one of them stays null.
func (c *Tables) Compare(code string, facts Facts, from, to, today digesto.Date) (Comparison, error) {
	out := Comparison{Result: newResult("ARS")}
	r := &out.Result
	if from > to {
		return out, Invalid("Ponga la fecha más antigua en --from.", "la primera fecha (%s) es posterior a la segunda (%s)", from, to)
	}
	if code != JusCode && !c.Holds(code) {
		return out, c.unknown(code)
	}
	if err := c.checkFacts(facts); err != nil {
		return out, err
	}
	r.rule(Service{}, unitPlace)
	a, b := c.at(from, today), c.at(to, today)
	r.From, r.To = &Point{Date: from}, &Point{Date: to}
	for _, e := range []struct {
		p *Point
		v inForce
	}{{r.From, a}, {r.To, b}} {
		if e.v.ok {
			e.p.ValueDate, e.p.JusValue = dateOf(e.v.Date), money(e.v.Amount)
			r.step(e.v.on(e.p.Date), e.v.Amount, "ARS", e.v.unit())
			r.value(e.v.Value)
		} else {
			r.say(e.v.refusal)
		}
	}
	r.Warn(append(a.warnings, b.warnings...)...)
	if code == JusCode {
		return out, c.compareUnit(&out, a, b)
	}
	return out, c.compareService(&out, code, facts, a, b)
}

func (c *Tables) compareUnit(out *Comparison, a, b inForce) error {
	r := &out.Result
	r.norm(LawName + ", artículo 35")
	if !a.ok || !b.ok {
		r.say("Sin los dos valores no hay comparación.")
		return nil
	}
	r.ok = true
	r.From.Value, r.To.Value = money(a.Amount), money(b.Amount)
	r.Low, r.High = minmax(a.Value, b.Value)
	r.Changes = c.changes(r.From.Date, r.To.Date)
	diff, pct, err := r.movement(a.Amount, b.Amount)
	if err != nil {
		return err
	}
	out.Difference, out.Percent = money(diff), money(pct)
	r.Result = money(diff)
	r.say("Entre el " + LongDate(r.From.Date) + " y el " + LongDate(r.To.Date) + " el JUS pasó de " + Pesos(a.Amount) + " a " + Pesos(b.Amount) + ": " + moved(diff, pct) + ".")
	return nil
}

// moved says a movement in words: "subió $ 10,00 (25,00 %)".
func moved(diff, pct decimal.Decimal) string {
	switch diff.Sign() {
	case 0:
		return "sin cambios"
	case -1:
		return "bajó " + Pesos(diff.Abs()) + " (" + Local(pct.Abs().Pad(2)) + " %)"
	}
	return "subió " + Pesos(diff) + " (" + Local(pct.Pad(2)) + " %)"
}

// movement is the difference and the percentage, rounded to two decimals.
func (r *Result) movement(a, b decimal.Decimal) (diff, pct decimal.Decimal, err error) {
	if diff, err = b.Sub(a); err != nil {
		return diff, pct, err
	}
	r.step("Diferencia: "+Local(b)+" − "+Local(a), diff, "ARS", "")
	num, err := diff.Mul(hundred)
	if err != nil {
		return diff, pct, Invalid("Use importes menores.", "el importe es demasiado grande")
	}
	_, pct, err = quotient(num, a)
	if err == nil {
		r.step("Variación: "+Local(diff)+" ÷ "+Local(a)+" × 100", pct, "%", "")
	}
	return diff, pct, err
}

// compareService compares the pesos of a service. Its quantity has changed over
// time too: a day on which it is not known has no pesos, and only the movement
// of the unit is given, as such.
func (c *Tables) compareService(out *Comparison, code string, facts Facts, a, b inForce) error {
	r := &out.Result
	services, missing := c.CaseServices(code, facts)
	if len(services) == 0 {
		return Invalid("Revise los datos dados con --con.", "ningún caso de «%s» cumple los datos dados", code)
	}
	known := a.ok && b.ok
	var early []Service
	for _, s := range services {
		r.service(s)
		if !s.holds(r.From.Date) || !s.holds(r.To.Date) {
			known = false
			early = append(early, s)
		}
		if b.ok && s.holds(r.To.Date) {
			line, miss, err := c.line(r, s, decimal.One, facts, r.To.Date, b)
			if err != nil {
				return err
			}
			if miss == nil {
				r.Cases = append(r.Cases, line)
			}
		}
	}
	r.Warn(unknownBefore(early)...)
	r.NotCalculable = append(r.NotCalculable, missing...)
	if known && len(services) == 1 && len(r.Cases) == 1 {
		return c.compareKnown(out, services[0], facts, a, b)
	}
	r.ok = len(r.Cases) > 0
	c.compareText(out, code, services)
	return c.trend(out, a, b)
}

// CaseServices gives the services that a code stands for under the facts.
func (c *Tables) CaseServices(code string, facts Facts) (out []Service, missing []Missing) {
	if s, ok := c.Service(code); ok {
		return []Service{s}, nil
	}
	g, _ := c.Group(code)
	cases, needs, question := c.decide(g, facts)
	for _, k := range cases {
		s, _ := c.Service(k.Service)
		out = append(out, s)
	}
	if len(cases) > 1 {
		missing = []Missing{{Code: g.Code, Name: g.Name, Reason: "depende de datos que faltan", cases: true, Needs: needs, Question: question}}
	}
	return out, missing
}

// compareKnown compares a service whose quantity is known on both days: its
// lower end stands for it, and the percentage is that of the unit.
func (c *Tables) compareKnown(out *Comparison, s Service, facts Facts, a, b inForce) error {
	r := &out.Result
	first, miss, err := c.line(r, s, decimal.One, facts, r.From.Date, a)
	if err != nil || miss != nil {
		return err
	}
	second := r.Cases[0]
	r.Cases = []Line{}
	r.Items = []Line{second}
	r.ok, r.Kind, r.Per = true, s.Kind, strOf(s.Per)
	r.From.fill(first)
	r.To.fill(second)
	if first.Low == nil || first.low.IsZero() {
		return nil
	}
	diff, pct, err := r.movement(first.low, second.low)
	if err != nil {
		return err
	}
	out.Difference, out.Percent = money(diff), money(pct)
	r.say("Entre el " + LongDate(r.From.Date) + " y el " + LongDate(r.To.Date) + ", «" + s.Name + "»" + first.told(second) + ": " + moved(diff, pct) + OnlyIf(s.Kind != "fixed", " en su extremo inferior") + ".")
	return nil
}

func (p *Point) fill(l Line) {
	p.Kind, p.Low, p.High, p.Result, p.Value = l.Kind, l.Low, l.High, l.Result, l.Low
}

func (c *Tables) compareText(out *Comparison, code string, services []Service) {
	r := &out.Result
	name := services[0].Name
	if g, ok := c.Group(code); ok {
		name = g.Name
	}
	unknown := false
	for _, s := range services {
		unknown = unknown || !s.holds(r.From.Date)
	}
	if unknown {
		r.say("No se puede saber cuánto aumentó «" + name + "» desde el " + LongDate(r.From.Date) + ": la cantidad de JUS de esa fecha no se conoce.")
	} else {
		r.say("«" + name + "» depende del caso: no hay una sola comparación.")
	}
	if len(r.Cases) > 0 {
		r.say("Al " + LongDate(r.To.Date) + ":")
		r.say(lines(r.Cases, false)...)
	}
	for _, m := range r.NotCalculable {
		r.say(m.Question)
	}
}

// trend adds the movement of one JUS, which is not that of the service.
func (c *Tables) trend(out *Comparison, a, b inForce) error {
	if !a.ok || !b.ok {
		return nil
	}
	r := &out.Result
	diff, pct, err := r.movement(a.Amount, b.Amount)
	if err != nil {
		return err
	}
	out.Jus = &Trend{From: Point{Date: r.From.Date, Value: money(a.Amount), ValueDate: dateOf(a.Date)},
		To: Point{Date: r.To.Date, Value: money(b.Amount), ValueDate: dateOf(b.Date)}, Difference: diff.Pad(2).String(), Percent: pct.Pad(2).String()}
	r.say("Lo que sí se sabe es cuánto cambió el valor de 1 JUS: pasó de " + Pesos(a.Amount) + " a " + Pesos(b.Amount) + " (" + moved(diff, pct) + "); no es lo mismo que el aumento del servicio.")
	return nil
}

// told says an amount on two days: in JUS once, where it is the same on both.
func (l Line) told(then Line) string {
	inJus, pesos := l.Amounts()
	after, pesosAfter := then.Amounts()
	if inJus != after || inJus == "" {
		return " pasó de " + l.amount() + " a " + then.amount()
	}
	bare := func(s string) string { return strings.TrimPrefix(s, "desde ") }
	return ", " + OnlyIf(l.Kind == "minimum", "como mínimo ") + bare(inJus) + " JUS, pasó de " + bare(pesos) + " a " + bare(pesosAfter)
}
