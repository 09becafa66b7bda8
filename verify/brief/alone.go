package brief

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"digesto"
	"digesto/text/cite"
)

// says are verbs by which a unit speaks.
const says = "dice|dispone|establece|señala|prevé|exige|ordena|añade|reza|impone|manda|declara|define|indica|fija|enumera|lista|prescribe|reconoce|consagra|expresa|aclara|agrega|precisa|advierte"

// Units cited by their number alone, once the norm is known: "y el 48.2 añade", "(7.2)"
// of an article cited before, "el 1717 dice: «…»", "tercero: 1717 «…»" and "(124 del Código)".
var (
	aloneDotted = compile(`(?i)(?:\b(?:el|del|al|los)\s(?:(?:citado|referido|mencionado|repetido|propio)\s)?|[(\[—])(\d{1,4})\.(\d{1,2}(?:\.\d{1,2})?(?:\.?[a-zñ]\)?)?|[a-zñ]\))(?:[\s,;:)\]—]|\.\s|\.$|$)`)
	alonePlain  = compile(`(?i)\b(?:el|del|al)\s(\d{1,4})(?:\.?[º°])?\s?(?:\(\s?[«“"]|:\s?[*_]{0,3}[«“"]|(?:,\s(?:a su turno|a su vez|por su parte|en cambio|además|por último))?(?::\s?[*_]{0,3}[«“"]|,?\s(?:` + says + `)\b)|que\s[«“"])`)
	aloneHere   = compile(`(?i)(?:\b(?:el|del|al)|[:>])\s(\d{3,4})(?:\.?[º°])?\s[«“"]|[(\[](\d{1,4})(?:\.?[º°])? del (?:mismo |citado |propio )?(?:código|texto|cuerpo legal)[)\]]`)
	endsQuote   = regexp.MustCompile(`[»”"’][\s*_]*$`)
	dayLike     = regexp.MustCompile(`^\d{1,2}\.\d`) // "15.4.99" may be a day
	countedUnit = regexp.MustCompile(`(?i)^\s?(?:%|por ciento|euros|€|pesos|soles|horas?|días?|meses|años?|puntos?)`)
)

