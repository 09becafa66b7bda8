package markup_test

import (
	"path/filepath"
	"strings"
	"testing"

	"digesto/corpus/ingest/line"
	"digesto/internal/ingesttest"
	"digesto/internal/shareddata"
)

func TestLegalJSONSamples(t *testing.T) {
	dir := shareddata.Dir(t, "corpora/formats/saij-json")
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	articles := map[string]int{"LEY-26994": 2671, "LEY-26844": 77, "LEY-27780": 2}
	for _, f := range files {
		d := ingesttest.ReadOne(t, f)
		ingesttest.SoundUnits(t, d)
		got := ingesttest.TallyOf(d)
		if want, ok := articles[d.Norm.ID]; ok && (got.Last != want || len(got.Missing) > 0) {
			t.Errorf("%s: want 1…%d, found %v", d.Norm.ID, want, got)
		}
		delete(articles, d.Norm.ID)
		if d.Norm.Published == "" || d.Norm.Title == "" || strings.Contains(d.Norm.Title, "[[") {
			t.Errorf("%s: %+v", f, d.Norm)
		}
		for _, u := range d.Units {
			if strings.Contains(u.Versions[0].Text, "[[") {
				t.Errorf("%s/%s: markup left", d.Norm.ID, u.ID)
			}
		}
	}
	if len(articles) > 0 {
		t.Errorf("not found: %v", articles)
	}
}

func TestJSONThatIsNoNorm(t *testing.T) {
	for in, kind := range map[string]string{
		`{"data":{"sumario":{}}}`:        line.KindNotNorm,
		`{"data":[{"identificador":1}]}`: line.KindNotNorm,
		`{"a":1}`:                        line.KindUnread,
		`{"a":`:                          line.KindDamaged,
		strings.Repeat("[", 100_000):     line.KindDamaged,
	} {
		docs, skipped, err := ingesttest.ReadBytes("x.json", in)
		if err != nil || len(docs) != 0 || len(skipped) != 1 || skipped[0].Kind != kind {
			t.Errorf("%.40s: %d documents, %+v, %v", in, len(docs), skipped, err)
		}
	}
}
