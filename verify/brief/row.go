package brief

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
)

// inTurn says that a row of quotations and a row of citations go one with one.
var inTurn = compile(`(?i)\brespectivamente\b`)

// respectively gives the citation of each quotation in sentences that pair them off:
// "los artículos 5 y 6 dicen, respectivamente, «…» y «…»".
func (j *judge) respectively(s string, mentions []mention, quotes []quotation) (map[int]mention, error) {
	out := map[int]mention{}
	count, done := codePoints(s), 0
	err := inTurn.each(j.ctx, s, func(at []int) bool {
		p := count(at[0])
		if p < done {
			return true // of a sentence that was paired off
		}
		from, to := around(j.runes, quotes, p)
		if from < 0 {
			return true
		}
		done = to
		var cited []mention
		for _, m := range mentions[sort.Search(len(mentions), func(i int) bool { return mentions[i].Start >= from }):] {
			if m.Start >= to {
				break
			}
			if m.End <= to && m.Unit != "" {
				cited = append(cited, m)
			}
		}
		var said []int
		for k := sort.Search(len(quotes), func(i int) bool { return quotes[i].from >= from }); k < len(quotes) && quotes[k].from < to; k++ {
			if quotes[k].to <= to {
				said = append(said, k)
			}
		}
		if len(cited) < 2 || len(cited) != len(said) {
			return true
		}
		for i, k := range said {
			out[k] = cited[i]
		}
		return true
	})
	return out, err
}

// around gives the sentence about a place, quotations taken as one piece each; -1 when
// the place is inside a quotation.
func around(r []rune, quotes []quotation, p int) (from, to int) {
	in := func(i int) int {
		k := sort.Search(len(quotes), func(k int) bool { return quotes[k].to > i })
		if k < len(quotes) && quotes[k].from <= i {
			return k
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
	for n < i && n <= 4 && unicode.IsLetter(r[i-1-n]) {
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
var precept = compile(`(?i)(?:\b((?:apartado|letra|inciso|numeral|párrafo) (?:\d{1,2}|[a-zñ]\)|[a-zñ]\b)) del )?\b(?:precepto (siguiente|anterior|precedente|citado)|(siguiente|anterior|precedente|mismo|citado|referido|propio) precepto)\b`)

// precepts finds those citations.
func (j *judge) precepts(s string, yield func(mention) bool) error {
	at := codePoints(s)
	return precept.each(j.ctx, s, func(m []int) bool {
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
		return yield(mention{Mention: cite.Mention{Start: at(m[0]), End: at(m[1]), Text: s[m[0]:m[1]], Kind: digesto.KindArticle, Number: where, Detail: detail, Relative: true}})
	})
}

// beside is a unit next to another, which is looked for once.
type beside struct {
	norm, unit string
	kind       digesto.UnitKind
	where      string
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
	key := beside{base[0].norm.ID, base[0].unit, m.Kind, m.Number}
	if unit, known := j.beside[key]; known {
		if unit != "" {
			m.Norm, m.Unit, m.Also = base[0].norm.ID, unit, nil
		}
		return m
	}
	j.beside[key] = ""
	take := func(unit string) mention {
		j.beside[key] = unit
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
