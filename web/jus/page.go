// Package jus is the page, the HTTP API and the tools of the calculators of fees.
package jus

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/packs/jus"
	"digesto/server"
	"digesto/text/figure"
	"digesto/text/lazyregexp"

	"github.com/govalues/decimal"
)

//go:embed jus_page.html
var jusPageHTML string

// maxRows bounds the services of one form.
const maxRows = 20

// jusPage is the page of the calculators: four forms that work without scripts.
type jusPage struct {
	calc  *jus.Calc
	today func() digesto.Date
	tpl   *template.Template
	law   app.LawQuote // nil = no law is quoted
}

func newJusPage(calc *jus.Calc, today func() digesto.Date) jusPage {
	funcs := template.FuncMap{"long": jus.LongDate, "pesos": jus.Pesos, "nb": app.Unbroken}
	return jusPage{calc, today, template.Must(template.New("jus").Funcs(funcs).Parse(jusPageHTML)), nil}
}

// jusForm is what the page shows: the form as it was filled in, and the result.
type jusForm struct {
	Op, Said                                    string // Said: the services in plain words
	Unread                                      []jus.Item
	When, Amount, Unit, Code, Start, End, Today string
	Rows                                        []jusRow
	Facts                                       []jusFact
	Services                                    []jus.Service
	Groups                                      []jus.Group
	First, Last                                 digesto.Date
	Errors                                      map[string]string // by field
	Result                                      *jusResult
	Chart                                       *jusChart // nil = no series is asked for
}

type jusRow struct {
	N         int
	Code, Qty string
}

// jusFact is a datum that decides a case of what was chosen.
type jusFact struct {
	Key, Label, Value string
	Options           []string // empty: a number
}

// fieldError is an error of one field of the form.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string { return e.field + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

func at(field string, err error) error {
	if err == nil {
		return nil
	}
	return &fieldError{field, err}
}

func wrong(field, message, hint string) error {
	return at(field, &digesto.Error{Code: digesto.CodeInvalid, Message: message, Hint: hint})
}

// serve answers a request: the form, and below it the result or what to correct.
func (p jusPage) serve(r *http.Request) (any, error) {
	_ = r.ParseForm() // what does not decode is left out; the rest is answered
	f := p.form(r.Form)
	status := http.StatusOK
	var when []digesto.Date
	if err := p.calculate(&f, r.Form, &when); err != nil {
		var fe *fieldError
		var de *digesto.Error
		if !errors.As(err, &fe) || !errors.As(err, &de) || de.Code == digesto.CodeInternal {
			return nil, err
		}
		f.Errors[fe.field] = app.Closed(de.Message) + " " + app.Closed(de.Hint)
		status = digesto.Codes[de.Code].Status
	}
	if f.Op == "valor" || f.Op == "comparar" { // a budget asks for no series
		chart := chartOf(p.calc, p.today(), when)
		f.Chart = &chart
	}
	var b bytes.Buffer
	if err := p.tpl.Execute(&b, f); err != nil {
		return nil, err
	}
	return server.Page{Title: "Honorarios en JUS", Status: status, Body: template.HTML(b.String())}, nil
}

// form reads the fields as they came.
func (p jusPage) form(q url.Values) jusForm {
	values := p.calc.Values()
	f := jusForm{Op: q.Get("op"), When: written(digesto.Date(clip(q.Get("when")))), Amount: clip(q.Get("amount")), Unit: q.Get("unit"), Code: clip(q.Get("code")),
		Start: clip(q.Get("from")), End: clip(q.Get("to")), Today: string(p.today()), Services: p.calc.Services(), Groups: p.calc.Groups(),
		First: values[0].Date, Last: values[len(values)-1].Date, Errors: map[string]string{}}
	if !slices.Contains([]string{"convertir", "presupuesto", "comparar"}, f.Op) {
		f.Op = "valor"
	}
	if f.Unit != "pesos" {
		f.Unit = "jus"
	}
	f.Said = clipTo(q.Get("q"), 300)
	if f.Op == "presupuesto" && f.Said != "" {
		q = p.filledIn(&f, q)
	}
	f.Rows = rowsOf(q["item"], q["qty"], q.Has("add"))
	f.Facts = p.factsOf(f, q)
	return f
}

