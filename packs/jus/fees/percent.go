package fees

import (
	"slices"
	"strings"

	"github.com/govalues/decimal"
)

// percentLine calculates a service that is a percentage of a base: of the
// amount when it is given, never of one that is guessed. Of a percentage of the
// scale of article 36 only the most is one figure: its unit (UE) has no values.
func (c *Tables) percentLine(r *Result, l Line, row, s Service, n decimal.Decimal, facts Facts, v inForce) (Line, *Missing, error) {
	miss := &Missing{Code: s.Code, Name: s.Name, Needs: []string{"base"}, rule: true}
	base, err := c.baseOf(r, s, facts, v)
	if err != nil {
		return l, nil, err
	}
	question := "¿Cuál es el importe" + OnlyIf(s.Of != "", " "+ofThe(s.Of)) + ", en pesos o en JUS?"
	if s.Kind == "range" && s.Pct != "" {
		s.Kind, s.Min = "percent", decimal.Zero // its range holds only where there is no base
	}
	if s.scale() {
		miss.Reason = "se calcula con la escala del artículo 36, en Unidades Económicas (UE), de las que no hay valores cargados"
		miss.Needs = []string{"valor de la UE"}
		if s.Condition != row.Condition {
			miss.changed = s.Condition
		}
		if base.IsZero() {
			miss.Needs, miss.Question = append(miss.Needs, s.Of), question
			miss.Reason = OnlyIf(shareText(s.Pct) != "el 100 %", shareText(s.Pct)+" de la escala del artículo 36 sobre "+s.Of+"; ") + miss.Reason
			return l, miss, nil
		}
		return c.scaleLine(r, l, miss, row, s, base, n, facts, v)
	}
	if base.IsZero() {
		miss.Reason, miss.Question = percentText(s.Pct)+" "+ofThe(s.Of)+". "+s.Condition, question
		return l, miss, nil
	}
	lo, hi, most := bounds(s.Pct)
	if l.low, err = r.share(s, base, lo, n); err != nil {
		return l, nil, err
	}
	if l.high = l.low; hi != lo {
		if l.high, err = r.share(s, base, hi, n); err != nil {
			return l, nil, err
		}
	}
	l.share = strings.TrimPrefix(percentText(s.Pct), "el ") + " de " + shownBase(base, facts)
	if s.Min.IsPos() {
		floor, err := r.jusToPesos(s, s.Min, n, v)
		if err != nil {
			return l, nil, err
		}
		jl, _, err := product(s.Min, n)
		if err != nil {
			return l, nil, err
		}
		l.share += ", con piso de " + Jus(jl)
		l.low, l.high = larger(l.low, floor), larger(l.high, floor)
	}
	if facts["base_jus"] != "" {
		if err := l.inJus(facts["base_jus"], lo, hi, n); err != nil {
			return l, nil, err
		}
	}
	if !n.IsOne() {
		if l.each, err = eachOf(l.low, l.high, n); err != nil {
			return l, nil, err
		}
	}
	switch {
	case most:
		l.Kind, l.low, l.High = "maximum", decimal.Zero, money(l.high) // nothing is owed at least
	case lo == hi && s.Kind == "percent":
		l.Kind, l.Low, l.High, l.Result = "fixed", money(l.low), money(l.low), money(l.low)
	case lo == hi:
		l.Kind, l.Low = "minimum", money(l.low)
	default:
		l.Kind, l.Low, l.High = "range", money(l.low), money(l.high)
	}
	return l, nil, nil
}

// eachOf is what one of several alike comes to.
func eachOf(low, high, n decimal.Decimal) (string, error) {
	a, err := low.Quo(n)
	if err != nil {
		return "", err
	}
	b, err := high.Quo(n)
	if err != nil {
		return "", err
	}
	if a, b = a.Round(2), b.Round(2); a.Equal(b) {
		return Pesos(a), nil
	}
	return Pesos(a) + " a " + Pesos(b), nil
}

// scaleLine calculates a share of the scale on a base: a range where the value of the
// unit is said, else what is known of it.
func (c *Tables) scaleLine(r *Result, l Line, miss *Missing, row, s Service, base, n decimal.Decimal, facts Facts, v inForce) (Line, *Missing, error) {
	size, err := sizeOf(base, facts)
	if err != nil {
		return l, nil, err
	}
	x, err := c.scaled(r, row, s, base, n, size, v)
	if err != nil {
		return l, miss, nil // too large an amount: the rule is told without it
	}
	switch {
	case x.only != nil:
		l.Kind, l.low, l.Low = "minimum", *x.only, money(*x.only)
		jl, _, err := product(s.Min, n)
		l.JusLow, l.Condition = str(jl), x.text
		return l, nil, err
	case x.band != "":
		l.Kind, l.low, l.high, l.Low, l.High, l.Condition = "range", x.least, x.most, money(x.least), money(x.most), x.band
		return l, nil, nil
	}
	miss.Reason, miss.lines, miss.capped = x.text, x.bands, strings.HasPrefix(s.Pct, "scale:<")
	if !miss.capped {
		miss.most = x.most
	}
	return l, miss, nil
}

// shownBase writes a base as it was said.
func shownBase(base decimal.Decimal, of Facts) string {
	if of["base"] == "" && of["base_jus"] != "" {
		return Jus(decimal.MustParse(of["base_jus"]))
	}
	return Pesos(base)
}

