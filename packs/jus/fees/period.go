package fees

import (
	"strings"
	"time"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Period is a day (From = To) or a month or year, both ends included.
type Period struct {
	From, To digesto.Date
	Name     string // "2022", "marzo de 2023"; "" for a day
}

// IsDay says whether the period is one day.
func (p Period) IsDay() bool { return p.From == p.To }

// Day is the period of one day.
func Day(d digesto.Date) Period { return Period{From: d, To: d} }

// Year is the period of a calendar year, "2022".
func Year(y string) (Period, error) {
	y = strings.TrimSpace(y)
	if !YearForm.MatchString(y) {
		return Period{}, Invalid("Escriba un año de cuatro cifras, por ejemplo 2022.", "«%s» no es un año", y)
	}
	return Period{digesto.Date(y + "-01-01"), digesto.Date(y + "-12-31"), y}, nil
}

// Month is the period of a calendar month, "2023-03".
func Month(m string) (Period, error) {
	t, err := time.Parse("2006-01", strings.TrimSpace(m))
	if err != nil || t.Year() < 1900 {
		return Period{}, Invalid("Escriba el mes como AAAA-MM, por ejemplo 2023-03.", "«%s» no es un mes", m)
	}
	return Period{digesto.Date(t.Format(time.DateOnly)), lastOfMonth(digesto.Date(t.Format(time.DateOnly))),
		text.MonthNames[t.Month()-1] + " de " + itoa(t.Year())}, nil
}

var YearForm = lazyregexp.New(`^(19|20)\d\d$`)

// When reads the three date flags, of which at most one may be given; without
// any, the day is today.
func When(date, year, month string, today digesto.Date) (Period, error) {
	n := 0
	for _, s := range []string{date, year, month} {
		if s != "" {
			n++
		}
	}
	switch {
	case n > 1:
		return Period{}, &digesto.Error{Code: digesto.CodeUsage, Message: "Se han dado varias fechas a la vez.", Hint: "Use solo una de --date, --year y --month."}
	case year != "":
		return Year(year)
	case month != "":
		return Month(month)
	case date != "":
		d := digesto.Date(strings.TrimSpace(date))
		if !ValidDate(d) {
			return Period{}, Invalid("Escriba la fecha como AAAA-MM-DD, por ejemplo 2023-03-01.", "«%s» no es una fecha", date)
		}
		return Day(d), nil
	}
	return Day(today), nil
}

func lastOfMonth(d digesto.Date) digesto.Date {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return d
	}
	return digesto.Date(time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
}
