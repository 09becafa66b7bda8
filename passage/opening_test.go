package passage

import "testing"

// TestDefines: every form that gives a word its meaning is seen, and what only has its letters is not.
func TestDefines(t *testing.T) {
	for s, want := range map[string]bool{
		"a los efectos de esta ley se entiende por consumidor quien compra": true,
		"se entendera que hay abandono cuando no acuda":                     true,
		"se considera vivienda habitual la que ocupa":                       true,
		"se considerara domicilio el que conste":                            true,
		"se denomina finca a la superficie":                                 true,
		"se denominara socio":                                               true,
		"la renta se define asi":                                            true,
		"considerase por tal":                                               false,
		"considera como tal la que ocupa":                                   true,
		"hay dolo cuando uno engaña":                                        true,
		"existe mora desde que se pide":                                     true,
		"habra lugar a ello":                                                true,
		"llamase testamento el acto":                                        true,
		"denominase cerrado":                                                true,
		"no hay plazo":                                                      false,
		"el juez consideró los hechos":                                      false,
		"la sentencia definitiva se notificara":                             false,
		"quien entienda que le perjudica podra reclamar":                    false,
		"la denominacion de la sociedad constara en la escritura":           false,
		"el plazo sera de quince dias":                                      false,
		"":                                                                  false,
	} {
		if got := Defines(s); got != want || definesWord.MatchString(s) != got {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestOpenings: how sentences open.
func TestOpenings(t *testing.T) {
	for s, want := range map[string][2]bool{ // a case, no rule
		"Cuando el trabajador no acuda, se le citará.": {true, false},
		"En caso de muerte, los herederos.":            {true, false},
		"Tratándose de menores, sus padres.":           {true, false},
		"El plazo es de diez días.":                    {false, false},
		"«Artículo 3. Objeto.":                         {false, true},
		"«Ley» es la que se publica.":                  {false, false},
		"Téngase en cuenta que esta redacción cambia.": {false, true},
		"El juez tendrá en cuenta lo que se alegue.":   {false, false},
	} {
		if got := [2]bool{OpensCase(s), NotRule(s)}; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
