package jus

import (
	"slices"

	"github.com/govalues/decimal"

	"digesto/packs/jus/fees"
	"digesto/packs/jus/naming"
)

// What a question asks for by its words, beside the forms of names that are known.
const (
	// likelyName is from what score on it is offered among the readings of a question, and
	// feeName where a fee is asked for in so many words.
	likelyName, feeName = .4, .3
	// plainName is from what score on it is taken where no word of fees is said.
	plainName = .55
	// sureName is from what score on the likeliest service is taken for what is meant.
	sureName = .45
	// aheadName is how far it has to stand before the next that is no kin of it.
	aheadName = .05
	// veto is how far what no service answers has to stand before it to go first.
	veto = .06
	// overNamed is how far it has to stand before a service that is named to be doubted or,
	// where one word names that, taken.
	overNamed = .1
	// ownWord is from what weight on a word is a service's own.
	ownWord = .5
)

// askedFor gives the service that the words of a question ask for, and whether it is sure;
// ok is false where they ask for none.
func (c *Calc) askedFor(list []naming.Match) (best naming.Match, sure bool) {
	i := slices.IndexFunc(list, func(m naming.Match) bool { return m.Code != noService })
	if i < 0 || list[0].Score-list[i].Score > veto {
		return naming.Match{}, false
	}
	best, sure = list[i], list[i].Score >= sureName && list[i].Firm
	for _, m := range list[i+1:] {
		sure = sure && (m.Code == noService || best.Score-m.Score >= aheadName || c.kin(best.Code, m.Code))
	}
	return best, sure
}

// next gives the likeliest service that is no kin of another; that one itself for none.
func (c *Calc) next(list []naming.Match, code string, least float64) string {
	for _, m := range list {
		if m.Code != noService && m.Score >= least && m.Firm && !c.kin(m.Code, code) && m.Code != code {
			return m.Code
		}
	}
	return code
}

// secondReading holds what is named against what the words ask for. It gives the service
// that goes before what is named, and the one that is as likely as it; "" for none.
func (c *Calc) secondReading(q question) (instead, beside string) {
	var named []mentioned
	for _, r := range q.clauses {
		if r.refused == "" {
			named = append(named, r.services...)
		}
	}
	list := c.asks().Rank(c.meaning(q))
	best, sure := c.askedFor(list)
	if best.Score < likelyName || !best.Firm || len(named) == 0 {
		return "", ""
	}
	own, generic, agreed := 0., true, false
	for _, m := range named {
		agreed = agreed || m.code == best.Code || c.kind(m.code, best.Code) || slices.Contains(m.where, best.Code)
		generic = generic && m.generic
		for _, x := range list {
			if x.Code == m.code {
				own = max(own, x.Score)
			}
		}
	}
	if agreed {
		return "", c.moreWords(list, named, generic)
	}
	alone := !slices.ContainsFunc(named, func(m mentioned) bool { return m.code != named[0].code })
	switch over := best.Score - own; {
	case over <= 0, alone && over < overNamed && !c.absorbs(best.Code, named[0].code):
		return "", ""
	case sure && alone && (generic || c.absorbs(best.Code, named[0].code)), sure && generic && over >= overNamed:
		return best.Code, ""
	}
	return "", best.Code
}

// moreWords gives the service that more words of the question ask for than for what one
// word of it names.
func (c *Calc) moreWords(list []naming.Match, named []mentioned, generic bool) string {
	words := 0
	for _, x := range list {
		if slices.ContainsFunc(named, func(m mentioned) bool { return m.code == x.Code || c.kin(m.code, x.Code) }) {
			words = max(words, x.Words)
		}
	}
	for _, x := range list {
		apart := !slices.ContainsFunc(named, func(m mentioned) bool {
			return m.code == x.Code || c.kin(m.code, x.Code) || slices.Contains(m.where, x.Code)
		})
		if generic && x.Code != noService && apart && x.Firm && x.Score >= feeName && x.Words > words {
			return x.Code
		}
	}
	return ""
}

// kind says that a service that is named is a case of another, or told with it.
func (c *Calc) kind(code, other string) bool {
	g, ok := c.Group(other)
	if n, group := c.Group(code); group && ok {
		return slices.ContainsFunc(n.Cases, func(k fees.Case) bool { return g.Has(k.Service) })
	}
	return ok && g.Has(code) || c.absorbs(code, other)
}

// meaning gives the words of a question that may say what is asked for: no numbers, no
// dates, no places.
func (c *Calc) meaning(q question) (out []string) {
	for _, r := range q.clauses {
		for i, w := range r.words {
			number := slices.ContainsFunc(r.amounts, func(a amount) bool { return i >= a.from && i < a.to })
			if r.refused == "" && c.asks().Says(w) && !number && !r.clause.aside[i] && (!quantityWords[w] || w == "porcentaje") && !asking[w] {
				out = append(out, w)
			}
		}
	}
	if len(out) > 1 && slices.ContainsFunc(q.clauses, func(r reading) bool { return r.percent != nil && r.refused == "" }) {
		out = append(out, "porcentaje") // "el 40 % de lo que saque"
	}
	return out
}

