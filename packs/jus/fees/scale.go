package fees

import (
	"strings"

	"github.com/govalues/decimal"
)

// The scale of article 36: at most a quarter of the base, and at least a share of it
// that depends on how many economic units (UE) the base is. The unit has no values
// here: unless the question says one, each band is calculated and none is chosen.
var (
	scaleMax   = decimal.MustNew(25, 0)
	scaleBands = []struct {
		name string
		pct  decimal.Decimal
		most int64 // UE; 0 = no end
	}{
		{"hasta 20 UE", decimal.MustNew(20, 0), 20},
		{"de más de 20 y hasta 50 UE", decimal.MustNew(16, 0), 50},
		{"de más de 50 y hasta 100 UE", decimal.MustNew(12, 0), 100},
		{"de más de 100 UE", decimal.MustNew(10, 0), 0},
	}
)

// ScaleCode is the scale by itself, which is meant where no other service is named.
const ScaleCode = "escala_regulatoria"

// scalePlaces are where the law has the scale.
var scalePlaces = []Service{
	{Article: "36", Law: "en un porcentaje máximo del veinticinco por ciento (25%) de la base regulatoria"},
	{Article: "36", Law: "De más de cincuenta (50) y hasta cien (100) UE … De más de cien (100) UE un mínimo del diez por ciento"},
}

// scaleResult is a share of the scale on a base.
type scaleResult struct {
	text        string           // the most, in words
	bands       []string         // the least by the size of the base, where the unit's value is not known
	most, least decimal.Decimal  // pesos
	band        string           // the one that holds, where the unit's value is said
	only        *decimal.Decimal // the floor, where the most does not reach it
}

// scaled calculates a share of the scale on a base: the most, and the least of each band.
// The floor in JUS holds below each; where even the most does not reach it, it is the
// only figure.
func (c *Tables) scaled(r *Result, row, s Service, base, n decimal.Decimal, size baseSize, v inForce) (out scaleResult, err error) {
	lo, hi, err := shares(s.Pct)
	if err != nil {
		return out, err
	}
	capped := strings.HasPrefix(s.Pct, "scale:<")
	counted := n
	if s.Per != "" && s.Per != "letrado" {
		counted = decimal.One // the quantity counts what the floor is paid by, not the base
	}
	floor := decimal.Zero
	if s.Min.IsPos() {
		if floor, err = r.jusToPesos(s, s.Min, n, v); err != nil {
			return out, err
		}
	}
	jl, _, err := product(s.Min, n)
	if err != nil {
		return out, err
	}
	of := func(share [2]decimal.Decimal, pct decimal.Decimal) (decimal.Decimal, error) {
		num := base
		for _, f := range []decimal.Decimal{share[0], pct, counted} {
			if num, err = num.Mul(f); err != nil {
				return num, Invalid("Use un importe menor.", "el importe es demasiado grande")
			}
		}
		_, out, err := quotient(num, Times(share[1], 100, 0))
		if err != nil {
			return out, err
		}
		r.step(s.Name+": "+Local(pct)+" % × "+fraction(share)+" de "+Local(base), out, "ARS", s.Place())
		return out, nil
	}
	highest := scaleMax
	if capped {
		highest = scaleBands[0].pct
	}
	most, err := of(hi, highest)
	if err != nil {
		return out, err
	}
	for _, at := range scalePlaces {
		r.rule(row, at)
	}
	out.most = most
	if floor.Cmp(most) >= 0 {
		out.only, out.text = &floor, "Es el piso: el máximo de la escala sobre "+Pesos(base)+" ("+Pesos(most)+") no llega a él."
		return out, nil
	}
	share := func(pct decimal.Decimal, of [2]decimal.Decimal) string {
		return Local(pct) + " %" + OnlyIf(fraction(of) != "100 %", " × "+fraction(of))
	}
	out.text = "como máximo " + Pesos(most) + " (" + share(highest, hi) + " de " + Pesos(base) + ")"
	if !counted.IsOne() {
		one, err := most.Quo(counted)
		if err != nil {
			return out, err
		}
		out.text += " por " + Local(counted) + ", " + Pesos(one.Round(2)) + " cada una"
	}
	if capped {
		out.text += " y como mínimo " + Pesos(floor)
	} else if floor.IsPos() {
		out.text += ", con piso de " + join(Jus(jl), Pesos(floor))
	}
	for _, b := range scaleBands {
		least, err := of(lo, b.pct)
		if err != nil {
			return out, err
		}
		if capped {
			out.most, out.least = least, floor
		} else {
			out.least = larger(least, floor)
		}
		if size.units.IsPos() {
			if b.most == 0 || size.units.Cmp(decimal.MustNew(b.most, 0)) <= 0 {
				if capped && floor.Cmp(least) >= 0 {
					out.only, out.text = &floor, "Es el piso: el tope sobre "+Pesos(base)+" ("+Pesos(least)+") no llega a él."
					return out, nil
				}
				out.band = "La base es " + b.name + size.text + ": " + OnlyIf(!capped, "el mínimo es "+share(b.pct, lo)+" y el máximo "+share(scaleMax, hi)) + OnlyIf(capped, "el tope es "+share(b.pct, lo)) + "."
				return out, nil
			}
			continue
		}
		if capped {
			out.bands = append(out.bands, "- base "+b.name+": hasta "+Pesos(larger(least, floor))+" ("+share(b.pct, lo)+")")
			continue
		}
		out.bands = append(out.bands, "- base "+b.name+": "+Pesos(out.least)+" ("+share(b.pct, lo)+OnlyIf(least.Cmp(floor) < 0, ", por el piso de "+Jus(jl))+")")
	}
	return out, nil
}

// shares reads "scale:60", "scale:30-50", "scale:<85" (of the least) and "scale:1/3" as numerator and denominator.
func shares(pct string) (lo, hi [2]decimal.Decimal, err error) {
	rest := strings.TrimPrefix(strings.TrimPrefix(pct, "scale:"), "<")
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
		return Local(share[0]) + " %"
	}
	return "un tercio"
}

// shareText says a share of the scale in words: "el 60 %", "entre el 30 % y el 50 %".
func shareText(pct string) string {
	lo, hi, err := shares(pct)
	if err != nil {
		return ""
	}
	if strings.HasPrefix(pct, "scale:<") {
		return "hasta el " + fraction(lo) + " del mínimo"
	}
	if lo == hi {
		return OnlyIf(lo[1].Equal(hundred), "el ") + fraction(lo)
	}
	return "entre el " + fraction(lo) + " y el " + fraction(hi)
}
