package jus

import (
	"slices"
	"sort"
	"strings"

	"github.com/govalues/decimal"

	"digesto/packs/jus/fees"
	"digesto/text"
)

// mentioned is a service or group named in a question: words[from:to].
type mentioned struct {
	code     string
	group    bool
	from, to int
	quantity decimal.Decimal
	said     bool // the quantity is said
	clause   int  // of the question
	restated bool // "las dos consultas": of those already named
	more     bool // "y otra de domicilio": beside those already named
	generic  bool // a name of one word, which others may share
	inside   bool // it does not begin its conjunct: "por causas ajenas al perito"
	article  bool // all that is said is "un" or "una"
	joined   bool // it stands in a conjunct joined by "y" to the one before
	words    []string
	where    []string // services that only say where it is done
	facts    Facts    // of its own stretch, where several services are named
}

// clause is what services are looked for in.
type clause struct {
	raw, stems []string
	asked      []int  // of words: how many questions open before it
	starts     []bool // a conjunct begins at this word
	colon      []bool // after a colon
	paren      []bool // inside a parenthesis
	amounts    []amount
	used       []bool // of amounts: taken as the quantity of a service
	aside      []bool // of words: part of a date or a place
	text       string
	toks       []text.Token
}

var joiners = set("y e mas ademas tambien luego despues")

func newClause(s string, toks []text.Token, raw []string, r *reading) *clause {
	amounts := r.amounts
	c := &clause{aside: make([]bool, len(raw)), raw: raw, stems: singulars(raw), starts: make([]bool, len(raw)+1), amounts: amounts, used: make([]bool, len(amounts)), text: s, toks: toks}
	for i := range raw {
		c.starts[i] = i == 0 || joiners[raw[i]] && !(raw[i] == "mas" && (one[raw[i-1]] || c.counted(i))) || strings.ContainsAny(s[toks[i-1].End:toks[i].Start], ",;:+.?¿!()")
	}
	c.starts[len(raw)] = true
	c.colon, c.paren = make([]bool, len(raw)), make([]bool, len(raw))
	for i := 1; i < len(raw); i++ {
		gap := s[toks[i-1].End:toks[i].Start]
		c.colon[i] = strings.Contains(gap, ":")
		c.paren[i] = strings.Contains(gap, "(") || c.paren[i-1] && !strings.Contains(gap, ")")
	}
	c.asked = make([]int, len(raw))
	for i := 1; i < len(raw); i++ {
		c.asked[i] = c.asked[i-1] + strings.Count(s[toks[i-1].End:toks[i].Start], "¿")
	}
	for _, d := range r.dates.found {
		for i := d.from; i < d.to; i++ {
			c.aside[i] = true
		}
	}
	for _, p := range r.places {
		for i := p.from; i < p.to; i++ {
			c.aside[i] = true
		}
	}
	return c
}

// counted says that a number stands just before a word: "dos más".
func (c *clause) counted(at int) bool {
	return slices.ContainsFunc(c.amounts, func(a amount) bool { return a.to == at && a.counts() })
}

// crosses says whether a conjunct begins inside words[from:to].
func (c *clause) crosses(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if c.starts[i] && !c.colon[i] && !(joiners[c.raw[i]] && i+1 < to && (verbal[c.raw[i+1]] || isVerb(c.raw[i+1])) && !c.another(i, to)) {
			return true // "tiene cuota y pide que la suban" goes on telling of one thing
		}
	}
	return false
}

// maxShared is how many services may share a word that tells one of them from the rest.
const maxShared = 3

// another says that words[from:to] tell of one more: "y le contesté otra por escrito".
func (c *clause) another(from, to int) bool {
	return slices.ContainsFunc(c.raw[from:to], func(w string) bool { return one[w] }) ||
		slices.ContainsFunc(c.amounts, func(a amount) bool { return a.counts() && a.from >= from && a.to <= to })
}

