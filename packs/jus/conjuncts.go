package jus

import (
	"slices"

	"github.com/govalues/decimal"

	"digesto/text"
)

// conjunct is a stretch of a clause between its commas and conjunctions.
type conjunct struct{ from, to int }

func (k *clause) conjuncts() (out []conjunct) {
	from := 0
	for i := 1; i <= len(k.raw); i++ {
		if k.starts[i] {
			if i > from {
				out = append(out, conjunct{from, i})
			}
			from = i
		}
	}
	return out
}

var determiners = set("cuanto cuantos cuanta cuantas a al un una unos unas otra otro otras otros la el los las y e mas ademas tambien luego despues con")

// tail is a conjunct without what joins, determines and counts; i is its number, -1 for none.
func (k *clause) tail(s conjunct) (from, i int) {
	i = -1
	for from = s.from; from < s.to; {
		if determiners[k.raw[from]] || from > s.from && from+1 < s.to && definiteOrOne[k.raw[from-1]] && ordinals[k.raw[from]] && !otherMeasures[k.stems[from+1]] {
			from++ // "la primera oral, las otras dos por escrito"
			continue
		}
		n := -1
		for x, a := range k.amounts {
			if a.from == from && a.counts() && !k.used[x] {
				n = x
			}
		}
		if n < 0 {
			break
		}
		i, from = n, k.amounts[n].to
	}
	return from, i
}

// ordinals count one of those told before.
var ordinals = set("primera primero segunda segundo tercera tercero ultima ultimo restante restantes")

// maxTail is how many words a conjunct that leaves out its head may have.
const maxTail = 6

// inside says whether a service does not begin the conjunct that it stands in.
func (k *clause) inside(m mentioned) bool {
	for _, s := range k.conjuncts() {
		if m.from >= s.from && m.from < s.to {
			from, _ := k.tail(s)
			return from < m.from
		}
	}
	return false
}

// ellipses reads the conjuncts that name no service by putting the first words of a
// neighbour's before them.
func (c *Calc) ellipses(k *clause, have []mentioned) []mentioned {
	list := k.conjuncts()
	in := func(s conjunct) (out []int) {
		for i, m := range have {
			if m.from < s.to && m.to > s.from {
				out = append(out, i)
			}
		}
		return out
	}
	var heads []int // into have, nearest first
	head := -1
	found := map[int]decimal.Decimal{}
	for n, s := range list {
		if at := in(s); len(at) > 0 {
			head = at[len(at)-1]
			continue
		}
		heads = heads[:0]
		if head >= 0 {
			heads = append(heads, head)
		} else if n+1 < len(list) {
			if at := in(list[n+1]); len(at) > 0 && k.raw[list[n+1].from] == "y" {
				heads = append(heads, at[0])
			}
		}
		for _, h := range heads {
			m, num, ok := c.ellipsis(k, have[h], s)
			if !ok {
				m, num, ok = c.alike(k, have[h], s)
			}
			if !ok {
				m, num, ok = k.oneMore(have[h], s)
			}
			if !ok {
				m, num, ok = c.itemByWords(k, have[h], s)
			}
			if !ok {
				continue
			}
			if num >= 0 {
				k.take(&m, num)
			}
			m.said = m.said || slices.ContainsFunc(k.raw[s.from:m.to], func(w string) bool { return one[w] })
			have = append(have, m)
			if have[h].group && !m.group {
				sum, err := found[h].Add(m.quantity)
				if err == nil {
					found[h] = sum
				}
			}
			break
		}
	}
	return withoutTotals(have, found)
}

// ellipsis reads a conjunct without the head of its service: as it begins ("una por
// escrito"), without what it is before or with ("ante la central"), or from what it adds
// ("redacté la respuesta a otra por escrito").
func (c *Calc) ellipsis(k *clause, h mentioned, s conjunct) (mentioned, int, bool) {
	from, num := k.tail(s)
	if m, ok := c.completed(k, h, from, s); ok {
		return m, num, true
	}
	if from < s.to && leading[k.raw[from]] {
		rest, n := k.tail(conjunct{from + 1, s.to})
		if m, ok := c.completed(k, h, rest, s); ok {
			return m, max(num, n), true
		}
	}
	for i := from + 1; i < s.to && k.asked[s.from] > k.asked[h.from]; i++ { // "¿qué le toca al de control?"
		if m, ok := c.completed(k, h, i, s); ok {
			return m, -1, true
		}
	}
	for i := from; i+1 < s.to; i++ {
		if deniedBy(k.raw, k.starts, i) < i {
			continue // "nunca me dio nada por escrito"
		}
		if one[k.raw[i]] && (i == 0 || k.raw[i-1] != "cada") || copula[k.raw[i]] || leading[k.raw[i]] && i > from {
			rest, n := k.tail(conjunct{i + 1, s.to})
			if m, ok := c.completed(k, h, rest, s); ok {
				return m, n, true
			}
		}
	}
	return h, -1, false
}

