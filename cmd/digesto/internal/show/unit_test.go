package show

import (
	"testing"

	"digesto"
)

// TestReplacedWords: of saved states it is known only when each was there, so the day on
// which the next was published is said where that text itself says it.
func TestReplacedWords(t *testing.T) {
	next := func(published digesto.Date) []digesto.Version {
		return []digesto.Version{{ID: "1", Replaced: "2010-01-06"}, {ID: "2", Published: published}}
	}
	ended := next("2010-01-06")
	ended[0].ValidTo = "2010-01-07"
	for name, c := range map[string]struct {
		versions []digesto.Version
		want     string
	}{
		"its day":      {next("2010-01-06"), " · la siguiente se publicó el 06/01/2010"},
		"a later one":  {next("2015-06-01"), " · la siguiente no es anterior al 06/01/2010"},
		"none known":   {next(""), " · la siguiente no es anterior al 06/01/2010"},
		"its end":      {ended, ""},
		"not replaced": {next("")[1:], ""},
	} {
		if got := replacedWords(c.versions, 0); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