// findServices gives the services named with their quantities: the most specific name
// first where several overlap, every word taken once, then what a conjunct leaves out
// ("tres consultas verbales y una por escrito").
func (c *Calc) findServices(k *clause, meant string) []mentioned {
	var out []mentioned
	if m, ok := c.meant(k, meant); ok {
		out = append(k.joinedTo(c.named(k.stems, k.crosses), m), m)
	} else if meant == "" {
		out = c.named(k.stems, k.crosses)
	}
	for i := range out {
		k.quantity(&out[i])
	}
	out = c.shared(k, out)
	out = c.withoutComplements(k, out)
	out = c.ellipses(k, out)
	for i := range out {
		c.quantityPer(k, &out[i], !slices.ContainsFunc(out, func(m mentioned) bool { return m.code != out[i].code }))
		out[i].clause = k.asked[out[i].from]
		out[i].inside = k.inside(out[i])
		out[i].joined = k.joined(out[i])
		out[i].words = k.stems[out[i].from:out[i].to]
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].from < out[j].from })
	c.restated(k, out)
	return out
}

// joinedTo keeps of the services named those that are joined to another in a conjunct of
// their own: "apelé la prisión preventiva y después fui en casación".
func (k *clause) joinedTo(list []mentioned, m mentioned) []mentioned {
	return slices.DeleteFunc(list, func(o mentioned) bool {
		return !slices.ContainsFunc(k.conjuncts(), func(s conjunct) bool {
			return o.from >= s.from && o.to <= s.to && s.from >= m.to && joiners[k.raw[s.from]]
		})
	})
}

// restated takes a number by itself ("casación e inconstitucionalidad, las dos") for how
// many of the only service named there are, if another of its words is joined to it.
func (c *Calc) restated(k *clause, list []mentioned) {
	if len(list) != 1 || list[0].said {
		return
	}
	another := slices.ContainsFunc(k.conjuncts(), func(s conjunct) bool {
		from, _ := k.tail(s)
		return joined(k, s) && s.from >= list[0].to && from < s.to && c.asks().Own(list[0].code, k.raw[from]) >= ownWord
	})
	for i, a := range k.amounts {
		if another && a.counts() && !k.used[i] && a.from > 0 && definite[k.raw[a.from-1]] && k.starts[a.to] {
			k.used[i] = true
			list[0].quantity, list[0].said = a.value, true
		}
	}
}

// shared takes what a number of one thing is shared out on as its kinds, and no things of
// their own: "dos carpetas: una por un juicio de alimentos y otra por un ejecutivo".
func (c *Calc) shared(k *clause, have []mentioned) []mentioned {
	var parts []conjunct // each after its "una"
	for _, s := range k.conjuncts() {
		at := s.from
		if joiners[k.raw[at]] {
			at++
		}
		if at+1 < s.to && one[k.raw[at]] && (leading[k.raw[at+1]] || k.raw[at+1] == "de") {
			parts = append(parts, conjunct{at + 1, s.to})
		}
	}
	for _, h := range have {
		if len(parts) < 2 || h.from >= parts[0].from || !h.quantity.Equal(decimal.MustNew(int64(len(parts)), 0)) {
			continue
		}
		head := k.stems[h.from:min(h.to, parts[0].from-1)]
		out := slices.DeleteFunc(slices.Clone(have), func(m mentioned) bool { return m.from >= h.from && m.from < parts[len(parts)-1].to })
		for _, s := range parts {
			words := append(slices.Clone(head), k.stems[s.from:s.to]...)
			for _, m := range c.named(words, func(int, int) bool { return false }) {
				if m.from < len(head) {
					m.from, m.to, m.quantity, m.said = s.from, s.to, decimal.One, true
					out = append(out, m)
					break
				}
			}
		}
		return out
	}
	return have
}

// named matches the names of services and groups in words.
func (c *Calc) named(words []string, crosses func(from, to int) bool) []mentioned {
	return c.names.in(c, words, crosses)
}

