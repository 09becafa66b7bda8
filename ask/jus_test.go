package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/internal/shareddata"
	"digesto/query"
)

// cordoba is the special law of fees and the procedural code, read once.
var cordoba struct {
	once sync.Once
	view query.View
	err  error
}

func cordobaEngine(t testing.TB) *Engine {
	t.Helper()
	root := shareddata.Dir(t, "corpora/jus-cordoba")
	if testing.Short() {
		t.Skip("reads a PDF of 335 pages")
	}
	cordoba.once.Do(func() {
		lib, err := corpus.Open(t.TempDir(), corpus.Options{})
		if err == nil {
			_, err = ingest.Add(context.Background(), lib, []string{root + "/ley-9459.md", root + "/ley-8465-cpcc-cordoba.pdf"}, ingest.Options{
				Pack: "jus", Jurisdiction: "ar-x", Known: []digesto.Norm{{ID: "LEY-8465", Title: "Ley 8465, Código Procesal Civil y Comercial", Jurisdiction: "ar", Territory: "ar-x"}}})
		}
		if cordoba.err = err; err == nil {
			cordoba.view, cordoba.err = inMemory(lib)
		}
	})
	if cordoba.err != nil {
		t.Fatal(cordoba.err)
	}
	return realEngine(t, cordoba.view, nil)
}

type lawCase struct {
	Question, Norm, Unit string
}

func readLawCases(t testing.TB, file string) []lawCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []lawCase
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c lawCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// The special law answers what is about fees, the procedural code behind it what
// is about the procedure, and no other law either.
func TestSpecialLawBeforeProcedure(t *testing.T) {
	e := cordobaEngine(t)
	cases := readLawCases(t, "../packs/jus/eval/law.jsonl")
	norm, unit, silent, crossed := 0, 0, 0, 0
	for _, c := range cases {
		a, err := e.Ask(context.Background(), digesto.Question{Text: c.Question, Pack: "jus"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Citations) == 0 {
			silent++
			t.Logf("%s: no citation, %s: %s %v", c.Question, a.Meta.Outcome, a.Answer, a.Meta.Evidence)
			continue
		}
		switch r := a.Citations[0].Ref; r.Document {
		case c.Norm:
			norm++
			if r.Unit == c.Unit {
				unit++
			}
		case "AR-X-LEY-9459", "LEY-8465":
			if crossed++; r.Document != "AR-X-LEY-9459" {
				t.Errorf("%s: the procedural code before the special law", c.Question)
			}
			t.Logf("%s: %s of %s, want %s of %s", c.Question, r.Unit, r.Document, c.Unit, c.Norm)
		}
	}
	t.Logf("%d questions: right norm %d, its article %d, the other norm %d, no citation %d", len(cases), norm, unit, crossed, silent)
	if crossed*10 > len(cases) || norm*3 < len(cases)*2 || unit*2 < len(cases) || silent*6 > len(cases) {
		t.Errorf("fewer questions find their law than before")
	}
}

// BenchmarkFeeQuestion reports the p99 of a whole question in the pack of fees,
// search of both laws included.
func BenchmarkFeeQuestion(b *testing.B) {
	e := cordobaEngine(b)
	cases := readLawCases(b, "../packs/jus/eval/law.jsonl")
	cases = append(cases, readLawCases(b, "../packs/jus/eval/questions.jsonl")...)
	for _, c := range cases { // the texts of units are read once
		_, _ = e.Ask(context.Background(), digesto.Question{Text: c.Question, Pack: "jus"}, nil)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		t0 := time.Now()
		if _, err := e.Ask(context.Background(), digesto.Question{Text: cases[i%len(cases)].Question, Pack: "jus"}, nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(t0))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
