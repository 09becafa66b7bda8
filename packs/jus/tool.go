package jus

import (
	"context"
	"slices"
	"strings"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Tool is the calculator as the engine, the assistant and MCP see it.
type Tool struct {
	calc func() *Calc
}

// Name is "jus".
func (t *Tool) Name() string { return "jus" }

// Calc gives the tables behind the tool.
func (t *Tool) Calc() *Calc { return t.calc() }

// Calculate does one of the four functions: valor, convertir, presupuesto, comparar.
func (t *Tool) Calculate(_ context.Context, call pack.ToolCall) (pack.ToolResult, error) {
	a := call.Args
	if r, ok := t.ask(call); ok {
		return r, nil
	}
	switch call.Function {
	case "valor", "convertir", "presupuesto":
		when, err := When(a["date"], a["year"], a["month"], call.Today)
		if err != nil {
			return pack.ToolResult{}, err
		}
		if a["from"] != "" && a["to"] != "" && fees.ValidDate(digesto.Date(a["from"])) && fees.ValidDate(digesto.Date(a["to"])) {
			when = Period{From: digesto.Date(a["from"]), To: digesto.Date(a["to"])}
		}
		return t.over(call, when)
	case "comparar":
		return t.compare(call)
	case "bajas":
		r := t.calc().Falls(call.Today)
		return toolResult(&r, r), nil
	case "porcentaje":
		return t.percentage(call)
	case "ajeno":
		return pack.ToolResult{Outcome: digesto.OutcomeRefusal, Text: a["respuesta"], Steps: []digesto.Step{}}, nil
	}
	return pack.ToolResult{}, &digesto.Error{Code: digesto.CodeUsage, Message: "La función «" + call.Function + "» no existe.", Hint: "Las funciones son valor, convertir, presupuesto y comparar."}
}

// ask asks for the datum that a call read from a question lacks.
func (t *Tool) ask(call pack.ToolCall) (pack.ToolResult, bool) {
	say := func(text, missing string, options ...string) (pack.ToolResult, bool) {
		return pack.ToolResult{Outcome: digesto.OutcomeClarification, Text: text, Missing: []string{missing}, Options: options, Steps: []digesto.Step{}}, true
	}
	switch d := call.Args["date"]; {
	case call.Question == "":
		return pack.ToolResult{}, false // a command or a program: its errors say it
	case d != "" && !fees.ValidDate(digesto.Date(d)):
		return say("«"+d+"» no es una fecha del calendario. ¿Qué día quiere consultar?", "fecha")
	case call.Function == "convertir" && call.Args["jus"] == "" && call.Args["pesos"] == "":
		return say("¿Qué cantidad quiere convertir? Diga el importe en pesos o el número de JUS.", "cantidad", "30 JUS en pesos", "$ 1.000.000 en JUS")
	case call.Function == "convertir" && strings.HasPrefix(call.Args["jus"]+call.Args["pesos"], "-"):
		return say("«"+call.Args["jus"]+call.Args["pesos"]+"» no es una cantidad mayor que cero. ¿Qué cantidad quiere convertir?", "cantidad", "30 JUS en pesos", "$ 1.000.000 en JUS")
	case call.Function == "presupuesto" && len(call.Items) == 0:
		return say("¿Por qué servicio? En la tabla de la "+LawName+" hay, por ejemplo, divorcio, consulta, contrato, alimentos o amparo.", "servicio",
			"Divorcio bilateral", "Consulta por escrito", "Juicio de alimentos", "Redacción de un contrato")
	case call.Function == "comparar" && call.Args["from"] == "":
		return say("¿Desde qué fecha quiere comparar?", "fecha inicial")
	case call.Function == "comparar" && call.Args["from"] > string(lastDay(call)):
		return say("La primera fecha ("+LongDate(digesto.Date(call.Args["from"]))+") es posterior a la última ("+LongDate(lastDay(call))+"). ¿Qué dos fechas quiere comparar?", "fechas")
	}
	return pack.ToolResult{}, false
}

func (t *Tool) over(call pack.ToolCall, when Period) (pack.ToolResult, error) {
	var r Result
	var err error
	switch call.Function {
	case "valor":
		r = t.calc().Value(when, call.Today)
	case "convertir":
		r, err = t.calc().Convert(Conversion{Jus: call.Args["jus"], Pesos: call.Args["pesos"], When: when}, call.Today)
	default:
		items, facts, ferr := itemsOf(call)
		if ferr != nil {
			return pack.ToolResult{}, ferr
		}
		r, err = t.calc().QuoteOver(items, facts, when, call.Today)
		if s := call.Args["sin_usar"]; s != "" {
			r.Warn("De lo preguntado no se usó para la cuenta: " + s + ".")
		}
		if err == nil && call.Question != "" {
			err = t.calc().Circumstances(&r, items, facts, when, call.Today)
		}
		if n := call.Args["varios"]; n != "" && err == nil && len(items) == 1 {
			err = t.calc().SeveralOf(&r, items[0].Code, n, facts, when, call.Today)
		}
		if code := call.Args["otro"]; code != "" && err == nil {
			err = t.calc().Offer(&r, items, code, facts, when, call.Today)
		}
		if call.Args["dudoso"] != "" {
			r.Warn("Se ha entendido por una sola palabra: si preguntaba por otro servicio, dígalo con su nombre.")
		}
	}
	if err != nil {
		return pack.ToolResult{}, err
	}
	if s := call.Args["sin_leer"]; s != "" {
		r.Warn("De lo preguntado no se tuvo en cuenta " + s + ".")
	}
	out := toolResult(&r, r)
	open := len(r.Cases) > 0 && len(r.Items) > 0 // a sum was asked for, and there is none
	out.Doubtful = open || t.termless(call) || call.Args["sin_usar"] != "" || call.Args["sin_leer"] != "" || call.Args["dudoso"] != "" || call.Args["otro"] != "" || slices.ContainsFunc(call.Items, func(s string) bool { return strings.HasPrefix(s, fees.UnreadMark) })
	return out, nil
}

// termless says that the months of what is paid each month are not said, where they count
// up to a number. Said to have no end, they are that number.
func (t *Tool) termless(call pack.ToolCall) bool {
	return call.Args["mensual"] != "" && call.Args["meses"] == "" && !endless.MatchString(text.Fold(call.Question)) && slices.ContainsFunc(call.Items, func(code string) bool {
		list, _ := t.calc().CaseServices(code, Facts{"base_economica": "si"})
		return slices.ContainsFunc(list, func(s Service) bool { return strings.HasPrefix(s.Months, "plazo<") })
	})
}

// endless tell of what is paid with no end.
var endless = lazyregexp.New(`\bsin (un |fijar |ningun )?(plazo|termino|vencimiento)|indeterminad|indefinid|vitalici|de por vida|para siempre`)

// percentage takes a percentage of a sum, in pesos and in JUS.
func (t *Tool) percentage(call pack.ToolCall) (pack.ToolResult, error) {
	when, err := When(call.Args["date"], call.Args["year"], call.Args["month"], call.Today)
	if err != nil {
		return pack.ToolResult{}, err
	}
	r, err := t.calc().Percentage(call.Args["porcentaje"], Facts{"base": call.Args["base"], "base_jus": call.Args["base_jus"]}, when.To, call.Today)
	if err != nil {
		return pack.ToolResult{}, err
	}
	out := toolResult(&r, r)
	out.Doubtful = call.Args["sin_leer"] != ""
	return out, nil
}

func (t *Tool) compare(call pack.ToolCall) (pack.ToolResult, error) {
	items, facts, err := itemsOf(call)
	if err != nil {
		return pack.ToolResult{}, err
	}
	code := JusCode
	if len(items) > 0 {
		code = items[0].Code
	}
	from, to := digesto.Date(call.Args["from"]), lastDay(call)
	if !fees.ValidDate(from) || !fees.ValidDate(to) {
		return pack.ToolResult{}, fees.Invalid("Escriba las fechas como AAAA-MM-DD.", "«%s» y «%s» no son dos fechas", from, to)
	}
	c, err := t.calc().Compare(code, facts, from, to, call.Today)
	if err != nil {
		return pack.ToolResult{}, err
	}
	return toolResult(&c.Result, c), nil
}

// lastDay is the second date of a comparison: the day of the question where none is said.
func lastDay(call pack.ToolCall) digesto.Date {
	if to := call.Args["to"]; to != "" {
		return digesto.Date(to)
	}
	return call.Today
}

func itemsOf(call pack.ToolCall) ([]Item, Facts, error) {
	var items []Item
	for _, s := range call.Items {
		it, err := ParseItem(s)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, it)
	}
	facts := Facts{}
	for k := range FactKeys {
		if v := call.Args[k]; v != "" {
			facts[k] = v
		}
	}
	return items, facts, nil
}

