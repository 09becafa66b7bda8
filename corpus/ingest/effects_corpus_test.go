package ingest

import (
	"context"
	"path/filepath"
	"testing"

	"digesto"
	"digesto/corpus"
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
	if _, err = Add(context.Background(), l, paths, Options{}); err != nil {
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
		if e.Outcome == corpus.EffectApplied && e.Norm != "BOE-A-2018-371" {
			t.Errorf("applied, and no text says so: %+v", e)
		}
	}
}
