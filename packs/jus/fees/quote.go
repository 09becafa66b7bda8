package fees

import (
	"maps"
	"sort"
	"strings"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/pack"
	"digesto/text"
)

// Item is one service of a budget, with its quantity.
type Item struct {
	Code     string
	Quantity decimal.Decimal
	Facts    Facts // of this one alone, before those of the whole
}

// UnreadMark begins an item that a question names and no service is: the budget says so.
const UnreadMark = "?"

// Unread says that an item is words that name no service.
func (it Item) Unread() bool { return strings.HasPrefix(it.Code, UnreadMark) }

// maxItems bounds a budget.
const maxItems = 100

// ParseItem reads CODE or CODE=QUANTITY, with the facts of it alone after each ";".
func ParseItem(s string) (Item, error) {
	if strings.HasPrefix(s, UnreadMark) {
		return Item{Code: s, Quantity: decimal.One}, nil
	}
	s, own, _ := strings.Cut(s, ";")
	code, q, given := strings.Cut(strings.TrimSpace(s), "=")
	it := Item{Code: strings.ToLower(strings.TrimSpace(code)), Quantity: decimal.One}
	if it.Code == "" {
		return it, Invalid("Escriba CÓDIGO o CÓDIGO=CANTIDAD, por ejemplo consulta_verbal=2.", "falta el código del servicio")
	}
	var err error
	if own != "" {
		if it.Facts, err = ParseFacts(strings.Split(own, ";")); err != nil {
			return it, err
		}
	}
	if given {
		it.Quantity, err = ParseNumber(q, 6)
	}
	return it, err
}

// Facts decide between the cases of a service and give the bases of percentages.
type Facts map[string]string

// FactKeys are the facts that are understood, each with its meaning.
var FactKeys = map[string]string{
	"caso":           "código del caso",
	"convenio":       "si o no: la sentencia homologa un convenio regulador",
	"letrados":       "1 o 2: un letrado para las dos partes o uno por cada una",
	"pedido":         "unilateral o bilateral",
	"base":           "importe en pesos sobre el que se aplica un porcentaje",
	"base_economica": "si o no",
	"acuerdo":        "si o no: hubo acuerdo en la mediación",
	"forma":          "verbal, escrita o expediente",
	"comision":       "jurisdiccional o central",
	"controversia":   "si o no: hubo controversia",
	"excepciones":    "si o no: se opusieron excepciones",
	"vivienda":       "si o no: el inmueble es la vivienda única de quien demanda",
	"base_jus":       "número de JUS sobre el que se aplica un porcentaje",
	"ue":             "valor en pesos de la Unidad Económica (UE)",
	"base_ue":        "Unidades Económicas (UE) que es la base",
	"mensual":        "importe en pesos por mes (cuota, alquiler), del que sale la base",
	"meses":          "meses de ese importe",
	"avaluo":         "si o no: hubo avalúo además de la partición",
	"deudor":         "si o no: se asiste al deudor",
	"verificado":     "si o no: el crédito se verificó",
	"cancelacion":    "si o no: se cancela lo inscripto",
	"demanda":        "si o no: la demanda se presentó",
	"vista":          "si o no: el incidente se sustanció solo con vista o traslado",
	"sobreseimiento": "si o no: la causa terminó con sobreseimiento o desestimación",
	"dirimente":      "si o no: el dictamen decidió el pleito",
	"pericia":        "si o no: la pericia se hizo",
	"misma_parte":    "si: varios letrados por la misma parte",
	"querellado":     "si o no: se asiste al querellado o demandado civil",
}

