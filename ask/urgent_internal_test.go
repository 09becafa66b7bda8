package ask

import (
	"strings"
	"testing"

	"digesto/verify"
	"digesto/write"
)

// TestFits: two answers that one cannot hold are not joined.
func TestFits(t *testing.T) {
	short, long := write.Draft{Answer: "Sí."}, write.Draft{Answer: strings.Repeat("a", verify.MaxAnswer-4)}
	if !fits(short, short) || fits(short, long) {
		t.Error("the bound of an answer")
	}
	if got := join(short, long); got.Answer != short.Answer || len(got.Notes) != 1 {
		t.Errorf("%d notes, %q", len(got.Notes), got.Answer)
	}
}
