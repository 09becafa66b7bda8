package jus

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/packs/jus/fees"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// dated is a date read in a question: words[from:to].
type dated struct {
	from, to int
	Period
	bare bool // a month without its year
}

// year is that of the first day.
func (d dated) year() int {
	n, _ := strconv.Atoi(string(d.From[:4]))
	return n
}

// maxBetween is how many words join two months of one year: "entre mayo y noviembre".
const maxBetween = 3

// span is what a question says about time.
type span struct {
	found []dated
	rng   bool   // "desde A hasta B": found[0] and found[1], or found[0] and today
	bad   string // written like a date that no calendar has: "31/02/2023"
}

var (
	slashDate = lazyregexp.New(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$`)
	isoDate   = lazyregexp.New(`^(\d{4})-(\d{2})-(\d{2})$`)
	monthYear = lazyregexp.New(`^(\d{1,2})[/-](\d{4})$`)
)

// findDates reads the dates of a question, relative ones from today: "hoy", "en
// 2022", "marzo de 2023", "01/03/2023", "el año pasado", "desde 2020 a hoy".
func findDates(words []string, today digesto.Date, taken func(i int) bool) span {
	var s span
	for i := 0; i < len(words); {
		if taken(i) {
			i++
			continue
		}
		d, ok := dateAt(words, i, today)
		if !ok {
			if slashDate.MatchString(words[i]) || isoDate.MatchString(words[i]) {
				s.bad = words[i]
			}
			i++
			continue
		}
		s.found = append(s.found, d)
		i = d.to
	}
	for i := len(s.found) - 2; i >= 0; i-- {
		a, b := &s.found[i], s.found[i+1]
		if a.bare && text.Months[words[b.from]] > 0 && b.from-a.to <= maxBetween {
			year := string(b.From[:4])
			if text.Months[words[a.from]] > text.Months[words[b.from]] {
				year = strconv.Itoa(b.year() - 1)
			}
			if p, err := Month(year + "-" + pad(strconv.Itoa(text.Months[words[a.from]]))); err == nil {
				a.Period = p // "entre mayo y noviembre de 2025"
			}
		}
	}
	for _, d := range s.found {
		if d.from > 0 && (words[d.from-1] == "desde" || words[d.from-1] == "entre") || d.from > 1 && words[d.from-2] == "desde" {
			s.rng = true
		}
	}
	s.rng = s.rng || len(s.found) > 1
	return s
}

func dateAt(words []string, i int, today digesto.Date) (dated, bool) {
	for _, f := range []func([]string, int, digesto.Date) (Period, int){numericDate, longForm, monthForm, relative, bareYear} {
		if p, n := f(words, i, today); n > 0 {
			return dated{i, i + n, p, n == 1 && text.Months[words[i]] > 0}, true
		}
	}
	return dated{}, false
}

func numericDate(words []string, i int, _ digesto.Date) (Period, int) {
	w := words[i]
	if m := isoDate.FindStringSubmatch(w); m != nil {
		return dayOf(m[1], m[2], m[3])
	}
	if m := slashDate.FindStringSubmatch(w); m != nil {
		y := m[3]
		if len(y) == 2 {
			y = "20" + y
		}
		return dayOf(y, m[2], m[1])
	}
	if m := monthYear.FindStringSubmatch(w); m != nil {
		if p, err := Month(m[2] + "-" + pad(m[1])); err == nil {
			return p, 1
		}
	}
	return Period{}, 0
}

func dayOf(y, m, d string) (Period, int) {
	day := digesto.Date(y + "-" + pad(m) + "-" + pad(d))
	if !fees.ValidDate(day) {
		return Period{}, 0
	}
	return Day(day), 1
}

func pad(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// longForm reads "1 de marzo de 2023", "primero de marzo del 2023".
func longForm(words []string, i int, _ digesto.Date) (Period, int) {
	day, err := strconv.Atoi(words[i])
	n := 1
	if err != nil {
		v, _, k := text.Numeral(words[i:])
		if k == 0 {
			return Period{}, 0
		}
		day, n = v, k
	}
	j := i + n
	if day < 1 || day > 31 || j+1 >= len(words) || words[j] != "de" || text.Months[words[j+1]] == 0 {
		return Period{}, 0
	}
	y, k := yearAfter(words, j+2)
	if k == 0 {
		return Period{}, 0
	}
	p, ok := dayOf(y, strconv.Itoa(text.Months[words[j+1]]), strconv.Itoa(day))
	if ok == 0 {
		return p, 0
	}
	return p, j + 2 + k - i
}

// yearAfter reads "de 2023", "del 2023", "2023", "del año 2023".
func yearAfter(words []string, i int) (string, int) {
	n := 0
	for i+n < len(words) && n < 2 && (words[i+n] == "de" || words[i+n] == "del" || words[i+n] == "ano") {
		n++
	}
	if i+n < len(words) && fees.YearForm.MatchString(words[i+n]) {
		return words[i+n], n + 1
	}
	return "", 0
}

// monthForm reads "marzo de 2023"; without a year it is the last such month.
func monthForm(words []string, i int, today digesto.Date) (Period, int) {
	m := text.Months[words[i]]
	if m == 0 {
		return Period{}, 0
	}
	y, k := yearAfter(words, i+1)
	if k == 0 {
		t, err := time.Parse(time.DateOnly, string(today))
		if err != nil || i == 0 || !set("en de desde hasta a para entre y mes")[words[i-1]] {
			return Period{}, 0
		}
		yr := t.Year()
		if m > int(t.Month()) {
			yr--
		}
		y = strconv.Itoa(yr)
	}
	p, err := Month(fmt.Sprintf("%s-%02d", y, m))
	if err != nil {
		return p, 0
	}
	return p, 1 + k
}

// relative reads "hoy", "ayer", "este año", "el año pasado", "el mes pasado", "hace dos años".
func relative(words []string, i int, today digesto.Date) (Period, int) {
	t, err := time.Parse(time.DateOnly, string(today))
	if err != nil {
		return Period{}, 0
	}
	next := func(k int) string {
		if i+k < len(words) {
			return words[i+k]
		}
		return ""
	}
	day := func(t time.Time) Period { return Day(digesto.Date(t.Format(time.DateOnly))) }
	switch words[i] {
	case "hoy", "ahora", "actualmente", "actualidad", "actual", "vigente":
		return Day(today), 1
	case "ayer":
		return day(t.AddDate(0, 0, -1)), 1
	case "este":
		return relPeriod(next(1), t, 0, 2)
	case "ano", "mes":
		if next(1) == "pasado" || next(1) == "anterior" {
			return relPeriod(words[i], t, -1, 2)
		}
		if next(1) == "antepasado" {
			return relPeriod(words[i], t, -2, 2)
		}
	case "ultimo":
		return relPeriod(next(1), t, -1, 2)
	case "hace":
		if i+4 <= len(words) && words[i+3] == "que" {
			return Period{}, 0 // "hace treinta años que ocupa": how long, not when
		}
		n, k := 0, 0
		if v, err := strconv.Atoi(next(1)); err == nil {
			n, k = v, 1
		} else if i+1 < len(words) {
			n, _, k = text.Numeral(words[i+1:])
		}
		if k == 0 || n < 1 || n > 60 {
			return Period{}, 0
		}
		switch strings.TrimSuffix(next(1+k), "s") {
		case "ano":
			return day(t.AddDate(-n, 0, 0)), 2 + k
		case "me":
			return day(t.AddDate(0, -n, 0)), 2 + k
		}
		switch next(1 + k) {
		case "mes", "meses":
			return day(t.AddDate(0, -n, 0)), 2 + k
		}
	}
	return Period{}, 0
}

func relPeriod(unit string, t time.Time, shift, n int) (Period, int) {
	switch unit {
	case "ano":
		p, err := Year(strconv.Itoa(t.Year() + shift))
		if err == nil {
			return p, n
		}
	case "mes":
		p, err := Month(time.Date(t.Year(), t.Month()+time.Month(shift), 1, 0, 0, 0, 0, time.UTC).Format("2006-01"))
		if err == nil {
			return p, n
		}
	}
	return Period{}, 0
}

// bareYear reads a year of four digits that is not part of a law's name.
func bareYear(words []string, i int, _ digesto.Date) (Period, int) {
	if !fees.YearForm.MatchString(words[i]) || notAnAmount(words, i) {
		return Period{}, 0
	}
	p, err := Year(words[i])
	if err != nil {
		return p, 0
	}
	return p, 1
}
