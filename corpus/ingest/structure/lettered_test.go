package structure_test

import (
	"testing"

	"digesto/corpus/ingest"
)

// TestLetteredHeads: a letter before an article heads what follows; an item of a list does not.
func TestLetteredHeads(t *testing.T) {
	const md = `# Reglamento del puerto

#### Sección 1.ª De los faros

A) Faros de la costa

##### Artículo 1. De su luz.

El faro se enciende al caer la tarde.

##### Artículo 2. De su guarda.

El farero anota las horas.

B) Faros de las islas

##### Artículo 3. De su relevo.

El relevo llega en barca y trae:

A) Aceite para la lámpara

B) Pan y agua

##### Artículo 4. De sus visitas.

Quien visita el faro firma en el libro.
`
	docs, _, err := ingest.ReadFile(t.Context(), "puerto.md", []byte(md), ingest.Options{})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	want := map[string]string{"a1": "El faro se enciende al caer la tarde.", "a2": "El farero anota las horas.",
		"a3": "El relevo llega en barca y trae:\nA) Aceite para la lámpara\nB) Pan y agua", "a4": "Quien visita el faro firma en el libro."}
	for _, u := range docs[0].Units {
		if w, ok := want[u.ID]; ok && u.Versions[0].Text != w {
			t.Errorf("%s: %q, want %q", u.ID, u.Versions[0].Text, w)
		}
		if u.ID == "a3" && (len(u.Path) == 0 || u.Path[len(u.Path)-1] != "B) Faros de las islas") {
			t.Errorf("a3 stands under %q", u.Path)
		}
		delete(want, u.ID)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
