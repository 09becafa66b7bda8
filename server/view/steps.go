package view

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

// stepView is a line of a calculation, its figure as people write it.
type stepView struct {
	Text, Result, Source string
	Mark                 []span
}

// currencies are what people call those of ISO 4217.
var currencies = map[string]string{"EUR": "€", "ARS": "pesos", "PEN": "soles"}

// steps shows a calculation; a step whose source is a cited unit gets its mark.
func (s *Site) steps(m *digesto.Meta, cites []digesto.Citation, place func(string) (int, string)) []stepView {
	var loc figure.Locale
	for _, p := range s.Packs {
		if p.Name == m.Pack {
			loc = figure.LocaleOf(p.Locale)
		}
	}
	var out []stepView
	for _, x := range m.Steps {
		v := stepView{Text: figuresIn(x.Text, loc.Decimal), Source: x.Source}
		if x.Result != "" {
			v.Result = strings.TrimSpace(decimal(x.Result, loc.Decimal) + " " + cmp.Or(currencies[x.Unit], x.Unit))
		}
		for _, c := range cites {
			if c.Ref != nil && x.Source != "" && (x.Source == c.Ref.Unit || x.Source == c.Ref.Document+"/"+c.Ref.Unit) {
				v.Source, v.Mark = "", spans("["+c.Ref.Label+"]", place)
			}
		}
		out = append(out, v)
	}
	return out
}

// operand is a figure of a step's own arithmetic, as programs write it.
var operand = lazyregexp.New(`([×=+−/] )(\d[\d.,]*)`)

// figuresIn writes the figures of a step's arithmetic with the marks of a locale.
func figuresIn(step string, mark byte) string {
	return operand.ReplaceAllStringFunc(step, func(m string) string {
		i := strings.IndexByte(m, ' ') + 1
		number := strings.TrimRight(m[i:], ".,")
		if _, frac, _ := strings.Cut(number, "."); strings.Contains(number, ",") || len(frac) > 2 { // it is written so already
			return m
		}
		return m[:i] + decimal(number, mark) + m[i+len(number):]
	})
}

// lastDay is how a calculation says the last day of a term.
var lastDay = lazyregexp.New(`^Último día: (\d{1,2}) de (\p{Ll}+) de (\d{4})$`)

// deadline is the last day that the steps of a calculation give; "" = none.
func deadline(steps []digesto.Step) digesto.Date {
	for _, s := range steps {
		m := lastDay.FindStringSubmatch(s.Text)
		if m == nil {
			continue
		}
		month := slices.Index(months[:], m[2]) + 1
		day, _ := strconv.Atoi(m[1])
		year, _ := strconv.Atoi(m[3])
		if month > 0 {
			return digesto.Date(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		}
	}
	return ""
}

// CalendarURL is the address of a day as a file for calendars.
func CalendarURL(day digesto.Date, about string) string {
	return "/calendario?" + url.Values{"dia": {string(day)}, "asunto": {about}}.Encode()
}