// quotable is how many sources an answer quotes.
const quotable = 5

// valuesSoon puts the values of the unit among the sources that are quoted: a long list
// of services must not push out the datum behind every figure of it.
func valuesSoon(list []Source) []Source {
	if len(list) <= quotable {
		return list
	}
	var values, rules []Source
	for _, s := range list {
		if s.Norm == ValuesNorm {
			values = append(values, s)
		} else {
			rules = append(rules, s)
		}
	}
	n := min(len(rules), quotable-min(len(values), 2))
	return append(append(append([]Source{}, rules[:n]...), values...), rules[n:]...)
}

// toolResult gives the result in the engine's form; data is what `--json` prints.
func toolResult(r *Result, data any) pack.ToolResult {
	out := pack.ToolResult{Outcome: digesto.OutcomeAnswer, Text: r.Body(), Steps: r.Steps, Warnings: r.Warnings, Data: data}
	if !r.Calculated() {
		out.Outcome = digesto.OutcomeRefusal
	}
	for _, s := range valuesSoon(r.Sources) {
		src := pack.ToolSource{Norm: s.Norm, Unit: s.Unit, Quote: s.Text}
		switch {
		case s.Norm == Law:
			src.Quote, src.About = "", s.Words
		case s.Law != "":
			src.Rather = &pack.ToolSource{Norm: Law, Unit: s.Law, About: s.Words}
		}
		out.Sources = append(out.Sources, src)
	}
	for _, m := range r.NotCalculable {
		out.Missing = append(out.Missing, m.Name+": "+m.Reason)
		if m.Question != "" {
			out.Options = append(out.Options, m.Question)
		}
	}
	return out
}
