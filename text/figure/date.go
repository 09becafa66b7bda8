package figure

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/text"
)

// Grain is how exact a period was named.
type Grain string

// The grains.
const (
	Day     Grain = "day"
	Month   Grain = "month"
	Year    Grain = "year"
	Part    Grain = "part"    // quarter, half-year
	Range   Grain = "range"   // from one date to another
	Invalid Grain = "invalid" // written as a date, but no day of the calendar: From and To are empty
)

// Period is a stretch of days named in a text, first and last day included.
type Period struct {
	From, To   digesto.Date
	Grain      Grain
	Assumed    bool // the year was not written: the latest that is not after today
	Start, End int  // code points
	Text       string
}

// Dates gives the days and periods that s names, in order: "hoy", "01/03/2023", "1.º de marzo de
// 2023", "marzo de 2023", "en 2022", "primer semestre de 2022", "hace tres meses", "el año
// pasado", "entre marzo y junio de 2022". Day comes before month. today is what relative words
// count from; when it is empty they name nothing.
func Dates(s string, today digesto.Date) []Period {
	d := dater{reader: reader{s: s, toks: text.Tokens(nil, s)}}
	if t, err := time.Parse(time.DateOnly, string(today)); err == nil {
		d.today = t
	}
	for i := 0; i < len(d.toks); {
		i = d.date(i)
	}
	return d.join()
}

type dater struct {
	reader
	today time.Time
	found []dated
}

// dated is a period with the tokens it takes.
type dated struct {
	from, to time.Time // to is the last day
	grain    Grain
	assumed  bool
	noYear   bool
	i, next  int
}

// date reads the date at token i, if there is one, and gives the next token to read.
func (d *dater) date(i int) int {
	for _, read := range []func(int) (dated, bool){d.numeric, d.written, d.part, d.month, d.relative, d.year} {
		if p, ok := read(i); ok {
			p.i = i
			d.found = append(d.found, p)
			return p.next
		}
	}
	return i + 1
}

// numeric reads "01/03/2023", "1-3-2023", "2023-03-01", "01.03.2023", "03/2023", "2023-03".
func (d *dater) numeric(i int) (dated, bool) {
	t := d.toks[i]
	src := d.s[t.Start:t.End]
	parts := strings.FieldsFunc(src, func(r rune) bool { return r == '/' || r == '-' || r == '.' })
	var n [3]int
	if len(parts) < 2 || len(parts) > 3 || d.named(i) {
		return dated{}, false
	}
	for k, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || len(p) > 4 {
			return dated{}, false
		}
		n[k] = v
	}
	dot := strings.Contains(src, ".")
	switch {
	case len(parts) == 3 && len(parts[0]) == 4 && !dot:
		return day(n[0], n[1], n[2], i+1), true
	case len(parts) == 3 && len(parts[2]) == 4 && len(parts[0]) <= 2 && len(parts[1]) <= 2:
		return day(n[2], n[1], n[0], i+1), true
	case len(parts) == 3 && len(parts[2]) == 2 && len(parts[0]) <= 2 && len(parts[1]) <= 2 && !dot:
		return day(d.century(n[2]), n[1], n[0], i+1), true
	case len(parts) == 2 && len(parts[0]) == 4 && len(parts[1]) == 2 && plausibleYear(n[0]) && strings.Contains(src, "-"):
		return monthOf(n[0], n[1], i+1)
	case len(parts) == 2 && len(parts[1]) == 4 && len(parts[0]) == 2 && plausibleYear(n[1]) && !dot:
		return monthOf(n[1], n[0], i+1)
	}
	return dated{}, false
}

// named reports that the number at token i is that of a norm ("Ley 12/2015"): the word before says so.
func (d *dater) named(i int) bool {
	switch d.word(i - 1) {
	case "ley", "decreto", "rd", "rdl", "legislativo", "organica", "orden", "reglamento", "directiva", "supremo", "n", "no", "nro", "ds", "resolucion", "dnu", "ue", "ce", "lo":
		return true
	}
	return false
}

// century gives a year written with two figures: never more than one year after today.
func (d *dater) century(yy int) int {
	limit := 30
	if !d.today.IsZero() {
		limit = d.today.Year()%100 + 1
	}
	if yy <= limit {
		return 2000 + yy
	}
	return 1900 + yy
}

func day(y, m, dd, next int) dated {
	t := time.Date(y, time.Month(m), dd, 0, 0, 0, 0, time.UTC)
	if m < 1 || m > 12 || t.Day() != dd || !plausibleYear(y) {
		return dated{grain: Invalid, next: next}
	}
	return dated{from: t, to: t, grain: Day, next: next}
}

func monthOf(y, m, next int) (dated, bool) {
	if m < 1 || m > 12 {
		return dated{}, false
	}
	from := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
	return dated{from: from, to: from.AddDate(0, 1, -1), grain: Month, next: next}, true
}

func yearOf(y, next int) dated {
	return dated{from: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), to: time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC), grain: Year, next: next}
}

func plausibleYear(y int) bool { return y >= 1800 && y <= 2200 }

// written reads "1 de marzo de 2023", "primero de mayo", "1.º de marzo del 2023".
func (d *dater) written(i int) (dated, bool) {
	dd, err := strconv.Atoi(d.word(i))
	n := 1
	if err != nil {
		v, _, took := text.Numeral(d.words(i))
		if took == 0 {
			return dated{}, false
		}
		dd, n = v, took
	}
	if d.word(i+n) != "de" || text.Months[d.word(i+n+1)] == 0 || dd > 99 {
		return dated{}, false
	}
	m := text.Months[d.word(i+n+1)]
	y, next := d.yearAfter(i + n + 2)
	if next == 0 {
		if d.today.IsZero() {
			return dated{}, false
		}
		p := day(d.today.Year(), m, dd, i+n+2)
		if p.from.After(d.today) {
			p = day(d.today.Year()-1, m, dd, i+n+2)
		}
		p.assumed, p.noYear = true, true
		return p, true
	}
	return day(y, m, dd, next), true
}

