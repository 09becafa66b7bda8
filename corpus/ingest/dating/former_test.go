package dating_test

import (
	"strings"
	"testing"

	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

// What editors repeat of the wording before a reform is history, and the day on
// which the new one comes into force is a note: neither is law in force.
func TestFormerWordingInBlockQuotations(t *testing.T) {
	docs, _, err := ingesttest.ReadBytes("n.md", "# Ley de faroles\n\n###### Artículo 1. Altura.\n\nEl farol mide cinco metros.\n\n> Téngase en cuenta que esta actualización entra en vigor el 1 de enero de 2030.\n\n> Redacción anterior:\n\n> \"Artículo 1. Altura.\n\n> El farol mide cuatro metros.\"\n\n> <small>Se modifica por la Ley 3/2029.</small>\n\n###### Artículo 2. Cierre.\n\n> Esta cita es de la propia ley.\n\nNada más.\n")
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	units := docs[0].Units
	a1, a2 := ingesttest.UnitNamed(t, units, "a1"), ingesttest.UnitNamed(t, units, "a2")
	last := a1.Versions[len(a1.Versions)-1]
	if last.Text != "El farol mide cinco metros." || len(last.Notes) != 3 || len(a1.Versions) != 2 || a1.Versions[0].Current || !strings.Contains(a1.Versions[0].Text, "cuatro metros") {
		t.Errorf("a1: %+v", a1.Versions)
	}
	if a2.Versions[0].Text != "Esta cita es de la propia ley.\nNada más." {
		t.Errorf("a2: %+v", a2.Versions)
	}
}

func TestNoFormerWordingInForce(t *testing.T) {
	d := ingesttest.ReadOne(t, shareddata.Dir(t, "corpora/laboral-es/normas/es/BOE-A-2015-11724.md"))
	for _, u := range d.Units {
		for _, v := range u.Versions {
			if v.Current && (strings.Contains(v.Text, "Téngase en cuenta que esta") || strings.Contains(v.Text, "Redacción anterior") || strings.Contains(v.Text, "Redacción vigente:")) {
				t.Errorf("%s: an editor's words are quoted as law", u.ID)
			}
		}
	}
	if u := ingesttest.UnitNamed(t, d.Units, "a30"); len(u.Versions) != 2 || u.Versions[0].Current {
		t.Errorf("a30: %d versions", len(u.Versions))
	}
}
