package ask

import (
	"slices"
	"testing"

	"digesto"
)

// What is wrong with a text is told beside whatever is quoted of it.
func TestDefectsAreTold(t *testing.T) {
	x := hit{law: true}
	x.Version = digesto.Version{ValidFrom: "2020-01-01", Defects: []digesto.TextDefect{{Kind: digesto.DefectCutText, Detail: "Acaba a mitad de una frase."}}}
	if got, want := timeNotes(grounds{}, x), []string{"Aviso sobre el texto citado. Acaba a mitad de una frase."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	x.Version.Defects = nil
	if got := timeNotes(grounds{}, x); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
