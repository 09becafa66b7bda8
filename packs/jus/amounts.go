package jus

import (
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto/packs/jus/fees"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// amount is a number read in a question: words[from:to].
type amount struct {
	from, to int
	value    decimal.Decimal
	unit     string // "jus", "ue", "pesos", "moneda" (another money), "%", "meses", "" (unknown)
	minus    bool   // a minus sign stands before it: no amount to convert
	fee      bool   // it is told as a fee: "me regularon…"
	own      bool   // it is the base of one of several services
}

// multipliers of spoken amounts: "2 millones", "500 mil", "un palo", "20 lucas".
var multipliers = map[string]int64{"mil": 1000, "millon": 1000000, "millones": 1000000, "palo": 1000000, "palos": 1000000,
	"luca": 1000, "lucas": 1000, "k": 1000, "m": 1000000}

// multiples are spoken numbers that take "de": "un par de consultas".
var multiples = map[string]int64{"par": 2, "docena": 12, "decena": 10}

var pesoWords = set("pesos peso mangos mango guita ars palo palos luca lucas")
var jusWords = set("jus juses ius")

// foreign are the words and signs of other moneys, of which there are no rates.
var (
	foreign     = set("dolar dolares usd euro euros reales")
	foreignSign = lazyregexp.New(`(?i)(?:u\$s|us\$|u\$d|usd|eur|€)\s*$`)
)

// findAmounts reads the numbers of a question in every customary form:
// "$1.000.000", "1 millón", "1.000.000,50", "30 jus", "treinta JUS", "2,5 JUS".
func findAmounts(s string, toks []text.Token) []amount {
	words := tokenWords(toks)
	var out []amount
	for i := 0; i < len(toks); {
		a, ok := amountAt(s, toks, words, i)
		if !ok {
			i++
			continue
		}
		out = append(out, a)
		i = a.to
	}
	return out
}

func tokenWords(toks []text.Token) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		out[i] = t.Text
	}
	return out
}

func amountAt(s string, toks []text.Token, words []string, i int) (amount, bool) {
	a := amount{from: i, minus: minusBefore(s, toks[i].Start)}
	d, unit, n := numberAt(words, i)
	if n == 0 || notAnAmount(words, i) && !strings.ContainsAny(s[toks[i-1].End:toks[i].Start], ",;:") {
		return a, false
	}
	a.value, a.unit, a.to = d, unit, i+n
	if !a.multiply(words) {
		return a, false
	}
	if a.to+1 < len(words) && words[a.to] == "de" && pesoWords[words[a.to+1]] {
		a.to++ // "un millón de pesos"
	}
	if n := percentAfter(s, toks, words, a.to); n > 0 {
		a.unit, a.to = "%", a.to+n-1
		return a, a.value.IsPos()
	}
	if a.unit = unitOf(s, toks, words, a); a.unit == "" && a.value.Cmp(decimal.MustNew(1000000, 0)) >= 0 && slices.ContainsFunc(words[i:a.to], func(w string) bool { return multipliers[w] >= 1000000 }) {
		a.unit = "pesos" // "los bienes valen 90 millones"
	}
	if a.unit == "" && i > 0 && words[i-1] == "del" && a.counts() {
		return a, false // "la escala del 36"
	}
	if a.to < len(words) && (a.unit == "jus" && jusWords[words[a.to]] || a.unit == "pesos" && pesoWords[words[a.to]]) {
		a.to++
	}
	return a, a.value.IsPos()
}

// percentAfter says that a number is a percentage, and how many words more that takes
// plus one: "15 %", "quince por ciento".
func percentAfter(s string, toks []text.Token, words []string, to int) int {
	switch {
	case strings.HasPrefix(strings.TrimLeft(s[toks[to-1].End:], " "), "%"):
		return 1
	case to+1 < len(words) && words[to] == "por" && words[to+1] == "ciento":
		return 3
	}
	return 0
}

// withMonths reads the numbers of months and years that are no dates.
func withMonths(words []string, amounts []amount) []amount {
	for i, a := range amounts {
		if !a.counts() || a.to >= len(words) || a.from > 0 && words[a.from-1] == "hace" {
			continue
		}
		if n := timeUnits[words[a.to]]; n > 0 {
			amounts[i].unit, amounts[i].value = "meses", fees.Times(a.value, n, 0)
		}
	}
	return amounts
}

// timeUnits are the months of each.
var timeUnits = map[string]int64{"mes": 1, "meses": 1, "bimestre": 2, "trimestre": 3, "trimestres": 3, "semestre": 6, "semestres": 6, "ano": 12, "anos": 12}

// feeReach is how many words may stand between an amount and what tells that it is a fee.
const feeReach = 6

