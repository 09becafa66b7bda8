package route

import (
	"testing"

	"digesto/packs"
)

// TestForeign: a question is of another country's law when it says so, not when somebody in it is
// from there, or went there.
func TestForeign(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &Router{Packs: all}
	for _, c := range []struct{ pack, question, want string }{
		{"laboral", "¿Cuántos días de vacaciones hay en Argentina?", "argentina"},
		{"laboral", "Trabajo en Lima y me han echado, ¿cuánto me toca?", "peru"},
		{"laboral", "según la ley argentina, ¿cuánto dura el preaviso?", "argentina"},
		{"argentina", "¿Cuántos euros de multa son?", "laboral"},
		{"laboral", "¿Qué plazo tiene la SUNAT para contestarme?", "peru"},
		{"clara", "Soy peruana y mi marido argentino, ¿cuánto podemos conducir aquí con el carnet de allá?", ""},
		{"clara", "Soy argentino, ¿cuánto tiempo puedo conducir en España con mi licencia?", ""},
		{"argentina", "El papá de mi hija se fue a trabajar a Madrid, ¿me puedo mudar con ella?", ""},
		{"laboral", "Mi compañera se fue a vivir a Rosario y la empresa no le paga", ""},
	} {
		p, _ := packs.One(all, c.pack)
		got := ""
		if x := e.foreign(c.question, p); x != nil {
			got = x.Pack.Name
		}
		if got != c.want && !(c.want == "laboral" && got == "clara") { // both are of Spain
			t.Errorf("%s of %s: %q, want %q", c.question, c.pack, got, c.want)
		}
	}
}