// yearAfter reads "de 2023", "del 2023", "del año 2023", "2023", "de dos mil veintitrés". next is 0 if there is none.
func (d *dater) yearAfter(i int) (year, next int) {
	k := i
	if w := d.word(k); w == "de" || w == "del" {
		k++
	}
	if w := d.word(k); w == "ano" {
		k++
	}
	if y, err := strconv.Atoi(d.word(k)); err == nil && len(d.word(k)) == 4 && plausibleYear(y) {
		return y, k + 1
	}
	if v, ordinal, n := text.Numeral(d.words(k)); n > 1 && !ordinal && plausibleYear(v) {
		return v, k + n
	}
	return 0, 0
}

// part reads "primer semestre de 2022", "segundo trimestre del 2023".
func (d *dater) part(i int) (dated, bool) {
	v, ordinal, n := text.Numeral(d.words(i))
	if n == 0 {
		return dated{}, false
	}
	size := map[string]int{"semestre": 6, "trimestre": 3, "cuatrimestre": 4, "bimestre": 2}[d.word(i+n)]
	if size == 0 || !ordinal || v < 1 || v > 12/size {
		return dated{}, false
	}
	y, next := d.yearAfter(i + n + 1)
	if next == 0 {
		return dated{}, false
	}
	from := time.Date(y, time.Month((v-1)*size+1), 1, 0, 0, 0, 0, time.UTC)
	return dated{from: from, to: from.AddDate(0, size, -1), grain: Part, next: next}, true
}

// month reads "marzo de 2023"; without a year only after a preposition.
func (d *dater) month(i int) (dated, bool) {
	m := text.Months[d.word(i)]
	if m == 0 {
		return dated{}, false
	}
	if y, next := d.yearAfter(i + 1); next > 0 {
		return monthOf(y, m, next)
	}
	switch d.word(i - 1) {
	case "en", "desde", "hasta", "entre", "de", "a", "durante", "mes", "y":
	default:
		return dated{}, false
	}
	if d.today.IsZero() {
		return dated{}, false
	}
	p, ok := monthOf(d.today.Year(), m, i+1)
	if p.from.After(d.today) {
		p, ok = monthOf(d.today.Year()-1, m, i+1)
	}
	p.assumed, p.noYear = true, true
	return p, ok
}

// year reads a year: "en 2022", "año 2022", "desde 2020", alone at the end of a question.
func (d *dater) year(i int) (dated, bool) {
	y, err := strconv.Atoi(d.word(i))
	if err != nil || len(d.word(i)) != 4 || !plausibleYear(y) || d.partOfWord(i) {
		return dated{}, false
	}
	if _, n, _ := d.unitAfter(i + 1); n >= 0 {
		return dated{}, false
	}
	switch d.word(i - 1) {
	case "en", "ano", "anos", "de", "del", "durante", "desde", "hasta", "ejercicio", "entre", "a", "al", "y", "campana", "periodo", "fin", "fines", "finales", "principios", "":
		return yearOf(y, i+1), true
	}
	if t := d.toks[i]; t.Start > 0 && (d.s[t.Start-1] == '(' || d.s[t.Start-1] == '\n') {
		return yearOf(y, i+1), true
	}
	return dated{}, false
}

// join merges "entre A y B", "de A a B", "desde A hasta B" and writes the periods out.
func (d *dater) join() []Period {
	var out []Period
	for k := 0; k < len(d.found); k++ {
		p := d.found[k]
		if k+1 < len(d.found) {
			if q, ok := d.span(p, d.found[k+1]); ok {
				p = q
				k++
			}
		}
		out = append(out, d.period(p))
	}
	return out
}

// span joins two dates when the words around and between them say that one period is meant.
func (d *dater) span(a, b dated) (dated, bool) {
	if a.grain == Invalid || b.grain == Invalid || b.i-a.next < 1 || b.i-a.next > 2 {
		return dated{}, false
	}
	before, between := d.word(a.i-1), d.word(a.next)
	if before == "el" || before == "mes" {
		before = d.word(a.i - 2)
	}
	ok := before == "entre" && between == "y" || (before == "desde" || before == "de" || before == "del") && (between == "a" || between == "al" || between == "hasta")
	if b.i-a.next == 2 && d.word(a.next+1) != "el" && d.word(a.next+1) != "la" {
		ok = false
	}
	if ok && a.noYear && !b.noYear { // "entre marzo y junio de 2022"
		a.from = a.from.AddDate(b.to.Year()-a.from.Year(), 0, 0)
		a.assumed = false
	}
	if !ok || b.to.Before(a.from) {
		return dated{}, false
	}
	return dated{from: a.from, to: b.to, grain: Range, assumed: a.assumed || b.assumed, i: a.i, next: b.next}, true
}

func (d *dater) period(p dated) Period {
	start, end := d.toks[p.i].Start, d.toks[p.next-1].End
	out := Period{Grain: p.grain, Assumed: p.assumed, Text: d.s[start:end], Start: d.count(start)}
	out.End = out.Start + utf8.RuneCountInString(out.Text)
	if p.grain != Invalid {
		out.From, out.To = isoDate(p.from), isoDate(p.to)
	}
	return out
}

func isoDate(t time.Time) digesto.Date {
	return digesto.Date(fmt.Sprintf("%04d-%02d-%02d", t.Year(), t.Month(), t.Day()))
}
