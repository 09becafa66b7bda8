package laboral

import (
	"slices"

	"digesto/pack"
	"digesto/text/figure"
)

// Fits gives the calculation that goes with a question which the law answered from some
// units ("NORM/UNIT"): the one that the question asks for, or the one whose rule stands
// in them, with what the question tells. whole says that nothing more is needed.
func (t *Tool) Fits(q pack.ToolQuestion, units []string) (call pack.ToolCall, whole, ok bool) {
	if call, ok = t.Detect(q); ok {
		_, err := t.calc.Do(call.Function, call.Args, q.Today)
		return call, err == nil, true
	}
	d := reader{question: q.Text, words: pack.Words(q.Text), today: q.Today, args: map[string]string{}}
	d.figures, d.dates = figure.FindAll(q.Text, figure.LocaleOf("es-ES")), figure.Dates(q.Text, q.Today)
	fn := t.calc.ruledIn(&d, units)
	return pack.ToolCall{Tool: t.Name(), Function: fn, Args: d.args, Today: q.Today, Question: q.Text}, false, fn != ""
}

// ruledIn finds the calculation whose rule stands in one of the units and which the words
// ask for: a sum, or a last day.
func (c *Calc) ruledIn(d *reader, units []string) string {
	in := func(norm, unit string) bool { return slices.Contains(units, norm+"/"+unit) }
	sum := d.any(wantsSum) || d.any(howMany)
	if d.any(lastDay) || d.any(howMany) {
		best := 0
		for _, r := range c.deadlines {
			if n := longest(r.words, d.words); n > best && (in(r.at.Norm, r.at.Unit) || in(r.also.Norm, r.also.Unit)) {
				best, d.args["tipo"] = n, r.code
			}
		}
		if best > 0 {
			return FnDeadline
		}
	}
	if !sum {
		return ""
	}
	kind := c.kind(d.words)
	for _, r := range c.severance {
		if in(r.norm, r.unit) {
			d.span()
			d.pay()
			d.args["tipo"] = r.kind
			if kind != "" {
				d.args["tipo"] = kind
			}
			return FnSeverance
		}
	}
	switch {
	case in(holidayRule.Norm, holidayRule.Unit):
		d.span()
		return FnHolidays
	case in(durationRule.Norm, durationRule.Unit), in(amountRule.Norm, amountRule.Unit):
		return FnBenefit
	case in(payRule.Norm, payRule.Unit):
		d.span()
		d.pay()
		return FnSettlement
	}
	return ""
}
