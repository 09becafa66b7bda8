package dating_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/corpus/ingest/dating"
	"digesto/internal/shareddata"
)

// effectFiles are norms of the collections that say something of each other.
var effectFiles = []string{
	"tramites-es/normas/es-vc/BOE-A-2018-371.md", "tramites-es/normas/es-vc/BOE-A-2026-9799.md",
	"tramites-es/normas/es-ct/BOE-A-1997-18489.md", "tramites-es/normas/es-ct/BOE-A-2017-9799.md",
	"laboral-es/normas/es/BOE-A-2000-15060.md", "laboral-es/normas/es/BOE-A-2022-12482.md", "laboral-es/normas/es/BOE-A-2007-13409.md",
	"laboral-es/normas/es/BOE-A-1994-12554.md", "tramites-es/normas/es/BOE-A-2000-544.md", "tramites-es/normas/es/BOE-A-1985-5392.md",
	"derecho-ar/normas/LEY-27063.md", "derecho-ar/normas/LEY-23984.md", "derecho-ar/normas/LEY-27555.md", "derecho-ar/normas/LEY-27802.md",
	"derecho-ar/normas/LEY-27742.md", "derecho-ar/normas/LEY-25345.md", "derecho-ar/normas/LEY-25877.md", "derecho-ar/normas/LEY-14250.md",
	"derecho-ar/normas/LEY-20744.md", "derecho-ar/normas/LEY-25164.md", "derecho-ar/normas/LEY-19549.md", "derecho-ar/normas/LEY-26994.md",
	"jus-cordoba/ley-9459.md", "peru-tributario/normas/DS-055-99-EF-1999.md", "laboral-es/normas/es/BOE-A-1995-24292.md", "tramites-es/normas/es/BOE-A-2003-21052.md",
}

