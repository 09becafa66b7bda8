package jus

import (
	"maps"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text"
)

// Detect reads a calculation from a question by rules: its function, amounts,
// dates, services, quantities and facts. The refused clauses are left out.
func (t *Tool) Detect(q pack.ToolQuestion) (pack.ToolCall, bool) {
	u := t.calc().understand(q.Text, q.Today)
	call := pack.ToolCall{Tool: "jus", Args: map[string]string{}, Today: q.Today, Question: q.Text}
	r, ok := t.calc().merge(u)
	if !ok {
		return call, false
	}
	switch {
	case r.other != "" && (asksPrice(r) || r.told() || len(r.services) > 0 || slices.Contains(r.classes, ClassConvert)):
		call.Function, call.Args["respuesta"] = "ajeno", r.other
	case r.amount("moneda") && !r.amount("pesos") && !r.amount("jus"):
		call.Function, call.Args["respuesta"] = "ajeno", otherMoney
	case r.asksFall():
		call.Function = "bajas"
	case r.percent != nil && len(r.services) == 0 && callPercent(&call, r):
		call.Function = "porcentaje"
		callWhen(&call, r)
		if list := t.calc().meaning(u); len(list) > maxPlain {
			call.Args["sin_leer"] = "todo lo que se dice además del porcentaje y del importe"
		}
	case slices.Contains(r.classes, ClassCompare), len(r.services) == 1 && r.twoDates() && !slices.Contains(r.classes, ClassConvert):
		call.Function = "comparar"
		callCompare(&call, r, q.Today)
	case slices.Contains(r.classes, ClassConvert):
		call.Function = "convertir"
		callConvert(&call, r)
		if r.twoDates() {
			delete(call.Args, "date")
			delete(call.Args, "year")
			delete(call.Args, "month")
			callEnds(&call, r, q.Today)
		}
		if list := t.calc().meaning(u); len(list) > maxTold {
			call.Args["sin_leer"] = "lo que se cuenta además del importe"
		}
	case t.calc().asksShare(r):
		return call, false // no service here is that percentage: the law's text answers
	case slices.Contains(r.classes, ClassQuote), slices.Contains(r.classes, ClassRule) && len(r.services) > 0 && asksQuantity(r):
		call.Function = "presupuesto"
		t.calc().callItems(&call, r)
		if u.beside != "" {
			call.Args["otro"] = u.beside
		}
		if list := t.calc().unheard(u, r.services); len(list) > 0 {
			call.Args["sin_leer"] = "«" + strings.Join(list, "», «") + "»"
		}
		if (call.Args["sin_leer"] != "" || len(r.unread) > 0) && u.beside == "" && len(r.services) == 1 {
			call.Args["otro"] = t.calc().next(t.calc().asks().Rank(t.calc().meaning(u)), r.services[0].code, onlyIfScore(r.ofFees(), feeName, likelyName))
		}
		callWhen(&call, r)
		if r.twoDates() {
			delete(call.Args, "date")
			delete(call.Args, "year")
			delete(call.Args, "month")
			callEnds(&call, r, q.Today)
		}
	case slices.Contains(r.classes, ClassValue):
		call.Function = "valor"
		callWhen(&call, r)
	default:
		return call, false
	}
	return call, true
}

// maxPlain is how many words that say something a percentage of a sum may be asked with.
const maxPlain = 3

// maxTold is how many a conversion may be.
const maxTold = 6

const otherMoney = "No hay cotizaciones de otras monedas: el JUS y los honorarios se calculan en pesos. Diga el importe en pesos."

var quantityWords = set(`porcion proporcion fraccion cuanto cuantos cuanta cuantas jus honorario honorarios minimo minima maximo piso arancel tarifa corresponde corresponden
	regula regulan regulacion precio costo tope porcentaje porcentajes valor dice pesos rango importe
	valores montos sumas cifras limites`)

// ruleWords ask for a rule on a service (whether, when, by whom), not for its price.
var ruleWords = set(`cuando donde quien quienes procede proceden prohibe prohiben prohibido prohibida prohibidos prohibidas registrar
	resolucion resoluciones requisitos plazo plazos apelar apelan recurrir obligacion obligado obligada obligatorio nulo nula notifica notificar puede pueden`)

