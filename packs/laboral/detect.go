package laboral

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

// Detect reads a calculation from a question. It takes one only if the data to
// calculate with are in it, or if a calculation is asked for in so many words:
// a question about the rule is for the law to answer.
func (t *Tool) Detect(q pack.ToolQuestion) (pack.ToolCall, bool) {
	d := reader{question: q.Text, words: pack.Words(q.Text), today: q.Today, args: map[string]string{}}
	d.figures = figure.FindAll(q.Text, figure.LocaleOf("es-ES"))
	d.dates = figure.Dates(q.Text, q.Today)
	for _, try := range []func(*Calc, *reader) string{settlementAsked, severanceAsked, benefitAsked, deadlineAsked, holidaysAsked, figureAsked} {
		if fn := try(t.calc, &d); fn != "" {
			return pack.ToolCall{Tool: t.Name(), Function: fn, Args: d.args, Today: q.Today, Question: q.Text}, true
		}
	}
	return pack.ToolCall{}, false
}

// reader is a question being read for a calculation.
type reader struct {
	question string
	words    []string
	today    digesto.Date
	figures  []figure.Figure
	dates    []figure.Period
	args     map[string]string
}

var (
	wantsSum   = mustPatterns("calcula|calcular|calculame|calculeme|calculo", "cuanto me|nos ?le corresponde|corresponderia|tienen|tendrian|toca|tocaria|pagan|deben|debe|dan|dara|pagaran", "cuanto cobro|cobrare|cobraria|recibo|recibire|es|seria", "que indemnizacion", "que finiquito", "cuanta|cuanto indemnizacion|finiquito|dinero")
	severed    = mustPatterns("indemnizacion", "despido|despiden|despidieron|despedido|despedida|echan|echaron", "fin de contrato")
	explicit   = mustPatterns("calcula|calcular|calculame|calculeme ?me ?el ?la ?mi indemnizacion|finiquito")
	settled    = mustPatterns("finiquito", "liquidacion")
	paidIn     = mustPatterns("cotizado|cotizados|cotice|cotizando|cotizacion")
	onBenefit  = mustPatterns("paro|desempleo")
	lastDay    = mustPatterns("hasta cuando", "ultimo dia", "que dia|fecha", "cuando acaba|termina|vence|caduca|prescribe|finaliza", "plazo", "estoy ?aun ?todavia a tiempo", "cuanto tiempo me queda")
	onHolidays = mustPatterns("vacaciones")
	howMany    = mustPatterns("cuantos|cuantas", "cuanto")
	serving    = mustPatterns("llevo", "antiguedad", "trabajando|trabajado|trabaje", "anos en la empresa")
)

func mustPatterns(list ...string) []pack.Pattern {
	var out []pack.Pattern
	for _, s := range list {
		p, err := pack.ParsePattern(s)
		if err != nil {
			panic(err) // a fault of this file: the tests load it
		}
		out = append(out, p)
	}
	return out
}

func (d *reader) any(list []pack.Pattern) bool {
	return slices.ContainsFunc(list, func(p pack.Pattern) bool { return p.Match(d.words) })
}

// span reads the time of service: two days, a range, or the years up to today.
func (d *reader) span() bool {
	var days []figure.Period
	for _, p := range d.dates {
		switch p.Grain {
		case figure.Range:
			d.args["desde"], d.args["hasta"] = string(p.From), string(p.To)
			return true
		case figure.Day:
			days = append(days, p)
		}
	}
	if len(days) >= 2 {
		a, b := days[0].From, days[1].From
		if b < a {
			a, b = b, a
		}
		d.args["desde"], d.args["hasta"] = string(a), string(b)
		return true
	}
	end := d.today
	if len(days) == 1 {
		end = days[0].From
	}
	n, ok := d.served()
	t, err := parseDay(string(end))
	if !ok || err != nil {
		return false
	}
	d.args["desde"], d.args["hasta"] = iso(addMonths(t.AddDate(0, 0, 1), -n)), string(end)
	return true
}

