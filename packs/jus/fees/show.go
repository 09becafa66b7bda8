package fees

import (
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// Parts are the parts that every answer has, each as people read it.
type Parts struct {
	Direct   []string // sentences of the direct answer; a line that begins "- " is an item of a list
	Province string
	Value    string // the JUS value used and since when it is in force
	Norms    []string
}

// Parts gives the parts that Text joins.
func (r *Result) Parts() Parts {
	p := Parts{Direct: append([]string(nil), r.direct...), Province: Province, Value: r.valueLine(), Norms: append([]string(nil), r.norms...)}
	if len(p.Norms) == 0 {
		p.Norms = []string{LawName + ", artículo 35"}
	}
	return p
}

// Former gives the values of the regime before this law, oldest first: none of
// them is a value of the JUS of this law.
func (c *Tables) Former() []Value { return append([]Value(nil), c.former...) }

// Stretch is a run of days, To left out, over which one value is known to hold
// or, when it is not Known, has to be supposed: a gap, or after the last month covered.
type Stretch struct {
	Value
	From, To digesto.Date
	Known    bool
}

// Stretches cuts the series of this law into runs of days until a day, by the
// rules with which a day is looked up.
func (c *Tables) Stretches(until digesto.Date) []Stretch {
	var out []Stretch
	for i, v := range c.values {
		end, open := until, true
		if i+1 < len(c.values) {
			end, open = c.values[i+1].Date, c.values[i+1].Flags["gap"]
		}
		if end <= v.Date {
			continue
		}
		if covered := lastOfMonth(v.Date); open && covered < end {
			out = append(out, Stretch{v, v.Date, covered, true}, Stretch{v, covered, end, false})
			continue
		}
		out = append(out, Stretch{v, v.Date, end, true})
	}
	return out
}

// Rule is a place of the law that a service is calculated by.
type Rule struct {
	Service, Article, Unit string
	Words                  string // decisive words of the article, to the letter
	JUS                    []string
	Percent                string // as in the table; "" = none
	Per                    string
}

// Rules gives every place of the law that the tables calculate by: the services and
// the circumstances that change them.
func (c *Tables) Rules() []Rule {
	var out []Rule
	add := func(code string, s Service, pct string) {
		r := Rule{Service: code, Article: s.Article, Unit: s.LawUnit(), Words: s.Law, Percent: pct, Per: s.Per}
		for _, d := range []decimal.Decimal{s.Min, s.Max} {
			if d.IsPos() {
				r.JUS = append(r.JUS, d.String())
			}
		}
		out = append(out, r)
	}
	for _, s := range c.services {
		add(s.Code, s, s.Pct)
	}
	for _, m := range c.modifiers {
		at := Service{Article: m.at.Article, Law: m.at.Law}
		pct, _ := strings.CutPrefix(m.effect, "pct=")
		add(m.service, at, OnlyIf(pct != m.effect, pct))
	}
	for _, s := range scalePlaces {
		add("escala", s, "")
	}
	for _, s := range []Service{unitPlace, payPlace} {
		add("unidad", s, "")
	}
	return out
}

// Table gives a budget as rows with tabs between their cells, to be pasted into a
// sheet: service, quantity, JUS, pesos, place in the law.
func (r *Result) Table() string {
	var b strings.Builder
	row := func(cells ...string) { b.WriteString(strings.Join(cells, "\t") + "\n") }
	row("Servicio", "Cantidad", "JUS desde", "JUS hasta", "Pesos desde", "Pesos hasta", "Norma")
	cell := func(s *string) string {
		if s == nil {
			return ""
		}
		return Local(mustParse(*s))
	}
	for _, l := range append(append([]Line{}, r.Items...), r.Cases...) {
		row(l.Name, Local(mustParse(l.Quantity)), cell(l.JusLow), cell(l.JusHigh), cell(l.Low), cell(l.High), l.Article)
	}
	for _, m := range r.NotCalculable {
		if !m.cases {
			row(m.Name, "", "", "", "", "", "sin calcular: "+strings.TrimSuffix(m.Reason, "."))
		}
	}
	if r.Kind != "" && len(r.NotCalculable) == 0 {
		row("Total", "", cell(r.JusLow), cell(r.JusHigh), cell(r.Low), cell(r.High), "")
	}
	row("Valor del JUS", "", "", "", cell(r.JusValue), "", r.valueLine())
	return b.String()
}

// Amounts gives what a line comes to, in JUS and in pesos, as people write it.
func (l Line) Amounts() (inJus, pesos string) {
	span := func(low, high *string, write func(decimal.Decimal) string) string {
		switch {
		case low == nil && high == nil:
			return ""
		case low == nil:
			return "hasta " + write(mustParse(*high))
		case high == nil:
			return "desde " + write(mustParse(*low))
		case *low == *high:
			return write(mustParse(*low))
		}
		return write(mustParse(*low)) + " a " + write(mustParse(*high))
	}
	return span(l.JusLow, l.JusHigh, func(d decimal.Decimal) string { return Local(d) }), span(l.Low, l.High, Pesos)
}

// Needs gives the facts that change what a service comes to, beside the cases of its
// group, each with its values; without values it is a number.
func (c *Tables) Needs(code string) map[string][]string {
	out := map[string][]string{}
	s, ok := c.Service(code)
	if !ok {
		return out
	}
	if s.Pct != "" {
		out["base"] = nil
	}
	if s.scale() {
		out["ue"] = nil
	}
	for _, m := range c.modifiers {
		if m.service == code && m.key != NotFact {
			out[m.key] = []string{"no", "si"}
		}
	}
	return out
}
