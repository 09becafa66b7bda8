// Package laboral is the page, the HTTP API and the tools of the calculators of labour law.
package laboral

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/packs/laboral"
	"digesto/server"
	"digesto/text/figure"
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

// laborWords are the kinds that no table of calculations has.
var laborWords = map[string]string{"baja": "Baja voluntaria"}

// laborLabels name the fields, those of one calculator after its name; one that is not here has its own name.
var laborLabels = map[string]string{
	"desde": "Primer día de trabajo", "hasta": "Último día de trabajo", laboral.FnDeadline + ".desde": "Desde qué día se cuenta",
	"salario": "Salario al mes", "pagas": "Pagas al año", "anual": "o salario al año", "diario": "o salario al día", "tipo": "Qué se calcula",
	"pendiente": "Salario sin cobrar desde", "devengo": "Pagas extraordinarias", "disfrutadas": "Vacaciones ya disfrutadas", "dias": "Vacaciones al año", "festivos": "Festivos",
	"papeleta": "Conciliación pedida el", "conciliacion": "Conciliación intentada el", "agosto": "¿Cuentan agosto y el fin de año?", "comision": "Día en que se cometió la falta",
	"cotizados": "Días cotizados", "base": "Base reguladora al mes", "hijos": "Hijos a cargo", "iprem": "IPREM al mes", "nombre": "Cifra", "fecha": "En un día", "year": "o en todo un año",
}

// laborHelp says in words of a page what a description says in those of an API; "" = the label says it all.
var laborHelp = map[string]string{
	"desde": "", "hasta": "", "salario": "Bruto, en euros: 1.800 o 1.800,50.", "pagas": "12 o 14.", "anual": "Bruto, en euros, en lugar del salario al mes.", "diario": "Bruto y con pagas, en lugar del salario al mes.",
	"pendiente": "Si no lo dice, el día 1 del último mes.", "comision": "", "papeleta": "", "conciliacion": "", "agosto": "", "hijos": "", "base": "En euros.", "disfrutadas": "Días, este año.", "dias": "Días; si no lo dice, 30.",
	"cotizados": "En los últimos seis años.", "iprem": "En doce pagas; si no lo dice, el de hoy.", "festivos": "Los de la comunidad y la localidad, separados por comas: 06/12/2026, 08/12/2026.", "fecha": "", "year": "Por ejemplo 2025.",
	"devengo": "Cómo se ganan, según el convenio.",
}

type (
	laborTab struct {
		Op, Name string
		Here     bool
	}
	laborField struct {
		Name, Label, Help, Value, Type string
		Options                        []laborOption
	}
	laborOption struct{ Value, Name string }
	laborSource struct{ Place, Text, URL string }
	laborForm   struct {
		Op, Title, Error, Figure string
		Tabs                     []laborTab
		Fields                   []laborField
		Calendar                 string // address of the day as a file for calendars
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
			days := strings.Split(v, ",")
			for i, d := range days {
				days[i] = figure.WrittenDay(d)
			}
			args[name] = strings.Join(days, ",")
		}
	}
	for _, t := range laborTools() {
		if t.function == op {
			f.Fields = p.fields(op, reflect.TypeOf(t.body), args)
		}
	}
	status := http.StatusOK
	if len(args) > 0 {
		res, err := p.calc.Do(op, args, p.today())
		var own *digesto.Error
		switch {
		case errors.As(err, &own):
			f.Error, status = app.Sentence(own.Message)+" "+strings.Replace(app.Sentence(own.Hint), "AAAA-MM-DD", "31/12/2025", 1), http.StatusUnprocessableEntity
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
	return server.Page{Title: "Cálculos laborales: " + strings.ToLower(f.Title), Status: status, Body: template.HTML(buf.String())}, nil
}

// fields makes a form from the fields of a calculator's body.
func (p laborPage) fields(op string, t reflect.Type, args map[string]string) (out []laborField) {
	for i := range t.NumField() {
		s := t.Field(i)
		if s.Anonymous {
			out = append(out, p.fields(op, s.Type, args)...)
			continue
		}
		name, _, _ := strings.Cut(s.Tag.Get("json"), ",")
		f := laborField{Name: name, Label: cmp.Or(laborLabels[op+"."+name], laborLabels[name]), Help: s.Tag.Get("jsonschema"), Value: args[name], Type: "text"}
		if f.Label == "" {
			f.Label = name
		}
		switch {
		case strings.Contains(f.Help, "AAAA-MM-DD"), strings.HasPrefix(f.Help, "Día en que"):
			f.Type, f.Help = "date", strings.Replace(f.Help, ", AAAA-MM-DD", "", 1)
		case name == "tipo" || name == "nombre":
			for _, v := range laborOptions(f.Help) {
				f.Options = append(f.Options, laborOption{v, cmp.Or(laborWords[v], p.calc.Say(op, v))})
			}
			f.Help = ""
		case name == "devengo":
			f.Options = []laborOption{{"anual", "En doce meses"}, {"semestral", "En seis meses"}}
		case strings.HasPrefix(f.Help, "si o no: "):
			f.Options, f.Help = []laborOption{{"si", "Sí"}, {"no", "No"}}, app.Sentence(strings.TrimPrefix(f.Help, "si o no: "))
		}
		if words, ok := laborHelp[name]; ok {
			f.Help = words
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
	about, _, _ := strings.Cut(res.Text(), ":")
	for line := range strings.SplitSeq(res.Text(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			f.Lines = append(f.Lines, line)
		}
	}
	if res.Result != nil && res.Unit == "EUR" {
		f.Figure = figure.Spanish(*res.Result) + " €"
	} else if res.Result != nil && res.Unit != "fecha" {
		f.Figure = figure.Spanish(*res.Result) + " " + res.Unit
	} else if res.Result != nil {
		f.Figure, f.Calendar = *res.Result, server.CalendarURL(digesto.Date(*res.Result), about)
		if d, err := time.Parse(time.DateOnly, *res.Result); err == nil {
			f.Figure = server.DateLong(d)
		}
	}
	for _, s := range res.Steps {
		unit := s.Unit
		if unit == "EUR" {
			unit = "€"
		}
		f.Steps = append(f.Steps, digesto.Step{Text: s.Text, Source: s.Source, Result: figure.Spanish(s.Result), Unit: unit})
	}
	seen := map[string]bool{}
	for _, s := range res.Sources {
		if !seen[s.Norm+s.Unit] {
			seen[s.Norm+s.Unit] = true
			f.Sources = append(f.Sources, laborSource{s.Place, s.Text, "/leyes/" + url.PathEscape(s.Norm) + "/" + url.PathEscape(s.Unit)})
		}
	}
}
