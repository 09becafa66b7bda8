package brief

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"digesto"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
	"digesto/verify/judge"
	"digesto/verify/read"
)

// Units cited by their number alone, once the norm is known: "y el 48.2 añade", "(7.2)"
// of an article cited before, "el 1717 dice: «…»", "tercero: 1717 «…»" and "(124 del Código)".
var (
	aloneDotted = read.Compile(`(?i)(?:\b(?:el|del|al|los)\s(?:(?:citado|referido|mencionado|repetido|propio)\s)?|[(\[—])(\d{1,4})\.(\d{1,2}(?:\.\d{1,2})?(?:\.?[a-zñ]\)?)?|[a-zñ]\))(?:[\s,;:)\]—]|\.\s|\.$|$)`)
	alonePlain  = read.Compile(`(?i)\b(?:el|del|al)\s(\d{1,4})(?:\.?[º°])?\s?(?:\(\s?[«“"]|:\s?[*_]{0,3}[«“"]|(?:,\s(?:a su turno|a su vez|por su parte|en cambio|además|por último))?(?::\s?[*_]{0,3}[«“"]|,?\s(?:` + read.Says + `)\b)|que\s[«“"])`)
	aloneHere   = read.Compile(`(?i)(?:\b(?:el|del|al)|[:>])\s(\d{3,4})(?:\.?[º°])?\s[«“"]|[(\[](\d{1,4})(?:\.?[º°])? del (?:mismo |citado |propio )?(?:código|texto|cuerpo legal)[)\]]`)
	endsQuote   = lazyregexp.New(`[»”"’][\s*_]*$`)
	dayLike     = lazyregexp.New(`^\d{1,2}\.\d`) // "15.4.99" may be a day
	countedUnit = lazyregexp.New(`(?i)^\s?(?:%|por ciento|euros|€|pesos|soles|horas?|días?|meses|años?|puntos?)`)
)

// alone finds those citations. list is what else the text cites, in order, each with the norm
// it means; s is the text with the words of its quotations struck out.
func (j *checker) alone(s string, list []read.Mention) (out []read.Mention) {
	norms := make([]string, len(list))
	for i, m := range list {
		norms[i] = j.meant(m)
	}
	for k, p := range []*read.Pattern{aloneDotted, alonePlain, aloneHere} {
		at := read.CodePoints(s)
		for m := range p.In(&j.Meter, s) {
			detail, end := "", max(m[3], m[len(m)-1])
			from := max(m[2], m[len(m)-2])
			if k == 0 {
				from, detail = m[2], s[m[4]:m[5]]
			}
			n := loose{Mention: read.Mention{Mention: cite.Mention{Start: at(from), End: at(end), Kind: digesto.KindArticle, Detail: detail}}}
			n.Number = s[from:end]
			if k == 0 {
				n.Number = s[m[2]:m[3]]
			}
			n.Unit, n.Text = cite.UnitID(n.Kind, n.Number), string(j.runes[n.Start:n.End])
			n.bracket = strings.ContainsAny(s[m[0]:from], "([—") && !endsQuote.MatchString(s[max(0, m[0]-8):m[0]])
			if j.ofNorm(&n, list, norms) {
				out = append(out, n.Mention)
			}
			if len(out) > MaxCitations {
				return out
			}
		}
	}
	return out
}

// loose is a number alone, which may be that of a unit; bracket says that it stands in brackets
// that say nothing of a quotation.
type loose struct {
	read.Mention
	bracket bool
}

// ofNorm gives to a number alone the norm of which it is a unit: that of the last citation before
// it of the same article, or else of the last one near it that has such a unit.
func (j *checker) ofNorm(n *loose, list []read.Mention, norms []string) bool {
	next := sort.Search(len(list), func(i int) bool { return list[i].Start >= n.Start })
	if slices.ContainsFunc(list[max(0, next-2):min(len(list), next+1)], func(o read.Mention) bool { return o.Start < n.End && n.Start < o.End }) ||
		countedUnit.MatchString(string(j.runes[n.End:min(len(j.runes), n.End+12)])) {
		return false
	}
	tried := map[string]bool{}
	for k := next - 1; k >= max(0, next-maxBack); k-- {
		p := list[k]
		same := n.Detail != "" && p.Unit == n.Unit
		if p.Ruling || !same && (n.Start-p.End >= reachAlone || n.Detail != "" && (n.bracket || len(n.Unit) <= 2)) {
			continue
		}
		norm := norms[k]
		if !(same && !dayLike.MatchString(n.Detail)) {
			if tried[norm] || !j.hasUnit(norm, n.Unit) || n.Detail != "" && !j.hasPart(norm, n.Unit, n.Detail) {
				tried[norm] = true
				continue
			}
		}
		n.Norm, n.Context = norm, norm
		return norm != ""
	}
	return false
}

