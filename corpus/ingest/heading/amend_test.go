package heading

import (
	"testing"

	"digesto"
)

func TestAmendingUnits(t *testing.T) {
	for _, c := range []struct {
		rubric, text string
		want         bool
	}{
		{"Modificación de la Ley 1/2001, de Montes", "La Ley queda así:", true},
		{"", "Se modifica el artículo 4 de la Ley 1/2001, que queda redactado así:\n«Artículo 4. Caza.\nQueda prohibida.»", true},
		{"", "El apartado 2 del artículo 5 del Reglamento queda redactado en los siguientes términos:\n«2. El plazo es de un mes.»", true},
		{"", "Sustitúyese el artículo 3 por el siguiente:\n\"ARTÍCULO 3.- El canon es de diez.\"", true},
		{"Modificación del texto refundido de la Ley de Montes", "Se añade un artículo.", true},
		{"Modificación del artículo 3 de la Ley de Montes", "Se añade un apartado.", true},
		{"Modificación del contrato", "Las partes pueden cambiar el contrato por escrito.", false},
		{"Vacaciones", "El periodo se fijará de común acuerdo. Si se modifica el calendario, se avisará antes.", false},
		{"Régimen", "El contrato se modifica por acuerdo de las partes.", false},
	} {
		u := digesto.Unit{Rubric: c.rubric, Versions: []digesto.Version{{Text: c.text, Current: true}}}
		if got := Amending(u); got != c.want {
			t.Errorf("amending(%q, %q) = %v", c.rubric, c.text, got)
		}
	}
}