// itemByWords reads a conjunct that is an item of its own by the words that it is asked
// with: one more of the service before it, or another: "dos testamentos y una locación".
func (c *Calc) itemByWords(k *clause, h mentioned, s conjunct) (mentioned, int, bool) {
	from, num := k.tail(s)
	if from >= s.to || s.to-from > maxItemWords || num < 0 && !slices.ContainsFunc(k.raw[s.from:from], func(w string) bool { return one[w] }) {
		return mentioned{}, -1, false
	}
	if slices.ContainsFunc(k.stems[from:s.to], func(w string) bool {
		return otherMeasures[w] || meetings[w] || slices.Contains(families()["reunion"], w)
	}) {
		return mentioned{}, -1, false // it tells who takes part, or how often they met
	}
	if !slices.ContainsFunc(k.stems[from:s.to], func(w string) bool { return !countNouns[w] && !cases[w] }) {
		return mentioned{}, -1, false // "…, dos juicios" counts what is told
	}
	if h.said && h.quantity.Cmp(decimal.One) > 0 && num < 0 && apart[k.raw[from-1]] {
		return mentioned{}, -1, false // "dos peritos, uno médico y otro ingeniero"
	}
	all := func(code string, least float64) bool {
		return !slices.ContainsFunc(k.raw[from:s.to], func(w string) bool {
			return !text.IsStop(w) && c.asks().Own(code, w) < least && !(code != h.code && c.asks().Own(h.code, w) >= ownWord && c.together(code, h.code))
		})
	}
	m := mentioned{code: h.code, group: h.group, from: from, to: s.to, quantity: decimal.One, said: true}
	if all(h.code, ownWord) {
		return m, num, true
	}
	list := c.asks().Rank(k.raw[from:s.to])
	best, sure := c.askedFor(list)
	if !all(best.Code, 0.1) || !sure && !(best.Score >= sureName && c.kin(best.Code, h.code)) {
		return mentioned{}, -1, false
	}
	m.code = best.Code
	_, m.group = c.Group(best.Code)
	return m, num, true
}

// together says that two services stand in one article.
func (c *Calc) together(a, b string) bool {
	x, _ := c.Service(a)
	y, ok := c.Service(b)
	return ok && x.Article == y.Article
}

// apart tell of each of those counted before.
var apart = set("uno otro otra")

// oneMore reads "y el de un club" and "y tres de su hermano": more of the service told
// before; num is the number said, -1 for none.
func (k *clause) oneMore(h mentioned, s conjunct) (mentioned, int, bool) {
	at, num := s.from, -1
	for at < s.to && joiners[k.raw[at]] {
		at++
	}
	joined := at > s.from
	for x, a := range k.amounts {
		if a.from == at && a.counts() && !k.used[x] {
			num, at = x, a.to-1
		}
	}
	if !joined || at+2 >= s.to || num < 0 && !definiteOrOne[k.raw[at]] && !apart[k.raw[at]] || k.raw[at+1] != "de" {
		return h, -1, false
	}
	h.from, h.to, h.quantity, h.said, h.article, h.more = at, s.to, decimal.One, true, false, true
	return h, num, true
}

// alike reads a conjunct joined by "y" that begins with another noun of the same service
// and leaves out what it is of: "nombramiento de curador y remoción del anterior".
func (c *Calc) alike(k *clause, h mentioned, s conjunct) (mentioned, int, bool) {
	from, num := k.tail(s)
	if !joined(k, s) || h.group || from+1 >= s.to || s.to-from > 3 {
		return h, num, false
	}
	w := k.stems[from]
	same := c.wordOf[w][h.code] && len(c.wordOf[w]) <= maxShared && !slices.Contains(k.stems[h.from:h.to], w) && pronominal[k.stems[s.to-1]]
	h.from, h.to, h.quantity, h.said, h.article = from, s.to, decimal.One, false, false
	return h, num, same
}

// pronominal stand for what was named before.
var pronominal = set("anterior mismo misma otro otra siguiente viejo nuevo nueva primero segundo")

// copula joins what is asked for to what it is: "el mío es de control".
var copula = set("es era fue son eran fueron")

// leading are the words before what is asked for: "ante la central", "en otra causa".
var leading = set("ante en a con por")

// completed gives the service that a conjunct names after the head of another.
func (c *Calc) completed(k *clause, h mentioned, from int, s conjunct) (mentioned, bool) {
	if s.to > s.from && k.raw[s.to-1] == "mas" { // "y otra más"
		s.to--
		from = min(from, s.to)
	}
	if from == s.to && (k.stems[s.to-1] == "otra" || k.stems[s.to-1] == "otro") {
		h.from, h.to, h.quantity = s.from, s.to, decimal.One
		return h, true
	}
	for from < s.to && s.to > from && k.aside[s.to-1] {
		s.to--
	}
	for s.to-1 > from && (determiners[k.raw[s.to-1]] || complement[k.raw[s.to-1]] || k.aside[s.to-1]) { // "por escrito el 3 de marzo"
		s.to--
	}
	if from >= s.to || s.to-from > maxTail {
		return h, false
	}
	for n := min(3, h.to-h.from); n > 0; n-- {
		words := append(append([]string{}, k.stems[h.from:h.from+n]...), k.stems[from:s.to]...)
		for _, m := range c.named(words, func(int, int) bool { return false }) {
			if m.from < n && m.to > n && m.code != h.code && !m.group && c.allKnown(words[n:]) {
				m.from, m.to, m.quantity = s.from, from+m.to-n, decimal.One
				return m, true
			}
		}
	}
	return h, false
}

