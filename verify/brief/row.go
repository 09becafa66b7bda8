package brief

import (
	"iter"
	"strings"

	"digesto"
	"digesto/text/cite"
	"digesto/verify/read"
)

// precept is a unit cited by where it stands, in words that package cite leaves alone.
var precept = read.Compile(`(?i)(?:\b((?:apartado|letra|inciso|numeral|párrafo) (?:\d{1,2}|[a-zñ]\)|[a-zñ]\b)) del )?\b(?:precepto (siguiente|anterior|precedente|citado)|(siguiente|anterior|precedente|mismo|citado|referido|propio) precepto)\b`)

// precepts finds those citations.
func (j *checker) precepts(s string) iter.Seq[read.Mention] {
	return func(yield func(read.Mention) bool) {
		at := read.CodePoints(s)
		for m := range precept.In(&j.Meter, s) {
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
			if !yield(read.Mention{Mention: cite.Mention{Start: at(m[0]), End: at(m[1]), Text: s[m[0]:m[1]], Kind: digesto.KindArticle, Number: where, Detail: detail, Relative: true}}) {
				return
			}
		}
	}
}

// beside is a unit next to another, which is looked for once.
type beside struct {
	norm, unit string
	kind       digesto.UnitKind
	where      string
}

// neighbour resolves "el artículo siguiente" from the unit cited before it, in the
// order of the law; m itself when that cannot be told.
func (j *checker) neighbour(m read.Mention) read.Mention {
	if !m.Relative || m.Unit != "" || m.Kind == "" || m.Prior == nil {
		return m
	}
	base := j.places([]read.Mention{*m.Prior})
	if len(base) != 1 || base[0].missing || base[0].unit == "" {
		return m
	}
	key := beside{base[0].norm.ID, base[0].unit, m.Kind, m.Number}
	unit, known := j.beside[key]
	if !known {
		unit = j.nextTo(key)
		j.beside[key] = unit
	}
	if unit != "" {
		m.Norm, m.Unit, m.Also = key.norm, unit, nil
	}
	return m
}

func (j *checker) nextTo(key beside) string {
	before, found := "", false
	for u := range j.Law.Units(key.norm) {
		switch {
		case found && u.Kind == key.kind:
			return u.ID
		case u.ID != key.unit:
		case key.where == "presente":
			return u.ID
		case key.where == "anterior":
			return before
		default:
			found = true
		}
		if u.Kind == key.kind {
			before = u.ID
		}
	}
	return ""
}
