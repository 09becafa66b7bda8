package ask

import (
	"testing"

	"digesto"
	"digesto/digest"
	"digesto/write"
)

// TestWhatIsReadIsNotSuggested: what can be read in an answer is not offered as the next question.
func TestWhatIsReadIsNotSuggested(t *testing.T) {
	v := verified{Draft: write.Draft{Citations: []digesto.Citation{{Quote: "El farero tendrá veinte días de descanso.", Ref: &digesto.Ref{Document: "F", Unit: "a2"}}, {Quote: "Otra cosa."}}}}
	for _, c := range []struct {
		norm, unit, words string
		want              bool
	}{
		{"F", "a2", "veinte días de descanso", true},
		{"F", "a2", "sin merma del salario", false},
		{"F", "a3", "veinte días de descanso", false},
		{"F", "a2", "", false},
	} {
		if got := v.quotes(&digest.Entry{Norm: c.norm, Unit: c.unit, Words: c.words}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
