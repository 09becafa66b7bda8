package fees

import (
	"strings"

	"github.com/govalues/decimal"
)

// quoteText writes the direct answer of a budget: the figure first, then what it is
// made of, then what lacks.
func (r *Result) quoteText() {
	single := len(r.Items) == 1 && len(r.NotCalculable) == 0
	switch {
	case single:
		r.say(r.Items[0].single())
	case r.Kind != "":
		r.say(r.totalText())
	case len(r.Cases) > 0:
		r.say(r.casesLead())
	case len(r.Items)+len(r.NotCalculable) > 1:
		r.say("El presupuesto no se puede calcular entero." + r.mostText())
	}
	if len(r.Cases) > 0 {
		r.say(lines(r.Cases, false)...)
	}
	if len(r.Items) > 0 && !single {
		if len(r.NotCalculable) > 0 {
			r.say("Se puede calcular:")
		}
		r.say(lines(r.Items, true)...)
	}
	for _, l := range r.Items {
		if r.Kind != "" && r.Per == nil && l.Per != nil {
			r.say("El total no multiplica lo que en «" + l.Name + "» se paga por cada " + *l.Per + ".")
		}
	}
	for _, b := range r.bases {
		r.say(b)
	}
	if r.onePatronage {
		r.say("Varios letrados por la misma parte cuentan como un solo patrocinio: es un importe para todos, que se reparte por lo que hizo cada uno.")
	}
	for _, m := range r.NotCalculable {
		switch {
		case m.Code == "":
			r.say("No se entendió «" + m.Name + "»: " + m.Reason + ", y el presupuesto queda sin total.")
		case m.rule && m.Question != "":
			r.say("«" + m.Name + "» no tiene una cantidad fija: " + strings.TrimSuffix(lowerFirst(m.Reason), ".") + "." + OnlyIf(m.changed != "", " "+m.changed))
		case m.lines != nil:
			r.say(upperFirst(m.Reason) + ": " + lowerFirst(m.Name) + "." + OnlyIf(m.changed != "", " "+m.changed))
			r.say(OnlyIf(m.capped, "El tope") + OnlyIf(!m.capped, "El mínimo") + " depende de cuántas Unidades Económicas (UE) sea la base, y el valor de la UE no está cargado:")
			r.say(m.lines...)
		case m.rule:
			r.say("«" + m.Name + "»: " + strings.TrimSuffix(m.Reason, ".") + ".")
		case !m.cases:
			r.say("No se puede calcular «" + m.Name + "»: " + strings.TrimSuffix(m.Reason, ".") + ".")
		}
		if m.Question != "" {
			r.say(m.Question)
		}
	}
}

// mostText is the most of several services whose least is not known; "" where one is open.
func (r *Result) mostText() string {
	sum := decimal.Zero
	add := func(d decimal.Decimal) bool {
		s, err := sum.Add(d)
		sum = s
		return err == nil && d.IsPos()
	}
	for _, l := range r.Items {
		if l.Kind == "minimum" || l.Per != nil || !add(larger(l.low, l.high)) {
			return ""
		}
	}
	for _, m := range r.NotCalculable {
		if !add(m.most) {
			return ""
		}
	}
	return " Entre todo, como máximo " + Pesos(sum) + "."
}

// totalText is the sum of several services.
func (r *Result) totalText() string {
	jus := ""
	if r.JusLow != nil {
		jus = Jus(mustParse(*r.JusLow))
		if r.JusHigh != nil && *r.JusHigh != *r.JusLow {
			jus = "de " + Local(mustParse(*r.JusLow)) + " a " + Jus(mustParse(*r.JusHigh))
		}
	}
	switch r.Kind {
	case "fixed":
		return "Total: " + join(jus, Pesos(mustParse(*r.Result))) + r.perText() + "."
	case "range":
		return "Total: " + join(jus, "de "+Pesos(mustParse(*r.Low))+" a "+Pesos(mustParse(*r.High))) + r.perText() + "; la ley no fija una cifra dentro de ese rango."
	case "maximum":
		return "Total: " + Pesos(mustParse(*r.High)) + r.perText() + " como máximo."
	}
	open := true
	for _, l := range r.Items {
		open = open && (l.Kind != "minimum" || !l.limited)
	}
	return "Total: como mínimo " + join(jus, Pesos(mustParse(*r.Low))) + r.perText() + OnlyIf(open, "; la ley no fija un máximo") + "."
}

