package jus

import (
	"strings"

	"github.com/govalues/decimal"
)

// The scale of article 36: at most a quarter of the base, and at least a share of it
// that depends on how many economic units (UE) the base is. The unit has no values
// here, so each band is calculated and none is chosen.
var (
	scaleMax   = decimal.MustNew(25, 0)
	scaleBands = []struct {
		name string
		pct  decimal.Decimal
	}{
		{"hasta 20 UE", decimal.MustNew(20, 0)},
		{"de más de 20 y hasta 50 UE", decimal.MustNew(16, 0)},
		{"de más de 50 y hasta 100 UE", decimal.MustNew(12, 0)},
		{"de más de 100 UE", decimal.MustNew(10, 0)},
	}
)

// scaleService is where the law has the scale.
var scaleService = Service{Code: "escala", Name: "Escala del artículo 36", Article: "36", Law: "en un porcentaje máximo del veinticinco por ciento (25%) de la base regulatoria"}

// scaled calculates a share of the scale on a base: the most, and the least of each band.
// The floor in JUS holds below each; where even the most does not reach it, it is the
// only figure.
func (c *Calc) scaled(r *Result, row, s Service, base, n decimal.Decimal, v inForce) (text string, only *decimal.Decimal, err error) {
	lo, hi, err := shares(s.Pct)
	if err != nil {
		return "", nil, err
	}
	floor := decimal.Zero
	if s.Min.IsPos() {
		if floor, err = r.jusToPesos(s, s.Min, n, v); err != nil {
			return "", nil, err
		}
	}
	of := func(share [2]decimal.Decimal, pct decimal.Decimal) (decimal.Decimal, error) {
		num := base
		for _, f := range []decimal.Decimal{share[0], pct, n} {
			if num, err = num.Mul(f); err != nil {
				return num, invalid("Use un importe menor.", "el importe es demasiado grande")
			}
		}
		_, out, err := quotient(num, times(share[1], 100, 0))
		if err != nil {
			return out, err
		}
		r.step(s.Name+": "+pct.String()+" % × "+fraction(share)+" de "+base.String(), out, "ARS", s.Place())
		return out, nil
	}
	most, err := of(hi, scaleMax)
	if err != nil {
		return "", nil, err
	}
	r.rule(row, scaleService)
	if floor.Cmp(most) >= 0 {
		return "Es el piso: el máximo de la escala sobre " + Pesos(base) + " (" + Pesos(most) + ") no llega a él.", &floor, nil
	}
	text = "como máximo " + Pesos(most) + " (25 %" + onlyIf(fraction(hi) != "100 %", " × "+fraction(hi)) + ")"
	var bands []string
	for _, b := range scaleBands {
		least, err := of(lo, b.pct)
		if err != nil {
			return "", nil, err
		}
		least = larger(least, floor)
		bands = append(bands, Pesos(least)+" si la base es "+b.name+" ("+b.pct.String()+" %"+onlyIf(fraction(lo) != "100 %", " × "+fraction(lo))+")")
	}
	return text + ", y como mínimo " + strings.Join(bands, "; "), nil, nil
}

// shares reads "scale:60", "scale:30-50" and "scale:1/3" as numerator and denominator.
func shares(pct string) (lo, hi [2]decimal.Decimal, err error) {
	rest := strings.TrimPrefix(pct, "scale:")
	a, b, ranged := strings.Cut(rest, "-")
	if !ranged {
		b = a
	}
	one := func(s string) (out [2]decimal.Decimal, err error) {
		num, den, frac := strings.Cut(s, "/")
		if !frac {
			den = "100"
		}
		if out[0], err = decimal.Parse(num); err != nil {
			return out, err
		}
		out[1], err = decimal.Parse(den)
		return out, err
	}
	if lo, err = one(a); err != nil {
		return lo, hi, err
	}
	hi, err = one(b)
	return lo, hi, err
}

func fraction(share [2]decimal.Decimal) string {
	if share[1].Equal(hundred) {
		return local(share[0]) + " %"
	}
	return "un tercio"
}

// shareText says a share of the scale in words: "el 60 %", "entre el 30 % y el 50 %".
func shareText(pct string) string {
	lo, hi, err := shares(pct)
	if err != nil {
		return ""
	}
	if lo == hi {
		return onlyIf(lo[1].Equal(hundred), "el ") + fraction(lo)
	}
	return "entre el " + fraction(lo) + " y el " + fraction(hi)
}