// alone finds those citations, somewhat more than a report holds at most. list is what else
// the text cites, in order, each with the norm it means; s is the text with the words of its
// quotations struck out.
func (j *judge) alone(s string, list []mention) ([]mention, error) {
	var out []mention
	at := codePoints(s)
	norms := make([]*string, len(list)) // that each of list means, once it was asked
	meant := func(k int) string {
		if norms[k] == nil {
			id := j.meant(list[k])
			norms[k] = &id
		}
		return *norms[k]
	}
	add := func(m []int, detail string, reach func(p mention, norm func() string, unit string) bool) bool {
		start, end := at(m[2]), at(m[3])
		number := s[m[2]:m[3]]
		unit := cite.UnitID(digesto.KindArticle, number)
		if detail != "" {
			end = at(m[5])
		}
		next := sort.Search(len(list), func(i int) bool { return list[i].Start >= start })
		near := list[max(0, next-2):min(len(list), next+1)]
		if slices.ContainsFunc(near, func(o mention) bool { return o.Start < end && start < o.End }) || countedUnit.MatchString(string(j.runes[end:min(len(j.runes), end+12)])) {
			return true
		}
		for k := next - 1; k >= max(0, next-maxBack); k-- {
			p := list[k]
			if p.ruling || !reach(p, func() string { return meant(k) }, unit) {
				continue
			}
			n := mention{Mention: cite.Mention{Start: start, End: end, Text: string(j.runes[start:end]), Kind: digesto.KindArticle, Number: number, Unit: unit, Detail: detail}, context: p.context}
			if n.context = meant(k); n.context != "" {
				n.Norm = n.context
				out = append(out, n)
			}
			break
		}
		return len(out) <= MaxCitations
	}
	err := aloneDotted.each(j.ctx, s, func(m []int) bool {
		detail, bracket := s[m[4]:m[5]], strings.ContainsAny(s[m[0]:m[2]], "([—")
		tried := map[string]bool{} // norms
		return add(m, detail, func(p mention, norm func() string, unit string) bool {
			if p.Unit == unit {
				return !dayLike.MatchString(detail) || j.hasPart(norm(), unit, detail)
			}
			if bracket && !endsQuote.MatchString(s[max(0, m[0]-8):m[0]]) {
				return false
			}
			if len(unit) <= 2 || at(m[2])-p.End >= reachAlone || tried[norm()] {
				return false
			}
			tried[norm()] = true
			return j.hasPart(norm(), unit, detail)
		})
	})
	if err != nil {
		return nil, err
	}
	plain, err := alonePlain.all(j.ctx, s)
	if err != nil {
		return nil, err
	}
	err = aloneHere.each(j.ctx, s, func(m []int) bool {
		plain = append(plain, []int{m[0], m[1], max(m[2], m[4]), max(m[3], m[5])})
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, m := range plain {
		tried := map[string]bool{}
		more := add(m, "", func(p mention, norm func() string, unit string) bool {
			if at(m[2])-p.End >= reachAlone || tried[norm()] {
				return false
			}
			tried[norm()] = true
			return j.hasUnit(norm(), unit)
		})
		if !more {
			break
		}
	}
	return out, nil
}

// hasUnit says whether a norm has a unit.
func (j *judge) hasUnit(norm, unit string) bool {
	key := beside{norm: norm, unit: unit}
	has, known := j.units[key]
	if !known {
		_, has = j.Law.Unit(norm, unit)
		if len(j.units) > maxKnown {
			clear(j.units)
		}
		j.units[key] = has
	}
	return has
}

// maxKnown bounds what is remembered of units, by entries.
const maxKnown = 1 << 16

// hasPart says whether a unit of a norm has a part of that number: "53.3" is no decimal then.
func (j *judge) hasPart(norm, unit, detail string) bool {
	key := [3]string{norm, unit, detail}
	has, known := j.having[key]
	if !known {
		has = j.looksForPart(norm, unit, detail)
		if len(j.having) > maxKnown {
			clear(j.having)
		}
		j.having[key] = has
	}
	return has
}

func (j *judge) looksForPart(norm, unit, detail string) bool {
	u, ok := j.Law.Unit(norm, unit)
	if !ok {
		return false
	}
	return slices.ContainsFunc(u.Versions, func(v digesto.Version) bool {
		_, state := zoneOf(detail, u.Number, v.Text)
		return v.Current && state == zoneFound && partMark.MatchString(v.Text)
	})
}

// How far a number alone may stand from a citation of its norm, in code points, and of its
// article, in citations.
const (
	reachAlone = 1500
	maxBack    = 300
)

// meant gives the one installed norm that a citation means, of several copies of one
// country's law the newest; "" when that cannot be told.
func (j *judge) meant(m mention) string {
	m.Unit, m.Kind = "", ""
	var best digesto.Norm
	for _, p := range j.places([]mention{m}) {
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
func (j *judge) holder(m mention, before []mention) string {
	if m.Unit == "" || m.context == "" || m.Relative {
		return ""
	}
	if j.hasUnit(m.context, m.Unit) {
		return ""
	}
	tried := ""
	for k := len(before) - 1; k >= max(0, len(before)-maxBack); k-- {
		if id := before[k].context; id != "" && id != tried && !before[k].ruling {
			if tried = id; j.hasUnit(id, m.Unit) {
				return id
			}
		}
	}
	return ""
}

// contexts gives to each citation without a norm the one that is spoken of: that with
// which its unit was cited last, else the one named last.
func (j *judge) contexts(list []mention) {
	last, by := "", map[string]string{}
	for i := range list {
		m := &list[i]
		if m.ruling {
			continue
		}
		if m.Norm == "" && len(m.Also) == 0 && (m.Name == "" || m.Relative) {
			if last != "" {
				m.context = last
			}
			if i == 0 || sentenceEnd(j.runes[min(list[i-1].End-1, m.Start):m.Start]) { // else its own sentence speaks of another
				m.context = cmp.Or(by[m.Unit], j.holder(*m, list[:i]), m.context)
			}
		}
		if id := j.meant(*m); id != "" {
			m.context, last = id, id
			if m.Unit != "" {
				by[m.Unit] = id
			}
		} else if m.Name != "" && !m.Relative {
			last = "" // of what is not installed
		}
	}
}
