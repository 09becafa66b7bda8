package jus_test

import (
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
)

// TestNearMisses: words that look like another province, or like a request for
// advice, and are not.
func TestNearMisses(t *testing.T) {
	p, _ := jusPack(t)
	for _, q := range []string{
		"¿Cuánto cobran por las comisiones médicas?", "honorarios por cuentas corrientes impagas en Córdoba", "me asaltaron, ¿cuánto sale una defensa penal?",
		"gastos corrientes y honorarios: ¿qué dice la ley?", "Vivo en la calle Santa Fe, ¿cuánto vale el JUS?", "estudio en avenida Corrientes, valor del jus",
		"estudio jurídico en Bv. San Juan, ¿cuánto es 10 jus?", "¿Cuánto vale el JUS en Río Cuarto?", "honorarios de un divorcio en Carlos Paz", "juicio ejecutivo en Villa María, cuántos jus",
		"cliente en Santa Fe, juicio en Córdoba: ¿cuánto sale un divorcio?", "mi cliente vive en Tucumán, ¿cuánto es 20 jus?", "nos casamos en Mendoza, ¿cuánto sale el divorcio?",
		"la doctora Mendoza pregunta cuánto vale el jus", "el perito Juan Salta cobra, ¿cuántos jus corresponden?", "salta a la vista que subió: ¿cuánto vale el jus?",
		"barrio San Luis de la ciudad de Córdoba: valor del jus", "banco de Santa Cruz, juicio ejecutivo, ¿cuántos jus?", "¿qué dice la ley del convenio regulador?",
		"¿qué recomienda la ley sobre la consulta?", "colegio de abogados: ¿quién informa el valor del jus?", "asesoramiento permanente: ¿cuántos jus por mes?",
		"contrato de locación en Cosquín, honorarios", "soy de Rosario y el juicio es en Córdoba: ¿cuánto sale un divorcio allá?",
	} {
		c := p.Classify(pack.ToolQuestion{Text: q, Today: today})
		if c.Outcome != "" || len(c.Notes) > 0 {
			t.Errorf("%s: refused as %v", q, c.Classes)
		}
	}
}

func TestRefused(t *testing.T) {
	p, tool := jusPack(t)
	for q, want := range map[string]digesto.Outcome{
		"valor del jus en tucuman":                               digesto.OutcomeOutOfScope,
		"VALOR DEL JUS EN TUCUMÁN":                               digesto.OutcomeOutOfScope,
		"¿Cuánto vale el JUS en Misiones?":                       digesto.OutcomeOutOfScope,
		"valor del jus en Salta":                                 digesto.OutcomeOutOfScope,
		"jus de la provincia de Corrientes":                      digesto.OutcomeOutOfScope,
		"¿Cuánto vale el jus en Capital Federal?":                digesto.OutcomeOutOfScope,
		"honorarios en CABA":                                     digesto.OutcomeOutOfScope,
		"valor del IUS":                                          digesto.OutcomeOutOfScope,
		"Vivo en Mendoza, ¿cuánto sale un divorcio allá?":        digesto.OutcomeOutOfScope,
		"Vivo en Salta. ¿Cuánto es el mínimo de un amparo allí?": digesto.OutcomeOutOfScope,
		"¿y en otra provincia?":                                  digesto.OutcomeOutOfScope,
		"¿qué me recomendás cobrar?":                             digesto.OutcomeAdvice,
		"¿me conviene iniciar este juicio en Córdoba?":           digesto.OutcomeAdvice,
		"¿te parece justo cobrar 50 jus por un divorcio?":        digesto.OutcomeAdvice,
		"¿me conviene litigar en Santa Fe?":                      digesto.OutcomeAdvice,
		"Necesito un consejo: ¿acepto el acuerdo que dieron?":    digesto.OutcomeAdvice,
	} {
		c := p.Classify(pack.ToolQuestion{Text: q, Today: today})
		if c.Outcome != want || c.Reply == "" {
			t.Errorf("%s: %q %v, want %s", q, c.Outcome, c.Classes, want)
		}
		if _, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today}); ok {
			t.Errorf("%s: the calculator took it", q)
		}
	}
}

// TestMixed: of a mixed question the rest is answered and only the refused part is refused.
func TestMixed(t *testing.T) {
	p, tool := jusPack(t)
	for _, q := range []string{"¿Cuánto vale el JUS hoy? ¿Me conviene cobrar ahora?", "¿Cuánto vale el JUS en Córdoba y cuánto vale en Santa Fe?"} {
		c := p.Classify(pack.ToolQuestion{Text: q, Today: today})
		if c.Outcome != "" || len(c.Notes) != 1 {
			t.Errorf("%s: %+v", q, c)
		}
		if call, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today}); !ok || call.Function != "valor" {
			t.Errorf("%s: %+v", q, call)
		}
		if strings.Contains(c.Rest, "Santa Fe") && len(c.Classes) == 2 && c.Classes[1] == "fuera_de_dominio" && strings.Contains(q, " y cuánto vale en Santa Fe") {
			t.Errorf("%s: the refused part stays in %q", q, c.Rest)
		}
	}
}
