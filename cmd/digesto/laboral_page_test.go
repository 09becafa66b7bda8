package main

import (
	"strings"
	"testing"
)

// TestLaborPage fills every calculator's form; what is wrong is said beside it,
// with what was written kept.
func TestLaborPage(t *testing.T) {
	base := serveLaw(t, t.TempDir())
	for path, wants := range map[string][]string{
		"/laboral": {"Cálculos laborales", `name="desde"`, `<option value="improcedente"`, `aria-current="page">Despido`},
		"/laboral?op=despido&desde=2020-01-01&hasta=2024-06-30&salario=1800&pagas=14&tipo=improcedente": {"<output>10.252,60 €</output>", "Paso a paso", "/leyes/BOE-A-2015-11430/a56", `value="2020-01-01"`},
		"/laboral?op=finiquito":                           {`<option value="baja"`, `name="pendiente"`},
		"/laboral?op=paro&cotizados=800":                  {"días</output>", "/leyes/BOE-A-2015-11724/"},
		"/laboral?op=plazo&tipo=despido&desde=2026-11-03": {"de 2026</output>", "/calendario?asunto=Demanda&#43;por&#43;despido", `<option value="falta-leve">Prescripción de una falta leve`, `<option value="si">Sí</option>`},
		"/laboral?op=cifras&nombre=smi&year=2025":         {" €</output>"},
		"/laboral?op=vacaciones&desde=%3Cb%3E":            {`role="alert"`, "&lt;b&gt;"},
		"/laboral?op=nada":                                {`aria-current="page">Despido`},
	} {
		page := get(t, base+path)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %.1500s", path, want, page[strings.Index(page, "<main"):])
			}
		}
	}
}
