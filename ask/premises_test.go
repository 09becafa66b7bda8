package ask

import (
	"slices"
	"strings"
	"testing"

	"digesto"
)

// TestFalsePremises asks for what is not so. The rows were written before the program was
// asked, but for five that were known (one is right since), and not for what it does: it must not answer them, or, where law says the
// contrary, answer with that law. Rows marked known are answered wrongly and stand in
// docs/evaluation.md; one that is right again must lose its mark.
func TestFalsePremises(t *testing.T) {
	e, law := wholeEngine(t)
	for _, c := range []struct {
		pack, question string
		says           string // the places that say the contrary; "" = nothing may be answered
		known          bool
	}{
		{"laboral", "¿En qué artículo del Estatuto de los Trabajadores se regula el divorcio?", "", false},
		{"laboral", "¿En qué artículo de la Constitución se fija el salario mínimo en euros?", "", false},
		{"laboral", "¿Qué dice el artículo 500 de la Ley General de la Seguridad Social?", "", false},
		{"laboral", "¿Qué multa paga el trabajador que pide vacaciones?", "BOE-A-2015-11430/a58", false},
		{"laboral", "¿Por qué la ley obliga a trabajar sesenta horas semanales?", "BOE-A-2015-11430/a34", false},
		{"laboral", "¿Por qué se puede despedir a una trabajadora por estar embarazada?", "BOE-A-2015-11430/a53 BOE-A-2015-11430/a55", false},
		{"laboral", "¿Quién inventó las vacaciones pagadas?", "", false},
		{"laboral", "¿Quién descubrió la jornada de ocho horas?", "", false},
		{"laboral", "¿Qué indemnización cobra el dragón despedido?", "", false},
		{"peru", "¿En qué artículo del Código Tributario se regula la patria potestad?", "", false},
		{"peru", "¿Qué dice el artículo 450 del Código Tributario?", "", false},
		{"peru", "¿Qué dice la Norma XXV del Título Preliminar del Código Tributario?", "", false},
		{"peru", "¿Quién inventó el IGV?", "", false},
		{"peru", "¿En qué artículo del Código Tributario se permite no pagar impuestos los domingos?", "", false},
		{"peru", "¿Qué requisitos hay para abrir una panadería en la Luna?", "", false},
		{"argentina", "¿En qué artículo del Código Civil y Comercial se regula la pena de muerte?", "", false},
		{"argentina", "¿Qué dice el artículo 400 de la Constitución Nacional?", "", false},
		{"argentina", "¿Quién escribió en verso el Código Civil y Comercial?", "", false},
		{"argentina", "¿Qué requisitos pide la ley para ser superhéroe?", "", false},
		{"argentina", "¿Cuánto mide el obelisco según el Código Penal?", "", false},
		{"jus", "¿Qué dice el artículo 950 de la Ley 9459?", "", false},
		{"jus", "¿En qué artículo de la Ley 9459 se regula el aguinaldo?", "", false},
		{"jus", "¿Cuánto es -30 JUS en pesos?", "", false},
		{"jus", "¿Cuántos JUS cuesta un kilo de pan?", "", false},
		{"clara", "¿Qué dice el artículo 800 de la Constitución?", "", false},
		{"clara", "¿En qué artículo de la Ley 39/2015 se regula el permiso de caza?", "", false},
		{"clara", "¿Qué multa hay por pescar sin licencia?", "", false},
		{"clara", "¿Quién inventó el empadronamiento?", "", false},
		{"clara", "¿Quién pintó el libro de familia?", "", false},
		{"laboral", "¿Cuántos días de permiso da la ley por mudarse a otro planeta?", "", true},
		{"laboral", "¿Cuántas vacaciones tiene un juez?", "", true},
		{"peru", "¿Qué premio da la SUNAT a quien no declara?", "", false},
		{"peru", "¿Por qué el Código Tributario exonera de impuestos a los extraterrestres?", "", true},
		{"argentina", "¿En qué artículo de la Ley de Contrato de Trabajo se regula el matrimonio?", "", true},
		{"argentina", "¿Por qué la Constitución permite la esclavitud?", "LEY-24430/a15", false},
		{"clara", "¿Qué requisitos hay para viajar a Marte?", "", false},
		{"clara", "¿Cuánto tarda en llegar el DNI a la Atlántida?", "", false},
		{"clara", "¿Qué plazo hay para pedir asilo en la Antártida de los pingüinos?", "", true},
	} {
		a := askPack(t, e, c.pack, c.question)
		right := a.Meta.Outcome != digesto.OutcomeAnswer
		if c.says != "" {
			right = len(a.Citations) > 0 && slices.Contains(strings.Fields(c.says), a.Citations[0].Ref.Document+"/"+a.Citations[0].Ref.Unit)
		}
		if right == c.known {
			t.Errorf("%s: %s: right %v, known as wrong %v: %s", c.pack, c.question, right, c.known, a.Answer)
		}
		quotedFromThere(t, e, law, c.question, a)
	}
}
