package jus

import (
	"slices"
)

// withoutFacts leaves out what says how another service was done and is none of its own:
// "división de condominio con avalúo".
func (c *Calc) withoutFacts(k *clause, list []mentioned) []mentioned {
	told := func(m mentioned) bool {
		return m.generic && slices.ContainsFunc(c.list, func(s Service) bool {
			return s.Code != m.code && slices.ContainsFunc(list, func(o mentioned) bool { return o.code == s.Code || c.absorbs(s.Code, o.code) }) &&
				slices.ContainsFunc(c.FactsOf(s.Code), func(key string) bool { return c.tellsFact(k, key, m) })
		})
	}
	return slices.DeleteFunc(slices.Clone(list), told)
}

// tellsFact says that a service is named by the last words of what tells a fact.
func (c *Calc) tellsFact(k *clause, key string, m mentioned) bool {
	return slices.ContainsFunc(c.facts, func(f factRule) bool {
		return f.key == key && slices.ContainsFunc(findAll(f.pattern, k.stems), func(at [2]int) bool { return at[0] < m.from && at[1] >= m.to })
	})
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
