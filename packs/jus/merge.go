package jus

import (
	"maps"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto/packs/jus/fees"
)

// maxClauses is more than the questions that open inside one clause.
const maxClauses = 1000

// merge joins the clauses that are not refused into one reading: what one says
// of dates, services and facts holds for the others.
func (c *Calc) merge(u question) (reading, bool) {
	out := reading{facts: Facts{}}
	any, both := false, map[string]bool{}
	for i, r := range u.clauses {
		if r.refused != "" {
			continue
		}
		any = true
		for _, a := range r.amounts {
			a.from, a.to = a.from+len(out.words), a.to+len(out.words)
			out.amounts = append(out.amounts, a)
		}
		out.words = append(out.words, r.words...)
		for _, m := range r.services {
			m.clause += i * maxClauses
			out.services = append(out.services, m)
		}
		out.unread, out.unused = append(out.unread, r.unread...), append(out.unused, r.unused...)
		out.other = first(out.other, r.other)
		out.unknown += r.unknown
		if !r.several.IsZero() {
			out.several = r.several
		}
		out.rule, out.asked = out.rule || r.rule, out.asked || r.asked
		if r.percent != nil {
			out.percent = r.percent
		}
		out.dates.found = append(out.dates.found, r.dates.found...)
		out.dates.rng = out.dates.rng || r.dates.rng
		out.dates.bad = first(out.dates.bad, r.dates.bad)
		for k, v := range r.facts {
			if was := out.facts[k]; was != "" && was != v {
				both[k] = true // "¿y si cada parte lleva el suyo?": every case is told
			}
			out.facts[k] = v
		}
		for _, k := range r.classes {
			if !slices.Contains(out.classes, k) {
				out.classes = append(out.classes, k)
			}
		}
	}
	maps.DeleteFunc(out.facts, func(k, _ string) bool { return both[k] })
	var words []ownedWord
	for _, r := range u.clauses {
		for i, w := range r.words {
			x := ownedWord{stem: singular(w)}
			if deniedBy(r.words, r.clause.starts, i) < i {
				x.owner = denied // "cuidado personal, no cautelar"
			}
			for _, m := range r.services {
				if r.refused == "" && i >= m.from && i < m.to {
					x.owner = m.code
				}
			}
			if r.refused == "" {
				words = append(words, x)
			}
		}
	}
	named := slices.Clone(out.services)
	fee := slices.ContainsFunc(out.amounts, func(a amount) bool { return a.fee })
	for i, m := range named {
		out.services[i].code = c.replaced(m.code, words, named, out.facts, fee)
	}
	out.services = c.withoutGroups(out.services)
	out.services = c.withoutTold(once(out.services), out.amount("pesos") || out.amount("jus") || out.has("porcentaje", "parte", "proporcion", "etapa"))
	c.overMonths(&out)
	return out, any
}

// overMonths takes the months told in another clause for how many of what is paid by the
// month: "¿cuál es el mínimo mensual y cuánto da en un año?".
func (c *Calc) overMonths(r *reading) {
	for i, m := range r.services {
		s, _ := c.Service(m.code)
		for _, a := range r.amounts {
			if s.Per == "mes" && a.unit == "meses" && !m.said {
				r.services[i].quantity, r.services[i].said = a.value, true
			}
		}
	}
}

// ownedWord is a word of a question with the service that it is part of the name of.
type ownedWord struct{ stem, owner string }

// denied owns the words that the question denies.
const denied = "-"

// replaced gives what a service is in the company of a word: an appeal in a criminal case.
// A word that names another service is that one's, unless it is told beside this.
// A part of a fee is meant only where a fee is told: "me regularon…, hice la demanda".
func (c *Calc) replaced(code string, words []ownedWord, list []mentioned, facts Facts, fee bool) string {
	from, _ := c.Service(code)
	for _, s := range c.list {
		if s.OfFee() && !from.OfFee() && !fee {
			continue
		}
		if slices.ContainsFunc(list, func(m mentioned) bool { return m.code == s.Code }) {
			continue // named by itself, with its word
		}
		for _, r := range strings.Fields(s.Replaces) {
			old, alts, _ := strings.Cut(r, "@")
			for _, w := range strings.Split(alts, "|") {
				if k, v, is := strings.Cut(w, "="); is {
					if old == code && facts[k] == v {
						return s.Code
					}
					continue
				}
				free := func(x ownedWord) bool {
					o, _ := c.Service(x.owner)
					return x.stem == singular(w) && (x.owner == "" || x.owner == code || slices.Contains(s.Absorbs, x.owner) || o.ReplacedBy(w))
				}
				if old == code && slices.ContainsFunc(words, free) {
					return s.Code
				}
			}
		}
	}
	return code
}

// withoutGroups leaves out a group that only restates its cases: "fui tres veces a consultar
// de palabra: ¿cuánto por las tres consultas?".
func (c *Calc) withoutGroups(list []mentioned) []mentioned {
	return slices.DeleteFunc(slices.Clone(list), func(m mentioned) bool {
		g, ok := c.Group(m.code)
		sum := decimal.Zero
		for _, o := range list {
			if s, err := sum.Add(o.quantity); ok && err == nil && g.Has(o.code) {
				sum = s
			}
		}
		return ok && m.restated && sum.Equal(m.quantity)
	})
}

// withoutTold leaves out the services that are only told beside another that absorbs
// them: in another clause, or as what an amount was of.
func (c *Calc) withoutTold(list []mentioned, amount bool) []mentioned {
	list = slices.DeleteFunc(list, func(m mentioned) bool { return m.code == fees.ScaleCode && len(list) > 1 })
	return slices.DeleteFunc(list, func(m mentioned) bool {
		return !m.said && slices.ContainsFunc(list, func(o mentioned) bool {
			s, ok := c.Service(o.code)
			return ok && slices.Contains(s.Absorbs, m.code) && (amount || m.inside || o.clause != m.clause)
		})
	})
}
