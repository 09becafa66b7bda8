package figure

import (
	"strconv"
	"time"

	"digesto/text"
)

// relative reads "hoy", "ayer", "este mes", "el año pasado", "hace tres meses".
func (d *dater) relative(i int) (dated, bool) {
	if d.today.IsZero() {
		return dated{}, false
	}
	one := func(t time.Time, next int) (dated, bool) {
		return dated{from: t, to: t, grain: Day, next: next}, true
	}
	switch d.word(i) {
	case "hoy", "actualmente", "ahora":
		return one(d.today, i+1)
	case "ayer":
		return one(d.today.AddDate(0, 0, -1), i+1)
	case "anteayer":
		return one(d.today.AddDate(0, 0, -2), i+1)
	case "este", "presente":
		return d.stretch(d.word(i+1), 0, i+2)
	case "ano", "mes":
		switch d.word(i + 1) {
		case "pasado", "anterior":
			return d.stretch(d.word(i), -1, i+2)
		case "actual", "corriente", "presente":
			return d.stretch(d.word(i), 0, i+2)
		}
	case "hace":
		return d.ago(i)
	}
	return dated{}, false
}

// stretch gives the year or month so many away from today's.
func (d *dater) stretch(word string, away, next int) (dated, bool) {
	switch word {
	case "ano":
		return yearOf(d.today.Year()+away, next), true
	case "mes":
		first := time.Date(d.today.Year(), d.today.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, away, 0)
		return monthOf(first.Year(), int(first.Month()), next)
	}
	return dated{}, false
}

// ago reads "hace 15 días", "hace tres meses", "hace un año": a day.
func (d *dater) ago(i int) (dated, bool) {
	n, took := 0, 1
	if v, err := strconv.Atoi(d.word(i + 1)); err == nil {
		n = v
	} else if v, _, k := text.Numeral(d.words(i + 1)); k > 0 {
		n, took = v, k
	}
	if n <= 0 || n > 1000 {
		return dated{}, false
	}
	t := d.today
	next := i + 2 + took
	switch d.word(next - 1) {
	case "dia", "dias":
		t = t.AddDate(0, 0, -n)
	case "semana", "semanas":
		t = t.AddDate(0, 0, -7*n)
	case "mes", "meses":
		t = back(t, n)
	case "ano", "anos":
		t = back(t, 12*n)
	default:
		return dated{}, false
	}
	return dated{from: t, to: t, grain: Day, next: next}, true
}

// back goes n months back, to the last day of the month where the day does not exist.
func back(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}
