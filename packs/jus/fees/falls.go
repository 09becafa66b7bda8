package fees

import (
	"digesto"
)

// Falls says whether the value of the unit ever fell: the rows that are lower than the
// one before them, with their notes.
func (c *Tables) Falls(today digesto.Date) Result {
	r := newResult("ARS")
	r.norm(LawName + ", artículo 35")
	r.ok = true
	n := 0
	for i := 1; i < len(c.values); i++ {
		v, before := c.values[i], c.values[i-1]
		if v.Amount.Cmp(before.Amount) >= 0 || v.Date > today {
			continue
		}
		n++
		r.value(before)
		r.value(v)
		s := "el " + LongDate(v.Date) + " pasó de " + Pesos(before.Amount) + " a " + Pesos(v.Amount)
		if i+1 < len(c.values) && c.values[i+1].Date <= today {
			r.value(c.values[i+1])
			s += ", y el " + LongDate(c.values[i+1].Date) + " fue de " + Pesos(c.values[i+1].Amount)
		}
		r.step("Baja del "+LongDate(v.Date)+": "+before.Amount.String()+" a "+v.Amount.String(), v.Amount, "ARS", v.unit())
		r.say(OnlyIf(n == 1, "Sí, bajó: ") + s + ".")
		if v.Note != "" {
			r.say(v.Note)
		}
	}
	r.Warnings = r.Warnings[:0] // they are the notes just told
	if n == 0 {
		r.say("No: en la serie cargada el valor del JUS nunca bajó.")
	}
	r.rule(Service{}, Service{Article: "35", Law: "en ningún caso podrá disminuir en su cuantía"})
	now := c.at(today, today)
	if now.ok {
		r.ValueDate, r.JusValue, r.stale = dateOf(now.Date), money(now.Amount), now.stale
		r.value(now.Value)
	}
	return r
}

// Percentage takes a percentage of an amount in pesos or JUS, and gives both.
func (c *Tables) Percentage(percent string, of Facts, day, today digesto.Date) (Result, error) {
	r := newResult("ARS")
	r.norm(LawName + ", artículo 35")
	v := c.at(day, today)
	if !v.ok {
		r.say(v.refusal)
		return r, nil
	}
	base, err := c.baseOf(&r, Service{}, of, v)
	if err != nil {
		return r, err
	}
	p, err := ParseNumber(percent, 6)
	if err != nil {
		return r, err
	}
	num, err := base.Mul(p)
	if err != nil {
		return r, Invalid("Use un importe menor.", "el importe es demasiado grande")
	}
	_, out, err := quotient(num, hundred)
	if err != nil {
		return r, err
	}
	r.step(p.String()+" % de "+base.String(), out, "ARS", "")
	_, inJus, err := quotient(out, v.Amount)
	if err != nil {
		return r, err
	}
	r.step(out.String()+" ÷ "+v.Amount.String(), inJus, "JUS", v.unit())
	r.ok, r.stale = true, v.stale
	r.Result, r.Low, r.High = money(out), money(out), money(out)
	r.ValueDate, r.JusValue = dateOf(v.Date), money(v.Amount)
	r.Warn(v.warnings...)
	r.value(v.Value)
	r.say("El " + Local(p) + " % de " + shownBase(base, of) + " es " + Pesos(out) + ", que son " + Local(inJus.Pad(2)) + " JUS.")
	return r, nil
}
