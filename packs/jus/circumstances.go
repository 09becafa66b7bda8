package jus

import (
	"slices"
	"strings"

	"digesto"
)

// circumstances adds to the budget of one service what it comes to in the cases that the
// law tells apart and the question does not say, or says in words that are not known.
func (c *Calc) circumstances(r *Result, items []Item, facts Facts, when Period, today digesto.Date) error {
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
		if m.service != code || m.key == notFact || facts[m.key] != "" {
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
		if !strings.HasPrefix(s.Replaces, code+"@") || !strings.Contains(s.Replaces, "=") || facts[key] != "" {
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

// severalOf adds what as many of a service come to as things are told beside it.
func (c *Calc) severalOf(r *Result, code, n string, facts Facts, when Period, today digesto.Date) error {
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

// withoutFacts leaves out what says how another service was done and is none of its own:
// "división de condominio con avalúo".
func (c *Calc) withoutFacts(k *clause, list []mentioned) []mentioned {
	told := func(m mentioned) bool {
		return m.generic && slices.ContainsFunc(c.modifiers, func(by modifier) bool {
			return by.service != m.code && slices.ContainsFunc(list, func(o mentioned) bool { return o.code == by.service || c.absorbs(by.service, o.code) }) &&
				slices.ContainsFunc(c.facts, func(f factRule) bool {
					return f.key == by.key && slices.ContainsFunc(findAll(f.pattern, k.stems), func(at [2]int) bool { return at[0] < m.from && at[1] >= m.to })
				})
		})
	}
	return slices.DeleteFunc(slices.Clone(list), told)
}

// segments gives each of several services the facts that its own stretch of a clause
// tells: "insania controvertida y una sumaria sin oposición".
func (c *Calc) segments(k *clause, list []mentioned, amounts []amount) {
	if !slices.ContainsFunc(list, func(m mentioned) bool { return m.code != list[0].code }) {
		return
	}
	bounds := make([][2]int, len(list))
	begin := func(i int) int {
		for i > 0 && !k.starts[i] {
			i--
		}
		return i
	}
	for n := range list {
		from, to := begin(list[n].from), len(k.raw)
		if n+1 < len(list) {
			to = max(begin(list[n+1].from), list[n].to)
		}
		if n > 0 {
			from = max(from, list[n-1].to)
		}
		list[n].facts = c.findFacts(k.stems[from:to], k.starts[from:to+1])
		bounds[n] = [2]int{from, to}
	}
	k.ownBases(list, bounds, amounts)
}

// ownBases gives each of several services the sum of money told in its own stretch, where
// more than one of them has one.
func (k *clause) ownBases(list []mentioned, bounds [][2]int, amounts []amount) {
	at := make([]int, len(list)) // into amounts, from 1; 0 = none
	several := 0
	for n, b := range bounds {
		for i, a := range amounts {
			if a.unit != "pesos" || a.from < b[0] || a.from >= b[1] {
				continue
			}
			if at[n] > 0 || a.fee {
				return // a change, or what a part is of
			}
			at[n] = i + 1
			several++
		}
	}
	if several < 2 {
		return
	}
	for n, i := range at {
		if i > 0 {
			list[n].facts["base"] = amounts[i-1].value.String()
			amounts[i-1].own = true
		}
	}
}