var amountWords = set(`cuanto cuantos cuanta cuantas jus minimo minima maximo piso arancel tarifa precio costo tope porcentaje`)

var sumWords = set("monto importe cifra suma cantidad base tope piso parte porcentaje")

var whatIs = set("es son significa")

// maxUnknown is how many words that are not known a case may be told with.
const maxUnknown = 3

// manyUnknown is from how many words that are not known a service that one word names is
// doubtful.
const manyUnknown = 3

// maxBare is how long the bare name of a service may be with one word that is not known.
const maxBare = 10

// timeWords after "cuánto" ask how long something takes.
var timeWords = set("tarda tardan tardaria demora demoran dura duran tiempo dias meses anos plazo")

// asksPrice says that a price or a value is asked for.
func asksPrice(r reading) bool {
	for _, w := range r.words {
		if amountWords[w] || w == "honorarios" || w == "honorario" || w == "valor" || w == "cobra" || w == "sale" || w == "sueldo" {
			return true
		}
	}
	return false
}

// asksQuantity says whether a question about a service asks how much it is.
func asksQuantity(r reading) bool {
	any := r.unknown == 0 || r.unknown == 1 && len(r.words) <= maxBare
	for i, w := range r.words {
		if relativeWords[w] && (i < 2 || i+1 < len(r.words) && whatIs[r.words[i+1]]) {
			any = false // "qué es", "cómo se pide": no price is asked
		}
	}
	any = any || r.amount("pesos") || (len(r.facts) > 0 || r.told()) && r.unknown <= maxUnknown || len(r.unread) > 0 && len(r.services) > 0
	for i := 0; i+1 < len(r.words); i++ {
		if strings.HasPrefix(r.words[i], "cuant") && timeWords[r.words[i+1]] {
			return false
		}
	}
	for i, w := range r.words {
		if amountWords[w] || sumWords[w] && i > 0 && (r.words[i-1] == "que" || r.words[i-1] == "cual") {
			return true
		}
		any = any || quantityWords[w] || r.asked && priceAsked[w]
	}
	return !r.rule && any
}

// asking are the words that ask what something comes to; they say nothing of what it is.
var asking = set("cuanto cuantos cuanta cuantas vale valen sale salen saldria cuesta cuestan costaria plata guita hacer decime dame")

// priceAsked are verbs of who asks what is owed.
var priceAsked = set("cobro cobra cobran cobrar cobrarle cobrarme factura facturar facturo deben debe debo toca tocan pago paga pagan pagar pagarle reclamo")

// wantsFigure says that a figure is asked for, or that a case is told and nothing else.
func (r reading) wantsFigure() bool {
	any := false
	for i, w := range r.words {
		any = any || quantityWords[w] || r.asked && priceAsked[w] || sumWords[w] && i > 0 && (r.words[i-1] == "que" || r.words[i-1] == "cual")
	}
	return any || asksPrice(r) || r.told()
}

// told says that a case is told and nothing else is asked of it: a lawyer who tells what
// was done wants its fee.
func (r reading) told() bool {
	for i, w := range r.words {
		if askWords[w] && (i == 0 || !relativeWords[w]) {
			return false
		}
	}
	return !r.asked
}

// asksShare says that a percentage is asked for of services that have none.
func (c *Calc) asksShare(r reading) bool {
	if !r.has("porcentaje", "porcentajes") || len(r.services) == 0 {
		return false
	}
	for _, m := range r.services {
		list, _ := c.CaseServices(m.code, r.facts)
		for _, s := range list {
			if s, _ = c.Modified(s, r.facts); s.Pct != "" || s.Kind == "rule" {
				return false
			}
		}
	}
	return true
}

func callWhen(call *pack.ToolCall, r reading) {
	if r.dates.bad != "" {
		call.Args["date"] = r.dates.bad
		return
	}
	if len(r.dates.found) == 0 {
		return
	}
	if d := r.dates.found[0]; len(r.services) == 0 || d.from == 0 || d.to-d.from > len(r.words) || !r.since(d.Period) {
		setWhen(call, d.Period)
	}
}

