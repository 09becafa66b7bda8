package jus

import (
	"strings"

	"github.com/govalues/decimal"
)

// percentLine calculates a service that is a percentage of a base: of the
// amount when it is given, never of one that is guessed. A percentage of the
// scale of article 36 is not calculable: its unit (UE) has no values.
func (c *Calc) percentLine(r *Result, l Line, s Service, n decimal.Decimal, facts Facts, v inForce) (Line, *Missing, error) {
	miss := &Missing{Code: s.Code, Name: s.Name}
	if s.scale() {
		miss.Reason = "se calcula con la escala del artículo 36, en Unidades Económicas (UE), de las que no hay valores cargados"
		miss.Needs = []string{"valor de la UE", s.Of}
		return l, miss, nil
	}
	if facts["base"] == "" {
		miss.Reason = s.Condition
		miss.Needs, miss.Question = []string{"base"}, "¿Cuál es el importe, en pesos, de "+s.Of+"?"
		return l, miss, nil
	}
	base, err := ParseNumber(facts["base"], maxPesosDigits)
	if err != nil {
		return l, nil, err
	}
	lo, hi, most := bounds(s.Pct)
	if l.low, err = r.share(s, base, lo, n); err != nil {
		return l, nil, err
	}
	if l.high, err = r.share(s, base, hi, n); err != nil {
		return l, nil, err
	}
	if s.Min.IsPos() {
		floor, err := r.jusToPesos(s, s.Min, n, v)
		if err != nil {
			return l, nil, err
		}
		jl, _, err := product(s.Min, n)
		if err != nil {
			return l, nil, err
		}
		l.JusLow = str(jl)
		l.low, l.high = larger(l.low, floor), larger(l.high, floor)
	}
	switch {
	case most:
		l.Kind, l.High = "maximum", money(l.high)
	case lo == hi && s.Kind == "percent":
		l.Kind, l.Low, l.High, l.Result = "fixed", money(l.low), money(l.low), money(l.low)
	case lo == hi:
		l.Kind, l.Low = "minimum", money(l.low)
	default:
		l.Kind, l.Low, l.High = "range", money(l.low), money(l.high)
	}
	return l, nil, nil
}

// bounds reads "15", "1-4" and "<30".
func bounds(pct string) (lo, hi string, most bool) {
	if p, ok := strings.CutPrefix(pct, "<"); ok {
		return p, p, true
	}
	if a, b, ok := strings.Cut(pct, "-"); ok {
		return a, b, false
	}
	return pct, pct, false
}

func (r *Result) share(s Service, base decimal.Decimal, pct string, n decimal.Decimal) (decimal.Decimal, error) {
	p, err := decimal.Parse(pct)
	if err != nil {
		return p, err
	}
	rate, err := p.Quo(hundred)
	if err != nil {
		return p, err
	}
	each, _, err := product(base, rate)
	if err != nil {
		return p, err
	}
	exact, out, err := product(each, n)
	if err != nil {
		return p, err
	}
	r.step(s.Name+": "+pct+" % de "+base.String()+" = "+exact.String(), out, "ARS", s.Place())
	return out, nil
}

func larger(a, b decimal.Decimal) decimal.Decimal {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}
