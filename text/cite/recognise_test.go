package cite

import (
	"strings"
	"testing"

	"digesto"
)

// The matter of a law and the organ in its title are no names of it.
func TestMatterIsNoName(t *testing.T) {
	table := NewTable(nil, []digesto.Norm{
		{ID: "L-36-2011", Title: "Ley 36/2011, de 10 de octubre, reguladora de la jurisdicción social", Jurisdiction: "es"},
		{ID: "LEY-29816", Title: "Ley de Fortalecimiento de la SUNAT", Jurisdiction: "pe"},
	})
	for question, want := range map[string]string{
		"¿qué plazos hay en la jurisdicción social?": "",
		"¿qué plazo tiene la SUNAT?":                 "",
		"SUNAT":                                      "",
		"ley de la jurisdicción social":              "L-36-2011",
		"ley reguladora de la jurisdicción social":   "L-36-2011",
		"artículo 64 de la jurisdicción social":      "L-36-2011",
		"Ley de Fortalecimiento de la SUNAT":         "LEY-29816",
	} {
		norms := table.Recognise(question).Norms
		if got := append(norms, "")[0]; got != want {
			t.Errorf("%q: %v, want %q", question, norms, want)
		}
	}
	for _, s := range []string{"La jurisdicción social conoce de los pleitos.", "La SUNAT resuelve."} {
		if m := table.Find(s); len(m) > 0 {
			t.Errorf("%q: %+v", s, m)
		}
	}
}

// What a long run over the law of three countries showed to be read wrongly.
func TestReadRight(t *testing.T) {
	table := NewTable([]Alias{{Name: "LAS", Norm: "LEY-100"}}, []digesto.Norm{
		{ID: "LEY-100", Title: "Ley 100 de Asociaciones"},
		{ID: "LEY-15336", Title: "Ley 15.336 de Energía"}, {ID: "LEY-24065", Title: "Ley 24.065 de Electricidad"},
		{ID: "COD", Title: "Código Civil", Rank: "ley"}, {ID: "LO-10-2022", Title: "Ley Orgánica 10/2022, de 6 de septiembre, de garantía"},
		{ID: "D-2530", Title: "Decreto 2530/1970, de 20 de agosto, por el que se regula el régimen especial de los autónomos"},
	})
	for in, want := range map[string]string{
		"el artículo 48, las enunciadas":                                   "a48@",
		"según el art. 5 LAS":                                              "a5@LEY-100",
		"en la citada Ley Orgánica 10/2022, de 6 de septiembre":            "@LO-10-2022",
		"prevista en la citada Norma VII":                                  "nVII@",
		"Ley 15.336 (según la Ley Nº 24.065), artículo 61":                 "@LEY-15336 @LEY-24065 a61@",
		"el artículo 142 y concordantes del Código Civil":                  "a142@COD",
		"los artículos 99.1 y 3 de esta ley":                               "a99@",
		"los artículos 99.1 y 100 de esta ley":                             "a99@ a100@",
		"alta en el régimen especial de los autónomos":                     "",
		"«Artículo 5. Luz.\nARTÍCULO 6º.- Gas. Según el artículo 7.":       "a7@",
		"tres artículos, tres disposiciones adicionales, cuatro finales":   "",
		"el artículo 17.1.g) y h) de la Ley 15.336":                        "a17@LEY-15336",
		"la Ley 15.336, salvo su artículo 3":                               "@LEY-15336 a3@LEY-15336",
		"Artículo 5 de la Ley 15.336":                                      "a5@LEY-15336",
		"las Leyes Nros. 15.336, 24.065 y N.º 24.076, sus complementarias": "@LEY-15336 @LEY-24065 @?",
		"del citado texto refundido, el artículo 9":                        "a9@?",
	} {
		var got []string
		for _, m := range table.Find(in) {
			id := m.Norm
			if id == "" && m.Name != "" && !m.Relative {
				id = "?"
			}
			got = append(got, m.Unit+"@"+id)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", in, s, want)
		}
	}
}
