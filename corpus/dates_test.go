package corpus

import (
	"testing"

	"digesto"
)

func TestTextOnADay(t *testing.T) {
	v := func(id string, from, to digesto.Date, current bool) digesto.Version {
		return digesto.Version{ID: id, Text: "Redacción " + id + ".", ValidFrom: from, ValidTo: to, Current: current}
	}
	dated := []digesto.Version{v("1", "2010-01-01", "2015-01-01", false), v("2", "2015-01-01", "2020-06-01", false), v("3", "2020-06-01", "", true)}
	unknown := []digesto.Version{v("h1", "", "", false), v("h2", "", "", false), v("now", "", "", true)}
	half := []digesto.Version{v("h1", "", "2018-01-01", false), v("now", "", "", true)}
	gone := []digesto.Version{v("h1", "2010-01-01", "2015-01-01", false)}
	ahead := []digesto.Version{v("1", "2010-01-01", "2027-01-01", true), v("2", "2027-01-01", "", false)}
	open2 := []digesto.Version{v("1", "2010-01-01", "", false), v("2", "2015-01-01", "", true)}
	plain := digesto.Norm{ID: "N", Published: "2009-12-01"}
	for _, c := range []struct {
		name     string
		norm     digesto.Norm
		versions []digesto.Version
		at       digesto.Date
		want     string // version; "" = not found
		force    Force
	}{
		{"now", plain, dated, "", "3", ForceKnown},
		{"first day of a version", plain, dated, "2015-01-01", "2", ForceKnown},
		{"last day of a version", plain, dated, "2014-12-31", "1", ForceKnown},
		{"today", plain, dated, "2026-11-21", "3", ForceKnown},
		{"before the first version", plain, dated, "2009-12-31", "", ""},
		{"before the norm", plain, dated, "2009-11-30", "", ""},
		{"unknown bounds, now", plain, unknown, "", "now", ForceKnown},
		{"unknown bounds, a day: never history", plain, unknown, "2012-01-01", "now", ForceAssumed},
		{"ended on a known day, before it", plain, half, "2017-12-31", "h1", ForceKnown},
		{"began when the former ended", plain, half, "2018-01-01", "now", ForceKnown},
		{"only former text, now", plain, gone, "", "", ""},
		{"only former text, in its time", plain, gone, "2012-01-01", "h1", ForceKnown},
		{"only former text, after it", plain, gone, "2016-01-01", "", ""},
		{"future text is not current", plain, ahead, "", "1", ForceKnown},
		{"future text, before its day", plain, ahead, "2026-12-31", "1", ForceKnown},
		{"future text, on its day", plain, ahead, "2027-01-01", "2", ForceKnown},
		{"ended when the next began", plain, open2, "2012-01-01", "1", ForceKnown},
		{"former text of unknown end", plain, []digesto.Version{v("h1", "2010-01-01", "", false), v("now", "", "", true)}, "2012-01-01", "now", ForceAssumed},
		{"repealed on an unknown day", digesto.Norm{ID: "N", Status: digesto.StatusRepealed}, dated, "2024-01-01", "", ""},
		{"repealed, now", digesto.Norm{ID: "N", Status: digesto.StatusRepealed}, dated, "", "", ""},
		{"repealed, before", digesto.Norm{ID: "N", Status: digesto.StatusRepealed, RepealedFrom: "2022-01-01"}, dated, "2021-12-31", "3", ForceKnown},
		{"repealed, after", digesto.Norm{ID: "N", Status: digesto.StatusRepealed, RepealedFrom: "2022-01-01"}, dated, "2022-01-01", "", ""},
	} {
		s := Memory(Document{Norm: c.norm, Units: []digesto.Unit{{ID: "a1", Kind: "a", Label: "Artículo 1", Versions: c.versions}}})
		got, force, err := s.At("N", "a1", c.at)
		if got.ID != c.want || force != c.force || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q %q %v, want %q %q", c.name, got.ID, force, err, c.want, c.force)
		}
		if err != nil && digesto.CodeOf(err) != digesto.CodeNotFound {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestRepealedTextIsNeverIndexedAsCurrent(t *testing.T) {
	d := sample()
	d.Norm.Status, d.Norm.RepealedFrom = digesto.StatusRepealed, "2022-01-01"
	for c, err := range Memory(d).Chunks() {
		if err != nil || c.Current || c.ValidTo != "2022-01-01" {
			t.Errorf("chunk %s: current %v, to %q, %v", c.ID, c.Current, c.ValidTo, err)
		}
	}
}

// A norm whose repeal is still to come is in force until that day, and on it no more:
// one library, open over the day, tells both, and what is indexed has another name.
func TestRepealStillToCome(t *testing.T) {
	today := digesto.Date("2026-12-31")
	dir := t.TempDir()
	l, err := Open(dir, Options{Today: func() digesto.Date { return today }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := sample()
	d.Norm.Status, d.Norm.RepealedFrom = digesto.StatusRepealed, "2027-01-01"
	put(t, l, d)
	look := func() (status digesto.Status, content string, now int) {
		s := current(t, l)
		for c, err := range s.Chunks() {
			if err != nil || c.ValidTo == "" || c.ValidTo > "2027-01-01" {
				t.Errorf("chunk %s holds to %q, %v", c.ID, c.ValidTo, err)
			}
			if c.Current {
				now++
			}
		}
		n, _ := s.Norm(d.Norm.ID)
		return n.Status, s.Content(), now
	}
	before, content, n := look()
	if before != digesto.StatusInForce || n == 0 {
		t.Errorf("the day before: %q, %d current", before, n)
	}
	s := current(t, l)
	if _, _, err := s.At(d.Norm.ID, d.Units[0].ID, "2027-01-02"); err == nil {
		t.Error("it holds after its repeal")
	}
	today = "2027-01-01"
	if after, other, n := look(); after != digesto.StatusRepealed || n != 0 || other == content {
		t.Errorf("on the day: %q, %d current, content %.8s and %.8s", after, n, content, other)
	}
	today = "2026-12-31"
	put(t, l, Document{Norm: digesto.Norm{ID: "OTRA", Title: "Otra norma"}, Units: d.Units})
	if n, ok := current(t, open(t, dir)).Norm(d.Norm.ID); !ok || n.Status != digesto.StatusRepealed {
		t.Errorf("what is written is not what the source says: %q", n.Status)
	}
}
