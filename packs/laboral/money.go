package laboral

import (
	"strconv"
	"strings"
	"time"

	"github.com/govalues/decimal"
)

// times multiplies an amount by a whole number, exactly.
func times(d decimal.Decimal, n int64) (decimal.Decimal, error) {
	p, err := d.Mul(decimal.MustNew(n, 0))
	if err != nil || p.Prec()-p.Scale() > 15 {
		return p, invalid("Use un importe menor.", "El importe es demasiado grande para calcular sin redondeos")
	}
	return p.Trim(0), nil
}

// share gives d × num / den to cents, half away from zero, rounded once: the
// integer division of cents decides. num and den are not negative.
func share(d decimal.Decimal, num, den int64) (decimal.Decimal, error) {
	a, err := times(d, num)
	if err != nil {
		return d, err
	}
	if a, err = times(a, 100); err != nil {
		return d, err
	}
	q, r, err := a.QuoRem(decimal.MustNew(den, 0))
	if err != nil {
		return d, invalid("Revise los datos.", "No se puede dividir: %v", err)
	}
	if r, err = times(r, 2); err != nil {
		return d, err
	}
	if r.Cmp(decimal.MustNew(den, 0)) >= 0 {
		if q, err = q.Add(decimal.One); err != nil {
			return d, err
		}
	}
	q, err = q.Mul(decimal.MustParse("0.01"))
	return q.Rescale(2), err
}

// ratio writes num/den to two decimals, half away from zero, as decimals.
func ratio(num, den int64) decimal.Decimal {
	d, err := share(decimal.One, num, den)
	if err != nil {
		return decimal.Zero
	}
	return d
}

// Euros writes an amount as it is done in Spain: "12.345,60 €".
func Euros(d decimal.Decimal) string { return local(d.Pad(2)) + " €" }

// local writes a number with points between thousands and a comma for decimals.
func local(d decimal.Decimal) string {
	s := d.String()
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, has := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte('.')
		}
		b.WriteRune(r)
	}
	if has {
		b.WriteString("," + frac)
	}
	return b.String()
}

// number writes a number without useless zeros.
func number(d decimal.Decimal) string { return local(d.Trim(0)) }

func iso(t time.Time) string { return t.Format(time.DateOnly) }

// addMonths counts from date to date; a day that the month lacks is its last.
func addMonths(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	first := time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(d, last)-1)
}

// monthsIn counts the months of [from, to): the complete ones, and whether days
// remain beyond them.
func monthsIn(from, to time.Time) (whole int, rest bool) {
	if !from.Before(to) {
		return 0, false
	}
	whole = (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	for whole > 0 && addMonths(from, whole).After(to) {
		whole--
	}
	return whole, addMonths(from, whole).Before(to)
}

func daysIn(from, to time.Time) int { return int(to.Sub(from).Hours() / 24) }

func yearDays(y int) int { return daysIn(date(y, 1, 1), date(y+1, 1, 1)) }

func date(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
