package jus

import "strings"

// quoteText writes the direct answer of a budget.
func (r *Result) quoteText() {
	switch {
	case r.Result != nil:
		r.say("El presupuesto es de " + Pesos(mustParse(*r.Result)) + r.perText() + ".")
	case r.Kind == "range":
		r.say("El presupuesto va de " + Pesos(mustParse(*r.Low)) + " a " + Pesos(mustParse(*r.High)) + r.perText() + "; la ley no fija una cifra dentro de ese rango.")
	case r.Kind == "minimum":
		r.say("El presupuesto es de " + Pesos(mustParse(*r.Low)) + r.perText() + " como mínimo; la ley no fija un máximo.")
	case r.Kind == "maximum":
		r.say("El importe es de " + Pesos(mustParse(*r.High)) + r.perText() + " como máximo.")
	case len(r.Cases) > 0:
		r.say(r.casesLead())
	case len(r.Items)+len(r.NotCalculable) > 1:
		r.say("El presupuesto no se puede calcular entero.")
	}
	if len(r.Cases) > 0 {
		r.say(lines(r.Cases, false)...)
	}
	if len(r.Items) > 1 || len(r.NotCalculable) > 0 && len(r.Items) > 0 {
		if len(r.NotCalculable) > 0 {
			r.say("Se puede calcular:")
		}
		r.say(lines(r.Items, true)...)
	} else if len(r.Items) == 1 {
		r.say(lines(r.Items, true)...)
	}
	for _, m := range r.NotCalculable {
		if len(m.Needs) == 1 && m.Needs[0] == "base" {
			r.say("«" + m.Name + "» no tiene una cantidad fija. " + m.Reason)
		} else if !m.cases {
			r.say("No se puede calcular «" + m.Name + "»: " + strings.TrimSuffix(m.Reason, ".") + ".")
		}
		if m.Question != "" {
			r.say(m.Question)
		}
	}
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
		s := "- " + l.Name
		if l.Quantity != "1" {
			s += " × " + local(mustParse(l.Quantity))
		}
		s += ": " + l.amount()
		if l.Per != nil {
			s += " por cada " + *l.Per
		}
		s += " (" + l.Article + ")."
		if conditions && l.Condition != "" {
			s += " " + l.Condition
		}
		out[i] = s
	}
	return out
}

func (l Line) amount() string {
	jus := ""
	if l.JusLow != nil {
		jus = Jus(mustParse(*l.JusLow))
		if l.JusHigh != nil && *l.JusHigh != *l.JusLow {
			jus = local(mustParse(*l.JusLow)) + " a " + Jus(mustParse(*l.JusHigh))
		}
	}
	switch {
	case l.Low == nil && l.High == nil:
		return "sin importe conocido"
	case l.Kind == "minimum":
		return join(prefix("como mínimo ", jus), Pesos(mustParse(*l.Low))+onlyIf(jus == "", " como mínimo"))
	case l.Low == nil:
		return "hasta " + Pesos(mustParse(*l.High))
	case *l.Low == *l.High:
		return join(jus, Pesos(mustParse(*l.Low)))
	}
	return join(jus, Pesos(mustParse(*l.Low))+" a "+Pesos(mustParse(*l.High)))
}

func prefix(p, s string) string {
	if s == "" {
		return ""
	}
	return p + s
}

func onlyIf(b bool, s string) string {
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
