package jus

import (
	"slices"

	"github.com/govalues/decimal"
)

// What a question asks for by its words, where no service is named in a form that is known.
const (
	// sureName is from what score on the likeliest service is taken for what is meant.
	sureName = .45
	// aheadName is how far it has to stand before the next that is no kin of it.
	aheadName = .05
	// ownWord is from what weight on a word is a service's own.
	ownWord = .5
)

// askedFor gives the service that the words of a question ask for; "" for none that is sure.
func (c *Calc) askedFor(q question, sure float64) string {
	list := c.asks.Rank(c.meaning(q))
	if len(list) == 0 || list[0].Score < sure || list[0].Code == noService {
		return ""
	}
	for _, m := range list[1:] {
		if list[0].Score-m.Score < aheadName && !c.kin(list[0].Code, m.Code) {
			return ""
		}
	}
	return list[0].Code
}

// meaning gives the words of a question that may say what is asked for: no numbers, no
// dates, no places.
func (c *Calc) meaning(q question) (out []string) {
	for _, r := range q.clauses {
		for i, w := range r.words {
			number := slices.ContainsFunc(r.amounts, func(a amount) bool { return i >= a.from && i < a.to })
			if r.refused == "" && !number && !r.clause.aside[i] && !quantityWords[w] {
				out = append(out, w)
			}
		}
	}
	return out
}

// kin says that one of two services is told beside the other, or takes its place.
func (c *Calc) kin(a, b string) bool {
	if c.absorbs(a, b) || c.absorbs(b, a) {
		return true
	}
	in := func(group, code string) bool {
		g, ok := c.Group(group)
		return ok && slices.ContainsFunc(g.Cases, func(k Case) bool { return k.Service == code })
	}
	return in(a, b) || in(b, a)
}

// meant finds the words of a clause that ask for a service.
func (c *Calc) meant(k *clause, code string) (mentioned, bool) {
	best, at := 0., -1
	for i, w := range k.raw {
		if x := c.asks.Weight(code, w); x > best && !k.aside[i] {
			best, at = x, i
		}
	}
	if at < 0 || code == "" {
		return mentioned{}, false
	}
	_, group := c.Group(code)
	m := mentioned{code: code, group: group, from: at, to: at + 1, quantity: decimal.One}
	own := func(i int) bool {
		return fillers[k.raw[i]] || complement[k.raw[i]] || c.asks.Own(code, k.raw[i]) >= ownWord
	}
	for m.from > 0 && !k.starts[m.from] && own(m.from-1) && !one[k.raw[m.from-1]] {
		m.from--
	}
	for m.to < len(k.raw) && !k.starts[m.to] && own(m.to) {
		m.to++
	}
	for m.to-1 > at && (fillers[k.raw[m.to-1]] || complement[k.raw[m.to-1]]) {
		m.to--
	}
	for m.from < at && (fillers[k.raw[m.from]] || complement[k.raw[m.from]]) {
		m.from++
	}
	return m, true
}
