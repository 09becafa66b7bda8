package laboral

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/packs/laboral"
	"digesto/server"
	"digesto/server/mcp"
	"digesto/server/openapi"
	"digesto/server/wire"
)

// laborAPI puts the calculators of packs/laboral on HTTP and MCP: the same
// functions as the command line, the same JSON.
type laborAPI struct {
	calc  *laboral.Calc
	today func() digesto.Date
}

// laborOf finds the calculator that a pack carries, and the name of the pack.
func laborOf(w *app.Workspace) (*laboral.Tool, string) {
	for _, p := range w.Packs {
		for _, t := range p.Tools {
			if t, ok := t.(*laboral.Tool); ok {
				return t, p.Name
			}
		}
	}
	return nil, ""
}

// Routes are the calculators on HTTP: the data in the body of a POST, or
// in the query of a GET.
func Routes(a *app.App, w *app.Workspace) []server.Route {
	tool, pack := laborOf(w)
	if tool == nil {
		return nil
	}
	l := laborAPI{tool.Calc(), a.Today}
	page := newLaborPage(l, tool, pack)
	out := []server.Route{{Pattern: "GET /v1/laboral/cifras", Handle: l.figures, Doc: &openapi.Doc{Summary: "Una cifra, o con «nombre» vacío la tabla entera", Example: laborExamples[laboral.FnFigures], Query: laborYearArgs{}, Reply: map[string]any{}}}}
	out = append(out, server.Route{Pattern: "GET /laboral", Handle: page.serve, Fits: page.fits, Menu: "Laboral"})
	for _, t := range laborTools() {
		out = append(out, server.Route{Pattern: "POST /v1/laboral/" + t.function, Handle: l.handler(t.function),
			Doc: &openapi.Doc{Summary: "Cálculo: " + strings.ToLower(laborTitles[t.function]), About: t.about, Example: laborExamples[t.function], Body: t.body, Reply: laboral.Result{}}})
	}
	return out
}

// laborTool is a calculator as programs see it: its route, its fields, its tool.
type laborTool struct {
	function string
	body     any // its fields, for the description of the route
	about    string
	add      func(laborAPI, *mcp.Server) error
}

// laborToolOf describes a calculator whose fields are those of A.
func laborToolOf[A any](function, name, title, about string) laborTool {
	var body A
	return laborTool{function, body, about, func(l laborAPI, s *mcp.Server) error {
		return mcp.Add(s, mcp.Tool{Name: name, Title: title, Description: about}, func(_ context.Context, in A) (any, error) {
			return l.do(function, fields(in))
		})
	}}
}

// laborExamples are bodies of requests.
var laborExamples = map[string]map[string]any{
	laboral.FnSeverance:  {"desde": "2020-01-01", "hasta": "2024-06-30", "salario": "1800", "pagas": "14", "tipo": "improcedente"},
	laboral.FnSettlement: {"desde": "2020-01-01", "hasta": "2024-06-30", "salario": "1800", "pagas": "14", "tipo": "baja", "disfrutadas": "10"},
	laboral.FnDeadline:   {"tipo": "despido", "desde": "2026-11-03"}, laboral.FnHolidays: {"desde": "2026-01-01", "hasta": "2026-06-30"},
	laboral.FnBenefit: {"cotizados": "800"}, laboral.FnFigures: {"nombre": "smi", "year": "2025"},
}

// laborTools are the calculators in the order in which people see them.
func laborTools() []laborTool {
	return []laborTool{
		laborToolOf[laborSeveranceArgs](laboral.FnSeverance, "laboral_severance", "Indemnización por despido", "Indemnización por despido u otra extinción en España, con los dos períodos de 2012, topes y el artículo de cada paso. Ejemplo: {\"desde\":\"2005-03-01\",\"hasta\":\"2024-06-30\",\"salario\":\"1800\",\"pagas\":\"14\"}."),
		laborToolOf[laborSettlementArgs](laboral.FnSettlement, "laboral_settlement", "Finiquito", "Lo que se debe al acabar un contrato: salario pendiente, pagas extraordinarias, vacaciones e indemnización."),
		laborToolOf[laborDeadlineArgs](laboral.FnDeadline, "laboral_deadline", "Plazo", "Último día de un plazo laboral o de Seguridad Social, con festivos, agosto y conciliación. Ejemplo: {\"tipo\":\"despido\",\"desde\":\"2026-11-03\"}."),
		laborToolOf[laborHolidaysArgs](laboral.FnHolidays, "laboral_holidays", "Vacaciones", "Días de vacaciones ganados entre dos fechas."),
		laborToolOf[laborBenefitArgs](laboral.FnBenefit, "laboral_benefit", "Paro", "Duración y cuantía de la prestación contributiva por desempleo. Ejemplo: {\"cotizados\":\"800\"}."),
		laborToolOf[laborFiguresArgs](laboral.FnFigures, "laboral_figures", "Cifras por año", "Salario mínimo, IPREM, topes y tipos de cotización, pensión máxima y semanas de permiso, con su fecha y su norma. Ejemplo: {\"nombre\":\"smi\",\"year\":\"2025\"}."),
	}
}

