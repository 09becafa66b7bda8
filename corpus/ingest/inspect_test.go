package ingest

import (
	"testing"
)

func TestAnnexOfHeadings(t *testing.T) {
	for text, want := range map[string]bool{
		"Grupo 1: Agentes químicos.\nGrupo 2: Agentes físicos.": true,
		"Cuadro\nGrupo 1: Agentes.\nGrupo 2: Otros.":            true,
		"Grupo 1: Agentes químicos.":                            false,
		"Grupo 1: Agentes.\nEl plomo y sus compuestos.":         false,
		"Grupo 1: Agentes.\nClase 2: Otros.":                    false,
	} {
		if got := onlyHeads("Cuadro", text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
