package jus

import (
	"strings"

	"digesto/pack"
	"digesto/text"
)

// vocabulary collects the words of the patterns: what a question may hold beside
// services, numbers and dates without anything being left over.
func (c *Calc) vocabulary() {
	c.words = map[string]bool{}
	add := func(p pack.Pattern) {
		for _, f := range strings.Fields(p.String()) {
			for _, a := range strings.Split(strings.TrimPrefix(f, "?"), "|") {
				c.words[singular(strings.TrimSuffix(a, "*"))] = true
			}
		}
	}
	for _, s := range c.services {
		for _, p := range s.Words {
			add(p)
		}
		for _, w := range pack.Words(s.Name + " " + s.Per + " " + s.Condition) {
			c.words[singular(w)] = true
		}
	}
	for _, g := range c.groups {
		for _, p := range g.Words {
			add(p)
		}
	}
	for _, f := range c.facts {
		add(f.pattern)
	}
	for _, class := range []string{ClassQuote, ClassRule, ClassCompare, ClassConvert} {
		for _, p := range c.classes[class].yes {
			add(p)
		}
	}
	for w := range quantityWords {
		c.words[singular(w)] = true
	}
	for _, w := range strings.Fields(`rango total sumado suma tramite proceso juicio demanda honorario jus peso cordoba provincia
		interviniente civil presupuesto minimo maximo hoy ley cliente actual pretension lista gracia favor saludo urgente doctor doctora colega hola buena`) {
		c.words[w] = true
	}
}

func (c *Calc) knows(stem string) bool {
	return c.words[stem] || joiners[stem] || determiners[stem] || countNouns[stem] || complement[stem] || otherMeasures[stem]
}

// indefinite begins what is added to a list.
var indefinite = set("un una unos unas otro otra otros otras")

// maxItemWords is how long an item of a list may be that names no service known; what is
// longer tells something.
const maxItemWords = 7

// leftovers names what a list of services holds and is none of them, and says whether
// a clause holds nothing but what was understood.
func (c *Calc) leftovers(k *clause, r *reading) {
	unknown := make([]bool, len(k.raw))
	taken := func(i int) bool {
		for _, m := range r.services {
			if i >= m.from && i < m.to {
				return true
			}
		}
		for _, a := range r.amounts {
			if i >= a.from && i < a.to {
				return true
			}
		}
		return k.aside[i]
	}
	for i, w := range k.stems {
		r.rule = r.rule || ruleWords[k.raw[i]] && !taken(i)
		unknown[i] = !taken(i) && !text.IsStop(k.raw[i]) && !c.knows(w)
		if unknown[i] {
			r.unknown++
		}
	}
	r.bare = r.unknown == 0
	if len(r.services) == 0 {
		return
	}
	asksList := c.classes[ClassQuote].match(r.words)
	for _, s := range k.conjuncts() {
		if c.unreadItem(k, r, s, unknown, asksList) {
			from, _ := k.tail(s)
			r.unread = append(r.unread, strings.TrimSpace(k.text[k.toks[from].Start:k.toks[s.to-1].End]))
		}
	}
	if r.percent != nil {
		r.unused = append(r.unused, local(r.percent.value)+" %")
	}
	for i, a := range k.amounts {
		if a.counts() && !k.used[i] && a.to < len(k.raw) && !c.factual(k.stems[a.to]) && !k.starts[a.to] {
			r.unused = append(r.unused, strings.TrimSpace(k.text[k.toks[a.from].Start:k.toks[a.to].End]))
		}
	}
}

// factual says that a number of these is told by a fact ("dos abogados").
func (c *Calc) factual(stem string) bool {
	return stem == "abogado" || stem == "abogada" || stem == "letrado" || stem == "letrada" || stem == "part" || stem == "conyug"
}

// unreadItem says whether a conjunct is an item that is no service: it begins like one
// and holds a word that nothing here knows.
func (c *Calc) unreadItem(k *clause, r *reading, s conjunct, unknown []bool, asksList bool) bool {
	from, num := k.tail(s)
	if s.to-from > maxItemWords || from >= s.to {
		return false
	}
	for _, m := range r.services {
		if m.from < s.to && m.to > s.from {
			return false
		}
	}
	strange, first, content := false, "", false
	for i := s.from; i < s.to; i++ {
		strange = strange || unknown[i]
		content = content || i >= from && !k.aside[i] && !text.IsStop(k.raw[i]) && !complement[k.raw[i]]
		if otherMeasures[k.stems[i]] || quantityWords[k.raw[i]] {
			return false // it tells of persons or asks how much
		}
		if !joiners[k.raw[i]] && first == "" {
			first = k.raw[i]
		}
		if verbal[k.stems[i]] || isVerb(k.raw[i]) {
			return false
		}
	}
	if len(c.findFacts(k.stems[s.from:s.to])) > 0 {
		return false
	}
	if num >= 0 || indefinite[first] {
		return content
	}
	return strange && s.from > 0 && joined(k, s) && s.to-from <= 5 && (asksList || !complement[first] && !circumstance[first])
}

// isVerb knows a verb by endings that no service's name has.
func isVerb(w string) bool {
	for _, e := range []string{"amos", "emos", "imos", "aron", "ieron", "aban", "iendo", "ando"} {
		if len(w) > len(e)+1 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// circumstance begins what is told of an item, and no item.
var circumstance = set("para por con sin a ante hasta tras sobre entre segun ya no si tampoco ni siempre")

// joined says that a conjunct is joined to what stands before it as another item.
func joined(k *clause, s conjunct) bool {
	return joiners[k.raw[s.from]] || strings.Contains(k.text[k.toks[s.from-1].End:k.toks[s.from].Start], "+")
}

// verbal are words of sentences, which items of a list do not hold.
var verbal = set(`que me te se nos no es son era fue tengo tiene tenemo hay soy esta estoy quiero quier necesito hace hice puede
	vive viv va voy pide piden quieren pretende pretenden reclama reclaman solicita solicitan dice dicen como cuando cuanto cuanta cuantos cual quien donde porque si le lo`)
