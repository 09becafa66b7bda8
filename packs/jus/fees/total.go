package fees

import (
	"slices"

	"github.com/govalues/decimal"

	"digesto"
)

// total sums the lines, or says that the whole cannot be calculated.
func (c *Tables) total(r Result) (Result, error) {
	known := func(l Line) bool { return l.Low != nil || l.High != nil }
	r.ok = len(r.Items) > 0 || slices.ContainsFunc(r.Cases, known)
	for _, m := range r.NotCalculable {
		r.ok = r.ok || m.rule // the rule itself is an answer
	}
	if len(r.NotCalculable) > 0 || len(r.Items) == 0 {
		r.quoteText()
		return r, nil
	}
	low, high := decimal.Zero, decimal.Zero
	kind := "fixed"
	var err error
	for _, l := range r.Items {
		if low, err = low.Add(l.low); err != nil {
			return r, Invalid("Use cantidades menores.", "el total es demasiado grande")
		}
		if high, err = high.Add(l.high); err != nil {
			return r, Invalid("Use cantidades menores.", "el total es demasiado grande")
		}
		kind = wider(kind, l.Kind)
	}
	r.Kind = kind
	r.Per = samePer(r.Items)
	if kind != "maximum" {
		r.Low = money(low)
	}
	r.JusLow = sumJus(r.Items, func(l Line) *string { return l.JusLow })
	if kind != "minimum" {
		r.JusHigh = sumJus(r.Items, func(l Line) *string { return l.JusHigh })
	}
	switch kind {
	case "fixed":
		r.Result, r.High = money(low), money(low)
	case "range", "maximum":
		r.High = money(high)
	}
	if len(r.Items) > 1 {
		r.step("Suma de los importes ya redondeados de cada servicio", low, "ARS", "")
	}
	r.quoteText()
	return r, nil
}

// wider is the kind of a sum: one open line leaves the whole open.
func wider(a, b string) string {
	rank := map[string]int{"fixed": 0, "range": 1, "maximum": 2, "minimum": 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// samePer is what all lines are paid by, nil when they differ or are for the whole.
func samePer(lines []Line) *string {
	for _, l := range lines {
		if lines[0].Per == nil || l.Per == nil || *l.Per != *lines[0].Per {
			return nil
		}
	}
	return lines[0].Per
}

// QuoteOver is Quote over a period: the budget at both ends, none chosen.
func (c *Tables) QuoteOver(items []Item, facts Facts, when Period, today digesto.Date) (Result, error) {
	if when.IsDay() {
		return c.Quote(items, facts, when.From, today)
	}
	from, to, fd, td, note := c.ends(when, today)
	if c.constant(from, to) {
		out, err := c.Quote(items, facts, td, today)
		out.Warn(note)
		return out, err
	}
	a, err := c.Quote(items, facts, fd, today)
	if err != nil {
		return a, err
	}
	b, err := c.Quote(items, facts, td, today)
	if err != nil {
		return b, err
	}
	out := b
	out.Kind, out.Result, out.Per, out.ValueDate, out.JusValue = "period", nil, nil, nil, nil
	out.From = &Point{Date: fd, Value: a.Low, ValueDate: a.ValueDate, JusValue: a.JusValue, Kind: a.Kind, Result: a.Result, Low: a.Low, High: a.High}
	out.To = &Point{Date: td, Value: b.Low, ValueDate: b.ValueDate, JusValue: b.JusValue, Kind: b.Kind, Result: b.Result, Low: b.Low, High: b.High}
	out.Changes = c.changes(fd, td)
	out.Steps = append(append([]digesto.Step{}, a.Steps...), b.Steps...)
	out.Warn(note)
	out.Warn(a.Warnings...)
	out.direct = append(append([]string{"Al " + LongDate(fd) + ":"}, a.direct...), append([]string{"Al " + LongDate(td) + ":"}, b.direct...)...)
	out.ok = a.ok || b.ok
	return out, nil
}

// checkFacts refuses a value that no case has: taken as it stands, it would only
// exclude cases and leave one that nobody named.
func (c *Tables) checkFacts(facts Facts) error {
	for key, val := range facts {
		if numeric[key] || key == "caso" && c.Holds(val) {
			continue
		}
		values := map[string]bool{"si": key == "misma_parte" || key == "pericia", "no": key == "pericia"}
		for _, m := range c.modifiers {
			if m.key == key {
				values["si"], values["no"] = true, true
			}
		}
		for _, g := range c.groups {
			for _, k := range g.Cases {
				if v, ok := k.Facts[key]; ok {
					values[v] = true
				}
			}
		}
		if !values[val] {
			return Invalid("Para «"+key+"» valen: "+FactKeys[key]+".", "«%s» no es un valor de «%s»", val, key)
		}
	}
	return nil
}
