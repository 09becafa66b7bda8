package jus

import (
	"cmp"
	"net/http"
	"net/url"

	"digesto"
	"digesto/app"
	"digesto/pack"
	"digesto/packs/jus"
	"digesto/server"
	"digesto/server/openapi"
	"digesto/server/wire"
)

// Routes puts the calculators of packs/jus on HTTP: the same functions as
// the command line, the same JSON.
func Routes(a *app.App, w *app.Workspace) []server.Route {
	calc := calcOf(w)
	if calc == nil {
		return nil
	}
	j := jusAPI{calc, a.Today}
	page := newJusPage(calc, a.Today)
	page.law = app.FeeLaw(a, w, a.Today)
	return []server.Route{
		{Pattern: "GET /jus", Handle: page.serve, Fits: fits(w, a.Today), Menu: "Honorarios (JUS)"},
		{Pattern: "GET /v1/jus/value", Handle: j.value, Doc: &openapi.Doc{Summary: "Valor del JUS en un día, un mes o un año", Example: map[string]any{"date": "2025-06-30"}, Query: whenBody{}, Reply: jus.Result{}}},
		{Pattern: "GET /v1/jus/compare", Handle: j.compare, Doc: &openapi.Doc{Summary: "Cuánto cambió un servicio entre dos días", Example: map[string]any{"code": "jus", "from": "2024-01-01", "to": "2025-01-01"}, Query: compareQuery{}, Reply: comparisonForm{}}},
		{Pattern: "POST /v1/jus/convert", Handle: j.convert, Doc: &openapi.Doc{Summary: "JUS en pesos, o pesos en JUS", Example: map[string]any{"jus": "12", "date": "2025-06-30"}, Body: convertBody{}, Reply: jus.Result{}}},
		{Pattern: "POST /v1/jus/quote", Handle: j.quote, Doc: &openapi.Doc{Summary: "Presupuesto de servicios", Example: map[string]any{"items": []string{"consulta_verbal=2"}}, Body: quoteBody{}, Reply: jus.Result{}}},
	}
}

// fits gives the form for a question that asks for a calculation, filled in with what it says.
func fits(w *app.Workspace, today func() digesto.Date) func(digesto.Question, digesto.Answer) (string, string) {
	return func(q digesto.Question, a digesto.Answer) (address, name string) {
		tool, owner := toolOf(w)
		if a.Meta.Pack != owner {
			return "", ""
		}
		call, ok := tool.Detect(pack.ToolQuestion{Text: q.Text, Today: today()})
		when := cmp.Or(call.Args["date"], call.Args["year"])
		v := url.Values{"op": {call.Function}}
		switch {
		case !ok:
			return "", ""
		case call.Function == "valor":
			v.Set("when", when)
		case call.Function == "convertir":
			v.Set("when", when)
			v.Set("amount", cmp.Or(call.Args["jus"], call.Args["pesos"]))
			v.Set("unit", app.Or(call.Args["pesos"] != "", "pesos", "jus"))
		case call.Function == "presupuesto" && len(q.Text) <= 300:
			v.Set("q", q.Text)
		case call.Function == "comparar":
			v.Set("from", call.Args["from"])
			v.Set("to", call.Args["to"])
			if len(call.Items) > 0 {
				v.Set("code", call.Items[0])
			}
		default:
			return "", ""
		}
		return "/jus?" + v.Encode(), "Cambiar los datos y calcular otra vez"
	}
}

// calcOf finds the calculator that a pack carries.
func calcOf(w *app.Workspace) *jus.Calc {
	if t, _ := toolOf(w); t != nil {
		return t.Calc()
	}
	return nil
}

// toolOf finds the calculator and the name of its pack.
func toolOf(w *app.Workspace) (*jus.Tool, string) {
	for _, p := range w.Packs {
		for _, t := range p.Tools {
			if t, ok := t.(*jus.Tool); ok {
				return t, p.Name
			}
		}
	}
	return nil, ""
}

type jusAPI struct {
	calc  *jus.Calc
	today func() digesto.Date
}

func (j jusAPI) value(r *http.Request) (any, error) {
	return j.valueOf(whenBody{r.FormValue("date"), r.FormValue("year"), r.FormValue("month")})
}