// baseSize is how many economic units a base is, as far as it is known.
type baseSize struct {
	units decimal.Decimal // zero: not known
	text  string
}

// sizeOf reads how many economic units a base is: said, or by the value of the unit.
func sizeOf(base decimal.Decimal, facts Facts) (baseSize, error) {
	switch {
	case facts["base_ue"] != "":
		n, err := ParseNumber(facts["base_ue"], maxPesosDigits)
		return baseSize{n, ""}, err
	case facts["ue"] != "":
		ue, err := ParseNumber(facts["ue"], maxPesosDigits)
		if err != nil {
			return baseSize{}, err
		}
		n, err := base.Quo(ue)
		return baseSize{n, ", con la UE a " + Pesos(ue)}, err
	}
	return baseSize{}, nil
}

// baseOf gives the base in pesos: as it is said, in JUS at the value of the day, or an
// amount a month for the months of the service or of the question. Zero: none is said.
func (c *Tables) baseOf(r *Result, s Service, facts Facts, v inForce) (decimal.Decimal, error) {
	switch {
	case facts["base"] != "":
		return ParseNumber(facts["base"], maxPesosDigits)
	case facts["base_jus"] != "":
		n, err := ParseNumber(facts["base_jus"], maxJusDigits)
		if err != nil {
			return n, err
		}
		exact, out, err := product(n, v.Amount)
		if err == nil {
			r.step("Base: "+Local(n)+" JUS × "+Local(v.Amount)+" = "+Local(exact), out, "ARS", v.unit())
		}
		return out, err
	case facts["mensual"] != "":
		months, most, _ := strings.Cut(s.Months, "<") // "plazo<24": the term, 24 at most
		if months == "plazo" {
			months = facts["meses"]
		}
		said := months != ""
		if months = OnlyIf(said, months) + OnlyIf(!said, most); months == "" {
			return decimal.Zero, nil
		}
		each, err := ParseNumber(facts["mensual"], maxPesosDigits)
		if err != nil {
			return each, err
		}
		n, err := ParseNumber(months, 4)
		if err != nil {
			return n, err
		}
		if m, err := ParseNumber(most, 4); err == nil && n.Cmp(m) > 0 {
			n, months = m, most
		}
		exact, out, err := product(each, n)
		if err == nil {
			if b := "La base son " + Pesos(out) + " (" + months + " meses de " + Pesos(each) + OnlyIf(!said, "; es lo más que se cuenta, y menos si el plazo es menor") + ")."; !slices.Contains(r.bases, b) {
				r.bases = append(r.bases, b)
			}
			r.step("Base: "+Local(each)+" por mes × "+months+" meses = "+Local(exact), out, "ARS", s.Place())
		}
		return out, err
	}
	return decimal.Zero, nil
}

// inJus gives the amounts in JUS too, when the base is in JUS.
func (l *Line) inJus(base, lo, hi string, n decimal.Decimal) error {
	b, err := ParseNumber(base, maxJusDigits)
	if err != nil {
		return err
	}
	of := func(pct string) (*string, error) {
		part, whole, fraction := strings.Cut(pct, "/")
		p, err := decimal.Parse(part)
		if err != nil {
			return nil, err
		}
		over := hundred
		if fraction {
			if over, err = decimal.Parse(whole); err != nil {
				return nil, err
			}
		}
		num := b
		for _, f := range []decimal.Decimal{p, n} {
			if num, err = num.Mul(f); err != nil {
				return nil, err
			}
		}
		out, err := num.Quo(over)
		return str(out.Round(shownJus).Trim(0)), err
	}
	if l.JusLow, err = of(lo); err == nil {
		l.JusHigh, err = of(hi)
	}
	return err
}

// shownJus is how many decimals of a third of a number of JUS are shown.
const shownJus = 6

// ofThe joins "de" to what follows it: "del capital", "de lo cobrado".
func ofThe(s string) string {
	if rest, ok := strings.CutPrefix(s, "el "); ok {
		return "del " + rest
	}
	return "de " + s
}

// percentText says a percentage in words: "el 15 %", "entre el 1 % y el 4 %", "hasta el 30 %".
func percentText(pct string) string {
	lo, hi, most := bounds(pct)
	switch {
	case most:
		return "hasta el " + lo + " %"
	case strings.Contains(lo, "/"):
		return "un tercio"
	case lo == hi:
		return "el " + lo + " %"
	}
	return "entre el " + lo + " % y el " + hi + " %"
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

// share takes "15" per cent, or "1/3", of a base.
func (r *Result) share(s Service, base decimal.Decimal, pct string, n decimal.Decimal) (decimal.Decimal, error) {
	num, den, part := strings.Cut(pct, "/")
	if !part {
		den = "100"
	}
	p, err := decimal.Parse(num)
	if err != nil {
		return p, err
	}
	over, err := decimal.Parse(den)
	if err != nil {
		return p, err
	}
	all, _, err := product(base, p)
	if err != nil {
		return p, err
	}
	if all, _, err = product(all, n); err != nil {
		return p, err
	}
	exact, out, err := quotient(all, over)
	if err != nil {
		return p, err
	}
	r.step(s.Name+": "+pct+OnlyIf(!part, " %")+" de "+Local(base)+" = "+Local(exact), out, "ARS", s.Place())
	return out, nil
}

func larger(a, b decimal.Decimal) decimal.Decimal {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}