func (list names) in(c *Calc, words []string, crosses func(from, to int) bool) []mentioned {
	type candidate struct {
		mentioned
		size, weight int
		gap          bool
	}
	var all []candidate
	content, place := without(words)
	for _, n := range list.among(content) {
		for _, at := range findAll(n.pattern, content) {
			at = [2]int{place[at[0]], place[at[1]-1] + 1}
			if (n.gap || slices.ContainsFunc(words[at[0]:at[1]], isNumber)) && crosses(at[0], at[1]) {
				continue
			}
			all = append(all, candidate{mentioned{code: n.code, group: n.group, from: at[0], to: at[1], quantity: decimal.One, generic: n.size == 1}, n.size, c.weight(n, words[at[0]:at[1]]), n.gap})
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.code != b.code && (a.code == fees.ScaleCode || b.code == fees.ScaleCode) {
			return b.code == fees.ScaleCode
		}
		if a.size != b.size {
			return a.size > b.size
		}
		if x, y := c.special(a.code), c.special(b.code); x != y {
			return x
		}
		if a.weight != b.weight {
			return a.weight > b.weight
		}
		if a.gap != b.gap {
			return b.gap
		}
		return a.from < b.from
	})
	var out []mentioned
	var sizes []int
	for _, x := range all {
		var over []int
		for i, o := range out {
			if x.to > o.from && x.from < o.to {
				over = append(over, i)
			}
		}
		switch {
		case len(over) == 0:
			out, sizes = append(out, x.mentioned), append(sizes, x.size)
		case len(over) == 1 && c.absorbs(x.code, out[over[0]].code) && x.size == sizes[over[0]]:
			out[over[0]] = x.mentioned // "inscripción del estatuto de una sociedad"
		default:
			for _, i := range over {
				if out[i].code == x.code {
					widen(out, i, x.mentioned)
				}
			}
		}
	}
	return out
}

// absorbs says that beside a service another is only told.
func (c *Calc) absorbs(code, other string) bool {
	s, ok := c.Service(code)
	return ok && slices.Contains(s.Absorbs, other)
}

// weight says how much the words of a name tell apart: one that few services share counts
// more ("casación" than "recurso").
func (c *Calc) weight(n name, words []string) int {
	sum := 0
	for _, w := range words {
		if k := len(c.wordOf[w]); k > 0 && c.wordOf[w][n.code] {
			sum += 60 / k
		}
	}
	return sum
}

// special says that a service is a case of another, which it takes the place of.
func (c *Calc) special(code string) bool {
	s, ok := c.Service(code)
	return ok && (len(s.Absorbs) > 0 || s.Replaces != "")
}

// widen takes the words of another name of the same service, unless they are another's.
func widen(list []mentioned, i int, x mentioned) {
	from, to := min(list[i].from, x.from), max(list[i].to, x.to)
	for k, o := range list {
		if k != i && from < o.to && to > o.from {
			return
		}
	}
	list[i].from, list[i].to = from, to
}

// countNouns stand between a quantity and what is counted.
var countNouns = set(`proceso juicio tramite demanda caso causa expediente asunto pedido recurso oficio accion servicio intervencion
	actuacion solicitud nombramiento designacion audiencia reunion acto redaccion incidente de del en la el lo los las su sus una ante con por`)

// otherMeasures are counted beside a service and are not its quantity.
var otherMeasures = set(`abogado abogada letrado letrada parte dia hora ano mes hijo hija conyuge persona socio testigo jus peso instancia
	profesional menor nino nieto heredero inmuebl bien`)