// served gives the months of service that the question says.
func (d *reader) served() (months int, ok bool) {
	if !d.any(serving) {
		return 0, false
	}
	for _, f := range d.figures {
		n, err := strconv.Atoi(f.Value)
		if f.Kind != figure.Duration || err != nil || n < 1 || n > 60 {
			continue
		}
		switch f.Unit {
		case "año":
			months += 12 * n
		case "mes":
			months += n
		}
	}
	return months, months > 0
}

var (
	paymentsRE = lazyregexp.New(`(?i)\b(1[2-6]|doce|catorce|quince)\s+(?:pagas|pagos|mensualidades)`)
	yearlyRE   = lazyregexp.New(`(?i)\b(?:al año|anual(?:es)?|brutos anuales|por año)\b`)
	dailyRE    = lazyregexp.New(`(?i)\b(?:al día|diarios?|por día)\b`)
)

// pay reads the salary.
func (d *reader) pay() bool {
	for _, f := range d.figures {
		if f.Kind != figure.Money || f.Unit != "EUR" && f.Unit != "€" && f.Unit != "euro" {
			continue
		}
		key := "salario"
		switch rest := after(d.question, f.End, 30); {
		case yearlyRE.MatchString(rest):
			key = "anual"
		case dailyRE.MatchString(rest):
			key = "diario"
		}
		d.args[key] = f.Value
		break
	}
	if m := paymentsRE.FindStringSubmatch(d.question); m != nil {
		n := m[1]
		if w, ok := map[string]string{"doce": "12", "catorce": "14", "quince": "15"}[strings.ToLower(n)]; ok {
			n = w
		}
		d.args["pagas"] = n
	}
	return d.args["salario"] != "" || d.args["anual"] != "" || d.args["diario"] != ""
}

// after gives up to n code points of s from code point at on.
func after(s string, at, n int) string {
	rs := []rune(s)
	return string(rs[min(at, len(rs)):min(at+n, len(rs))])
}

// kind finds the kind of end whose words are longest in the question.
func (c *Calc) kind(words []string) string {
	best, kind := 0, ""
	for _, r := range c.severance {
		if n := longest(r.words, words); n > best {
			best, kind = n, r.kind
		}
	}
	return kind
}

func settlementAsked(c *Calc, d *reader) string {
	if !d.any(settled) || !d.any(wantsSum) {
		return ""
	}
	if ok, paid := d.span(), d.pay(); ok && paid || d.any(explicit) {
		if k := c.kind(d.words); k != "" {
			d.args["tipo"] = k
		}
		return FnSettlement
	}
	d.args = map[string]string{}
	return ""
}

func severanceAsked(c *Calc, d *reader) string {
	if !d.any(severed) || !d.any(wantsSum) || d.any(onBenefit) {
		return ""
	}
	if ok, paid := d.span(), d.pay(); ok && paid || d.any(explicit) {
		if k := c.kind(d.words); k != "" {
			d.args["tipo"] = k
		}
		return FnSeverance
	}
	d.args = map[string]string{}
	return ""
}

func benefitAsked(_ *Calc, d *reader) string {
	if !d.any(paidIn) || !d.any(onBenefit) {
		return ""
	}
	days := 0
	for _, f := range d.figures {
		n, err := strconv.Atoi(f.Value)
		if f.Kind != figure.Duration || err != nil || n < 1 || n > 20000 {
			continue
		}
		switch f.Unit {
		case "día", "día natural":
			days += n
		case "mes":
			days += 30 * n
		case "año":
			days += 365 * n
		}
	}
	if days == 0 {
		return ""
	}
	d.args["cotizados"] = strconv.Itoa(min(days, 2192))
	d.base()
	return FnBenefit
}

