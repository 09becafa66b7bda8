package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/disk"
	"digesto/packs/jus"
)

// jusCmd groups the calculators of fees.
type jusCmd struct {
	Valor       jusValueCmd    `cmd:"" help:"Valor del JUS en un día, un mes o un año."`
	Convertir   jusConvertCmd  `cmd:"" help:"De JUS a pesos o de pesos a JUS."`
	Presupuesto jusQuoteCmd    `cmd:"" help:"Presupuesto de uno o varios servicios."`
	Comparar    jusCompareCmd  `cmd:"" help:"Compara el JUS o un servicio entre dos fechas."`
	Servicios   jusServicesCmd `cmd:"" help:"Lista los servicios con su código y cantidad."`
	Set         jusSetCmd      `cmd:"" help:"Añade un valor del JUS a la tabla de la carpeta de datos."`
}

// Examples of the group.
func (jusCmd) Examples() []string {
	return []string{"digesto jus valor", "digesto jus convertir --jus 12", "digesto jus presupuesto consulta_verbal=2"}
}

func (a *program) calc() (*jus.Calc, error) {
	opt, err := a.JusOptions()
	if err != nil {
		return nil, err
	}
	return jus.New(opt)
}

// showResult prints a calculation for people or programs.
func (a *program) showResult(r jus.Result) error {
	if a.json {
		return a.printJSON(r)
	}
	show.Fees(a.screen(), r)
	return nil
}

// dateFlags are the three ways to say when.
type dateFlags struct {
	Date  string `name:"date" placeholder:"FECHA" help:"Valor que regía ese día."`
	Year  string `name:"year" placeholder:"AAAA" help:"Todo ese año: los dos extremos y cada cambio."`
	Month string `name:"month" placeholder:"AAAA-MM" help:"Todo ese mes."`
}

func (f dateFlags) when(a *program) (jus.Period, error) {
	return jus.When(f.Date, f.Year, f.Month, a.Today())
}

// jusValueCmd gives the value of one JUS.
type jusValueCmd struct {
	dateFlags
	Day string `arg:"" optional:"" placeholder:"FECHA" help:"El día, como 30/06/2025: lo mismo que --date."`
}

// Examples of the command.
func (jusValueCmd) Examples() []string {
	return []string{"digesto jus valor", "digesto jus valor 30/06/2025", "digesto jus valor --year 2024 --json"}
}

// Run prints the value.
func (c jusValueCmd) Run(a *program) error {
	c.Date = cmp.Or(c.Date, c.Day)
	when, err := c.when(a)
	if err != nil {
		return err
	}
	calc, err := a.calc()
	if err != nil {
		return err
	}
	return a.showResult(calc.Value(when, a.Today()))
}

// jusConvertCmd converts amounts.
type jusConvertCmd struct {
	dateFlags
	Jus   string `name:"jus" placeholder:"N" help:"Cantidad de JUS."`
	Pesos string `name:"pesos" placeholder:"N" help:"Importe en pesos."`
	Sum   string `arg:"" optional:"" placeholder:"N" help:"Cantidad de JUS: lo mismo que --jus."`
}

// Examples of the command.
func (jusConvertCmd) Examples() []string {
	return []string{"digesto jus convertir 12", "digesto jus convertir --pesos 1.000.000,50 --date 30/06/2025", "digesto jus convertir --jus 2,5 --year 2024"}
}

// Run converts.
func (c jusConvertCmd) Run(a *program) error {
	if c.Pesos == "" {
		c.Jus = cmp.Or(c.Jus, c.Sum)
	} else if c.Sum != "" {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "Sobra una cantidad", Hint: "Diga los JUS o los pesos, no los dos."}
	}
	when, err := c.when(a)
	if err != nil {
		return err
	}
	calc, err := a.calc()
	if err != nil {
		return err
	}
	r, err := calc.Convert(jus.Conversion{Jus: c.Jus, Pesos: c.Pesos, When: when}, a.Today())
	if err != nil {
		return err
	}
	return a.showResult(r)
}

// jusQuoteCmd budgets services.
type jusQuoteCmd struct {
	dateFlags
	With  []string `name:"con" sep:"none" placeholder:"DATO=VALOR" help:"Dato que decide un caso o una base: convenio=si, letrados=2, base=1000000…"`
	File  string   `name:"file" placeholder:"FICHERO|-" help:"Archivo de servicios: uno por renglón, con su código y cantidad o con palabras."`
	Table bool     `name:"table" help:"Una tabla con tabuladores, para copiar en una planilla."`
	Item  []string `arg:"" optional:"" placeholder:"CÓDIGO[=CANTIDAD]|FRASE" help:"Servicios por su código (los da «digesto jus servicios»), o una frase entre comillas."`
}

