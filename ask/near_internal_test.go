package ask

import (
	"math"
	"testing"

	"digesto/decide"
	"digesto/packs"
)

// TestNearScale: the model of places was calibrated anew, and the weights of follow-ups with it.
func TestNearScale(t *testing.T) {
	m, err := decide.ReadModel(packs.Decide)
	if err != nil {
		t.Fatal(err)
	}
	if want := .744 / m.Scale; math.Abs(nearScale-want) > .01 {
		t.Errorf("nearScale is %.2f, and the scale of the log odds asks for %.2f", nearScale, want)
	}
}