// filledIn gives the form that plain words fill in; what they do not say stays as it came.
func (p jusPage) filledIn(f *jusForm, q url.Values) url.Values {
	asked, err := p.calc.Read(f.Said, p.today())
	if err != nil {
		return q
	}
	out := url.Values{}
	for k, v := range q {
		out[k] = v
	}
	out.Del("item")
	out.Del("qty")
	for _, it := range asked.Items {
		if it.Unread() {
			f.Unread = append(f.Unread, it)
			continue
		}
		out.Add("item", it.Code)
		out.Add("qty", it.Quantity.String())
	}
	for k, v := range asked.Facts {
		out.Set(k, v)
	}
	if f.When == "" && asked.When != jus.Day(p.today()) {
		f.When = written(asked.When.To)
	}
	return out
}

// clip bounds what is shown again.
func clip(s string) string { return clipTo(s, 80) }

func clipTo(s string, n int) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// rowsOf keeps the rows with a service and leaves one to fill in.
func rowsOf(items, qty []string, add bool) []jusRow {
	var out []jusRow
	for i, code := range items {
		if code = clip(code); code == "" || len(out) == maxRows {
			continue
		}
		row := jusRow{N: len(out) + 1, Code: code, Qty: "1"}
		if i < len(qty) {
			row.Qty = clip(qty[i])
		}
		out = append(out, row)
	}
	if (len(out) == 0 || add) && len(out) < maxRows {
		out = append(out, jusRow{N: len(out) + 1, Qty: "1"})
	}
	return out
}

// factsOf gives the fields of the data that decide the services chosen.
func (p jusPage) factsOf(f jusForm, q url.Values) []jusFact {
	codes := []string{f.Code}
	if f.Op == "presupuesto" {
		codes = nil
		for _, r := range f.Rows {
			codes = append(codes, r.Code)
		}
	}
	options := map[string][]string{}
	var keys []string
	add := func(k, v string) {
		if _, ok := options[k]; !ok {
			keys, options[k] = append(keys, k), []string{}
		}
		if v != "" && !slices.Contains(options[k], v) {
			options[k] = append(options[k], v)
		}
	}
	for _, code := range codes {
		for k, values := range p.calc.Needs(code) {
			add(k, "")
			for _, v := range values {
				add(k, v)
			}
		}
		g, _ := p.calc.Group(code)
		for _, c := range g.Cases {
			for k, v := range c.Facts {
				add(k, v)
			}
		}
	}
	slices.Sort(keys)
	var out []jusFact
	for _, k := range keys {
		slices.Sort(options[k])
		label := jus.FactKeys[k] // "si o no: what it says"
		if _, says, ok := strings.Cut(label, ": "); ok {
			label = says
		}
		out = append(out, jusFact{k, strings.TrimSuffix(app.Closed(label), "."), clip(q.Get(k)), options[k]})
	}
	return out
}

// calculate asks the calculator what the form says. A form that was not sent
// yet asks nothing; when gets the days asked about.
func (p jusPage) calculate(f *jusForm, q url.Values, when *[]digesto.Date) error {
	if f.Op == "comparar" {
		return p.compare(f, q, when)
	}
	period, err := readWhen(f.When, p.today())
	if err != nil {
		return at("when", err)
	}
	switch f.Op {
	case "convertir":
		if !q.Has("amount") {
			return nil
		}
		written := figure.WrittenAmount(f.Amount)
		c := jus.Conversion{Jus: written, When: period}
		if f.Unit == "pesos" {
			c.Jus, c.Pesos = "", written
		}
		if f.Amount == "" {
			return wrong("amount", "Falta la cantidad", "Escriba cuántos JUS o pesos quiere convertir, por ejemplo 30 o 1.000.000,50")
		}
		r, err := p.calc.Convert(c, p.today())
		if err != nil {
			return at("amount", err)
		}
		f.Result = showJus(&r, p.law)
	case "presupuesto":
		if !q.Has("item") && f.Said == "" || q.Has("add") {
			return nil
		}
		if err := p.quote(f, period); err != nil {
			return err
		}
	default:
		r := p.calc.Value(period, p.today())
		f.Result = showJus(&r, p.law)
	}
	*when = []digesto.Date{period.From, period.To}
	return nil
}

