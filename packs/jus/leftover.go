package jus

import (
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text"
)

// vocabulary collects the words of the patterns: what a question may hold beside
// services, numbers and dates without anything being left over.
func (c *Calc) vocabulary() {
	c.words = map[string]bool{}
	add := func(p pack.Pattern) {
		for _, f := range strings.Fields(p.String()) {
			for _, a := range strings.Split(strings.TrimPrefix(f, "?"), "|") {
				if w, begins := strings.CutSuffix(a, "*"); begins && len(w) >= beginning {
					c.begins = append(c.begins, w)
				}
				c.words[singular(strings.TrimSuffix(a, "*"))] = true
			}
		}
	}
	for _, o := range c.others {
		for _, p := range o.what {
			for _, f := range strings.Fields(p.String()) {
				c.said = append(c.said, strings.Split(strings.TrimPrefix(f, "?"), "|")...)
			}
		}
	}
	slices.Sort(c.said)
	c.naming, c.wordOf = map[string]bool{}, map[string]map[string]bool{}
	names := func(w, code string) {
		if c.wordOf[w] == nil {
			c.wordOf[w] = map[string]bool{}
		}
		c.wordOf[w][code] = true
	}
	for _, s := range c.list {
		for _, p := range c.namedBy[s.Code] {
			add(p)
			for _, f := range strings.Fields(p.String()) {
				for _, w := range strings.Split(strings.TrimPrefix(f, "?"), "|") {
					names(w, s.Code)
				}
			}
			for _, w := range firstWord(p) {
				c.naming[w] = true
			}
			if l := strings.Fields(p.String()); !strings.HasPrefix(l[len(l)-1], "?") {
				for _, w := range strings.Split(l[len(l)-1], "|") {
					c.naming[w] = true
				}
			}
		}
		for _, w := range pack.Words(s.Name) {
			names(singular(w), s.Code)
		}
		for _, w := range pack.Words(s.Name + " " + s.Per + " " + s.Condition) {
			c.words[singular(w)] = true
		}
	}
	for _, g := range c.Groups() {
		for _, p := range c.namedBy[g.Code] {
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
	slices.Sort(c.begins)
	c.begins = slices.Compact(c.begins)
	for w := range quantityWords {
		c.words[singular(w)] = true
	}
	for _, w := range strings.Fields(`rango total sumado suma tramite proceso juicio demanda honorario jus peso cordoba provincia
		interviniente civil presupuesto minimo maximo hoy ley cliente actual pretension lista gracia favor saludo urgente doctor doctora colega hola buena`) {
		c.words[w] = true
	}
}

func (c *Calc) knows(stem string) bool {
	begins := func(w string) bool { return strings.HasPrefix(stem, w) }
	return c.words[stem] || slices.ContainsFunc(c.begins, begins) || joiners[stem] || determiners[stem] || countNouns[stem] || complement[stem] || otherMeasures[stem]
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
		r.rule = r.rule || ruleWords[k.raw[i]] && (i == 0 || !relativeWords[k.raw[i]] || k.asked[i] > k.asked[i-1]) && !taken(i) && deniedBy(k.raw, k.starts, i) == i
		unknown[i] = !taken(i) && !text.IsStop(k.raw[i]) && !c.knows(w)
		if unknown[i] {
			r.unknown++
		}
	}
	r.bare = r.unknown == 0
	if len(r.services) == 0 {
		return
	}
	asksList := c.classes[ClassQuote].match(r.words) || len(r.services) > 1 || r.has("total", "suma", "sumar", "sumame")
	for _, s := range k.conjuncts() {
		if c.unreadItem(k, r, s, unknown, asksList) {
			from, _ := k.tail(s)
			r.unread = append(r.unread, strings.TrimSpace(k.text[k.toks[from].Start:k.toks[s.to-1].End]))
		}
	}
	if s := k.head(r, unknown); s != "" {
		r.unread = append(r.unread, s)
	}
	if r.percent != nil {
		r.unused = append(r.unused, fees.Local(r.percent.value)+" %")
	}
	for i := 1; i < len(k.raw); i++ {
		if partOf[k.raw[i]] && (k.raw[i-1] == "en" || k.raw[i-1] == "de") && slices.ContainsFunc(r.services, func(m mentioned) bool { return m.quantity.Cmp(decimal.One) > 0 }) && (i+1 == len(k.raw) || k.starts[i+1] || verbal[k.raw[i+1]] || isVerb(k.raw[i+1]) || k.raw[i+1] == "hubo") {
			r.unused = append(r.unused, "«"+k.raw[i-1]+" "+k.raw[i]+"»") // "en una hubo oposición"
		}
	}
	for i, a := range k.amounts {
		if a.counts() && !k.used[i] && (a.to == len(k.raw) || k.starts[a.to]) && !r.restates(a) {
			r.unused = append(r.unused, strings.TrimSpace(k.text[k.toks[max(0, a.from-1)].Start:k.toks[a.to-1].End]))
		}
		if a.counts() && !k.used[i] && a.to < len(k.raw) && !c.factual(k.stems[a.to]) && !k.starts[a.to] {
			said := strings.TrimSpace(k.text[k.toks[a.from].Start:k.toks[a.to].End])
			if unknown[a.to] && c.lacksCount(r) {
				r.unread, r.several = append(r.unread, said), a.value // it may count what the service is paid by
				continue
			}
			r.unused, r.several = append(r.unused, said), a.value
		}
	}
}

// partOf stands for some of several.
var partOf = set("una uno alguna alguno otra otro")

// restates says that a number by itself is that of the services told.
func (r *reading) restates(a amount) bool {
	sum := decimal.Zero
	for _, m := range r.services {
		if s, err := sum.Add(m.quantity); err == nil {
			sum = s
		}
	}
	return sum.Equal(a.value)
}

// priceVerbs ask the price of what follows them.
var priceVerbs = set("sale salen cuesta cuestan saldria costaria vale valen cobra cobran cobro costo precio")

// head gives the thing whose price is asked for where the only service just says where it
// is done: "¿cuánto sale publicar edictos en una sucesión?"; "" for none.
func (k *clause) head(r *reading, unknown []bool) string {
	if len(r.services) != 1 {
		return ""
	}
	m := r.services[0]
	at := m.from
	for at > 0 && (complement[k.raw[at-1]] || k.raw[at-1] == "para" || k.raw[at-1] == "por") && !k.starts[at] {
		at--
	}
	for i := at - 1; i >= 0 && m.from-at > 1 && unknown[at-1]; i-- {
		switch {
		case priceVerbs[k.raw[i]] && i+1 < at && unknown[i+1]:
			return strings.TrimSpace(k.text[k.toks[i+1].Start:k.toks[at-1].End])
		case k.raw[i] == "a" || k.raw[i] == "al" || k.starts[i+1]:
			return ""
		}
	}
	return ""
}

// lacksCount says that a service is paid by a unit whose number is not said.
func (c *Calc) lacksCount(r *reading) bool {
	return slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		if g, group := c.Group(m.code); group {
			s, _ = c.Service(g.Cases[0].Service)
		}
		return s.Per != "" && s.Per != "letrado" && !m.said
	})
}