// Examples of the command.
func (jusQuoteCmd) Examples() []string {
	return []string{"digesto jus presupuesto consulta_verbal=2", "digesto jus presupuesto divorcio_bilateral --con convenio=si --con letrados=1",
		"digesto jus presupuesto \"tres consultas verbales y una por escrito\"", "digesto jus presupuesto --file servicios.txt --table"}
}

// Run budgets.
func (c jusQuoteCmd) Run(a *program) error {
	when, err := c.when(a)
	if err != nil {
		return err
	}
	facts, err := jus.ParseFacts(c.With)
	if err != nil {
		return err
	}
	calc, err := a.calc()
	if err != nil {
		return err
	}
	asked, err := c.asked(a, calc)
	if err != nil {
		return err
	}
	if c.Date == "" && c.Year == "" && c.Month == "" {
		when = asked.When
	}
	for k, v := range facts { // what is said apart goes before what the words say
		asked.Facts[k] = v
	}
	r, err := calc.QuoteOver(asked.Items, asked.Facts, when, a.Today())
	if err != nil {
		return err
	}
	withLaw(a.App, &r)
	if c.Table && !a.json {
		fmt.Fprint(a.out, terminal.Clean(r.Table()))
		return nil
	}
	return a.showResult(r)
}

// maxServicesFile bounds a file of services, in bytes.
const maxServicesFile = 1 << 20

// asked reads the services: a file, a sentence, or codes.
func (c jusQuoteCmd) asked(a *program, calc *jus.Calc) (jus.Asked, error) {
	if c.File != "" {
		in, done, err := a.OpenInput(c.File)
		if err != nil {
			return jus.Asked{}, err
		}
		defer done()
		data, err := io.ReadAll(io.LimitReader(in, maxServicesFile))
		if err != nil {
			return jus.Asked{}, disk.Error(err, c.File, "")
		}
		return calc.Read(string(data), a.Today())
	}
	if len(c.Item) == 1 && strings.ContainsAny(c.Item[0], " \t") {
		return calc.Read(c.Item[0], a.Today())
	}
	out := jus.Asked{Facts: jus.Facts{}, When: jus.Day(a.Today())}
	for _, s := range c.Item {
		it, err := jus.ParseItem(s)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, it)
	}
	return out, nil
}

// jusCompareCmd compares two days.
type jusCompareCmd struct {
	From string   `name:"from" required:"" placeholder:"FECHA" help:"Primer día."`
	To   string   `name:"to" placeholder:"FECHA" help:"Segundo día; sin él, hoy."`
	With []string `name:"con" sep:"none" placeholder:"DATO=VALOR" help:"Dato que decide un caso."`
	Code string   `arg:"" placeholder:"CÓDIGO|jus" help:"Código de un servicio, o jus."`
}

// Examples of the command.
func (jusCompareCmd) Examples() []string {
	return []string{"digesto jus comparar jus --from 2024-01-01", "digesto jus comparar consulta_verbal --from 2025-01-01 --to 2025-06-30"}
}

// Run compares.
func (c jusCompareCmd) Run(a *program) error {
	from, err := app.ParseDate("--from", c.From)
	if err != nil {
		return err
	}
	to, err := app.ParseDate("--to", c.To)
	if err != nil {
		return err
	}
	if to == "" {
		to = a.Today()
	}
	facts, err := jus.ParseFacts(c.With)
	if err != nil {
		return err
	}
	calc, err := a.calc()
	if err != nil {
		return err
	}
	cmp, err := calc.Compare(c.Code, facts, from, to, a.Today())
	if err != nil {
		return err
	}
	withLaw(a.App, &cmp.Result)
	if a.json {
		return a.printJSON(cmp)
	}
	show.FeesCompared(a.screen(), cmp)
	return nil
}

// jusServicesCmd lists the services.
type jusServicesCmd struct{}

// Examples of the command.
func (jusServicesCmd) Examples() []string {
	return []string{"digesto jus servicios", "digesto jus servicios --json | jq '.services[].code'"}
}

// Run lists them.
func (jusServicesCmd) Run(a *program) error {
	calc, err := a.calc()
	if err != nil {
		return err
	}
	rows := []show.FeeService{}
	for _, s := range calc.Services() {
		r := show.FeeService{Code: s.Code, Name: s.Name, Kind: s.Kind, Per: s.Per, Percent: s.Pct, Of: s.Of, Place: s.Place(), Since: string(s.Since)}
		if s.Min.IsPos() {
			v := s.Min.String()
			r.Min = &v
		}
		if s.Max.IsPos() {
			v := s.Max.String()
			r.Max = &v
		}
		rows = append(rows, r)
	}
	for _, g := range calc.Groups() {
		rows = append(rows, show.FeeService{Code: g.Code, Name: g.Name, Kind: "cases", Question: g.Question})
	}
	if a.json {
		return a.printJSON(map[string]any{"services": rows})
	}
	show.FeeServices(a.screen(), rows)
	return nil
}
