package digest_test

import (
	"testing"

	"digesto/digest"
)

// Units counts those of the norm.
func (l law) Units(string) int { return len(l) }

// TestCover: an entry counts for its place while its words are in force there, and is
// withdrawn with its reason when they are not.
func TestCover(t *testing.T) {
	files := []digest.File{parse(t, sample)}
	c := digest.Cover(files, law{"LEY-1/a3": unit, "LEY-1/a4": unit})
	if len(c.Norms) != 1 || len(c.Withdrawn) != 0 || c.Norms[0].Units != 2 || c.Norms[0].Places != 1 || c.Norms[0].Entries != 1 || c.Norms[0].Asks < 5 {
		t.Errorf("%+v", c)
	}
	for what, l := range map[string]law{"gone": {"LEY-1/a4": unit}, "other words": {"LEY-1/a3": "Otra cosa."}} {
		if c := digest.Cover(files, l); len(c.Norms) != 0 || len(c.Withdrawn) != 1 || c.Withdrawn[0].Why == "" || c.Withdrawn[0].Ask == "" {
			t.Errorf("%s: %+v", what, c)
		}
	}
	if c := digest.Cover(files, law{"LEY-2/a1": unit}); len(c.Norms)+len(c.Withdrawn) != 0 {
		t.Errorf("a norm that is not installed: %+v", c)
	}
	away := digest.File{Entries: []digest.Entry{{Unit: "multas", Until: []string{"LEY-1"}}}}
	if c := digest.Cover([]digest.File{away}, law{"LEY-1/a3": unit}); len(c.Withdrawn) != 1 {
		t.Errorf("what is elsewhere until a norm is here: %+v", c)
	}
}