// withFees marks the amounts that are told as fees and not as what is in dispute.
func withFees(words []string, amounts []amount) []amount {
	for i, a := range amounts {
		if a.unit != "" && a.to+1 < len(words) && (words[a.to] == "en" || words[a.to] == "de") && feeWords[words[a.to+1]] {
			amounts[i].fee = true // "$ 2.000.000 en honorarios"
			continue
		}
		copula := false
		for k := a.from - 1; k >= 0 && k >= a.from-feeReach && a.unit != ""; k-- {
			if i > 0 && k < amounts[i-1].to || notFee[words[k]] || perMonth[words[k]] {
				break
			}
			copula = copula || copulas[words[k]]
			if feeWords[words[k]] && !(k > 1 && perMonth[words[k-2]] && words[k-1] == "se") || copula && words[k] == "total" {
				amounts[i].fee = true
				break
			}
		}
	}
	return amounts
}

var (
	feeWords = set("regularon regularian regulan regulo regulado regulados regulada fijaron fijo fijado honorarios honorario")
	copulas  = set("es son era eran fue fueron seria serian")
	notFee   = set("base bases capital valor vale valuado monto por sobre credito activo")
)

// minusBefore says that a minus sign, and no hyphen of a word or a date, stands before
// a number.
func minusBefore(s string, at int) bool {
	for _, sign := range []string{"-", "−"} {
		if before, ok := strings.CutSuffix(s[:at], sign); ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n($")) {
			return true
		}
	}
	return false
}

// multiply applies what follows the number: "2 millones", "500 mil", "un palo",
// "dos millones y medio", "1 millón 200 mil". ok is false when it does not fit.
func (a *amount) multiply(words []string) (ok bool) {
	last := int64(0)
	if a.to > 0 {
		last = multipliers[words[a.to-1]] // a number in words took it already
	}
	for a.to < len(words) && multipliers[words[a.to]] > 0 {
		last = multipliers[words[a.to]]
		v, err := a.value.Mul(decimal.MustNew(last, 0))
		if err != nil {
			return false
		}
		a.value = v.Trim(0)
		if pesoWords[words[a.to]] {
			a.unit = "pesos" // "un palo", "200 lucas"
		}
		a.to++
	}
	if last == 0 || a.to >= len(words) {
		return true
	}
	if words[a.to] == "y" && a.to+1 < len(words) && (words[a.to+1] == "medio" || words[a.to+1] == "media") {
		a.to += 2
		return a.add(decimal.MustNew(last, 0), decimal.MustNew(5, 1))
	}
	rest, unit, n := numberAt(words, a.to)
	if small := n == 1 && words[a.to][0] <= '9' && rest.Cmp(decimal.Hundred) < 0; small && !(a.to+1 < len(words) && multipliers[words[a.to+1]] > 0) {
		return true // "250 mil 2 años"
	}
	if n == 0 || a.to+n < len(words) && multipliers[words[a.to+n]] >= last || fees.YearForm.MatchString(words[a.to]) {
		return true
	}
	below := amount{to: a.to + n, value: rest, unit: unit}
	if !below.multiply(words) || below.value.Cmp(decimal.MustNew(last, 0)) >= 0 {
		return true
	}
	a.to, a.unit = below.to, first(a.unit, below.unit)
	return a.add(below.value, decimal.One)
}

