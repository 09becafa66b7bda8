package laboral

import (
	"strconv"

	"github.com/govalues/decimal"
)

// The places that the benefit rests on.
var (
	durationRule = Source{Norm: "BOE-A-2015-11724", Unit: "a269", Place: "artículo 269.1 de la Ley General de la Seguridad Social",
		Text: "Prestación por desempleo: desde 360 días cotizados en los seis años anteriores dura 120 días, y 60 más por cada 180 cotizados, hasta 720 (artículo 269.1 de la Ley General de la Seguridad Social).",
		row:  "tparo-duracion", core: "360, 120 y 720.", about: "duración de la prestación por desempleo periodos de ocupación cotizada seis años anteriores escala"}
	amountRule = Source{Norm: "BOE-A-2015-11724", Unit: "a270", Place: "artículo 270.2 de la Ley General de la Seguridad Social",
		Text: "Prestación por desempleo: 70 por ciento de la base reguladora los primeros 180 días y 60 por ciento después (artículo 270.2 de la Ley General de la Seguridad Social).",
		row:  "tparo-cuantia", core: "70 por ciento y 60 por ciento.", about: "cuantía de la prestación 70 por ciento en los ciento ochenta días primeros y 60 por ciento después"}
	limitRule = Source{Norm: "BOE-A-2015-11724", Unit: "a270", Place: "artículo 270.3 de la Ley General de la Seguridad Social",
		about: "cuantía máxima de la prestación 175 por ciento del indicador público de rentas de efectos múltiples"}
	subsidyRule = Source{Norm: "BOE-A-2015-11724", Unit: "a274", Place: "artículo 274.1 de la Ley General de la Seguridad Social",
		about: "beneficiarios del subsidio cotizado al menos noventa días"}
)

// benefitDays gives the days of benefit for days of contribution: the scale of
// the law, a step of 60 for each 180 from 360 on.
func benefitDays(paid int) int {
	switch {
	case paid < 360:
		return 0
	case paid >= 2160:
		return 720
	}
	return 60 * (paid / 180)
}

func (c *Calc) benefit(in *input) (Result, error) {
	r := newResult(FnBenefit, "", "días")
	paid, ok, err := in.whole("cotizados", "los días cotizados en los últimos seis años", 0, 2192)
	if err != nil {
		return r, err
	}
	if !ok {
		return r, invalid("Diga «cotizados»: los días cotizados por desempleo en los seis años anteriores, sin los ya usados.", "Faltan los días cotizados")
	}
	days := benefitDays(paid)
	d := decimal.MustNew(int64(days), 0)
	r.between(d, d)
	r.step(strconv.Itoa(paid)+" días cotizados en la escala", d, "días", durationRule.Place)
	r.source(durationRule)
	if days == 0 {
		r.say("Con " + strconv.Itoa(paid) + " días cotizados no se llega a los 360 que exige la prestación contributiva.")
		if paid >= 90 {
			r.source(subsidyRule)
			r.say("Con 90 días o más puede haber derecho al subsidio, si se cumplen sus demás requisitos (" + subsidyRule.Place + ").")
		}
		return r, nil
	}
	r.say("Con " + strconv.Itoa(paid) + " días cotizados, la prestación por desempleo dura " + strconv.Itoa(days) + " días (" + strconv.Itoa(days/30) + " meses).")
	r.warn("Solo cuentan las cotizaciones de los seis años anteriores que no se hayan usado para otra prestación; el trabajo a tiempo parcial tiene regla propia.")
	return r, c.benefitAmount(&r, in, days)
}

// benefitAmount adds the monthly amounts when the base is known.
func (c *Calc) benefitAmount(r *Result, in *input, days int) error {
	base, ok, err := in.money("base", "la base reguladora mensual")
	if err != nil || !ok {
		return err
	}
	children, said, err := in.whole("hijos", "los hijos a cargo", 0, 20)
	if err != nil {
		return err
	}
	early, err := share(base, 70, 100)
	if err != nil {
		return err
	}
	late, err := share(base, 60, 100)
	if err != nil {
		return err
	}
	r.source(amountRule)
	r.step("70 % de la base, los primeros 180 días, al mes", early, "EUR", amountRule.Place)
	r.step("60 % de la base, desde el día 181, al mes", late, "EUR", amountRule.Place)
	if early, late, err = c.limits(r, in, children, said, early, late); err != nil {
		return err
	}
	r.warn("La cantidad dicha se toma como base reguladora: la media de las bases de cotización por desempleo de los últimos 180 días (artículo 270.1 de la Ley General de la Seguridad Social).")
	r.part("Primeros 180 días, al mes", "EUR", early, early, amountRule.Place)
	r.say("Cuantía al mes: " + Euros(early) + " los primeros 180 días.")
	if days > 180 {
		r.part("Desde el día 181, al mes", "EUR", late, late, amountRule.Place)
		r.say("Desde el día 181: " + Euros(late) + " al mes.")
	}
	return nil
}

// limits holds the amounts between the least and the most that the law allows,
// when the indicator of the day is known.
func (c *Calc) limits(r *Result, in *input, children int, said bool, early, late decimal.Decimal) (decimal.Decimal, decimal.Decimal, error) {
	ind, given, err := in.money("iprem", "el IPREM mensual")
	if err != nil {
		return early, late, err
	}
	if !given {
		if f, ok := c.figureOf("iprem", in); ok {
			ind, given = f.amount, true
			r.step(f.Name+", desde el "+longISO(f.From), f.amount, f.Unit, f.Place)
			r.source(f.source())
		}
	}
	if !given {
		r.unknown("el IPREM del mes en que nace el derecho", "Sin él no se aplican el máximo y el mínimo: dígalo con «iprem» (al mes, en doce pagas).")
		return early, late, nil
	}
	if !said {
		r.unknown("los hijos a cargo", "Se calcula sin hijos; cambian el máximo y el mínimo. Dígalos con «hijos».")
	}
	most, least := int64(175), int64(80)
	switch {
	case children == 1:
		most, least = 200, 107
	case children > 1:
		most, least = 225, 107
	}
	top, e1 := share(ind, 7*most, 600)
	floor, e2 := share(ind, 7*least, 600)
	if err := first(e1, e2); err != nil {
		return early, late, err
	}
	r.source(limitRule)
	r.step("Máximo: "+strconv.FormatInt(most, 10)+" % del IPREM aumentado en una sexta parte", top, "EUR", limitRule.Place)
	r.step("Mínimo: "+strconv.FormatInt(least, 10)+" % del mismo", floor, "EUR", limitRule.Place)
	if early.Cmp(top) > 0 || late.Cmp(top) > 0 {
		r.warn("Se aplica el máximo: " + Euros(top) + " al mes, el " + strconv.FormatInt(most, 10) + " % del IPREM aumentado en una sexta parte (" + limitRule.Place + ").")
	} else if early.Cmp(floor) < 0 || late.Cmp(floor) < 0 {
		r.warn("Se aplica el mínimo: " + Euros(floor) + " al mes, el " + strconv.FormatInt(least, 10) + " % del IPREM aumentado en una sexta parte (" + limitRule.Place + ").")
	}
	return within(early, floor, top), within(late, floor, top), nil
}

func within(d, low, high decimal.Decimal) decimal.Decimal {
	if d.Cmp(low) < 0 {
		return low
	}
	if d.Cmp(high) > 0 {
		return high
	}
	return d
}
