package dating

import (
	"testing"

	"digesto/corpus/ingest/line"
)

// Reform notes inside a paragraph leave the text and stay as notes.
func TestInlineNotes(t *testing.T) {
	for in, want := range map[string]string{
		"Los faroles alumbran (según art. 3°, ley 99).":                                           "Los faroles alumbran.",
		"Los faroles alumbran. (Artículo sustituido por art. 1° de la Ley N° 55 (B.O. 2/3/2004))": "Los faroles alumbran.",
		"a) Uno; (Inciso incorporado por Ley N° 55) b) dos.":                                      "a) Uno; b) dos.",
		"Los faroles (artículo 5 de la ley de plazas) alumbran.":                                  "Los faroles (artículo 5 de la ley de plazas) alumbran.",
		"Los plazos (diez días) corren.":                                                          "Los plazos (diez días) corren.",
		"Los faroles (modificados o no) alumbran.":                                                "Los faroles (modificados o no) alumbran.",
	} {
		if got, _ := cutInlineNotes(in); got != want {
			t.Errorf("%q → %q, want %q", in, got, want)
		}
	}
}

func TestIsNote(t *testing.T) {
	for in, want := range map[string]bool{
		"(*) Artículo modificado por el Artículo 3 de la Ley N° 99, publicada el 2 de marzo de 2004.": true,
		"* Inciso sustituido por el Decreto 5, publicado el 3 de mayo de 2001.":                       true,
		"(Artículo derogado por art. 4° de la Ley N° 55 B.O. 2/3/2004)":                               true,
		"CONCORDANCIAS: R. N° 3-2001":                                true,
		"N. del E.: véase la ley 5.":                                 true,
		"Los artículos modificados por esta ley rigen desde mañana.": false,
		"Artículo 5. Los faroles.":                                   false,
		"El artículo 3 de la Ley de plazas queda derogado.":          false,
		"(i) Los faroles.":                                           false,
	} {
		if got := IsNote(line.Line{Text: in}); got != want {
			t.Errorf("isNote(%q) = %v", in, got)
		}
	}
}
