package main

import (
	"fmt"

	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/packs/laboral"
)

// laboralCmd groups the calculators of labour law.
type laboralCmd struct {
	Despido    laboralSeveranceCmd  `cmd:"" help:"Indemnización por despido u otra extinción."`
	Finiquito  laboralSettlementCmd `cmd:"" help:"Lo que se debe al acabar el contrato."`
	Plazo      laboralDeadlineCmd   `cmd:"" help:"Último día de un plazo: despido, prescripción, paro…"`
	Vacaciones laboralHolidaysCmd   `cmd:"" help:"Días de vacaciones ganados entre dos fechas."`
	Paro       laboralBenefitCmd    `cmd:"" help:"Duración y cuantía de la prestación por desempleo."`
	Cifras     laboralFiguresCmd    `cmd:"" help:"Cifras por año: salario mínimo, topes, tipos de cotización."`
}

// Examples of the group.
func (laboralCmd) Examples() []string {
	return []string{
		"digesto laboral despido --desde 2005-03-01 --hasta 2024-06-30 --salario 1800 --pagas 14",
		"digesto laboral plazo despido --desde 2026-11-03", "digesto laboral cifras smi --year 2025",
	}
}

// laborRun does a calculation and prints it.
func laborRun(a *program, function string, args map[string]string) error {
	calc, err := laboral.New()
	if err != nil {
		return err
	}
	given := map[string]string{}
	for k, v := range args {
		if v != "" {
			given[k] = v
		}
	}
	r, err := calc.Do(function, given, a.Today())
	if err != nil {
		return err
	}
	return showLabor(a, r)
}

// showLabor prints a calculation for people or programs.
func showLabor(a *program, r laboral.Result) error {
	if a.json {
		return a.printJSON(r)
	}
	show.Labor(a.screen(), r)
	return nil
}

// payFlags say the salary.
type payFlags struct {
	Salario string `name:"salario" placeholder:"EUROS" help:"Salario bruto al mes."`
	Pagas   string `name:"pagas" placeholder:"N" help:"Pagas al año: 12 (prorrateadas) o 14."`
	Anual   string `name:"anual" placeholder:"EUROS" help:"En lugar del salario al mes: bruto al año."`
	Diario  string `name:"diario" placeholder:"EUROS" help:"En lugar del salario al mes: bruto al día, con pagas."`
}

func (f payFlags) args(more ...string) map[string]string {
	m := map[string]string{"salario": f.Salario, "pagas": f.Pagas, "anual": f.Anual, "diario": f.Diario}
	for i := 0; i+1 < len(more); i += 2 {
		m[more[i]] = more[i+1]
	}
	return m
}

// serviceFlags say the time of service.
type serviceFlags struct {
	Desde string `name:"desde" placeholder:"FECHA" help:"Primer día de trabajo (antigüedad)."`
	Hasta string `name:"hasta" placeholder:"FECHA" help:"Último día de trabajo."`
}

// laboralSeveranceCmd gives the compensation of an end of contract.
type laboralSeveranceCmd struct {
	serviceFlags
	payFlags
	Tipo string `name:"tipo" placeholder:"TIPO" help:"improcedente, objetivo, colectivo, voluntad, traslado, modificacion, temporal, hogar…"`
}

// Examples of the command.
func (laboralSeveranceCmd) Examples() []string {
	return []string{"digesto laboral despido --desde 2005-03-01 --hasta 2024-06-30 --salario 1800 --pagas 14", "digesto laboral despido --tipo objetivo --desde 2019-01-15 --hasta 2026-05-31 --anual 24000 --json"}
}

// Run calculates.
func (c laboralSeveranceCmd) Run(a *program) error {
	return laborRun(a, laboral.FnSeverance, c.args("desde", c.Desde, "hasta", c.Hasta, "tipo", c.Tipo))
}

// laboralSettlementCmd gives what is owed at the end.
type laboralSettlementCmd struct {
	serviceFlags
	payFlags
	Tipo        string `name:"tipo" placeholder:"TIPO" help:"Cómo acaba: improcedente, objetivo, temporal, baja…"`
	Pendiente   string `name:"pendiente" placeholder:"FECHA" help:"Primer día de salario sin cobrar; sin él, el 1 del último mes."`
	Devengo     string `name:"devengo" placeholder:"anual|semestral" help:"Cómo se ganan las pagas extraordinarias, según el convenio."`
	Disfrutadas string `name:"disfrutadas" placeholder:"DÍAS" help:"Vacaciones ya disfrutadas este año."`
	Dias        string `name:"dias" placeholder:"DÍAS" help:"Vacaciones al año; sin él, las 30 de la ley."`
}

// Examples of the command.
func (laboralSettlementCmd) Examples() []string {
	return []string{"digesto laboral finiquito --desde 2020-02-01 --hasta 2026-10-15 --salario 1500 --pagas 14 --disfrutadas 20 --tipo baja"}
}

