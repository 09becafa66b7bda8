package brief

import (
	"strings"
	"testing"
	"time"
)

// Texts made to cost the most stay cheap: nothing is quadratic beyond its bounds.
func TestHostileTextsAreCheap(t *testing.T) {
	o := harbour(t)
	for _, unit := range []string{"'a ", "«a b c ", "<<a b c d ", "''a b c", "art.\n1\nde la\nley\n", "El art. 1 LFB dice que el farero no paga 3 días. ", "> a b c d\n\n", ":\n    a b c d\n", "«a b c»[^1] ", "[^1]: a\n", "(art. 1 LFB) ", "(1.1) y el 1.1 del mismo precepto ", "el 1 dice: «a b c» del 1 LFB ", "ECLI:ES:TS:2016:4654 ", "Carta de A, art. 1 ", "no 3 días a b, ", "‘a’ ", "[…", "… ", "*a"} {
		s := strings.Repeat(unit, 1<<15/len(unit))
		began := time.Now()
		check(t, o, s)
		took := time.Since(began)
		t.Logf("%8s %q", took.Round(time.Millisecond), unit)
		if took > 10*time.Second {
			t.Errorf("%q over and over: %s", unit, took)
		}
	}
}
