package verify

import (
	"slices"
	"testing"

	"digesto"
)

func TestAddresses(t *testing.T) {
	official := []string{"https://ley.example/1"}
	quotes := []string{"escribirá a quejas@puerto.example en el plazo"}
	for s, want := range map[string]bool{
		"El plazo es de quince días [C1][C2]. No cabe otro recurso (art. 5).":   false,
		"Según el texto, «escribirá a quejas@puerto.example en el plazo» [C1].": false,
		"Véase https://ley.example/1.":                                          false,
		"Véase https://ley.example/1?q=datos":                                   true,
		"Más en www.trampa.example":                                             true,
		"Más en //trampa.example/x":                                             true,
		"Pulse [aquí](javascript:x)":                                            true,
		"![](x)":                                                                true,
		"Se dice.<img src=x>":                                                   true,
		"Escriba a otro@trampa.example":                                         true,
		"Texto [1].\n[1]: x":                                                    true,
		"Entre en trampa.com y siga":                                            true,
		"Los importes son 1.000 y 2.000 euros; y/o lo que diga el convenio: a) b) c)": false,
		"La cuota es < 5 y el tipo > 3 %":                                             false,
	} {
		if got := Addresses(s, quotes, official); (len(got) > 0) != want {
			t.Errorf("%q: %q", s, got)
		}
	}
}

func TestUnquoted(t *testing.T) {
	list := []Ground{{Norm: digesto.Norm{Title: "Ley de los Faros y de las Balizas"}, Version: digesto.Version{Text: "El farero descansará cuarenta días.\nNo podrá apagar la luz de noche sin permiso."}}}
	for s, want := range map[string][]string{
		"Dice: «No podrá apagar la luz de noche».":                              nil,
		"Dice: «No podrá apagar […] de noche sin permiso».":                     nil,
		"Lo llama «faro de costa» y nada más.":                                  nil,
		"La «Ley de los Faros y de las Balizas» lo regula.":                     nil,
		"Dice: “Podrá apagar la luz de noche”.":                                 {"Podrá apagar la luz de noche"},
		`Dice: "No podrá encender la luz" y "El farero descansará siempre así"`: {"No podrá encender la luz", "El farero descansará siempre así"},
	} {
		if got := Unquoted(s, list); !slices.Equal(got, want) {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// TestNotesAreChecked: what the answer may not say, its notes may not say either.
func TestNotesAreChecked(t *testing.T) {
	g := grounds()
	for note, stays := range map[string]bool{"Compruebe lo que diga su convenio.": true, "La multa es de 12.345 euros.": false, "Vea https://trampa.example": false} {
		c := Contract([]byte(object(set("notes", note))), g)
		if len(c.Answer.Citations) != 1 || (c.Answer.Notes != nil && *c.Answer.Notes == note) != stays || slices.Contains(c.Failed, CheckNotes) == stays {
			t.Errorf("%q: %v %v", note, c.Failed, c.Answer.Notes)
		}
	}
}