// kin says that one of two services is a case of the other, or told with it.
func (c *Calc) kin(a, b string) bool { return c.kind(a, b) || c.kind(b, a) }

// meant finds the words of a clause that ask for a service.
func (c *Calc) meant(k *clause, code string) (mentioned, bool) {
	best, at := 0., -1
	for i, w := range k.raw {
		if x := c.asks().Weight(code, w); x > best && !k.aside[i] {
			best, at = x, i
		}
	}
	if at < 0 || code == "" {
		return mentioned{}, false
	}
	_, group := c.Group(code)
	m := mentioned{code: code, group: group, from: at, to: at + 1, quantity: decimal.One}
	own := func(i int) bool {
		return fillers[k.raw[i]] || complement[k.raw[i]] || c.asks().Own(code, k.raw[i]) >= ownWord
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
	for _, a := range k.amounts { // "tres audiencias testimoniales sueltas"
		if a.counts() && a.to < m.from && c.asks().Own(code, k.raw[a.to]) >= ownWord && !slices.Contains(k.starts[a.to:m.from+1], true) {
			m.from = a.to
		}
	}
	for m.from < at && (fillers[k.raw[m.from]] || complement[k.raw[m.from]]) {
		m.from++
	}
	return m, true
}

// unheard gives the words of a question that are read as nothing.
func (c *Calc) unheard(q question, list []mentioned) (out []string) {
	var codes []string
	for _, m := range list {
		codes = append(append(codes, m.code), m.where...)
	}
	for _, r := range q.clauses {
		if r.refused == "" {
			out = append(out, c.strangers(r, codes)...)
		}
	}
	return out
}

// strangers gives the words of a clause that are read as nothing: no part of a service's
// name, nothing that a service named is asked for with, no fact, number, date or place,
// and not what many services are asked for with.
func (c *Calc) strangers(r reading, codes []string) (out []string) {
	k := r.clause
	taken := make([]bool, len(k.raw))
	mark := func(from, to int) {
		for i := from; i < to && i < len(taken); i++ {
			taken[i] = true
		}
	}
	for _, m := range r.services {
		mark(m.from, m.to)
	}
	for _, a := range r.amounts {
		mark(a.from, a.to)
	}
	for _, f := range c.facts {
		for _, at := range findAll(f.pattern, k.stems) {
			mark(at[0], at[1])
		}
	}
	for i, w := range k.raw {
		known := taken[i] || k.aside[i] || !c.asks().Says(w) || isNumber(w) || quantityWords[w] || quantityWords[k.stems[i]] || asking[w] || priceAsked[w] || askWords[w] || sumWords[w] ||
			otherMeasures[k.stems[i]] || countNouns[k.stems[i]] || joiners[w] || determiners[w] || c.asks().Spread(w) >= fillerSpread
		if !taken[i] && c.headOf(r, i) && c.asks().Best(w) >= ownWord {
			known = false // "las tareas anteriores a un juicio de adopción"
		}
		for _, code := range codes {
			known = known || c.asks().Own(code, w) > 0 || c.wordOf[k.stems[i]][code]
		}
		if !known {
			out = append(out, w)
		}
	}
	return out
}

// headOf says that a word stands before the only service, in the conjunct that it does not
// begin: what is asked for may be that, and the service only where it is done.
func (c *Calc) headOf(r reading, i int) bool {
	if len(r.services) != 1 || !r.services[0].inside || i >= r.services[0].from || otherMeasures[r.clause.stems[i]] || quantityWords[r.words[i]] || asking[r.words[i]] || priceAsked[r.words[i]] || verbal[r.words[i]] || countNouns[r.clause.stems[i]] {
		return false
	}
	return !slices.Contains(r.clause.starts[i+1:r.services[0].from+1], true)
}

// fillerSpread is from how many services on a word that they are asked for with says
// nothing of which.
const fillerSpread = 6

// feeWordsAsked are words of who asks for a fee and for no other price.
var feeWordsAsked = set("honorario honorarios minimo minimos minima piso regula regulan regulacion regular arancel jus letrado letrada abogado abogada abogados rango tope escala")

// ofFees says that a fee is asked for in so many words.
func (r reading) ofFees() bool {
	return slices.ContainsFunc(r.words, func(w string) bool { return feeWordsAsked[w] }) || !r.asked && r.told()
}

func onlyIfScore(b bool, yes, no float64) float64 {
	if b {
		return yes
	}
	return no
}