func (p jusPage) quote(f *jusForm, when jus.Period) error {
	var items []jus.Item
	for _, row := range f.Rows {
		if row.Code == "" && len(f.Unread) > 0 {
			continue
		}
		if row.Code == "" {
			return wrong("item", "Falta el servicio", "Elija de la lista lo que se va a hacer")
		}
		spec := row.Code
		if row.Qty != "" {
			spec += "=" + row.Qty
		}
		it, err := jus.ParseItem(spec)
		if err != nil {
			return at("item", err)
		}
		items = append(items, it)
	}
	items = append(items, f.Unread...)
	facts, err := f.given()
	if err != nil {
		return at("facts", err)
	}
	r, err := p.calc.QuoteOver(items, facts, when, p.today())
	if err != nil {
		return f.service("item", err)
	}
	f.Result = showJus(&r, p.law)
	return nil
}

func (p jusPage) compare(f *jusForm, q url.Values, when *[]digesto.Date) error {
	if !q.Has("from") && !q.Has("code") {
		return nil
	}
	if f.Start == "" {
		return wrong("from", "Falta el primer día", "Escríbalo como AAAA-MM-DD, por ejemplo 2024-01-01")
	}
	from, err := readDay(f.Start, p.today())
	if err != nil {
		return at("from", err)
	}
	to, err := readDay(f.End, p.today())
	if err != nil {
		return at("to", err)
	}
	if from > to {
		return wrong("from", "El primer día es posterior al segundo", "Ponga primero el más antiguo")
	}
	facts, err := f.given()
	if err != nil {
		return at("facts", err)
	}
	if f.Code == "" {
		f.Code = jus.JusCode
	}
	c, err := p.calc.Compare(f.Code, facts, from, to, p.today())
	if err != nil {
		return f.service("code", err)
	}
	f.Result = showJus(&c.Result, p.law)
	f.Result.Figure = "" // the difference alone would read as a price
	*when = []digesto.Date{from, to}
	return nil
}

// given are the data filled in.
func (f *jusForm) given() (jus.Facts, error) {
	var pairs []string
	for _, x := range f.Facts {
		if x.Value != "" && len(x.Options) > 0 && !slices.Contains(x.Options, x.Value) {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + x.Value + "» no es una de las opciones", Hint: "Elija: " + strings.Join(x.Options, ", ")}
		}
		if x.Value != "" {
			pairs = append(pairs, x.Key+"="+x.Value)
		}
	}
	return jus.ParseFacts(pairs)
}

// service words an error of the calculator for a page: its hints name commands.
func (f *jusForm) service(field string, err error) error {
	var e *digesto.Error
	if errors.As(err, &e) && e.Code == digesto.CodeNotFound {
		return at(field, &digesto.Error{Code: e.Code, Message: e.Message, Hint: "Elija un servicio de la lista"})
	}
	if len(f.Facts) > 0 {
		field = "facts"
	}
	return at(field, err)
}

var (
	yearOnly  = lazyregexp.New(`^\d{4}$`)
	monthOnly = lazyregexp.New(`^\d{4}-\d{1,2}$`)
	monthYear = lazyregexp.New(`^(\d{1,2})/(\d{4})$`)
)

// written is a day as people write it; what is none stays as it is.
func written(d digesto.Date) string {
	if t, err := time.Parse(time.DateOnly, string(d)); err == nil {
		return t.Format("02/01/2006")
	}
	return string(d)
}

// readWhen reads a day, a month or a year from one field; empty means today.
func readWhen(s string, today digesto.Date) (jus.Period, error) {
	if m := monthYear.FindStringSubmatch(s); m != nil {
		s = m[2] + "-" + pad2(m[1])
	}
	switch {
	case yearOnly.MatchString(s):
		return jus.When("", s, "", today)
	case monthOnly.MatchString(s):
		return jus.When("", "", s, today)
	}
	period, err := jus.When(figure.WrittenDay(s), "", "", today)
	if err != nil {
		return period, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + s + "» no es una fecha", Hint: "Escriba un día (30/06/2025), un mes (06/2025) o un año (2025)"}
	}
	return period, nil
}

func readDay(s string, today digesto.Date) (digesto.Date, error) {
	period, err := readWhen(s, today)
	if err == nil && !period.IsDay() {
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + s + "» no es un día", Hint: "Escriba el día entero, por ejemplo 30/06/2025"}
	}
	return period.From, err
}