// since says that a year only tells since when something is so: "ocupo desde 1995".
func (r reading) since(p Period) bool {
	year := string(p.From[:4])
	i := slices.Index(r.words, year)
	return i > 0 && r.words[i-1] == "desde" && !p.IsDay()
}

func setWhen(call *pack.ToolCall, p Period) {
	switch {
	case p.IsDay():
		call.Args["date"] = string(p.From)
	case p.From[5:] == "01-01" && p.To[5:] == "12-31":
		call.Args["year"] = string(p.From[:4])
	default:
		call.Args["month"] = string(p.From[:7])
	}
}

// counts says that a fact changes what a service comes to.
func (c *Calc) counts(code, key string) bool {
	g, _ := c.Group(code)
	return key == "base" || slices.Contains(c.FactsOf(code), key) || slices.ContainsFunc(g.Cases, func(k fees.Case) bool { return k.Facts[key] != "" || slices.Contains(c.FactsOf(k.Service), key) })
}

func (c *Calc) callItems(call *pack.ToolCall, r reading) {
	for _, m := range r.services {
		s := m.code
		if !m.quantity.IsOne() {
			s += "=" + m.quantity.String()
		}
		for _, key := range slices.Sorted(maps.Keys(m.facts)) {
			if r.facts[key] != m.facts[key] && c.counts(m.code, key) {
				s += ";" + key + "=" + m.facts[key]
			}
		}
		call.Items = append(call.Items, s)
	}
	for _, s := range r.unread {
		call.Items = append(call.Items, fees.UnreadMark+s)
	}
	for k, v := range r.facts {
		call.Args[k] = v
	}
	r.amounts = slices.Clone(r.amounts)
	for i := range r.amounts {
		if a := &r.amounts[i]; a.unit == "" && a.value.Cmp(bareSum) >= 0 {
			a.unit = "pesos" // "300 mil por mes"
		}
	}
	for i, a := range r.amounts {
		switch {
		case a.own, r.claimed(a) && c.ofCollected(r) && slices.ContainsFunc(r.amounts, func(o amount) bool { return o.unit == "pesos" && !r.claimed(o) }):
		case a.unit == "pesos" && r.cost(a):
			r.unused = append(r.unused, "los gastos de "+Pesos(a.value))
		case a.unit == "ue":
			call.Args["base_ue"] = a.value.String()
			if a.from > 1 && r.words[a.from-1] == "de" && r.words[a.from-2] == "mas" && !(a.from > 2 && denials[r.words[a.from-3]]) {
				call.Args["base_ue"] = a.value.String() + ".01" // the next band
			}
		case i > 0 && r.fromTo(r.amounts[i-1], a) && c.ofDifference(r):
			if d, err := a.value.Sub(r.amounts[i-1].value); err == nil && !d.IsZero() {
				call.Args["mensual"] = d.Abs().String()
				delete(call.Args, "base")
			}
		case a.fee && !c.wantsFee(r):
			r.unused = append(r.unused, "los honorarios de "+fees.Give(a.value, a.unit == "jus"))
		case a.unit == "pesos" && r.ofUnit(a):
			call.Args["ue"] = a.value.String()
		case a.unit == "pesos" && c.monthly(r, a):
			call.Args["mensual"] = a.value.String()
		case a.unit == "pesos":
			was := call.Args["base"]
			if sum, err := decimal.MustParse("0" + was).Add(a.value); was != "" && err == nil && r.ofOne(a) {
				call.Args["base"] = sum.String() // "una de $ 1.000.000 y otra de $ 3.000.000"
				continue
			}
			if was != "" && was != a.value.String() {
				r.unused = append(r.unused, Pesos(decimal.MustParse(was)))
			}
			call.Args["base"] = a.value.String()
		case a.unit == "jus" && call.Args["base"] == "":
			call.Args["base_jus"] = a.value.String()
		case a.unit == "meses":
			call.Args["meses"] = a.value.String()
		case a.unit == "moneda":
			r.unused = append(r.unused, fees.Local(a.value)+" en otra moneda")
		}
	}
	if r.unknown >= manyUnknown && slices.ContainsFunc(r.services, func(m mentioned) bool { return m.generic }) {
		call.Args["dudoso"] = "si" // known by one word, of a question that is mostly not
	}
	if len(r.services) > 0 && !c.countsMoney(r) {
		for _, k := range []string{"base", "base_jus", "mensual"} {
			if v := call.Args[k]; v != "" {
				r.unused = append(r.unused, fees.Give(decimal.MustParse(v), k == "base_jus"))
			}
		}
	}
	if len(r.services) == 1 && r.services[0].quantity.IsOne() && !r.several.IsZero() {
		call.Args["varios"] = r.several.String()
	}
	if len(r.unused) > 0 {
		call.Args["sin_usar"] = strings.Join(r.unused, "; ")
	}
}

