package figure

import (
	"strings"
	"unicode/utf8"

	"digesto/text"
)

// Kind is the kind of a figure.
type Kind string

// The kinds of figures.
const (
	Money    Kind = "money"    // Unit: ISO code or sign as known to the locale ("EUR", "$")
	Percent  Kind = "percent"  // Unit: "%"
	Quantity Kind = "quantity" // Unit: the caller's unit word, or of the built-in ones (personas, metros…)
	Duration Kind = "duration" // Unit: "día", "día hábil", "día natural", "mes", "año", "semana", "hora", "minuto"
	Number   Kind = "number"   // no unit beside it
)

// Figure is an amount found in a text.
type Figure struct {
	Kind       Kind
	Value      string // decimal string: "1131426.60", as precise as written, without thousands' separators
	Unit       string // canonical, singular; see Kind
	Start, End int    // code points
	Text       string // as written
}

// Unit is a unit word of the caller's domain ("JUS", "UIT"): how it is written and
// what its figures are called.
type Unit struct {
	Words []string // written forms, folding ignored: "jus", "ius"
	Name  string   // what Figure.Unit says
}

// Locale says how numbers are written.
type Locale struct {
	// Decimal is the decimal mark: ',' (0 means ',') or '.'.
	Decimal byte
	// Currency is the unit of a bare "$" or of the words "pesos", "soles"; empty = "$".
	Currency string
	Units    []Unit // further units of the caller's domain
}

// LocaleOf gives the locale of a language tag: "es-PE", "es-MX" and the like write a decimal point,
// the others a comma.
func LocaleOf(tag string) Locale {
	loc := Locale{Decimal: ',', Currency: currencies[tag]}
	switch tag {
	case "es-PE", "es-MX", "es-GT", "es-HN", "es-NI", "es-PA", "es-DO", "es-SV", "es-PR", "es-US":
		loc.Decimal = '.'
	}
	return loc
}

// currencies are what a bare "$", "pesos" or "soles" means, ISO 4217.
var currencies = map[string]string{"es-AR": "ARS", "es-PE": "PEN", "es-MX": "MXN", "es-CL": "CLP", "es-CO": "COP", "es-UY": "UYU", "es-US": "USD"}

// FindAll gives the figures of s in order. Numbers that are part of a word or of an
// identifier ("62-A", "39/2015") are none.
func FindAll(s string, loc Locale) []Figure {
	r := reader{s: s, loc: loc, toks: text.Tokens(nil, s)}
	r.units = unitIndex(loc)
	for i := 0; i < len(r.toks); {
		i = r.at(i)
	}
	return r.out
}

type reader struct {
	s     string
	loc   Locale
	toks  []text.Token
	units map[string][]unitWords
	out   []Figure
	bytes int // counted so far
	runes int
	end   int // bytes to the end of the last figure
}

// at reads the figure at token i, if there is one, and gives the next token to read.
func (r *reader) at(i int) int {
	value, next, exact := r.number(i)
	if next == 0 {
		return i + 1
	}
	start, end := r.toks[i].Start, r.toks[next-1].End
	f := Figure{Kind: Number, Value: value}
	if u, n, byteEnd := r.unitAfter(next); n >= 0 {
		f.Kind, f.Unit = u.kind, u.name
		next, end = next+n, byteEnd
		if n > 0 && r.half(next) && !strings.Contains(f.Value, ".") {
			f.Value, next, end = f.Value+".5", next+2, r.toks[next+1].End
		}
	} else if unit, from := r.signBefore(start); from >= 0 {
		f.Kind, f.Unit, start = Money, unit, from
	} else if u, ok := r.unitOfRange(i, next); ok {
		f.Kind, f.Unit = u.kind, u.name
	} else if !exact {
		return next // a number word without unit: "dos de ellos", "un"
	}
	f.Text = r.s[start:end]
	f.Start = r.count(start)
	f.End = f.Start + utf8.RuneCountInString(f.Text)
	r.end = end
	r.out = append(r.out, f)
	return next
}

func (r *reader) count(b int) int {
	if b < r.bytes {
		r.bytes, r.runes = 0, 0
	}
	r.runes += utf8.RuneCountInString(r.s[r.bytes:b])
	r.bytes = b
	return r.runes
}