// base reads the monthly base and the children, if the question says them.
func (d *reader) base() {
	n := 0
	for _, f := range d.figures {
		if f.Kind == figure.Money && (f.Unit == "EUR" || f.Unit == "€" || f.Unit == "euro") {
			d.args["base"] = f.Value
			n++
		}
	}
	if n != 1 || yearlyRE.MatchString(d.question) { // two amounts, or one of a year: which is meant is not said
		delete(d.args, "base")
	}
	for i, w := range d.words {
		if i == 0 || w != "hijo" && w != "hijos" && w != "hija" && w != "hijas" {
			continue
		}
		if k := slices.Index(childWords, strings.TrimSuffix(d.words[i-1], "a")); k >= 0 {
			d.args["hijos"] = strconv.Itoa(k)
		} else if k, err := strconv.Atoi(d.words[i-1]); err == nil && k <= 20 {
			d.args["hijos"] = d.words[i-1]
		}
	}
	if _, ok := d.args["hijos"]; !ok && slices.Contains(d.words, "hijos") && slices.Contains(d.words, "sin") {
		d.args["hijos"] = "0"
	}
}

// childWords are the numbers of children in words, by value.
var childWords = []string{"sin", "un", "dos", "tres", "cuatro", "cinco"}

func deadlineAsked(c *Calc, d *reader) string {
	if !d.any(lastDay) {
		return ""
	}
	var day time.Time
	for _, p := range d.dates {
		if p.Grain == figure.Day && !p.Assumed || p.Grain == figure.Day && p.From <= d.today {
			day, _ = parseDay(string(p.From))
			break
		}
	}
	best, code := 0, ""
	for _, r := range c.deadlines {
		if n := longest(r.words, d.words); n > best {
			best, code = n, r.code
		}
	}
	if day.IsZero() || code == "" {
		return ""
	}
	d.args["tipo"], d.args["desde"] = code, iso(day)
	return FnDeadline
}

func holidaysAsked(_ *Calc, d *reader) string {
	if !d.any(onHolidays) || !d.any(howMany) {
		return ""
	}
	n := 0
	for _, p := range d.dates {
		switch p.Grain {
		case figure.Range:
			n += 2
		case figure.Day:
			n++
		}
	}
	if n < 2 || !d.span() {
		return ""
	}
	return FnHolidays
}

var bareYear = lazyregexp.New(`\b(?:19[5-9]\d|20\d\d)\b`)

// fillers are words of a question about a figure that say nothing of its own.
var fillers = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("cual es el la lo los las de del en para al a cuanto cuanta cuantas cuantos vale valia era fue sera esta estaba actual actualmente hoy ahora vigente ano este importe cuantia valor cifra espana euros euro tiene tenia que y por un una mensual mes mensuales se fija fijado dime quiero saber gracias hay ha dia pasado cotizacion regimen general seguridad social interprofesional diario diaria cobrar debo deben como minimo") {
		m[w] = true
	}
	return m
}()

// figureAsked takes a question that asks for a figure and nothing else.
func figureAsked(c *Calc, d *reader) string {
	best, key := 0, ""
	var at [2]int
	for _, f := range c.figures {
		for _, p := range f.words {
			if from, to, ok := p.Find(d.words); ok && to-from > best {
				best, key, at = to-from, f.Key, [2]int{from, to}
			}
		}
	}
	if key == "" {
		return ""
	}
	for i, w := range d.words {
		if i >= at[0] && i < at[1] || fillers[w] || bareYear.MatchString(w) {
			continue
		}
		return ""
	}
	d.args["nombre"] = key
	if y := bareYear.FindString(d.question); y != "" {
		d.args["year"] = y
	} else if strings.Contains(strings.Join(d.words, " "), "ano pasado") {
		if t, err := parseDay(string(d.today)); err == nil {
			d.args["year"] = strconv.Itoa(t.Year() - 1)
		}
	}
	return FnFigures
}