// ParseFacts reads KEY=VALUE pairs.
func ParseFacts(list []string) (Facts, error) {
	out := Facts{}
	for _, s := range list {
		k, v, ok := strings.Cut(s, "=")
		k = strings.ToLower(strings.TrimSpace(k))
		if _, known := FactKeys[k]; !ok || !known || strings.TrimSpace(v) == "" {
			return nil, Invalid("Los datos son: "+factList()+".", "«%s» no es un dato conocido (clave=valor)", s)
		}
		v = strings.TrimSpace(v)
		if !numeric[k] {
			v = strings.ToLower(strings.Join(pack.Words(v), "_"))
		}
		out[k] = v
	}
	for k := range numeric {
		if out[k] == "" {
			continue
		}
		if _, err := ParseNumber(out[k], maxPesosDigits); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// numeric are the facts that are amounts.
var numeric = text.WordSet("base base_jus base_ue mensual meses ue")

// over gives these facts and, where they say nothing, the others.
func (f Facts) over(rest Facts) Facts {
	if len(f) == 0 {
		return rest
	}
	out := Facts{}
	for k, v := range rest {
		out[k] = v
	}
	for k, v := range f {
		out[k] = v
	}
	return out
}

// hasBase says whether the facts hold an amount that a percentage can be taken of.
func (f Facts) hasBase() bool {
	return f["base"] != "" || f["base_jus"] != "" || f["mensual"] != ""
}

func factList() string {
	var keys []string
	for k := range FactKeys {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return strings.Join(keys, ", ")
}

// Quote is the budget of the items on a day. An item whose case is not decided
// gives its cases; one that lacks a datum is not calculable; with any of these
// the whole has no total, and both lists stand in the result.
func (c *Tables) Quote(items []Item, facts Facts, day, today digesto.Date) (Result, error) {
	r := newResult("ARS")
	if len(items) == 0 {
		return r, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta el servicio que se quiere presupuestar.", Hint: "Use «digesto jus servicios» para ver los códigos."}
	}
	if len(items) > maxItems {
		return r, Invalid("Divida el presupuesto.", "un presupuesto admite %d servicios como mucho", maxItems)
	}
	for _, it := range items {
		if !c.Holds(it.Code) && !it.Unread() {
			return r, c.unknown(it.Code)
		}
	}
	if err := c.checkFacts(facts); err != nil {
		return r, err
	}
	v := c.at(day, today)
	if !v.ok {
		r.say(v.refusal, "Sin ese valor no hay presupuesto en pesos.")
		return r, nil
	}
	r.ValueDate, r.JusValue = dateOf(v.Date), money(v.Amount)
	r.stale = v.stale
	r.step(v.on(day), v.Amount, "ARS", v.unit())
	if facts["misma_parte"] == "si" {
		facts = maps.Clone(facts)
		delete(facts, "letrados") // they count as one
	}
	for _, it := range items {
		if err := c.quoteItem(&r, it, facts, day, v); err != nil {
			return r, err
		}
	}
	if s, ok := c.Service(items[0].Code); ok && facts["misma_parte"] == "si" {
		r.rule(s, onePatronage)
		r.onePatronage = true
	}
	r.Warn(v.warnings...)
	r.value(v.Value)
	return c.total(r)
}

// onePatronage is where the law counts several lawyers of one party as one.
var onePatronage = Service{Article: "22", Law: "se considerará como un solo patrocinio o representación"}

func (c *Tables) Holds(code string) bool {
	_, s := c.Service(code)
	_, g := c.Group(code)
	return s || g
}

// unknown names the codes that resemble what was typed.
func (c *Tables) unknown(code string) error {
	var near []string
	want := pack.Words(strings.ReplaceAll(code, "_", " "))
	add := func(k, name string) {
		have := " " + strings.Join(pack.Words(strings.ReplaceAll(k, "_", " ")+" "+name), " ") + " "
		for _, w := range want {
			if len(w) > 3 && strings.Contains(have, " "+w) {
				near = append(near, k)
				return
			}
		}
	}
	for _, g := range c.groups {
		add(g.Code, g.Name)
	}
	for _, s := range c.services {
		add(s.Code, s.Name)
	}
	hint := "Use «digesto jus servicios» para ver los códigos."
	if len(near) > 0 {
		hint = "Quizá sea: " + strings.Join(near[:min(6, len(near))], ", ") + ". " + hint
	}
	return &digesto.Error{Code: digesto.CodeNotFound, Message: "El servicio «" + code + "» no está en la tabla de la " + LawName + ".", Hint: hint}
}

func (c *Tables) quoteItem(r *Result, it Item, facts Facts, day digesto.Date, v inForce) error {
	if it.Unread() {
		name := it.Code[len(UnreadMark):]
		r.NotCalculable = append(r.NotCalculable, Missing{Code: "", Name: name, Reason: "no se reconoce como un servicio de la " + LawName})
		return nil
	}
	facts = it.Facts.over(facts)
	if s, ok := c.Service(it.Code); ok {
		return c.quoteService(r, s, it.Quantity, facts, day, v)
	}
	g, _ := c.Group(it.Code)
	cases, needs, question := c.decide(g, facts)
	if len(cases) == 1 {
		s, _ := c.Service(cases[0].Service)
		return c.quoteService(r, s, it.Quantity, facts, day, v)
	}
	if len(cases) == 0 {
		return Invalid("Los casos son: "+caseList(g)+".", "ningún caso de «%s» cumple los datos dados", g.Code)
	}
	var early []Service
	for _, k := range cases {
		s, _ := c.Service(k.Service)
		line, miss, err := c.line(r, s, it.Quantity, Facts(k.Facts).over(facts), day, v)
		if err != nil {
			return err
		}
		if miss != nil {
			early = append(early, s)
		}
		r.Cases = append(r.Cases, line)
	}
	r.Warn(unknownBefore(early)...)
	r.NotCalculable = append(r.NotCalculable, Missing{Code: g.Code, Name: g.Name, Reason: "depende de datos que faltan", cases: true, Needs: needs, Question: question})
	return nil
}

func caseList(g Group) string {
	var out []string
	for _, k := range g.Cases {
		out = append(out, k.Service)
	}
	return strings.Join(out, ", ")
}

// decide keeps the cases that no fact excludes, and names the facts in which
// those left differ.
func (c *Tables) decide(g Group, facts Facts) (cases []Case, needs []string, question string) {
	for _, k := range g.Cases {
		if want := facts["caso"]; want != "" && want != k.Service {
			continue
		}
		fits := true
		for key, has := range k.Facts {
			val, given := facts[key]
			if key == "base_economica" && !given && facts.hasBase() {
				val, given = "si", true
			}
			fits = fits && (!given || has == val)
		}
		if fits {
			cases = append(cases, k)
		}
	}
	values := map[string]map[string]bool{}
	for _, k := range cases {
		for key, val := range k.Facts {
			if values[key] == nil {
				values[key] = map[string]bool{}
			}
			values[key][val] = true
		}
	}
	for key, vals := range values {
		if _, given := facts[key]; len(vals) > 1 && !given {
			needs = append(needs, key)
		}
	}
	sort.Strings(needs)
	return cases, needs, g.Question
}

func (c *Tables) quoteService(r *Result, s Service, n decimal.Decimal, facts Facts, day digesto.Date, v inForce) error {
	line, miss, err := c.line(r, s, n, facts, day, v)
	if err != nil {
		return err
	}
	if miss != nil {
		r.NotCalculable = append(r.NotCalculable, *miss)
		return nil
	}
	r.Items = append(r.Items, line)
	return nil
}

// lastReform is the day of the text of the law that the quantities were read in.
const lastReform digesto.Date = "2025-05-05"

// line calculates one service as the facts change it. miss says why it cannot be.
func (c *Tables) line(r *Result, row Service, n decimal.Decimal, facts Facts, day digesto.Date, v inForce) (Line, *Missing, error) {
	s, by := c.Modified(row, facts)
	l := Line{Code: s.Code, Name: s.Name, Kind: s.Kind, Quantity: n.String(), Condition: s.Condition, Per: strOf(s.Per), Article: s.Place()}
	r.service(row)
	for _, m := range by {
		r.rule(row, m.at)
		if m.effect == "min*2" && s.holds(day) {
			r.step(s.Name+": "+Local(row.Min)+" JUS × 2 ("+m.at.Place()+")", s.Min, "JUS", m.at.Place())
		}
	}
	l.limited = s.Pct != ""
	if l.Per != nil && s.Per != "letrado" && !n.IsOne() {
		l.counted, l.Per = s.Per, nil
	}
	if !s.holds(day) {
		return l, &Missing{Code: s.Code, Name: s.Name, Reason: s.unknownBefore()}, nil
	}
	if s.Since == "" && day < lastReform {
		r.Warn("La cantidad de «" + s.Name + "» no consta que haya cambiado; el texto anterior de la ley no se ha podido cotejar.")
	}
	if s.Kind == "rule" {
		return l, &Missing{Code: s.Code, Name: s.Name, Reason: s.Condition, rule: true}, nil
	}
	capped := s.Kind == "range" && strings.HasPrefix(s.Pct, "<")
	if s.Pct != "" && !capped && (s.Kind == "percent" || facts.hasBase()) {
		return c.percentLine(r, l, row, s, n, facts, v)
	}
	low, err := r.jusToPesos(s, s.Min, n, v)
	if err != nil {
		return l, nil, err
	}
	jl, _, err := product(s.Min, n)
	if err != nil {
		return l, nil, err
	}
	l.low, l.Low, l.JusLow = low, money(low), str(jl)
	l.high, l.High, l.JusHigh = low, l.Low, l.JusLow
	switch s.Kind {
	case "minimum":
		l.high, l.High, l.JusHigh = decimal.Zero, nil, nil
	case "fixed":
		l.Result = l.Low
	default:
		high, err := r.jusToPesos(s, s.Max, n, v)
		if err != nil {
			return l, nil, err
		}
		jh, _, err := product(s.Max, n)
		if err != nil {
			return l, nil, err
		}
		l.high, l.High, l.JusHigh = high, money(high), str(jh)
	}
	if capped && facts.hasBase() {
		if err := c.capRange(r, &l, s, n, facts, v); err != nil {
			return l, nil, err
		}
	}
	if !n.IsOne() {
		if l.each, err = s.each(v); err != nil {
			return l, nil, err
		}
	}
	if s.Per == "mes" && facts["mensual"] != "" {
		paid, err := ParseNumber(facts["mensual"], maxPesosDigits)
		if err != nil {
			return l, nil, err
		}
		least, _, err := product(s.Min, v.Amount)
		if err != nil {
			return l, nil, err
		}
		if lacks, err := least.Sub(paid); err == nil && lacks.IsPos() {
			r.step("Diferencia: "+Local(least)+" − "+Local(paid), lacks, "ARS", s.Place())
			l.Condition = "Si se pagan " + Pesos(paid) + " por mes, faltan " + Pesos(lacks) + " por mes, que se pueden reclamar."
		}
	}
	return l, nil, l.forBoth(facts)
}

// each is what one of several comes to.
func (s Service) each(v inForce) (string, error) {
	one := Line{Kind: s.Kind, JusLow: str(s.Min), JusHigh: str(s.Min)}
	low, _, err := product(s.Min, v.Amount)
	if err != nil {
		return "", err
	}
	one.Low, one.High = money(low.Round(2)), money(low.Round(2))
	if s.Kind == "range" {
		high, _, err := product(s.Max, v.Amount)
		if err != nil {
			return "", err
		}
		one.JusHigh, one.High = str(s.Max), money(high.Round(2))
	}
	return strings.TrimPrefix(one.amount(), "como mínimo "), nil
}

// capRange takes a range down to the percentage of the base that it must not pass.
func (c *Tables) capRange(r *Result, l *Line, s Service, n decimal.Decimal, facts Facts, v inForce) error {
	base, err := c.baseOf(r, s, facts, v)
	if err != nil || base.IsZero() {
		return err
	}
	pct, _, _ := bounds(s.Pct)
	most, err := r.share(s, base, pct, n)
	if err != nil || most.Cmp(l.high) >= 0 {
		return err
	}
	l.high, l.High, l.JusHigh = most, money(most), nil
	if most.Cmp(l.low) <= 0 {
		l.Kind, l.low, l.Low, l.JusLow = "maximum", decimal.Zero, nil, nil
	} else {
		l.JusLow = nil
	}
	return nil
}

// forBoth adds up what is paid for each lawyer, when the question says that there are two.
func (l *Line) forBoth(facts Facts) error {
	if l.Per == nil || *l.Per != "letrado" || facts["letrados"] != "2" || l.Low == nil {
		return nil
	}
	two := *l
	var err error
	if two.low, err = l.low.Add(l.low); err != nil {
		return err
	}
	if two.high, err = l.high.Add(l.high); err != nil {
		return err
	}
	two.Low, two.JusLow = money(two.low), str(Times(mustParse(*l.JusLow), 2, 0))
	if l.High != nil {
		two.High, two.JusHigh = money(two.high), str(Times(mustParse(*l.JusHigh), 2, 0))
	}
	l.both = two.amount()
	return nil
}

// jusToPesos multiplies quantity, JUS and value, and writes the step.
func (r *Result) jusToPesos(s Service, jus, n decimal.Decimal, v inForce) (decimal.Decimal, error) {
	total, _, err := product(jus, n)
	if err != nil {
		return total, err
	}
	exact, out, err := product(total, v.Amount)
	if err != nil {
		return out, err
	}
	text := s.Name + ": " + jus.String() + " JUS"
	if !n.IsOne() {
		text += " × " + Local(n)
	}
	r.step(text+" × "+Local(v.Amount)+" = "+Local(exact), out, "ARS", s.Place())
	return out, nil
}

// holds says whether the quantity is known to hold on a day.
func (s Service) holds(d digesto.Date) bool { return s.Since == "" || d >= s.Since }

func (s Service) unknownBefore() string {
	return "La cantidad de JUS de «" + s.Name + "» rige desde el " + LongDate(s.Since) + "; la anterior no se conoce."
}

// unknownBefore says it once for all services whose quantity began on one day.
func unknownBefore(list []Service) []string {
	count := map[digesto.Date]int{}
	for _, s := range list {
		count[s.Since]++
	}
	var out []string
	for _, s := range list {
		switch n := count[s.Since]; {
		case n == 1:
			out = append(out, s.unknownBefore())
		case n > 1:
			out = append(out, "Las cantidades de JUS de estos servicios rigen desde el "+LongDate(s.Since)+"; las anteriores no se conocen.")
		}
		count[s.Since] = 0
	}
	return out
}

// scale says whether the percentage is of the scale of article 36, whose unit has no values.
func (s Service) scale() bool { return strings.HasPrefix(s.Pct, "scale:") }
