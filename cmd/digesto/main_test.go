package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/manual"
	"digesto/internal/browser"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the program as a command of its own. The heaps of tests and
// of the processes that they start are small and live seconds: collecting them often
// is a fifth of the time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		_ = os.Setenv("GOGC", "400") // a name without "=" is no error
	}
	testscript.Main(withBrowser{m}, map[string]func(){"digesto": main})
}

// withBrowser ends the browser that the tests share.
type withBrowser struct{ *testing.M }

func (m withBrowser) Run() int {
	defer browser.Stop()
	return m.M.Run()
}

// TestScripts runs testdata/script: the program as people and programs call it.
// Nothing of the machine reaches it: HOME is a folder of the script.
func TestScripts(t *testing.T) {
	models := stub(t)
	secure, ca := stubTLS(t)
	cmds := serveCommands()
	cmds["exitcode"] = exitCode
	cmds["traceid"] = traceID
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Setenv("LOCALAPPDATA", home)
			e.Setenv("STUB", models) // a server of models: see stub_test.go
			e.Setenv("STUBTLS", secure)
			e.Setenv("STUBCA", ca)
			return os.MkdirAll(home, 0o755)
		},
		Cmds:                cmds,
		RequireExplicitExec: false,
	})
}

// exitCode runs a command and compares its exit code: exitcode N digesto ….
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit %s, want %s (%v)", got, args[0], err)
	}
}

// traceID puts the trace_id of an answer into $TRACE: traceid FILE.
func traceID(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile(`"trace_id": *"([^"]+)"`).FindStringSubmatch(ts.ReadFile(args[0]))
	if m == nil {
		ts.Fatalf("no trace_id in %s", args[0])
	}
	ts.Setenv("TRACE", m[1])
}

// testEnv is an environment for calling run in process.
func testEnv(vars map[string]string) (env, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return env{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(k string) (string, bool) { v, ok := vars[k]; return v, ok }}, &out, &errs
}

// TestEveryCommandHasExamples walks the grammar: no command without help and
// examples, no word of the parser's English.
func TestEveryCommandHasExamples(t *testing.T) {
	e, _, _ := testEnv(nil)
	var c cli
	p, err := newParser(&c, newApp(context.Background(), e))
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range manual.Commands(p.Model.Node) {
		e, out, _ := testEnv(nil)
		args := append(strings.Fields(cmd.Path), "--help")
		if code := run(context.Background(), args, e); code != 0 {
			t.Errorf("%v: exit %d", args, code)
		}
		text := out.String()
		if cmd.Path != "" && !strings.Contains(text, "Ejemplos\n  ") {
			t.Errorf("%q has no examples", cmd.Path)
		}
		for _, english := range []string{"Usage", "Flags", "Arguments", "Commands", "Show "} {
			if strings.Contains(text, english) {
				t.Errorf("%q speaks English: %s", cmd.Path, english)
			}
		}
	}
}

func TestParseDate(t *testing.T) {
	for _, bad := range []string{"2026-13-01", "2026-02-30", "ayer", "32/1/2026", "2026-1-1"} {
		if _, err := app.ParseDate("--as-of", bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
	for said, want := range map[string]digesto.Date{"2024-02-29": "2024-02-29", "1/2/2026": "2026-02-01", "31/12/2025": "2025-12-31"} {
		if d, err := app.ParseDate("--as-of", said); err != nil || d != want {
			t.Errorf("%s: %v %v", said, d, err)
		}
	}
}

// TestBareProgramAnswers asks the first question of a program with nothing
// installed; how long it takes is BenchmarkAsk's.
func TestBareProgramAnswers(t *testing.T) {
	e, out, errs := testEnv(nil)
	if code := run(context.Background(), []string{"ask", "--pack", "laboral", "¿Cuántos días de vacaciones me corresponden al año?"}, e); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if !strings.Contains(out.String(), "días naturales") {
		t.Errorf("answer: %s", out)
	}
}

// BenchmarkAsk measures a whole `digesto ask` of the embedded packs but for
// the start of the process: load, embed, answer, print.
func BenchmarkAsk(b *testing.B) {
	for b.Loop() {
		e, _, errs := testEnv(nil)
		if code := run(context.Background(), []string{"ask", "--pack", "laboral", "¿Cuántos días de vacaciones me corresponden al año?"}, e); code != 0 {
			b.Fatal(errs)
		}
	}
}