// Run calculates.
func (c laboralSettlementCmd) Run(a *program) error {
	return laborRun(a, laboral.FnSettlement, c.args("desde", c.Desde, "hasta", c.Hasta, "tipo", c.Tipo, "pendiente", c.Pendiente, "devengo", c.Devengo, "disfrutadas", c.Disfrutadas, "dias", c.Dias))
}

// laboralDeadlineCmd gives the last day of a term.
type laboralDeadlineCmd struct {
	Desde        string `name:"desde" placeholder:"FECHA" help:"Día desde el que se cuenta."`
	Festivos     string `name:"festivos" placeholder:"FECHA,…" help:"Festivos de la comunidad y de la localidad."`
	Papeleta     string `name:"papeleta" placeholder:"FECHA" help:"Día en que se pidió la conciliación."`
	Conciliacion string `name:"conciliacion" placeholder:"FECHA" help:"Día en que se intentó."`
	Agosto       string `name:"agosto" placeholder:"si|no" help:"Si cuentan agosto y el fin de año, donde no está claro."`
	Comision     string `name:"comision" placeholder:"FECHA" help:"Día en que se cometió la falta."`
	Tipo         string `arg:"" placeholder:"PLAZO" help:"despido, modificacion, sancion, cantidad, falta-grave, infraccion, prestacion, solicitud-paro…"`
}

// Examples of the command.
func (laboralDeadlineCmd) Examples() []string {
	return []string{"digesto laboral plazo despido --desde 2026-11-03 --festivos 2026-11-09,2026-12-08", "digesto laboral plazo cantidad --desde 2026-01-31"}
}

// Run calculates.
func (c laboralDeadlineCmd) Run(a *program) error {
	return laborRun(a, laboral.FnDeadline, map[string]string{"tipo": c.Tipo, "desde": c.Desde, "festivos": c.Festivos, "papeleta": c.Papeleta, "conciliacion": c.Conciliacion, "agosto": c.Agosto, "comision": c.Comision})
}

// laboralHolidaysCmd gives the holidays earned.
type laboralHolidaysCmd struct {
	serviceFlags
	Dias        string `name:"dias" placeholder:"DÍAS" help:"Vacaciones al año; sin él, las 30 de la ley."`
	Disfrutadas string `name:"disfrutadas" placeholder:"DÍAS" help:"Días ya disfrutados."`
}

// Examples of the command.
func (laboralHolidaysCmd) Examples() []string {
	return []string{"digesto laboral vacaciones --desde 2026-03-01 --hasta 2026-11-21 --disfrutadas 10"}
}

// Run calculates.
func (c laboralHolidaysCmd) Run(a *program) error {
	return laborRun(a, laboral.FnHolidays, map[string]string{"desde": c.Desde, "hasta": c.Hasta, "dias": c.Dias, "disfrutadas": c.Disfrutadas})
}

// laboralBenefitCmd gives the unemployment benefit.
type laboralBenefitCmd struct {
	Cotizados string `name:"cotizados" placeholder:"DÍAS" help:"Días cotizados en los últimos seis años, sin los ya usados."`
	Base      string `name:"base" placeholder:"EUROS" help:"Base reguladora al mes."`
	Hijos     string `name:"hijos" placeholder:"N" help:"Hijos a cargo."`
	Iprem     string `name:"iprem" placeholder:"EUROS" help:"IPREM al mes en doce pagas, el del día en que nace el derecho; sin él, el que consta para ese día."`
}

// Examples of the command.
func (laboralBenefitCmd) Examples() []string {
	return []string{"digesto laboral paro --cotizados 800", "digesto laboral paro --cotizados 800 --base 1500 --hijos 1 --iprem 600"}
}

// Run calculates.
func (c laboralBenefitCmd) Run(a *program) error {
	return laborRun(a, laboral.FnBenefit, map[string]string{"cotizados": c.Cotizados, "base": c.Base, "hijos": c.Hijos, "iprem": c.Iprem})
}

// laboralFiguresCmd gives the figures that change by year.
type laboralFiguresCmd struct {
	Fecha  string `name:"date" placeholder:"FECHA" help:"La que regía ese día."`
	Year   string `name:"year" placeholder:"AAAA" help:"Las de ese año."`
	Nombre string `arg:"" optional:"" placeholder:"CIFRA" help:"smi, tope-maximo, contingencias-comunes, mei…; sin ella, la tabla entera."`
}

// Examples of the command.
func (laboralFiguresCmd) Examples() []string {
	return []string{"digesto laboral cifras", "digesto laboral cifras smi --year 2025", "digesto laboral cifras semanas-nacimiento --date 2025-07-01"}
}

// Run looks a figure up, or prints the table.
func (c laboralFiguresCmd) Run(a *program) error {
	if c.Nombre != "" {
		return laborRun(a, laboral.FnFigures, map[string]string{"nombre": c.Nombre, "fecha": c.Fecha, "year": c.Year})
	}
	calc, err := laboral.New()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"figures": calc.Figures()})
	}
	for _, f := range calc.Figures() {
		fmt.Fprintln(a.out, terminal.Clean(fmt.Sprintf("%s  %s", a.outStyle().Bold(fmt.Sprintf("%-22s", f.Key)), f.Text())))
	}
	return nil
}