// hasUnit says whether a norm has a unit.
func (j *checker) hasUnit(norm, unit string) bool {
	return known(j.units, beside{norm: norm, unit: unit}, func() bool {
		_, has := j.Law.Unit(norm, unit)
		return has
	})
}

// hasPart says whether a unit of a norm has a part of that number: "53.3" is no decimal then.
func (j *checker) hasPart(norm, unit, detail string) bool {
	return known(j.units, beside{norm: norm, unit: unit, where: detail}, func() bool {
		u, _ := j.Law.Unit(norm, unit)
		return slices.ContainsFunc(u.Versions, func(v digesto.Version) bool {
			_, state := judge.ZoneOf(detail, u.Number, v.Text)
			return v.Current && state == judge.ZoneFound && judge.PartMark.MatchString(v.Text)
		})
	})
}

// known gives what was found out once about a key, or finds it out.
func known[K comparable, V any](m map[K]V, key K, find func() V) V {
	v, ok := m[key]
	if !ok {
		if len(m) > maxKnown {
			clear(m)
		}
		v = find()
		m[key] = v
	}
	return v
}

// maxKnown bounds what is remembered of units, by entries.
const maxKnown = 1 << 16

// How far a number alone may stand from a citation of its norm, in code points, and of its
// article, in citations.
const (
	reachAlone = 1500
	maxBack    = 300
)

// meant gives the one installed norm that a citation means, of several copies of one
// country's law the newest; "" when that cannot be told.
func (j *checker) meant(m read.Mention) string {
	m.Unit, m.Kind = "", ""
	var best digesto.Norm
	for _, p := range j.places([]read.Mention{m}) {
		n := p.norm
		if best.ID != "" && best.Jurisdiction != "" && n.Jurisdiction != "" && n.Jurisdiction != best.Jurisdiction {
			return ""
		}
		if best.ID == "" || best.Jurisdiction == "" || n.Jurisdiction != "" && n.TextAsOf > best.TextAsOf {
			best = n
		}
	}
	return best.ID
}

// holder gives to a citation of a unit that its context does not have the norm cited last
// before it that has it: "art. 18 de la Ley 5. […] El artículo 140 dice" of a longer law.
func (j *checker) holder(m read.Mention, before []read.Mention) string {
	if m.Unit == "" || m.Context == "" || m.Relative || j.hasUnit(m.Context, m.Unit) {
		return ""
	}
	for k := len(before) - 1; k >= max(0, len(before)-maxBack); k-- {
		if id := before[k].Context; id != "" && !before[k].Ruling && j.hasUnit(id, m.Unit) {
			return id
		}
	}
	return ""
}

// contexts gives to each citation without a norm the one that is spoken of: that with
// which its unit was cited last, else the one named last.
func (j *checker) contexts(list []read.Mention) {
	last, by := "", map[string]string{}
	for i := range list {
		m := &list[i]
		if m.Ruling {
			continue
		}
		if m.Norm == "" && len(m.Also) == 0 && (m.Name == "" || m.Relative) {
			if last != "" {
				m.Context = last
			}
			if i == 0 || read.SentenceEnd(j.runes[min(list[i-1].End-1, m.Start):m.Start]) { // else its own sentence speaks of another
				m.Context = cmp.Or(by[m.Unit], j.holder(*m, list[:i]), m.Context)
			}
		}
		if id := j.meant(*m); id != "" {
			m.Context, last = id, id
			if m.Unit != "" {
				by[m.Unit] = id
			}
		} else if m.Name != "" && !m.Relative {
			last = "" // of what is not installed
		}
	}
}