// countsMoney says that a service asked for is counted on a sum of money.
func (c *Calc) countsMoney(r reading) bool {
	return slices.ContainsFunc(r.services, func(m mentioned) bool {
		list, _ := c.CaseServices(m.code, r.facts)
		return slices.ContainsFunc(list, func(s Service) bool {
			s, _ = c.Modified(s, r.facts)
			return s.Pct != "" || s.Per == "mes" || s.Kind == "rule"
		})
	})
}

// bareSum is from what on a number without a unit is a sum of money and not a count.
var bareSum = decimal.MustNew(10000, 0)

// ofOne says that an amount is that of one of several: "y otra de $ 3.000.000".
func (r reading) ofOne(a amount) bool {
	i := a.from - 1
	if i > 0 && (r.words[i] == "de" || r.words[i] == "por") {
		i--
	}
	return i >= 0 && i < a.from-1 && apart[r.words[i]]
}

// fromTo says that two amounts are the ends of a change: "de $ 200.000 a $ 350.000".
func (r reading) fromTo(a, b amount) bool {
	return a.unit == b.unit && b.from-a.to == 1 && r.words[a.to] == "a" && a.from > 0 && r.words[a.from-1] == "de"
}

// ofDifference says that a service is counted on how much something changed.
func (c *Calc) ofDifference(r reading) bool {
	return slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		return strings.HasPrefix(s.Of, "la diferencia")
	})
}

// ofCollected says that a service is counted on what was collected.
func (c *Calc) ofCollected(r reading) bool {
	return slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		return strings.HasPrefix(s.Of, "lo cobrado")
	})
}

// claimed says that an amount is what was asked for or owed, and not what came of it.
func (r reading) claimed(a amount) bool {
	return r.toldAs(a, claims)
}

// cost says that an amount is told as expenses: "más gastos por $ 40.000".
func (r reading) cost(a amount) bool {
	return r.toldAs(a, costs)
}

// toldAs says that a word stands before an amount, with nothing between that says something.
func (r reading) toldAs(a amount, list map[string]bool) bool {
	for i := a.from - 1; i >= 0; i-- {
		if list[r.words[i]] {
			return true
		}
		if !text.IsStop(r.words[i]) {
			return false
		}
	}
	return false
}

var (
	claims = set("reclamaba reclamaban reclame reclamo reclamamos reclamando reclamado reclamada pretendia pedia pedi pedimos debia debian adeudaba adeudaban deuda")
	costs  = set("gasto gastos")
)

// wantsFee says that a service asked for is a part of a fee.
func (c *Calc) wantsFee(r reading) bool {
	return slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		return s.OfFee()
	})
}

// ofUnit says that an amount is the value of the economic unit: "la UE vale $ 3.000.000".
func (r reading) ofUnit(a amount) bool {
	for i := max(0, a.from-4); i < a.from; i++ {
		if slices.ContainsFunc(r.amounts, func(x amount) bool { return x.unit == "ue" && x.to == i }) {
			return false // "más de 100 UE, $ 900.000.000"
		}
		if r.words[i] == "ue" || i+1 < a.from && r.words[i] == "unidad" && r.words[i+1] == "economica" {
			return true
		}
	}
	return false
}

// monthly says that an amount is one of each month: "$ 300.000 por mes", "el alquiler era
// de $ 250.000".
func (c *Calc) monthly(r reading, a amount) bool {
	byMonths := slices.ContainsFunc(r.services, func(m mentioned) bool {
		s, _ := c.Service(m.code)
		return s.Months != "" || s.Per == "mes"
	})
	if byMonths && r.amount("meses") && !r.ofBase(a) {
		return true // "paga 400 mil y el contrato es de 24 meses"
	}
	for i := a.from - 1; i >= 0 && i >= a.from-3 && byMonths; i-- {
		if perMonth[r.words[i]] {
			return true
		}
	}
	for i := a.to; i < min(len(r.words), a.to+3); i++ {
		switch r.words[i] {
		case "mensual", "mensuales", "mes":
			return true
		}
	}
	return false
}

