package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"digesto/internal/shareddata"
)

var updateGolden = flag.Bool("update", false, "write the golden figures of the packs anew")

// goldenDay is the day whose law gave the golden figures.
func goldenDay() time.Time { return time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) }

// TestGoldenPacks runs every pack's own cases and holds each kind's mean against the
// figures in eval/golden: a fall fails. Packs whose cases ask the law are run over the
// law of the shared folder, the others over none.
func TestGoldenPacks(t *testing.T) {
	for _, c := range []struct{ pack, law string }{
		{"clara", ""}, {"jus", "corpora/jus-cordoba"}, {"argentina", "corpora/derecho-ar/normas"}, {"peru", "corpora/peru-tributario"}, {"laboral", "corpora/laboral-es/normas"},
	} {
		t.Run(c.pack, func(t *testing.T) {
			data := t.TempDir()
			var out, errs bytes.Buffer
			e := env{in: &bytes.Buffer{}, out: &out, err: &errs, clock: goldenDay, lookup: func(string) (string, bool) { return "", false }}
			if c.law != "" {
				if testing.Short() {
					t.Skip("lee una carpeta de leyes")
				}
				if code := run(t.Context(), []string{"--data", data, "corpus", "add", "--json", shareddata.Dir(t, c.law)}, e); code != 0 {
					t.Fatalf("corpus add: %d\n%s", code, errs.String())
				}
			}
			golden := filepath.Join("..", "..", "eval", "golden", "pack-"+c.pack+".tsv")
			args := []string{"--data", data, "eval", "pack", c.pack, "--baseline", golden}
			if *updateGolden {
				args = append(args, "--update")
			} else if _, err := os.Stat(golden); err != nil {
				t.Fatal("no golden figures: run go test ./cmd/digesto -run GoldenPacks -update")
			}
			out.Reset()
			if code := run(t.Context(), args, e); code != 0 {
				t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
			}
			if bytes.Contains(out.Bytes(), []byte("con otra ley instalada")) {
				t.Errorf("the figures were taken with other law: run with -update\n%s", out.String())
			}
		})
	}
}

// TestGoldenCurve takes the laws out that have the fewest questions, one after the other,
// and holds what is answered with and without them, at every confidence, against
// eval/golden/curve.tsv. -update asks the questions of all laws and writes it anew.
func TestGoldenCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("lee una carpeta de leyes")
	}
	golden := filepath.Join("..", "..", "eval", "golden", "curve.tsv")
	args := []string{"--data", t.TempDir(), "eval", "refusals", shareddata.Dir(t, "evals/examen-dev"), "--pack", "laboral", "--baseline", golden}
	if *updateGolden {
		args = append(args, "--update")
	} else {
		args = append(args, "--drop-law", "BOE-A-2021-21007", "--drop-law", "BOE-A-2003-20977")
	}
	var out, errs bytes.Buffer
	e := env{in: &bytes.Buffer{}, out: &out, err: &errs, clock: goldenDay, lookup: func(string) (string, bool) { return "", false }}
	if code := run(t.Context(), args, e); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
	}
}
