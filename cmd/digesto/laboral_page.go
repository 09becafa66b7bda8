package main

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"digesto"
	"digesto/packs/laboral"
	"digesto/server"
)

//go:embed laboral_page.html
var laborPageHTML string

// laborPage is the page of the labour calculators: a form for each, made from
// the fields that its API takes, which works without scripts.
type laborPage struct {
	laborAPI
	tpl *template.Template
}

func newLaborPage(l laborAPI) laborPage {
	return laborPage{l, template.Must(template.New("laboral").Parse(laborPageHTML))}
}

// laborTitles name the calculators.
var laborTitles = map[string]string{
	laboral.FnSeverance: "Despido", laboral.FnSettlement: "Finiquito", laboral.FnDeadline: "Plazos", laboral.FnHolidays: "Vacaciones", laboral.FnBenefit: "Paro", laboral.FnFigures: "Cifras por año",
}

// laborLabels name the fields; one that is not here has its own name.
var laborLabels = map[string]string{
	"desde": "Desde", "hasta": "Hasta", "salario": "Salario al mes", "pagas": "Pagas al año", "anual": "Salario al año", "diario": "Salario al día", "tipo": "Qué se calcula",
	"pendiente": "Salario sin cobrar desde", "devengo": "Pagas extraordinarias", "disfrutadas": "Vacaciones disfrutadas", "dias": "Vacaciones al año", "festivos": "Festivos", "papeleta": "Papeleta",
	"conciliacion": "Conciliación", "agosto": "Agosto cuenta", "comision": "Día de la falta", "cotizados": "Días cotizados", "base": "Base reguladora", "hijos": "Hijos a cargo", "iprem": "IPREM",
	"nombre": "Cifra", "fecha": "Un día", "year": "Un año",
}

type (
	laborTab struct {
		Op, Name string
		Here     bool
	}
	laborField struct {
		Name, Label, Help, Value, Type string
		Options                        []string
	}
	laborSource struct{ Place, Text, URL string }
	laborForm   struct {
		Op, Title, Error, Figure string
		Tabs                     []laborTab
		Fields                   []laborField
		Result                   *laboral.Result
		Lines                    []string
		Steps                    []digesto.Step // figures as people write them
		Sources                  []laborSource
	}
)

func (p laborPage) serve(r *http.Request) (any, error) {
	op := r.FormValue("op")
	if !slices.Contains(laboral.Functions(), op) {
		op = laboral.FnSeverance
	}
	f := laborForm{Op: op, Title: laborTitles[op]}
	for _, fn := range laboral.Functions() {
		f.Tabs = append(f.Tabs, laborTab{fn, laborTitles[fn], fn == op})
	}
	args := map[string]string{}
	for _, name := range laboral.Arguments(op) {
		if v := strings.TrimSpace(r.FormValue(name)); v != "" {
			args[name] = v
		}
	}
	for _, t := range laborTools() {
		if t.function == op {
			f.Fields = laborFields(reflect.TypeOf(t.body), args)
		}
	}
	status := http.StatusOK
	if len(args) > 0 {
		res, err := p.calc.Do(op, args, p.today())
		var own *digesto.Error
		switch {
		case errors.As(err, &own):
			f.Error, status = sentence(own.Message)+" "+sentence(own.Hint), http.StatusUnprocessableEntity
		case err != nil:
			return nil, err
		default:
			f.show(res)
		}
	}
	var buf bytes.Buffer
	if err := p.tpl.Execute(&buf, f); err != nil {
		return nil, err
	}
	return server.Page{Title: "Cálculos laborales: " + strings.ToLower(f.Title), Status: status, Body: template.HTML(buf.String())}, nil //nolint:gosec // written by the template above
}

// laborFields makes a form from the fields of a calculator's body.
func laborFields(t reflect.Type, args map[string]string) (out []laborField) {
	for i := range t.NumField() {
		s := t.Field(i)
		if s.Anonymous {
			out = append(out, laborFields(s.Type, args)...)
			continue
		}
		name, _, _ := strings.Cut(s.Tag.Get("json"), ",")
		f := laborField{Name: name, Label: laborLabels[name], Help: s.Tag.Get("jsonschema"), Value: args[name], Type: "text"}
		if f.Label == "" {
			f.Label = name
		}
		switch {
		case strings.Contains(f.Help, "AAAA-MM-DD"), strings.HasPrefix(f.Help, "Día en que"):
			f.Type = "date"
		case name == "tipo" || name == "nombre":
			f.Options, f.Help = laborOptions(f.Help), ""
		}
		out = append(out, f)
	}
	return out
}

// laborOptions are the values that a description lists; the settlement's are
// those of a dismissal and one more.
func laborOptions(help string) []string {
	if strings.Contains(help, ":") {
		t, _ := reflect.TypeOf(laborSeveranceArgs{}).FieldByName("Tipo")
		return append(laborOptions(t.Tag.Get("jsonschema")), "baja")
	}
	return strings.Split(strings.TrimSuffix(help, "."), ", ")
}

// show fills in the result and where it rests.
func (f *laborForm) show(res laboral.Result) {
	f.Result, f.Lines = &res, nil
	for line := range strings.SplitSeq(res.Text(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			f.Lines = append(f.Lines, line)
		}
	}
	if res.Result != nil && res.Unit == "EUR" {
		f.Figure = inSpanish(*res.Result) + " €"
	} else if res.Result != nil && res.Unit != "fecha" {
		f.Figure = inSpanish(*res.Result) + " " + res.Unit
	} else if res.Result != nil {
		f.Figure = *res.Result
	}
	for _, s := range res.Steps {
		unit := s.Unit
		if unit == "EUR" {
			unit = "€"
		}
		f.Steps = append(f.Steps, digesto.Step{Text: s.Text, Source: s.Source, Result: inSpanish(s.Result), Unit: unit})
	}
	seen := map[string]bool{}
	for _, s := range res.Sources {
		if !seen[s.Norm+s.Unit] {
			seen[s.Norm+s.Unit] = true
			f.Sources = append(f.Sources, laborSource{s.Place, s.Text, "/leyes/" + url.PathEscape(s.Norm) + "/" + url.PathEscape(s.Unit)})
		}
	}
}

// inSpanish writes a decimal string with a comma and points between thousands;
// what is no number stays as it is.
func inSpanish(s string) string {
	whole, frac, ok := strings.Cut(s, ".")
	if strings.Trim(whole, "0123456789") != "" || strings.Trim(frac, "0123456789") != "" {
		return s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "." + whole[i:]
	}
	if ok {
		whole += "," + frac
	}
	return whole
}
