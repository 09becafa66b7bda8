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
	"digesto/pack"
	"digesto/packs/laboral"
	"digesto/server"
	"digesto/server/view"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

//go:embed laboral_page.html
var laborPageHTML string

// laborPage is the page of the labour calculators: a form for each, made from
// the fields that its API takes, which works without scripts.
type laborPage struct {
	laborAPI
	tool *laboral.Tool
	pack string // whose calculators they are
	tpl  *template.Template
}

func newLaborPage(l laborAPI, tool *laboral.Tool, pack string) laborPage {
	return laborPage{l, tool, pack, template.Must(template.New("laboral").Parse(laborPageHTML))}
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
		Error                          string // what is wrong with it
		Whole                          bool   // it takes a line of its own
		Options                        []laborOption
	}
	laborOption struct{ Value, Name string }
	laborSource struct{ Place, Text, URL string }
	laborForm   struct {
		Op, Title, Error, Figure string
		Wrong                    *laborField // that the error is of
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
			slices.SortStableFunc(f.Fields, func(a, b laborField) int { return app.Or(b.Whole, 1, 0) - app.Or(a.Whole, 1, 0) }) // what is calculated comes first
		}
	}
	status := http.StatusOK
	if len(args) > 0 && r.FormValue(filledIn) == "" {
		res, err := p.calc.Do(op, args, p.today())
		var own *digesto.Error
		switch {
		case errors.As(err, &own):
			status = http.StatusUnprocessableEntity
			f.blame(own)
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

// filledIn is the parameter of a form that a question filled in as far as it went: what it
// lacks is no mistake.
const filledIn = "faltan"

// fits is the form for a question that the law of this pack answered.
func (p laborPage) fits(q digesto.Question, a digesto.Answer) (address, name string) {
	if a.Meta.Pack != p.pack {
		return "", ""
	}
	var units []string
	for _, c := range a.Citations {
		if c.Ref != nil {
			units = append(units, c.Ref.Document+"/"+c.Ref.Unit)
		}
	}
	call, whole, ok := p.tool.Fits(pack.ToolQuestion{Text: q.Text, Today: p.today()}, units)
	if !ok {
		return "", ""
	}
	v := url.Values{"op": {call.Function}}
	for k, x := range call.Args {
		v.Set(k, x)
	}
	if name = laborCalls[call.Function]; whole {
		name = "Cambiar los datos y calcular otra vez"
	} else {
		v.Set(filledIn, "1")
	}
	return "/laboral?" + v.Encode(), name
}

// laborCalls say what each calculator is for.
var laborCalls = map[string]string{
	laboral.FnSeverance: "Calcular mi indemnización", laboral.FnSettlement: "Calcular mi finiquito", laboral.FnDeadline: "Calcular mi último día", laboral.FnHolidays: "Calcular mis vacaciones",
	laboral.FnBenefit: "Calcular mi paro", laboral.FnFigures: "Ver la cifra de cada año",
}

// fieldName is a field as programs call it.
var fieldName = lazyregexp.New(`«(\pL+)»`)

// inWords calls the fields in a text by their labels, and writes dates as people do.
func (f *laborForm) inWords(s string) string {
	s = fieldName.ReplaceAllStringFunc(s, func(m string) string {
		for _, x := range f.Fields {
			if m == "«"+x.Name+"»" {
				return "«" + x.Label + "»"
			}
		}
		return m
	})
	return strings.ReplaceAll(s, "AAAA-MM-DD", "31/12/2025")
}

// blame says what is wrong, and finds the field that it is wrong with: the one that is
// named, or the one that holds what is quoted.
func (f *laborForm) blame(e *digesto.Error) {
	for i := range f.Fields {
		x := &f.Fields[i]
		if strings.Contains(e.Hint, "«"+x.Name+"»") || x.Value != "" && strings.Contains(e.Message, "«"+x.Value+"»") || strings.Contains(e.Message, "Falta el salario") && x.Name == "salario" {
			f.Wrong = x
			break
		}
	}
	hint := e.Hint
	if f.Wrong != nil { // it is told beside its field
		hint = strings.Replace(hint, "Diga «"+f.Wrong.Name+"» como", "Escríbalo como", 1)
	}
	f.Error = f.inWords(app.Sentence(e.Message) + " " + app.Sentence(hint))
	if f.Wrong != nil {
		f.Wrong.Error = f.Error
	}
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
			f.Help, f.Whole = "", true
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
		if line = f.inWords(strings.TrimSpace(line)); line != "" {
			f.Lines = append(f.Lines, line)
		}
	}
	if res.Result != nil && res.Unit == "EUR" {
		f.Figure = figure.Spanish(*res.Result) + " €"
	} else if res.Result != nil && res.Unit != "fecha" {
		f.Figure = figure.Spanish(*res.Result) + " " + res.Unit
	} else if res.Result != nil {
		f.Figure, f.Calendar = *res.Result, view.CalendarURL(digesto.Date(*res.Result), about)
		if d, err := time.Parse(time.DateOnly, *res.Result); err == nil {
			f.Figure = view.DateLong(d)
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