// quantity reads how many of a service are asked for: the number before its name, with
// nouns that only count between them; inside it ("nombramiento de dos curadores"); after
// it ("consulta verbal x 3"); or that of what it is paid by ("cuatro reuniones").
func (k *clause) quantity(m *mentioned) {
	before := func(a amount) bool {
		for i := a.to; i < m.from; i++ {
			if !countNouns[k.stems[i]] || meetings[k.stems[i]] || k.starts[i] {
				return false
			}
		}
		return a.to == m.from || a.to < m.from && !k.starts[m.from]
	}
	after := func(a amount) bool {
		return a.from >= m.to && a.from-m.to <= 1 && (a.from == m.to || k.raw[m.to] == "x") && (a.to == len(k.raw) || k.starts[a.to])
	}
	inside := func(a amount) bool {
		return a.from >= m.from && a.to < m.to && !otherMeasures[k.stems[a.to]]
	}
	alone := func(a amount) bool { // "informaciones sumarias de convivencia, dos, sin oposición"
		return a.from >= m.to && k.starts[a.from] && a.to < len(k.starts) && k.starts[a.to] && k.next(m.to) == a.from
	}
	for _, fits := range []func(amount) bool{before, inside, after, alone} {
		for i, a := range k.amounts {
			if a.counts() && !k.used[i] && fits(a) {
				k.take(m, i)
				return
			}
		}
	}
	for i := m.from; i < m.to; i++ { // "nombramiento de otro curador"
		m.said = m.said || one[k.raw[i]]
	}
	for i := m.from - 1; i >= 0 && !k.starts[i+1] && countNouns[k.stems[i]] || i == m.from-1 && i >= 0; i-- {
		if one[k.raw[i]] {
			m.said, m.article = true, k.raw[i] == "un" || k.raw[i] == "una"
			return
		}
	}
}

// next is where the conjunct after the one that a word stands in begins.
func (k *clause) next(i int) int {
	for ; i < len(k.raw); i++ {
		if k.starts[i] {
			return i
		}
	}
	return i
}

// complement are the words between a service and where it is done: "la apelación en un
// juicio ordinario", "una consulta de divorcio".
var complement = set("en de del dentro durante un una el la los las su mi nuestro ese este aquel contra")

// withoutComplements leaves out the services that only say where another is done.
func (c *Calc) withoutComplements(k *clause, list []mentioned) []mentioned {
	sort.SliceStable(list, func(i, j int) bool { return list[i].from < list[j].from })
	list = k.withoutContext(list)
	list = c.anotherFor(k, list)
	var out []mentioned
	for _, m := range list {
		if n := len(out); n > 0 && k.complements(out[n-1], m) {
			out[n-1].to, out[n-1].where = m.to, append(out[n-1].where, m.code)
			if !out[n-1].said && m.said {
				out[n-1].quantity, out[n-1].said = m.quantity, true
			}
			continue
		}
		out = append(out, m)
	}
	return out
}

// anotherFor reads "y otra por un divorcio": one more of the service before it, for what
// this one only says.
func (c *Calc) anotherFor(k *clause, list []mentioned) []mentioned {
	for i := range list {
		for _, s := range k.conjuncts() {
			if k.sharedOut(0) {
				return list // a number told before is shared out
			}
			at := s.from
			for at < s.to && joiners[k.raw[at]] {
				at++
			}
			if i == 0 || list[i].from < s.from || list[i].from >= s.to || at == s.from || at+1 >= s.to || !apart[k.raw[at]] || !leading[k.raw[at+1]] {
				continue
			}
			h := list[i-1]
			m := mentioned{code: h.code, group: h.group, from: at, to: s.to, quantity: decimal.One, said: true, where: []string{list[i].code}}
			head := k.stems[h.from:min(h.to, h.from+1)]
			for _, x := range c.named(append(slices.Clone(head), k.stems[at+1:s.to]...), func(int, int) bool { return false }) {
				if x.from < len(head) {
					m.code, m.group = x.code, x.group
					break
				}
			}
			list[i] = m
		}
	}
	return list
}

// withoutContext leaves out, beside others, the service that a question begins with to say
// where they were done ("en la misma causa penal, dos recursos"), and those that a
// parenthesis tells of one before it.
func (k *clause) withoutContext(list []mentioned) []mentioned {
	var out []mentioned
	for i, m := range list {
		at := m.from
		for at > 0 && fillers[k.raw[at-1]] || at > 0 && k.raw[at-1] == "misma" || at > 0 && k.raw[at-1] == "mismo" {
			at--
		}
		context := i == 0 && len(list) > 1 && at == 1 && k.raw[0] == "en" && !m.said && k.next(m.to) < len(k.raw)
		if context || i > 0 && k.paren[m.from] && !k.paren[list[0].from] {
			continue
		}
		out = append(out, m)
	}
	return out
}

// numberBefore gives where the number stands that counts a service; -1 for none.
func (k *clause) numberBefore(m mentioned) int {
	for _, a := range k.amounts {
		if a.counts() && a.to == m.from {
			return a.from
		}
	}
	return -1
}