// allKnown says that every word is one of services, or carries no meaning.
func (c *Calc) allKnown(stems []string) bool {
	for _, w := range stems {
		if !c.knows(w) && !text.IsStop(w) {
			return false
		}
	}
	return true
}

// withoutTotals leaves out a group that only announces its parts: "tres consultas, dos
// verbales y una escrita".
func withoutTotals(have []mentioned, parts map[int]decimal.Decimal) []mentioned {
	var out []mentioned
	for i, m := range have {
		if sum, ok := parts[i]; ok && (!m.said || sum.Equal(m.quantity)) {
			continue
		}
		out = append(out, m)
	}
	return out
}

// once joins what is named twice: a name without a number repeats one with it, numbers
// of the same service in a list are summed, and "las dos consultas" restates them.
func once(list []mentioned) []mentioned {
	var out []mentioned
	at := map[string]int{}
	for _, m := range list {
		i, ok := at[m.code]
		if !ok {
			at[m.code] = len(out)
			out = append(out, m)
			continue
		}
		o := &out[i]
		switch {
		case m.more && !o.restated:
			if sum, err := o.quantity.Add(m.quantity); err == nil {
				o.quantity, o.said = sum, true
			}
		case !m.said && !o.said && m.joined && m.apart(*o):
			o.quantity, o.said = decimal.Two, true // "casación y recurso de inconstitucionalidad"
		case !m.said:
		case m.article && o.said && m.apart(*o) && !m.joined:
		case o.restated && !m.restated: // "…: por los dos trámites" has counted it
		case o.article && m.apart(*o) && !m.joined: // "un plan de pago, seis cuotas de honorarios"
			o.quantity, o.article = m.quantity, false
		case !o.said || m.restated:
			o.quantity, o.said = m.quantity, true
		default:
			if sum, err := o.quantity.Add(m.quantity); err == nil {
				o.quantity = sum
			}
		}
	}
	return out
}

// apart says that two names of a service have each a word that the other lacks.
func (m mentioned) apart(o mentioned) bool {
	lacks := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(w string) bool { return !text.IsStop(w) && !slices.Contains(b, w) })
	}
	return lacks(m.words, o.words) && lacks(o.words, m.words)
}

// joined says that "y" or "más" begins the conjunct of a service, which tells nothing.
func (k *clause) joined(m mentioned) bool {
	for _, s := range k.conjuncts() {
		if m.from >= s.from && m.from < s.to {
			return joined(k, s) && s.from > 0 && !slices.ContainsFunc(k.raw[s.from:s.to], func(w string) bool { return verbal[w] || isVerb(w) })
		}
	}
	return false
}

// carry reads a question that leaves out the head of the service named just before it:
// "Al perito oficial le regularon 35 JUS. ¿Y al de control?"
func (c *Calc) carry(before reading, r *reading) {
	if len(before.services) == 0 || len(r.services) > 0 || len(r.words) > maxTail+2 || slices.ContainsFunc(r.amounts, func(a amount) bool { return a.fee }) {
		return
	}
	k := r.clause
	from, num := k.tail(conjunct{0, len(k.raw)})
	h := before.services[len(before.services)-1]
	head := before.clause.stems[h.from:h.to]
	if best, sure := c.askedFor(c.asks().Rank(append(slices.Clone(before.clause.raw[h.from:min(h.from+1, h.to)]), k.raw...))); sure && best.Code != h.code && c.kin(best.Code, h.code) && slices.ContainsFunc(k.raw, func(w string) bool { return c.asks().Own(best.Code, w) >= ownWord && c.asks().Own(h.code, w) < ownWord }) {
		h.code, h.from, h.to, h.quantity, h.said, h.where = best.Code, 0, len(k.raw), decimal.One, true, nil
		r.services = append(r.services, h)
		if !slices.Contains(r.classes, ClassRule) {
			r.classes = append(r.classes, ClassRule)
		}
		return
	}
	for ; from < len(k.stems); from++ { // "¿qué le toca al de control?"
		for n := min(3, len(head)); n > 0; n-- {
			words := append(append([]string{}, head[:n]...), k.stems[from:]...)
			for _, m := range c.named(words, func(int, int) bool { return false }) {
				if m.from < n && m.to > n && m.code != h.code && !m.group && c.allKnown(words[n:]) {
					m.from, m.to, m.quantity, m.said = 0, len(k.raw), decimal.One, true
					if num >= 0 {
						k.take(&m, num)
					}
					r.services = append(r.services, m)
					if !slices.Contains(r.classes, ClassRule) {
						r.classes = append(r.classes, ClassRule)
					}
					return
				}
			}
		}
	}
}