func (r *Result) casesLead() string {
	var names []string
	for _, m := range r.NotCalculable {
		if m.cases {
			names = append(names, "«"+m.Name+"»")
		}
	}
	return "El importe de " + strings.Join(names, " y ") + " depende del caso:"
}

func (r *Result) perText() string {
	if r.Per == nil || *r.Per == "" {
		return ""
	}
	return " por cada " + *r.Per
}

// lines writes each item, its condition too unless its name already says it: "- Divorcio…: 50 JUS, $ 1.885.711,00 (Ley 9459, artículo 70…). Condición."
func lines(list []Line, conditions bool) []string {
	out := make([]string, len(list))
	for i, l := range list {
		s := "- " + l.title() + ": " + l.whole() + " (" + l.Article + ")."
		if conditions && l.Condition != "" {
			s += " " + l.Condition
		}
		out[i] = s
	}
	return out
}

// single writes the only item of a budget, its figure first.
func (l Line) single() string {
	s := upperFirst(l.whole()) + ": " + lowerFirst(l.title()) + " (" + l.Article + ")."
	if l.Condition != "" {
		s += " " + l.Condition
	}
	switch l.Kind {
	case "minimum":
		s += OnlyIf(!l.limited, " La ley no fija un máximo.")
	case "range":
		s += " La ley no fija una cifra dentro de ese rango."
	}
	return s
}

// title is the name with its quantity: "Mediación previa sin acuerdo × 3 (reunión)".
func (l Line) title() string {
	if l.Quantity == "1" {
		return l.Name
	}
	s := l.Name + " × " + Local(mustParse(l.Quantity))
	if l.counted != "" {
		s += " (por cada " + l.counted + ")"
	}
	return s
}

// whole is the amount with whom it is for.
func (l Line) whole() string {
	s := l.amount()
	if l.Per != nil {
		s += " por cada " + *l.Per
	}
	if l.each != "" {
		s += " (cada una: " + l.each + ")"
	}
	if l.both != "" {
		s += " (los dos juntos: " + l.both + ")"
	}
	return s
}

func (l Line) amount() string {
	jus := ""
	if l.JusLow != nil {
		jus = Jus(mustParse(*l.JusLow))
		if l.JusHigh != nil && *l.JusHigh != *l.JusLow {
			jus = Local(mustParse(*l.JusLow)) + " a " + Jus(mustParse(*l.JusHigh))
		}
	}
	share := OnlyIf(l.share != "", " ("+l.share+")")
	switch {
	case l.Low == nil && l.High == nil:
		return "sin importe conocido"
	case l.Kind == "minimum":
		return "como mínimo " + join(jus, Pesos(mustParse(*l.Low))) + share
	case l.Low == nil:
		return "hasta " + join(jus, Pesos(mustParse(*l.High))) + share
	case *l.Low == *l.High:
		return join(jus, Pesos(mustParse(*l.Low))) + share
	}
	return join(jus, Pesos(mustParse(*l.Low))+" a "+Pesos(mustParse(*l.High))) + share
}

// sumJus adds up the JUS of the lines; nil when one of them is not counted in JUS.
func sumJus(list []Line, of func(Line) *string) *string {
	sum := decimal.Zero
	for _, l := range list {
		d := of(l)
		if d == nil {
			return nil
		}
		var err error
		if sum, err = sum.Add(mustParse(*d)); err != nil {
			return nil
		}
	}
	return str(sum.Trim(0))
}

func OnlyIf(b bool, s string) string {
	if b {
		return s
	}
	return ""
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}

func lowerFirst(s string) string { return turnFirst(s, strings.ToLower) }

func upperFirst(s string) string { return turnFirst(s, strings.ToUpper) }

// turnFirst changes the case of the first letter of a sentence, unless it begins an
// acronym or a name.
func turnFirst(s string, f func(string) string) string {
	for i, r := range s {
		if i == 0 {
			continue
		}
		if rest := s[i:]; strings.ToUpper(string(r)) == string(r) && r != ' ' {
			return s
		} else {
			return f(s[:i]) + rest
		}
	}
	return s
}
