package fees

import (
	"strings"
	"time"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/text"
)

// Bounds that keep every product and quotient exact in the 19 digits of the
// decimal type, so that rounding happens once, here, and half away from zero.
const (
	maxValueDigits = 9  // of a JUS value: up to 9.999.999,99
	maxJusDigits   = 10 // of a number of JUS
	maxPesosDigits = 15 // of an amount in pesos
)

// round2 rounds to cents, half away from zero (the decimal type rounds half to even).
func round2(d decimal.Decimal) decimal.Decimal {
	t := d.Trunc(2)
	rest, err := d.SubAbs(t)
	if err == nil && rest.Cmp(halfCent) >= 0 {
		up, err := t.Add(cent.CopySign(d))
		if err == nil {
			t = up
		}
	}
	return t.Pad(2)
}

var (
	cent     = decimal.MustParse("0.01")
	halfCent = decimal.MustParse("0.005")
	hundred  = decimal.MustParse("100")
)

// product multiplies exactly: the digits of both factors are bounded.
func product(a, b decimal.Decimal) (exact, rounded decimal.Decimal, err error) {
	exact, err = a.Mul(b)
	if err != nil || a.Trim(0).Prec()+b.Trim(0).Prec() > 19 {
		return exact, rounded, Invalid("Use una cantidad menor o con menos decimales.", "la cantidad es demasiado grande para calcular sin redondeos")
	}
	return exact.Trim(0), round2(exact), nil
}

// quotient divides to cents, half away from zero, without rounding twice: the
// integer division of cents decides. shown is the quotient to the digits that fit.
func quotient(a, b decimal.Decimal) (shown, rounded decimal.Decimal, err error) {
	num, err := a.Mul(hundred)
	if err != nil {
		return shown, rounded, Invalid("Use un importe menor.", "el importe es demasiado grande")
	}
	q, r, err := num.QuoRem(b)
	if err != nil {
		return shown, rounded, Invalid("Use un importe menor.", "no se puede dividir: %v", err)
	}
	if twice, err := r.Abs().Add(r.Abs()); err == nil && twice.Cmp(b.Abs()) >= 0 {
		if q, err = q.Add(decimal.One.CopySign(a)); err != nil {
			return shown, rounded, Invalid("Use un importe menor.", "el importe es demasiado grande")
		}
	}
	if rounded, err = q.Mul(cent); err != nil {
		return shown, rounded, Invalid("Use un importe menor.", "el importe es demasiado grande")
	}
	shown, err = a.Quo(b)
	return shown, rounded.Rescale(2), err
}

// Pesos writes an amount as people of the province do: "$ 1.131.426,60".
func Pesos(d decimal.Decimal) string { return "$ " + Local(d.Pad(2)) }

// Jus writes a number of JUS: "30 JUS", "167,53 JUS".
func Jus(d decimal.Decimal) string { return Local(d.Trim(0)) + " JUS" }

// Local writes a number with points between thousands and a comma for decimals.
func Local(d decimal.Decimal) string {
	s := d.String()
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	whole, frac, has := strings.Cut(s, ".")
	var b strings.Builder
	if neg {
		b.WriteByte('-')
	}
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte('.')
		}
		b.WriteRune(r)
	}
	if has {
		b.WriteByte(',')
		b.WriteString(frac)
	}
	return b.String()
}

// LongDate writes a day: "1 de diciembre de 2025".
func LongDate(d digesto.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return text.LongDay(t)
}

func itoa(n int) string { return decimal.MustNew(int64(n), 0).String() }

func ValidDate(d digesto.Date) bool {
	t, err := time.Parse(time.DateOnly, string(d))
	return err == nil && t.Year() >= 1900 && t.Year() <= 9999
}
