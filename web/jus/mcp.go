package jus

import (
	"context"
	"errors"

	"digesto/app"
	"digesto/server/mcp"
)

// The arguments of the calculators. Amounts are text, as on the command line:
// a decimal point or comma.
type (
	jusValueArgs struct {
		Date  string `json:"date,omitempty" jsonschema:"Valor que regía ese día, AAAA-MM-DD; sin día, mes ni año, hoy."`
		Year  string `json:"year,omitempty" jsonschema:"Todo ese año, AAAA: los dos extremos y cada cambio."`
		Month string `json:"month,omitempty" jsonschema:"Todo ese mes, AAAA-MM."`
	}
	jusConvertArgs struct {
		jusValueArgs
		Jus   string `json:"jus,omitempty" jsonschema:"Cantidad de JUS, por ejemplo 2,5. O bien «pesos»."`
		Pesos string `json:"pesos,omitempty" jsonschema:"Importe en pesos, por ejemplo 1000000. O bien «jus»."`
	}
	jusQuoteArgs struct {
		jusValueArgs
		Items []string          `json:"items" jsonschema:"Servicios, CÓDIGO o CÓDIGO=CANTIDAD: consulta_verbal=2."`
		With  map[string]string `json:"con,omitempty" jsonschema:"Datos que deciden un caso o una base: convenio si, letrados 2, base 1000000."`
	}
	jusCompareArgs struct {
		Code string            `json:"code" jsonschema:"Código de un servicio, o jus."`
		From string            `json:"from" jsonschema:"Primer día, AAAA-MM-DD."`
		To   string            `json:"to,omitempty" jsonschema:"Segundo día, AAAA-MM-DD; sin él, hoy."`
		With map[string]string `json:"con,omitempty" jsonschema:"Datos que deciden un caso."`
	}
)

// Tools offers the calculators of packs/jus: the same functions as the
// command line, the same JSON.
func Tools(a *app.App, w *app.Workspace, s *mcp.Server) error {
	calc := calcOf(w)
	if calc == nil {
		return nil
	}
	j := jusAPI{calc, a.Today}
	return errors.Join(
		mcp.Add(s, mcp.Tool{Name: "jus_value", Title: "Valor del JUS", Description: "Valor del JUS de Córdoba (Argentina) en un día, un mes o un año, en pesos, con la fila de la tabla de que sale. Ejemplo: {\"date\":\"2025-06-30\"}."},
			func(_ context.Context, in jusValueArgs) (any, error) { return j.valueOf(whenBody(in)) }),
		mcp.Add(s, mcp.Tool{Name: "jus_convert", Title: "Convertir JUS y pesos", Description: "De JUS a pesos o de pesos a JUS, con el valor de un día, un mes o un año. Ejemplo: {\"jus\":\"12\"}."},
			func(_ context.Context, in jusConvertArgs) (any, error) {
				return j.convertOf(convertBody{whenBody(in.jusValueArgs), in.Jus, in.Pesos})
			}),
		mcp.Add(s, mcp.Tool{Name: "jus_quote", Title: "Presupuesto de honorarios", Description: "Presupuesto de uno o varios servicios profesionales en JUS y pesos; si falta un dato que decide, da los casos. Ejemplo: {\"items\":[\"consulta_verbal=2\"]}."},
			func(_ context.Context, in jusQuoteArgs) (any, error) {
				return j.quoteOf(quoteBody{whenBody(in.jusValueArgs), in.Items, in.With})
			}),
		mcp.Add(s, mcp.Tool{Name: "jus_compare", Title: "Comparar dos fechas", Description: "Compara el JUS o un servicio entre dos días: valores, diferencia y porcentaje. Ejemplo: {\"code\":\"jus\",\"from\":\"2025-01-01\"}."},
			func(_ context.Context, in jusCompareArgs) (any, error) {
				return j.compareOf(in.Code, in.From, in.To, pairs(in.With))
			}),
	)
}