func effectLibrary(t *testing.T) *corpus.Snapshot {
	t.Helper()
	var paths []string
	for _, f := range effectFiles {
		paths = append(paths, shareddata.Dir(t, filepath.Join("corpora", f)))
	}
	l, err := corpus.Open(t.TempDir(), corpus.Options{Today: func() digesto.Date { return "2026-11-23" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = ingest.Add(context.Background(), l, paths, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); l.Close() })
	return s
}

// What real norms do to each other, read by hand from their texts.
func TestEffectsOfCorpora(t *testing.T) {
	s := effectLibrary(t)
	for _, c := range []struct {
		norm   string
		status digesto.Status
		until  digesto.Date
	}{
		{"BOE-A-2018-371", digesto.StatusRepealed, "2026-11-06"},  // by a law of April 2026 that takes effect six months after it was published
		{"BOE-A-1997-18489", digesto.StatusPartial, "2017-09-15"}, // its source says so, with the exceptions
		{"LEY-27555", digesto.StatusInForce, "2027-01-01"},        // a repeal still to come
		{"LEY-23984", digesto.StatusInForce, ""},                  // repealed in 2014 by degrees, and changed since
		{"BOE-A-1985-5392", digesto.StatusInForce, ""},            // another norm of the same number was repealed, and a chapter of this one
		{"BOE-A-1994-12554", digesto.StatusInForce, ""},           // a chapter
	} {
		n, _ := s.Norm(c.norm)
		if n.Status != c.status || n.RepealedFrom != c.until {
			t.Errorf("%s: %s until %q, want %s until %q", c.norm, n.Status, n.RepealedFrom, c.status, c.until)
		}
	}
	found := map[string]corpus.Effect{}
	for _, e := range s.Effects() {
		found[e.By+"/"+e.ByUnit+" "+e.Norm+"/"+e.Unit] = e
	}
	for key, want := range map[string]corpus.Outcome{
		"BOE-A-2026-9799/dd BOE-A-2018-371/":            corpus.EffectApplied,
		"BOE-A-2017-9799/dd BOE-A-1997-18489/":          corpus.EffectKnown,
		"BOE-A-2000-15060/ddunica BOE-A-1994-12554/a18": corpus.EffectKnown,
		"BOE-A-2000-15060/ddunica BOE-A-1997-18489/":    "", // Ley 10/1997 of the State, of 24 April
		"BOE-A-2000-544/ddunica BOE-A-1985-5392/":       "", // Ley Orgánica 7/1985
		"BOE-A-2022-12482/ddunica BOE-A-2007-13409/a31": corpus.EffectKnown,
		"BOE-A-2022-12482/ddunica BOE-A-2007-13409/df4": corpus.EffectKnown,
		"LEY-27802/a199 LEY-27555/":                     corpus.EffectKnown,
		"LEY-27802/a211 LEY-14250/a16":                  corpus.EffectApplied, // its words are of another page
		"LEY-27802/a211 LEY-14250/a21":                  corpus.EffectKnown,   // its own note tells of it, over the index left under it
		"LEY-27063/a2~2 LEY-23984/":                     corpus.EffectDoubtful,
		"LEY-27742/a99 LEY-25345/a43":                   corpus.EffectKnown,
		"LEY-27742/a99 LEY-25345/a48":                   corpus.EffectKnown,
		"LEY-25877/a42 LEY-14250/a11":                   "", // it confirms a repeal of long before, of another arrangement of the text
	} {
		if got := found[key].Outcome; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if e := found["LEY-27802/a199 LEY-27555/"]; e.From != "2027-01-01" {
		t.Errorf("a repeal of its own day: %s", e.From)
	}
	for _, e := range s.Effects() {
		if e.Outcome == corpus.EffectApplied && e.Norm != "BOE-A-2018-371" && e.Norm+e.Unit != "LEY-14250a16" && e.Norm+e.Unit != "LEY-14250a21" {
			t.Errorf("applied, and no text says so: %+v", e)
		}
	}
}

// The days of texts whose notes name a later change, read by hand from those notes.
func TestDatesOfCorpora(t *testing.T) {
	s := effectLibrary(t)
	for _, c := range []struct {
		norm, unit string
		published  digesto.Date
		from       digesto.Date
		before     digesto.Date // on this day no text of it is known
	}{
		{"LEY-20744", "a92bis", "2024-07-08", "2024-07-09", "2023-05-01"},
		{"LEY-20744", "a177", "2024-07-08", "2024-07-09", "2024-07-07"},
		{"LEY-20744", "a242", "2024-07-08", "2024-07-09", "2020-01-01"},
		{"LEY-20744", "a245", "", "", "2020-01-01"}, // words of another page
		{"LEY-20744", "a89", "1974-09-27", "", ""},  // the note is of the chapter behind it
		{"LEY-25164", "a20", "2024-07-08", "2024-07-09", "2020-05-01"},
		{"LEY-25164", "a18", "2024-07-08", "2024-07-09", "2020-05-01"},
		{"LEY-26994", "a2532", "2026-01-02", "2026-01-02", "2025-12-31"},
		{"LEY-19549", "a31", "2024-07-08", "2024-07-09", "2024-01-01"},
		{"AR-X-LEY-9459", "a34", "2025-05-05", "", "2020-05-01"},
		{"AR-X-LEY-9459", "a35", "2025-05-05", "", "2020-05-01"},
		{"AR-X-LEY-9459", "a36", "2025-05-05", "", "2025-05-04"},
		{"AR-X-LEY-9459", "a45", "2025-05-05", "", "2020-05-01"},
		{"AR-X-LEY-9459", "a2", "2008-01-17", "", ""},
	} {
		v, err := s.Text(c.norm, c.unit, "")
		if err != nil || v.Published != c.published || v.ValidFrom != c.from {
			t.Errorf("%s %s: published %q, from %q, want %q, %q (%v)", c.norm, c.unit, v.Published, v.ValidFrom, c.published, c.from, err)
		}
		if _, err := s.Text(c.norm, c.unit, c.before); c.before != "" && err == nil {
			t.Errorf("%s %s: a text of %s is given", c.norm, c.unit, c.before)
		}
	}
}

// Texts that are older than the law, of doubtful origin, or not of their norm.
func TestUnsoundTextsOfCorpora(t *testing.T) {
	s := effectLibrary(t)
	for _, c := range []struct {
		norm, unit string
		by         string // norm whose change is not in the text; "" = none
		current    bool
		doubt      bool
	}{
		{"LEY-20744", "a245", "LEY-27802", true, true},
		{"LEY-20744", "a242", "", true, false},
		{"LEY-14250", "a6", "LEY-27802", true, true},
		{"LEY-19549", "a1", "LEY-27742", true, true},
		{"LEY-19549", "a10", "", true, false},
		{"LEY-19549", "a12", "", true, false},
		{"LEY-19549", "a18", "", false, true},
		{"LEY-19549", "a27", "", false, true},
		{"LEY-19549", "a28", "LEY-27742", true, true},
		{"LEY-26994", "a7", "", false, true},
		{"LEY-26994", "a6", "", true, false},
		{"DS-055-99-EF-1999", "a17", "Ley 32387", true, false},
		{"BOE-A-2003-21052", "a9", "", false, false}, // its heading alone is left
		{"BOE-A-1995-24292", "a51", "", false, false},
	} {
		u, ok := s.Unit(c.norm, c.unit)
		if !ok {
			t.Errorf("%s %s is not there", c.norm, c.unit)
			continue
		}
		v := u.Versions[len(u.Versions)-1]
		by := ""
		for _, r := range v.Unseen {
			by = r.Norm
			if by == "" {
				by = r.Name
			}
		}
		if by != c.by && (c.current || c.by != "") || v.Current != c.current || dating.Foreign(v) != c.doubt {
			t.Errorf("%s %s: lacks %q, current %v, faults %v", c.norm, c.unit, by, v.Current, v.Defects)
		}
	}
	v, err := s.Text("DS-055-99-EF-1999", "a17", "")
	if err != nil || len(v.Reforms) == 0 || !slices.ContainsFunc(v.Defects, func(d digesto.TextDefect) bool { return d.Kind == digesto.DefectConditional }) {
		t.Errorf("%+v %v", v.Reforms, err)
	}
}
