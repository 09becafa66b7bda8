package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	speed "digesto/bench"
	"digesto/internal/shareddata"
)

// lawFolder installs a real corpus once for the benchmarks.
func lawFolder(b *testing.B) string {
	b.Helper()
	dir := shareddata.Dir(b, "corpora/laboral-es/normas")
	data := b.TempDir()
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "add", dir, "--pack", "laboral"}, e); code != 0 {
		b.Fatalf("exit %d: %s", code, errs)
	}
	return data
}

// report gives the quantiles of what was measured, in milliseconds.
func report(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	for name, q := range map[string]float64{"p50-ms": .5, "p95-ms": .95} {
		b.ReportMetric(speed.Ms(took[min(int(q*float64(len(took))), len(took)-1)]), name)
	}
}

var asked = []string{
	"¿Cuántos días de vacaciones me corresponden al año?", "¿Cuánto dura el permiso por nacimiento?", "¿Qué plazo hay para reclamar contra un despido?",
	"artículo 48.4 ET", "¿Quién paga la incapacidad temporal los primeros días?", "¿Puede la empresa cambiarme el horario?",
}

// BenchmarkServed measures POST /v1/ask over installed law in a running server.
func BenchmarkServed(b *testing.B) {
	e, _, _ := testEnv(nil)
	a := newApp(context.Background(), e)
	var err error
	if a.Settings, err = a.LoadSettings(lawFolder(b), ""); err != nil {
		b.Fatal(err)
	}
	w, err := a.Open(a.Context)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	w.Law.WordsOnly = true // as serve does by default
	s, err := a.NewServer(w, false, false)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		r := httptest.NewRequest("POST", "/v1/ask", strings.NewReader(`{"pack":"laboral","question":"`+asked[i%len(asked)]+`"}`))
		r.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		start := time.Now()
		s.ServeHTTP(rec, r)
		took = append(took, time.Since(start))
		if rec.Code != 200 {
			b.Fatal(rec.Body)
		}
	}
	report(b, took)
}

// BenchmarkProcess measures a whole `digesto ask` over installed law, from the
// start of the process to its end.
func BenchmarkProcess(b *testing.B) {
	data := lawFolder(b)
	bin := filepath.Join(b.TempDir(), "digesto")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		cmd := exec.Command(bin, "ask", "--pack", "laboral", asked[i%len(asked)])
		cmd.Env = append(os.Environ(), "DIGESTO_DATA="+data)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v: %s", err, &errs)
		}
		took = append(took, time.Since(start))
	}
	report(b, took)
}
