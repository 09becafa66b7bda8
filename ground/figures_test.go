package ground

import "testing"

func TestFigureGroupsMeet(t *testing.T) {
	for in, want := range map[string]string{"1 250 euros": "1250 euros", "de 3 a 400": "de 3 a 400", "12 000": "12000"} {
		if got := Closed(in); got != want {
			t.Errorf("%q → %q", in, got)
		}
	}
}