func (j jusAPI) valueOf(b whenBody) (any, error) {
	when, err := jus.When(b.Date, b.Year, b.Month, j.today())
	if err != nil {
		return nil, err
	}
	return j.calc.Value(when, j.today()), nil
}

// comparisonForm is what [jus.Comparison] looks like when it is written: a type
// whose embedded fields are flat, for the schema.
type (
	flatResult     jus.Result
	comparisonForm struct {
		flatResult
		Difference *string    `json:"difference"`
		Percent    *string    `json:"percent"`
		Jus        *jus.Trend `json:"jus,omitempty"`
	}
)

// compareQuery are the parameters of a comparison.
type compareQuery struct {
	Code string       `json:"code" jsonschema:"Código de un servicio, o jus."`
	From digesto.Date `json:"from" jsonschema:"Primer día, AAAA-MM-DD."`
	To   digesto.Date `json:"to,omitempty" jsonschema:"Último día; sin él, hoy."`
	With []string     `json:"con,omitempty" jsonschema:"Datos del caso, nombre=valor."`
}

func (j jusAPI) compare(r *http.Request) (any, error) {
	return j.compareOf(r.FormValue("code"), r.FormValue("from"), r.FormValue("to"), r.Form["con"])
}

func (j jusAPI) compareOf(code, first, last string, with []string) (any, error) {
	from, err := app.ParseDate("from", first)
	if err != nil {
		return nil, err
	}
	to, err := app.ParseDate("to", last)
	if err != nil {
		return nil, err
	}
	if from == "" {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta el primer día", Hint: "Diga «from» como AAAA-MM-DD."}
	}
	if to == "" {
		to = j.today()
	}
	facts, err := jus.ParseFacts(with)
	if err != nil {
		return nil, err
	}
	return j.calc.Compare(code, facts, from, to, j.today())
}

// whenBody are the fields that say when, in a body.
type whenBody struct {
	Date  string `json:"date,omitempty"`
	Year  string `json:"year,omitempty"`
	Month string `json:"month,omitempty"`
}

// convertBody are the fields of a conversion.
type convertBody struct {
	whenBody
	Jus   string `json:"jus,omitempty"`
	Pesos string `json:"pesos,omitempty"`
}

func (j jusAPI) convert(r *http.Request) (any, error) {
	var b convertBody
	if err := wire.Decode(r, &b); err != nil {
		return nil, err
	}
	return j.convertOf(b)
}

func (j jusAPI) convertOf(b convertBody) (any, error) {
	if (b.Jus == "") == (b.Pesos == "") {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "hay que dar exactamente una cantidad", Hint: "use «jus» o «pesos», uno de los dos"}
	}
	when, err := jus.When(b.Date, b.Year, b.Month, j.today())
	if err != nil {
		return nil, err
	}
	return j.calc.Convert(jus.Conversion{Jus: b.Jus, Pesos: b.Pesos, When: when}, j.today())
}

// quoteBody are the fields of a budget.
type quoteBody struct {
	whenBody
	Items []string          `json:"items" jsonschema:"Códigos de servicios, cada uno con =CANTIDAD si no es 1."`
	With  map[string]string `json:"con,omitempty"`
}

func (j jusAPI) quote(r *http.Request) (any, error) {
	var b quoteBody
	if err := wire.Decode(r, &b); err != nil {
		return nil, err
	}
	return j.quoteOf(b)
}

func (j jusAPI) quoteOf(b quoteBody) (any, error) {
	when, err := jus.When(b.Date, b.Year, b.Month, j.today())
	if err != nil {
		return nil, err
	}
	facts, err := jus.ParseFacts(pairs(b.With))
	if err != nil {
		return nil, err
	}
	var items []jus.Item
	for _, s := range b.Items {
		it, err := jus.ParseItem(s)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return j.calc.QuoteOver(items, facts, when, j.today())
}

// pairs writes facts as the command line takes them.
func pairs(with map[string]string) []string {
	var out []string
	for k, v := range with {
		out = append(out, k+"="+v)
	}
	return out
}