func (k *clause) complements(a, b mentioned) bool {
	if b.from <= a.to {
		return false
	}
	all := true
	if n := k.numberBefore(b); n > a.to {
		return k.raw[a.to] == "de" && n == a.to+1 // "inventario y avalúo de dos sucesiones"
	}
	for i := a.to; i < b.from; i++ {
		if k.starts[i] {
			return false
		}
		all = all && complement[k.raw[i]]
	}
	at := b.from
	for at > a.to && definiteOrOne[k.raw[at-1]] {
		at--
	}
	return all && !definiteOrOne[k.raw[a.to]] || !b.said && at > a.to && (k.raw[at-1] == "en" || k.raw[at-1] == "durante")
}

// definiteOrOne begin a thing of its own and join nothing.
var definiteOrOne = set("un una el la los las su mi nuestro ese este aquel")

// quantityPer takes, wherever it stands, the number of what a service is paid by, or of
// those it is done for: "se hicieron cuatro reuniones".
func (c *Calc) quantityPer(k *clause, m *mentioned, only bool) {
	s, ok := c.Service(m.code)
	if g, group := c.Group(m.code); group {
		s, ok = c.Service(g.Cases[0].Service)
	}
	if !ok {
		return
	}
	per := singular(text.Fold(s.Per))
	for i := range k.raw {
		if v, ordinal, _ := text.Numeral(k.raw[i:]); ordinal && v > 1 && m.quantity.IsOne() && per != "" && i+1 < len(k.raw) && slices.Contains(append(families()[per], per), k.stems[i+1]) {
			m.quantity, m.said = decimal.MustNew(int64(v), 0), true // "en la segunda reunión"
			return
		}
	}
	for i, a := range k.amounts {
		if k.used[i] || a.to >= len(k.stems) {
			continue
		}
		ofCases := cases[k.stems[a.to]] && !m.said
		if !ofCases && !slices.Contains(append(families()[per], per), k.stems[a.to]) && a.unit != "meses" && !countedAs[k.stems[a.to]] {
			continue
		}
		if countedAs[k.stems[a.to]] && k.sharedOut(a.to) {
			k.used[i] = true
			continue // "dos clientes: uno a preguntar de palabra y otro con su expediente"
		}
		if a.counts() && (!ofCases || only) || per == "mes" && a.unit == "meses" {
			n := m.quantity // "dos mediaciones de tres reuniones"
			k.take(m, i)
			if ofCases && k.starts[a.from] && k.starts[a.to+1] { // "…, dos juicios" counts all that is told
				m.restated = true
				return
			}
			if all, err := m.quantity.Mul(n); err == nil {
				m.quantity = all
			}
			return
		}
	}
}

// sharedOut says that what is counted before a word is told one by one after it.
func (k *clause) sharedOut(at int) bool {
	first, second := false, false
	for i := at; i < len(k.raw); i++ {
		w := k.raw[i]
		if k.starts[i] || i > 0 && k.starts[i-1] && joiners[k.raw[i-1]] {
			first, second = first || w == "uno" || w == "una", second || first && (w == "otro" || w == "otra")
		}
	}
	return second
}

// cases are counted for the only service that is done in them: "prueba anticipada en dos
// expedientes".
var cases = set("proceso juicio tramite demanda caso causa expediente asunto pedido recurso accion incidente")

// countedAs are counted for the service itself: "tres clientes en consultas verbales".
var countedAs = set("cliente vez vece consultante")

// one says that it is one more of a kind.
var one = set("un una otro otra")

func (k *clause) take(m *mentioned, i int) {
	k.used[i] = true
	m.quantity, m.said = k.amounts[i].value, true
	m.restated = k.amounts[i].from > 0 && definite[k.raw[k.amounts[i].from-1]]
}

var definite = set("los las esos esas estos estas sus")

// counts says whether an amount can be a number of services.
func (a amount) counts() bool {
	return a.unit == "" && a.value.IsInt() && a.value.Cmp(decimal.Hundred) < 0
}