// ofBase says that an amount is told as the whole that a fee is counted on.
func (r reading) ofBase(a amount) bool {
	for i := max(0, a.from-feeReach); i < a.from; i++ {
		if notFee[r.words[i]] && r.words[i] != "por" || sumWords[r.words[i]] || r.words[i] == "total" {
			return true
		}
	}
	return false
}

// perMonth are paid each month.
var perMonth = set("alquiler canon cuota mensualidad renta mensual abono")

// asksFall asks whether the value ever fell.
func (r reading) asksFall() bool {
	fall, ever := false, false
	for i, w := range r.words {
		fall = fall || fallWords[w]
		ever = ever || w == "nunca" || w == "vez" || w == "veces" || w == "cuando" || w == "jamas" || w == "historia" || i > 0 && w == "bajo" && r.words[i-1] == "que"
	}
	return fall && ever && len(r.services) == 0 && r.has("jus", "juses", "valor", "serie") && !r.has("puede", "podria", "podra")
}

var fallWords = set("bajo bajado bajaron baja bajar bajas disminuyo disminuido cayo caido retrocedio caida")

// callPercent takes a percentage of a sum.
func callPercent(call *pack.ToolCall, r reading) bool {
	call.Args["porcentaje"] = r.percent.value.String()
	for _, a := range r.amounts {
		if a.unit == "pesos" || a.unit == "jus" {
			call.Args[map[string]string{"pesos": "base", "jus": "base_jus"}[a.unit]] = a.value.String()
			return true
		}
	}
	return false
}

// callConvert decides which way: an amount in JUS goes to pesos and one in
// pesos to JUS; of a bare amount the target decides.
func callConvert(call *pack.ToolCall, r reading) {
	callWhen(call, r)
	for _, a := range r.amounts {
		switch a.unit {
		case "jus":
			call.Args["jus"] = a.signed()
			return
		case "pesos":
			call.Args["pesos"] = a.signed()
			return
		}
	}
	if len(r.amounts) == 0 {
		return
	}
	unit := "pesos"
	if r.toPesos() {
		unit = "jus"
	}
	call.Args[unit] = r.amounts[0].signed()
}

// signed is the amount as a call takes it, with its minus sign.
func (a amount) signed() string {
	if a.minus {
		return "-" + a.value.String()
	}
	return a.value.String()
}

func (r *reading) toPesos() bool {
	for i := 1; i < len(r.words); i++ {
		if r.words[i] == "pesos" && (r.words[i-1] == "a" || r.words[i-1] == "en") {
			return true
		}
	}
	return false
}

// twoDates says that two different times are asked about.
func (r reading) twoDates() bool {
	return len(r.dates.found) > 1 && r.dates.found[0].Period != r.dates.found[1].Period
}

// callCompare takes the two ends of the time asked for. A single date is the
// first end, unless it is a finished period asked about by itself.
func callCompare(call *pack.ToolCall, r reading, today digesto.Date) {
	if len(r.services) > 0 {
		call.Items = []string{r.services[0].code}
		for k, v := range r.facts {
			call.Args[k] = v
		}
	}
	callEnds(call, r, today)
}

func callEnds(call *pack.ToolCall, r reading, today digesto.Date) {
	d := r.dates.found
	switch {
	case len(d) >= 2:
		a, b := d[0].Period, d[1].Period
		if a.From > b.From {
			a, b = b, a
		}
		call.Args["from"], call.Args["to"] = string(a.From), string(b.To)
	case len(d) == 1 && (r.dates.rng || d[0].IsDay()):
		call.Args["from"] = string(d[0].From)
	case len(d) == 1:
		call.Args["from"], call.Args["to"] = string(d[0].From), string(d[0].To)
	}
	if to := digesto.Date(call.Args["to"]); to > today {
		call.Args["to"] = string(today)
	}
}
