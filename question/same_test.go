package question

import "testing"

func TestAFicheOfAnotherKindDoesNotVouch(t *testing.T) {
	for _, c := range []struct {
		asked, answered Kind
		want            bool
	}{{KindPeriod, KindPeriod, true}, {KindAmount, KindPeriod, false}, {KindOpen, KindAmount, true}, {KindHow, KindAmount, false}} {
		if SameKind(c.asked, c.answered) != c.want {
			t.Errorf("%s %s", c.asked, c.answered)
		}
	}
}