// add adds x × y.
func (a *amount) add(x, y decimal.Decimal) bool {
	v, err := a.value.AddMul(x, y)
	if err != nil {
		return false
	}
	a.value = v.Trim(0)
	return true
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// unitOf reads the unit beside an amount: "jus" after it, a peso sign or the
// word on either side, or the target ("500000 a jus") when nothing else says it.
func unitOf(s string, toks []text.Token, words []string, a amount) string {
	after := func(k int) string {
		if a.to+k < len(words) {
			return words[a.to+k]
		}
		return ""
	}
	switch {
	case a.unit != "":
		return a.unit
	case jusWords[after(0)]:
		return "jus"
	case (after(0) == "ue" || after(0) == "unidades" && after(1) == "economicas") && strings.TrimSpace(s[toks[a.to-1].End:toks[a.to].Start]) == "":
		return "ue"
	case foreign[after(0)], foreignSign.MatchString(s[:toks[a.from].Start]):
		return "moneda"
	case strings.HasSuffix(strings.TrimRight(s[:toks[a.from].Start], " \u00a0"), "$"), strings.HasPrefix(strings.TrimLeft(s[toks[a.to-1].End:], " "), "$"), pesoWords[after(0)]:
		return "pesos"
	case a.from > 1 && pesoWords[words[a.from-1]] && (words[a.from-2] == "a" || words[a.from-2] == "en"):
		return "jus" // "pasame a pesos 30"
	case a.from > 0 && pesoWords[words[a.from-1]]:
		return "pesos"
	case (after(0) == "a" || after(0) == "en") && jusWords[after(1)] && !fees.YearForm.MatchString(words[a.from]):
		return "pesos"
	}
	return ""
}

// notAnAmount says whether the number at i is part of a name: an article, a law, a paragraph.
func notAnAmount(words []string, i int) bool {
	if i == 0 {
		return false
	}
	switch words[i-1] {
	case "ley", "articulo", "art", "arts", "articulos", "inciso", "inc", "decreto", "expediente", "expte", "acuerdo", "numero", "nro", "n", "apartado":
		return words[i-1] != "acuerdo" || i+1 == len(words) || text.IsStop(words[i+1]) // "sin acuerdo 2 reuniones"
	}
	return false
}

// numberAt reads digits (with their unit when written together, "30jus") or a
// number in words; n is how many words it takes.
func numberAt(words []string, i int) (d decimal.Decimal, unit string, n int) {
	w := words[i]
	if w[0] >= '0' && w[0] <= '9' {
		digits := w
		for _, u := range []string{"jus", "pesos", "k", "m"} {
			if rest, ok := strings.CutSuffix(w, u); ok && rest != "" {
				digits = rest
				unit = map[string]string{"jus": "jus", "pesos": "pesos"}[u]
				if d, ok := localNumber(digits); ok {
					if m := multipliers[u]; m > 0 {
						d, _ = d.Mul(decimal.MustNew(m, 0))
					}
					return d, unit, 1
				}
			}
		}
		if d, ok := localNumber(digits); ok {
			return d, "", 1
		}
		return d, "", 0
	}
	if multipliers[w] > 0 && w != "mil" {
		return d, "", 0 // "millones" alone
	}
	if m := multiples[w]; m > 0 && i+1 < len(words) && words[i+1] == "de" {
		return decimal.MustNew(m, 0), "", 2
	}
	v, ordinal, n := text.Numeral(words[i:])
	if n == 0 || ordinal || (n == 1 && (w == "un" || w == "una" || w == "uno")) && !unitFollows(words, i+1) {
		return d, "", 0
	}
	return decimal.MustNew(int64(v), 0), "", n
}

func unitFollows(words []string, i int) bool {
	return i < len(words) && (jusWords[words[i]] || pesoWords[words[i]] || multipliers[words[i]] > 0 || timeUnits[words[i]] > 0)
}

// localNumber reads digits as the province writes them: a point groups
// thousands and a comma begins the decimals. One point that cannot group
// ("37714.22") is a decimal point; several commas group.
func localNumber(s string) (decimal.Decimal, bool) {
	if len(s) > 24 || strings.Trim(s, "0123456789.,") != "" {
		return decimal.Decimal{}, false
	}
	points, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case points > 0 && commas > 0 && strings.LastIndex(s, ".") > strings.LastIndex(s, ","):
		if !grouped(s[:strings.LastIndex(s, ".")], ",") { // "1,000,000.50"
			return decimal.Decimal{}, false
		}
		s = strings.ReplaceAll(s, ",", "")
	case commas > 1 && points == 0:
		if !grouped(s, ",") {
			return decimal.Decimal{}, false
		}
		s = strings.ReplaceAll(s, ",", "")
	case commas == 1:
		if whole, _, _ := strings.Cut(s, ","); points > 0 && !grouped(whole, ".") {
			return decimal.Decimal{}, false
		}
		s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	case points > 1 || points == 1 && grouped(s, "."):
		if !grouped(s, ".") {
			return decimal.Decimal{}, false
		}
		s = strings.ReplaceAll(s, ".", "")
	}
	d, err := decimal.Parse(s)
	return d, err == nil
}

// grouped says whether every group after the first has three digits.
func grouped(s, sep string) bool {
	parts := strings.Split(s, sep)
	if len(parts[0]) == 0 || len(parts[0]) > 3 || parts[0][0] == '0' {
		return false
	}
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return false
		}
	}
	return true
}

// summed makes one amount of the sums that a number announces: "dos facturas, $ 1.400.000 y
// $ 750.000". The number of a service is its own, and of each there may be a sum.
func (k *clause) summed(list []mentioned, amounts []amount) []amount {
	if slices.ContainsFunc(list, func(m mentioned) bool { return m.code != list[0].code || !m.quantity.IsOne() }) {
		return amounts
	}
	sum := func(a amount) bool { return a.unit == "pesos" || a.unit == "" && a.value.Cmp(bareSum) >= 0 }
	for i, n := range amounts {
		run := i + 1
		for run < len(amounts) && sum(amounts[run]) && (run == i+1 || amounts[run].from-amounts[run-1].to <= 1 && (k.starts[amounts[run].from] || joiners[k.raw[amounts[run].from-1]])) {
			run++
		}
		if count, _, ok := n.value.Int64(0); !n.counts() || k.used[i] || !ok || count < 2 || count != int64(run-i-1) || amounts[i+1].from-n.to > feeReach {
			continue
		}
		whole := amounts[i+1]
		whole.unit, whole.to = "pesos", amounts[run-1].to
		for _, a := range amounts[i+2 : run] {
			if !whole.add(a.value, decimal.One) {
				return amounts
			}
		}
		k.used[i] = true
		return slices.Concat(amounts[:i+1], []amount{whole}, amounts[run:])
	}
	return amounts
}
