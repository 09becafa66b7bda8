package ask

import (
	"slices"

	"digesto/pack"
	"digesto/text"
)

// Forms of questions that name what the answer must hold.
var (
	payForms    = patternsOf("cuanto|cuanta cobra|cobran|gana|ganan|percibe|perciben|cuesta|cuestan", "que sueldo|salario|paga tiene|tienen|cobra|cobran|gana|ganan|percibe|perciben", "cual es el sueldo|salario de|del")
	earnerForms = patternsOf("cuanto cobra|gana|percibe un|una _ $", "que sueldo|salario tiene|cobra|gana|percibe un|una _ $")
	placeForms  = patternsOf("en que|cual articulo ... ... regula|regulan|habla|trata|establece|prohibe|permite|dice|recoge|contempla")
)

func patternsOf(list ...string) []pack.Pattern {
	var out []pack.Pattern
	for _, s := range list {
		out = append(out, mustPattern(s))
	}
	return out
}

func matchesAny(list []pack.Pattern, words []string) bool {
	return slices.ContainsFunc(list, func(p pack.Pattern) bool { return p.Match(words) })
}

// leastPlaced is the share of a matter that a unit must hold to be where a named norm
// regulates it: a question for the place presumes that there is one.
const leastPlaced = .7

// elsewhereAsked says that a question for the place in an installed norm that it names
// would be answered by a fiche of another norm.
func (h hits) elsewhereAsked(norm string) bool {
	if len(h.norms) == 0 || !matchesAny(placeForms, pack.Words(h.q.Text)) {
		return false
	}
	n, ok := h.installed(norm)
	return !ok || !slices.Contains(h.norms, n.ID)
}

// unmet says that the unit, near as it is, does not hold what is asked for: pay or a
// price without any sum; what somebody of a trade earns, said of nobody of that trade; the
// place where a norm regulates a matter, which it does not name.
func (h hits) unmet(x hit) bool {
	if x.exact {
		return false
	}
	words := pack.Words(h.q.Text)
	if matchesAny(payForms, words) && !x.unit.anywhere(hasMoney|hasPercent) {
		return true
	}
	if matchesAny(earnerForms, words) && !h.says(x, words[len(words)-1]) {
		return true
	}
	return len(h.norms) > 0 && matchesAny(placeForms, words) && h.focus.cover(func(s string) bool { return x.means(s) || x.unit.has(s) }) < leastPlaced
}

// says says that the deciding sentence names somebody, one or several ("médicos", but
// not "médica", which shares its stem), or in other words that mean the same.
func (h hits) says(x hit, noun string) bool {
	at := x.unit.sents[x.pick.at]
	for _, t := range text.Tokens(nil, at.Text) {
		if t.Text == noun || t.Text == noun+"s" || t.Text == noun+"es" {
			return true
		}
	}
	return slices.ContainsFunc(h.focus.alt, func(stems []string) bool {
		return allOf(stems, func(s string) bool { return x.unit.sentHas(x.pick.at, wordKey(s)) })
	})
}

// anywhere says that some sentence of the unit has one of the kinds of thing.
func (u *unitText) anywhere(p presence) bool {
	return slices.ContainsFunc(u.sents, func(s analysed) bool { return s.has&p != 0 })
}
