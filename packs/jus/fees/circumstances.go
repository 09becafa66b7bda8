package fees

import (
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
)

// Circumstances adds to the budget of one service what it comes to in the cases that the
// law tells apart and the question does not say, or says in words that are not known.
func (c *Tables) Circumstances(r *Result, items []Item, facts Facts, when Period, today digesto.Date) error {
	if len(items) != 1 || len(r.Items)+len(r.NotCalculable) != 1 || len(r.Cases) > 0 {
		return nil
	}
	code := ""
	if len(r.Items) == 1 {
		code = r.Items[0].Code
	} else {
		code = r.NotCalculable[0].Code
	}
	row, _ := c.Service(code)
	var out []string
	for _, m := range c.modifiers {
		if m.service != code || m.key == NotFact || facts[m.key] != "" {
			continue
		}
		other, err := c.QuoteOver([]Item{{Code: code, Quantity: items[0].Quantity}}, Facts{m.key: m.value}.over(facts), when, today)
		if err != nil {
			return err
		}
		if s := other.figure(); s != "" {
			out = append(out, "- "+m.text+" Es "+s+".")
			r.rule(row, m.at)
		}
	}
	for _, s := range c.services {
		key, _, _ := strings.Cut(strings.TrimPrefix(s.Replaces, code+"@"), "=")
		if !strings.HasPrefix(s.Replaces, code+"@") || !strings.Contains(s.Replaces, "=") || facts[key] != "" || s.Pct != "" && s.Of != row.Of {
			continue
		}
		other, err := c.QuoteOver([]Item{{Code: s.Code, Quantity: items[0].Quantity}}, facts, when, today)
		if err != nil {
			return err
		}
		if f := other.figure(); f != "" {
			out = append(out, "- "+s.Name+": "+f+".")
			r.service(s)
		}
	}
	if len(out) > 0 {
		r.say("Según el caso:")
		r.say(out...)
	}
	return nil
}

// SeveralOf adds what as many of a service come to as things are told beside it.
func (c *Tables) SeveralOf(r *Result, code, n string, facts Facts, when Period, today digesto.Date) error {
	d, err := ParseNumber(n, 6)
	if err != nil {
		return err
	}
	all, err := c.QuoteOver([]Item{{Code: code, Quantity: d}}, facts, when, today)
	if s := all.figure(); err == nil && s != "" {
		r.say("Si son " + n + " y cada uno se cobra aparte, " + s + ".")
	}
	return err
}

// figure is what the only line of a budget comes to; "" where it has no amount.
func (r *Result) figure() string {
	switch {
	case len(r.Items) == 1:
		return lowerFirst(r.Items[0].amount())
	case len(r.NotCalculable) == 1 && r.NotCalculable[0].lines != nil:
		return lowerFirst(r.NotCalculable[0].Reason)
	}
	return ""
}

// Offer adds what another service comes to, which a question may as well ask for.
func (c *Tables) Offer(r *Result, items []Item, code string, facts Facts, when Period, today digesto.Date) error {
	if !c.Holds(code) || slices.ContainsFunc(items, func(it Item) bool { return it.Code == code }) {
		return nil
	}
	other, err := c.QuoteOver([]Item{{Code: code, Quantity: decimal.One}}, facts, when, today)
	if err != nil || !other.ok {
		return err
	}
	name := code
	if s, ok := c.Service(code); ok {
		name = s.Name
	} else if g, ok := c.Group(code); ok {
		name = g.Name
	}
	r.say("Si preguntaba por «" + lowerFirst(name) + "»:")
	r.say(other.direct...)
	r.Sources = append(r.Sources, other.Sources...)
	return nil
}
