package main

import (
	"net/http"

	"digesto"
	"digesto/packs/jus"
	"digesto/server"
)

// jusRoutes puts the calculators of packs/jus on HTTP: the same functions as
// the command line, the same JSON.
func jusRoutes(a *app, w *world) []server.Route {
	calc := calcOf(w)
	if calc == nil {
		return nil
	}
	j := jusAPI{calc, a.today}
	return []server.Route{
		{Pattern: "GET /v1/jus/value", Handle: j.value},
		{Pattern: "GET /v1/jus/compare", Handle: j.compare},
		{Pattern: "POST /v1/jus/convert", Handle: j.convert},
		{Pattern: "POST /v1/jus/quote", Handle: j.quote},
	}
}

// calcOf finds the calculator that a pack carries.
func calcOf(w *world) *jus.Calc {
	for _, p := range w.packs {
		for _, t := range p.Tools {
			if t, ok := t.(*jus.Tool); ok {
				return t.Calc()
			}
		}
	}
	return nil
}

type jusAPI struct {
	calc  *jus.Calc
	today func() digesto.Date
}

func (j jusAPI) value(r *http.Request) (any, error) {
	when, err := jus.When(r.FormValue("date"), r.FormValue("year"), r.FormValue("month"), j.today())
	if err != nil {
		return nil, err
	}
	return j.calc.Value(when, j.today()), nil
}

func (j jusAPI) compare(r *http.Request) (any, error) {
	from, err := parseDate("from", r.FormValue("from"))
	if err != nil {
		return nil, err
	}
	to, err := parseDate("to", r.FormValue("to"))
	if err != nil {
		return nil, err
	}
	if from == "" {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta el primer día", Hint: "Diga «from» como AAAA-MM-DD."}
	}
	if to == "" {
		to = j.today()
	}
	facts, err := jus.ParseFacts(r.Form["con"])
	if err != nil {
		return nil, err
	}
	return j.calc.Compare(r.FormValue("code"), facts, from, to, j.today())
}

// whenBody are the fields that say when, in a body.
type whenBody struct {
	Date  string `json:"date"`
	Year  string `json:"year"`
	Month string `json:"month"`
}

func (j jusAPI) convert(r *http.Request) (any, error) {
	var b struct {
		whenBody
		Jus   string `json:"jus"`
		Pesos string `json:"pesos"`
	}
	if err := server.Decode(r, &b); err != nil {
		return nil, err
	}
	when, err := jus.When(b.Date, b.Year, b.Month, j.today())
	if err != nil {
		return nil, err
	}
	return j.calc.Convert(jus.Conversion{Jus: b.Jus, Pesos: b.Pesos, When: when}, j.today())
}

func (j jusAPI) quote(r *http.Request) (any, error) {
	var b struct {
		whenBody
		Items []string          `json:"items"`
		With  map[string]string `json:"con"`
	}
	if err := server.Decode(r, &b); err != nil {
		return nil, err
	}
	when, err := jus.When(b.Date, b.Year, b.Month, j.today())
	if err != nil {
		return nil, err
	}
	var pairs []string
	for k, v := range b.With {
		pairs = append(pairs, k+"="+v)
	}
	facts, err := jus.ParseFacts(pairs)
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