// factual says that a number of these is told by a fact ("dos abogados").
func (c *Calc) factual(stem string) bool {
	return stem == "abogado" || stem == "abogada" || stem == "letrado" || stem == "letrada" || stem == "parte" || stem == "conyuge"
}

// unreadItem says whether a conjunct is an item that is no service: it begins like one
// and holds a word that nothing here knows.
func (c *Calc) unreadItem(k *clause, r *reading, s conjunct, unknown []bool, asksList bool) bool {
	whole := s
	s = k.afterAsking(s)
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
		content = content || i >= from && !slices.ContainsFunc(k.amounts, func(a amount) bool { return i >= a.from && i < a.to }) && !k.aside[i] && !text.IsStop(k.raw[i]) && !complement[k.raw[i]]
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
	if len(c.findFacts(k.stems[s.from:s.to], k.starts[s.from:s.to])) > 0 {
		return false
	}
	if num >= 0 && s.to == from+1 && meetings[k.stems[from]] && !joined(k, whole) {
		return false // ", dos audiencias" tells how the case went
	}
	if num >= 0 || indefinite[first] {
		return content
	}
	if !asksList && s.to-from > 5 || !asksList && (complement[first] || circumstance[first]) {
		return false
	}
	return strange && joined(k, whole) && whole.from > 0 || c.namesMost(k.stems[from:s.to]) && c.besideService(k, r, whole)
}

// afterAsking leaves out what only asks how much an item is: "¿cuánto es el mínimo por…".
func (k *clause) afterAsking(s conjunct) conjunct {
	for i := s.from; i < s.to; i++ {
		if amountWords[k.raw[i]] {
			for j := i + 1; j < s.to; j++ {
				if k.raw[j] == "por" {
					return conjunct{j + 1, s.to}
				}
			}
		}
	}
	return s
}

// namesMost says that words are those that services are named by: two of them at least,
// so that they name a service that was not known by them.
func (c *Calc) namesMost(stems []string) bool {
	n := 0
	for _, w := range stems {
		if len(w) > 3 && c.naming[w] && !otherMeasures[w] {
			n++
		}
	}
	return n > 1
}

// besideService says that a conjunct is joined by "y" to one that names a service.
func (c *Calc) besideService(k *clause, r *reading, s conjunct) bool {
	with := func(x conjunct) bool {
		return slices.ContainsFunc(r.services, func(m mentioned) bool { return m.from < x.to && m.to > x.from })
	}
	list := k.conjuncts()
	i := slices.Index(list, s)
	return i > 0 && joiners[k.raw[s.from]] && with(list[i-1]) || i >= 0 && i+1 < len(list) && joiners[k.raw[list[i+1].from]] && with(list[i+1])
}

// meetings are what a case has more or less of, whatever it is paid by.
var meetings = set("audiencia reunion encuentro")

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
	return joiners[k.raw[s.from]] || s.from > 0 && strings.Contains(k.text[k.toks[s.from-1].End:k.toks[s.from].Start], "+")
}

// verbal are words of sentences, which items of a list do not hold.
var verbal = set(`que me te se nos no es son era fue tengo tiene tenemo hay soy esta estoy quiero quier necesito hace hice puede
	vive viv va voy pide piden quieren pretende pretenden reclama reclaman solicita solicitan dice dicen como cuando cuanto cuanta cuantos cual quien donde porque si le lo`)
