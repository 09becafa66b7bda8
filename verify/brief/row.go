package brief

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
)

// inTurn says that a row of quotations and a row of citations go one with one.
var inTurn = regexp.MustCompile(`(?i)\brespectivamente\b`)

// respectively gives the citation of each quotation in sentences that pair them off:
// "los artículos 5 y 6 dicen, respectivamente, «…» y «…»".
func respectively(r []rune, mentions []mention, quotes []quotation) map[int]mention {
	out := map[int]mention{}
	s := string(r)
	count := codePoints(s)
	for _, at := range inTurn.FindAllStringIndex(s, -1) {
		p := count(at[0])
		from, to := around(r, quotes, p)
		if from < 0 {
			continue
		}
		var cited []mention
		for _, m := range mentions {
			if m.Start >= from && m.End <= to && m.Unit != "" {
				cited = append(cited, m)
			}
		}
		var said []int
		for k, q := range quotes {
			if q.from >= from && q.to <= to {
				said = append(said, k)
			}
		}
		if len(cited) < 2 || len(cited) != len(said) {
			continue
		}
		for i, k := range said {
			out[k] = cited[i]
		}
	}
	return out
}

// around gives the sentence about a place, quotations taken as one piece each; -1 when
// the place is inside a quotation.
func around(r []rune, quotes []quotation, p int) (from, to int) {
	in := func(i int) int {
		for k, q := range quotes {
			if q.from <= i && i < q.to {
				return k
			}
		}
		return -1
	}
	if in(p) >= 0 {
		return -1, -1
	}
	for from = p; from > 0 && !ends(r, from-1); from-- {
		if k := in(from - 1); k >= 0 {
			from = quotes[k].from + 1
		}
	}
	for to = p; to < len(r) && !ends(r, to); to++ {
		if k := in(to); k >= 0 {
			to = quotes[k].to - 1
		}
	}
	return from, to
}

// ends says whether a sentence or paragraph ends at i. A full stop behind a short
// word belongs to an abbreviation.
func ends(r []rune, i int) bool {
	if r[i] == '\n' {
		return i+1 < len(r) && r[i+1] == '\n'
	}
	if r[i] != '.' || i+2 >= len(r) || !unicode.IsSpace(r[i+1]) || !unicode.IsUpper(r[i+2]) {
		return false
	}
	n := 0
	for n < i && unicode.IsLetter(r[i-1-n]) {
		n++
	}
	return n > 4
}

// oneOf chooses one of the citations before a quotation: "el primero", "el segundo exige",
// "este último"; but "el segundo párrafo" is a part.
var oneOf = regexp.MustCompile(`(?i)\b(?:este|esta|ese|esa|el|la|del|al) (primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|últim[oa])(?:[\s,:](?:de (?:ellos|ellas|(?:l[oa]s|dich[oa]s) \pL+)\b)?|$)(\s?(?:párrafo|apartado|inciso|punto|supuesto|motivo|requisito|caso|plazo|año|inciso)\b)?`)

// singled gives those of a list that the words behind it mean, the last of such words.
func singled(gap []rune, list []mention) []mention {
	if len(list) < 2 {
		return list
	}
	said := oneOf.FindAllStringSubmatch(string(gap), -1)
	for k := len(said) - 1; k >= 0; k-- {
		if said[k][2] != "" {
			continue
		}
		n := len(list) - 1
		if v, ordinal, ok := text.Numeral([]string{text.Fold(said[k][1])}); ok == 1 && ordinal {
			n = v - 1
		}
		if n < len(list) {
			return list[n : n+1]
		}
	}
	return list
}

// precept is a unit cited by where it stands, in words that package cite leaves alone.
var precept = regexp.MustCompile(`(?i)(?:\b((?:apartado|letra|inciso|numeral|párrafo) (?:\d{1,2}|[a-zñ]\)|[a-zñ]\b)) del )?\b(?:precepto (siguiente|anterior|precedente|citado)|(siguiente|anterior|precedente|mismo|citado|referido|propio) precepto)\b`)

// precepts finds those citations.
func precepts(s string) []mention {
	var out []mention
	at := codePoints(s)
	for _, m := range precept.FindAllStringSubmatchIndex(s, -1) {
		where, detail := "presente", ""
		switch w := strings.ToLower(s[max(m[4], m[6]):max(m[5], m[7])]); w {
		case "siguiente":
			where = w
		case "anterior", "precedente":
			where = "anterior"
		}
		if m[2] >= 0 {
			detail = s[m[2]:m[3]]
		}
		out = append(out, mention{Mention: cite.Mention{Start: at(m[0]), End: at(m[1]), Text: s[m[0]:m[1]], Kind: digesto.KindArticle, Number: where, Detail: detail, Relative: true}})
	}
	return out
}

// neighbour resolves "el artículo siguiente" from the unit cited before it, in the
// order of the law; m itself when that cannot be told.
func (j *judge) neighbour(m mention) mention {
	if !m.Relative || m.Unit != "" || m.Kind == "" || m.prior == nil {
		return m
	}
	base := j.places([]mention{*m.prior})
	if len(base) != 1 || base[0].missing || base[0].unit == "" {
		return m
	}
	before, found := "", false
	take := func(unit string) mention {
		m.Norm, m.Unit, m.Also = base[0].norm.ID, unit, nil
		return m
	}
	for u := range j.Law.Units(base[0].norm.ID) {
		switch {
		case found && u.Kind == m.Kind:
			return take(u.ID)
		case u.ID != base[0].unit:
		case m.Number == "presente":
			return take(u.ID)
		case m.Number == "anterior" && before != "":
			return take(before)
		case m.Number == "siguiente":
			found = true
		}
		if u.Kind == m.Kind {
			before = u.ID
		}
	}
	return m
}

// widest leaves out what stands within another of a list, and what comes twice.
func widest(list []mention) []mention {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b mention) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := -1
	return slices.DeleteFunc(list, func(m mention) bool {
		inside := m.End <= end
		end = max(end, m.End)
		return inside
	})
}