func (l laborAPI) do(function string, args map[string]string) (any, error) {
	r, err := l.calc.Do(function, args, l.today())
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (l laborAPI) handler(function string) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		args := map[string]string{}
		if err := wire.Decode(r, &args); err != nil {
			return nil, err
		}
		return l.do(function, args)
	}
}

// figures gives one figure, or the whole table.
func (l laborAPI) figures(r *http.Request) (any, error) {
	args := map[string]string{}
	for _, k := range laboral.Arguments(laboral.FnFigures) {
		if v := r.FormValue(k); v != "" {
			args[k] = v
		}
	}
	if args["nombre"] == "" {
		return map[string]any{"figures": l.calc.Figures()}, nil
	}
	return l.do(laboral.FnFigures, args)
}

// The arguments of the calculators. Amounts are text, as on the command line.
type (
	laborServiceArgs struct {
		Desde string `json:"desde,omitempty" jsonschema:"Primer día de trabajo, AAAA-MM-DD."`
		Hasta string `json:"hasta,omitempty" jsonschema:"Último día de trabajo, AAAA-MM-DD."`
	}
	laborPayArgs struct {
		Salario string `json:"salario,omitempty" jsonschema:"Salario bruto al mes en euros, por ejemplo 1800."`
		Pagas   string `json:"pagas,omitempty" jsonschema:"Pagas al año: 12 o 14."`
		Anual   string `json:"anual,omitempty" jsonschema:"En lugar del salario al mes: bruto al año."`
		Diario  string `json:"diario,omitempty" jsonschema:"En lugar del salario al mes: bruto al día, con pagas."`
	}
	laborDaysArgs struct {
		Dias        string `json:"dias,omitempty" jsonschema:"Días de vacaciones al año; sin él, 30."`
		Disfrutadas string `json:"disfrutadas,omitempty" jsonschema:"Días de vacaciones ya disfrutados este año."`
	}
	laborYearArgs struct {
		Nombre string `json:"nombre,omitempty" jsonschema:"smi, smi-dia, smi-anual, iprem, tope-maximo, tope-minimo, contingencias-comunes, mei, desempleo-temporal, desempleo-indefinido, fogasa, formacion, pension-maxima, semanas-nacimiento, semanas-otro-progenitor."`
		Fecha  string `json:"fecha,omitempty" jsonschema:"La que regía ese día, AAAA-MM-DD."`
		Year   string `json:"year,omitempty" jsonschema:"Las de ese año, AAAA."`
	}
	laborSeveranceArgs struct {
		laborServiceArgs
		laborPayArgs
		Tipo string `json:"tipo,omitempty" jsonschema:"improcedente, objetivo, colectivo, voluntad, traslado, modificacion, temporal, hogar, directivo-improcedente, fin-empresario, procedente."`
	}
	laborSettlementArgs struct {
		laborServiceArgs
		laborPayArgs
		laborDaysArgs
		Tipo      string `json:"tipo,omitempty" jsonschema:"Cómo acaba el contrato: los de despido, o baja."`
		Pendiente string `json:"pendiente,omitempty" jsonschema:"Primer día de salario sin cobrar, AAAA-MM-DD."`
		Devengo   string `json:"devengo,omitempty" jsonschema:"Cómo se ganan las pagas extraordinarias: anual o semestral."`
	}
	laborDeadlineArgs struct {
		Tipo         string `json:"tipo" jsonschema:"despido, modificacion, sancion, cantidad, contrato, falta-leve, falta-grave, falta-muy-grave, infraccion, infraccion-ss, prestacion, cobro-prestacion, cuotas, reintegro, solicitud-paro, reclamacion-previa."`
		Desde        string `json:"desde" jsonschema:"Día desde el que se cuenta, AAAA-MM-DD."`
		Festivos     string `json:"festivos,omitempty" jsonschema:"Festivos de la comunidad y la localidad, separados por comas."`
		Papeleta     string `json:"papeleta,omitempty" jsonschema:"Día en que se pidió la conciliación."`
		Conciliacion string `json:"conciliacion,omitempty" jsonschema:"Día en que se intentó."`
		Agosto       string `json:"agosto,omitempty" jsonschema:"si o no: si cuentan agosto y el fin de año."`
		Comision     string `json:"comision,omitempty" jsonschema:"Día en que se cometió la falta."`
	}
	laborHolidaysArgs struct {
		laborServiceArgs
		laborDaysArgs
	}
	laborBenefitArgs struct {
		Cotizados string `json:"cotizados" jsonschema:"Días cotizados en los últimos seis años."`
		Base      string `json:"base,omitempty" jsonschema:"Base reguladora al mes en euros."`
		Hijos     string `json:"hijos,omitempty" jsonschema:"Hijos a cargo."`
		Iprem     string `json:"iprem,omitempty" jsonschema:"IPREM al mes en doce pagas; sin él, el que consta para hoy."`
	}
	laborFiguresArgs struct{ laborYearArgs }
)

// Tools offers the calculators to programs that speak MCP.
func Tools(a *app.App, w *app.Workspace, s *mcp.Server) error {
	tool, _ := laborOf(w)
	if tool == nil {
		return nil
	}
	var errs []error
	for _, t := range laborTools() {
		errs = append(errs, t.add(laborAPI{tool.Calc(), a.Today}, s))
	}
	return errors.Join(errs...)
}
