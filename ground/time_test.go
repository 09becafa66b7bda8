package ground

import (
	"slices"
	"testing"

	"digesto"
	"digesto/retrieve"
)

// What is wrong with a text is told beside whatever is quoted of it.
func TestDefectsAreTold(t *testing.T) {
	x := retrieve.Hit{Law: true}
	x.Version = digesto.Version{ValidFrom: "2020-01-01", Defects: []digesto.TextDefect{{Kind: digesto.DefectCutText, Detail: "Acaba a mitad de una frase."}}}
	if got, want := TimeNotes(Grounds{}, x), []string{"Aviso sobre el texto citado. Acaba a mitad de una frase."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	x.Version.Defects = nil
	if got := TimeNotes(Grounds{}, x); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