func pad2(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// jusResult is a result as the page shows it.
type jusResult struct {
	Figure       string // the amount, or the range or bound that the law gives
	Blocks       []jusBlock
	Lines        []jusLine // of a budget, as a table that can be copied
	Province     string
	Value, Norms string
	Warnings     []string
	Steps        []jusStep
	Sources      []jusSource
	Official     bool // some are of the law itself
}

// jusLine is a service of a budget.
type jusLine struct{ Name, Quantity, JUS, Pesos, Place string }

// jusBlock is a paragraph, or a list.
type jusBlock struct {
	Text  string
	Items []string
}

type jusStep struct {
	Text, Result, Place string
	Cite                int // of Sources; 0 = none
}

type jusSource struct {
	N         int
	Text, URL string
	Place     string // in the law; "" = a row of the tables
	Literal   bool   // Text is what the installed law says there
}

func showJus(r *jus.Result, law app.LawQuote) *jusResult {
	parts := r.Parts()
	out := &jusResult{Province: parts.Province, Value: parts.Value, Norms: strings.Join(parts.Norms, "; "), Warnings: r.Warnings}
	out.Figure = figureOf(r)
	for _, l := range strings.Split(strings.Join(parts.Direct, "\n"), "\n") {
		item, ok := strings.CutPrefix(l, "- ")
		n := len(out.Blocks)
		switch {
		case ok && len(r.Items) > 1 && len(r.Cases) == 0:
			continue // they stand in the table
		case !ok:
			out.Blocks = append(out.Blocks, jusBlock{Text: l})
		case n > 0 && out.Blocks[n-1].Items != nil:
			out.Blocks[n-1].Items = append(out.Blocks[n-1].Items, item)
		default:
			out.Blocks = append(out.Blocks, jusBlock{Items: []string{item}})
		}
	}
	if len(r.Items) > 1 && len(r.Cases) == 0 {
		for _, l := range r.Items {
			inJus, pesos := l.Amounts()
			out.Lines = append(out.Lines, jusLine{l.Name, strings.Replace(l.Quantity, ".", ",", 1), inJus, pesos, l.Article})
		}
	}
	cites := map[string]int{} // by row of values, and by service and place
	quoted := law.Quoted(r.Sources)
	for i, s := range r.Sources {
		cites[s.Unit], cites[stepKey(s.Text, placeIn(s.Text))] = i+1, i+1
		s = quoted[i]
		out.Official = out.Official || s.Norm == jus.Law
		source := jusSource{N: i + 1, Text: s.Text, URL: "/leyes/" + url.PathEscape(s.Norm) + "/" + url.PathEscape(s.Unit)}
		if s.Norm == jus.Law {
			source.Place = jus.LawName + ", artículo " + app.ArticleOf(s.Unit)
			if source.Text, source.Literal = strings.CutSuffix(s.Text, " ("+source.Place+")"); !source.Literal && law != nil {
				if q, ok := law(s.Unit, s.Text); ok {
					source.Text, source.Literal = "«"+q+"»", true
				}
			}
		}
		out.Sources = append(out.Sources, source)
	}
	for _, s := range r.Steps {
		step := jusStep{Text: s.Text, Result: amount(s.Result, s.Unit), Cite: cites[s.Source]}
		if step.Cite == 0 {
			step.Place, step.Cite = s.Source, cites[stepKey(s.Text, s.Source)]
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

// figureOf is what stands large above the answer; a period has two ends and no figure.
func figureOf(r *jus.Result) string {
	switch {
	case r.Result != nil:
		return amount(*r.Result, r.Unit)
	case r.Kind == "range" && r.Low != nil && r.High != nil:
		return "De " + amount(*r.Low, r.Unit) + " a " + amount(*r.High, r.Unit)
	case r.Kind == "minimum" && r.Low != nil:
		return "Desde " + amount(*r.Low, r.Unit)
	case r.Kind == "maximum" && r.High != nil:
		return "Hasta " + amount(*r.High, r.Unit)
	}
	return ""
}

// stepKey joins the name that begins a text with its place in the law: a step
// and the row it rests on have the same.
func stepKey(text, place string) string {
	name, _, _ := strings.Cut(text, ": ")
	return name + "|" + place
}

// placeIn is the place in the law that the text of a row gives in brackets, its last.
func placeIn(text string) string {
	i := strings.LastIndex(text, "(")
	if i < 0 {
		return ""
	}
	place, _, _ := strings.Cut(text[i+1:], ")")
	return place
}

// amount writes a decimal string of the calculator with its unit.
func amount(s, unit string) string {
	d, err := decimal.Parse(s)
	switch {
	case err != nil:
		return s
	case unit == "ARS":
		return jus.Pesos(d)
	case unit == "JUS":
		return jus.Jus(d)
	}
	return strings.Replace(s, ".", ",", 1) + " " + unit
}
