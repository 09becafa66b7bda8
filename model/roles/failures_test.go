package roles_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/roles"
)

// section is a section as a configuration gives it.
func section(t testing.TB, role string, values map[string]string) roles.Section {
	t.Helper()
	s, ok, err := roles.ReadSection(role, func(k string) string { return values[k] })
	if err != nil || !ok {
		t.Fatalf("%v: %v", values, err)
	}
	return s
}

// bind binds one role to a server on loopback through the whole stack.
func bind(t testing.TB, role, url string, more map[string]string) *roles.Set {
	t.Helper()
	values := map[string]string{"url": url, "name": "guion", "key": modeltest.Key, "first_byte": "1500ms", "stall": "1500ms", "timeout": "10s", "attempts": "1"}
	for k, v := range more {
		values[k] = v
	}
	set, err := roles.Bind(roles.Config{Sections: map[string]roles.Section{role: section(t, role, values)}, Redact: true, Cache: model.MemoryCache(0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// row is a failure and its documented outcome (docs/models.md holds this table).
type row struct {
	name   string
	script modeltest.Script
	kind   model.Kind // "" = an answer with this finish
	finish model.Finish
	calls  int // that reach the server, with two attempts allowed; 0 = 1
}

func status(code int, body string, header map[string]string) modeltest.Script {
	return modeltest.Script{Fault: modeltest.FaultStatus, Status: code, Body: body, Header: header}
}

func fault(f modeltest.Fault) modeltest.Script {
	return modeltest.Script{Pieces: []string{"La feria ", "abre ", "el año entero."}, Fault: f}
}

var failures = []row{
	{name: "400", script: status(400, "", nil), kind: model.KindRequest},
	{name: "401", script: status(401, "", nil), kind: model.KindKey},
	{name: "404", script: status(404, "", nil), kind: model.KindUnknown},
	{name: "408", script: status(408, "", nil), kind: model.KindTimeout, calls: 2},
	{name: "429 with Retry-After", script: status(429, "", map[string]string{"Retry-After": "0.05"}), kind: model.KindLimited, calls: 2},
	{name: "429 with a long Retry-After", script: status(429, "", map[string]string{"Retry-After": "3600"}), kind: model.KindLimited},
	{name: "429 without", script: status(429, "", nil), kind: model.KindLimited, calls: 2},
	{name: "500", script: status(500, "", nil), kind: model.KindServer, calls: 2},
	{name: "503", script: status(503, "", nil), kind: model.KindServer, calls: 2},
	{name: "slow first byte", script: fault(modeltest.FaultSlow), kind: model.KindTimeout, calls: 2},
	{name: "stall in the middle", script: fault(modeltest.FaultStall), kind: model.KindTimeout, calls: 2},
	{name: "cut in the middle", script: fault(modeltest.FaultCut), kind: model.KindCut, calls: 2},
	{name: "invalid UTF-8", script: fault(modeltest.FaultUTF8), finish: model.FinishStop},
	{name: "truncated JSON", script: fault(modeltest.FaultGarbled), kind: model.KindCut, calls: 2},
	{name: "empty choices", script: fault(modeltest.FaultEmpty), kind: model.KindEmpty, calls: 2},
	{name: "content filter, as a finish", script: modeltest.Script{Finish: model.FinishFilter}, finish: model.FinishFilter},
	{name: "content filter, as an error", script: status(400, `{"error":{"message":"filtered","code":"content_filter"}}`, nil), finish: model.FinishFilter},
	{name: "context overflow", script: status(400, `{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, nil), kind: model.KindTooLong},
	{name: "error inside the answer", script: fault(modeltest.FaultInBand), kind: model.KindServer, calls: 2},
	{name: "a page instead of the API", script: fault(modeltest.FaultHTML), kind: model.KindGarbled, calls: 2},
	{name: "a body without end", script: fault(modeltest.FaultHuge), kind: model.KindGarbled, calls: 2},
	{name: "a redirect", script: fault(modeltest.FaultMoved), kind: model.KindUnknown},
	{name: "nobody listens", script: fault(modeltest.FaultRefused), kind: model.KindNetwork, calls: -1},
}

// TestMain lets the failures, which do nothing but wait, be played side by side.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "16") // before the flags are read: who gives one is heard
	os.Exit(m.Run())
}

// TestEveryFailure plays every failure through the whole stack, whole and
// streamed: the documented outcome, in time, the key in no error and no log, and
// no goroutine left.
func TestEveryFailure(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	before := runtime.NumGoroutine()
	t.Run("rows", func(t *testing.T) {
		for _, r := range failures {
			for _, streamed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/stream=%v", r.name, streamed), func(t *testing.T) { t.Parallel(); r.play(t, streamed) })
			}
		}
	})
	if strings.Contains(logged.String(), modeltest.Key) {
		t.Errorf("the key is in the log: %s", logged.String())
	}
	nothingLeft(t, before)
}

func (r row) play(t *testing.T, streamed bool) {
	s := modeltest.NewServer(t, r.script)
	set := bind(t, model.Writer, s.URL, map[string]string{"attempts": "2"})
	meter := model.NewMeter(model.Limits{}, nil)
	var emit func(string) error
	if streamed {
		emit = func(string) error { return nil }
	}
	began := time.Now()
	out, err := set.Writer.Generate(model.WithMeter(t.Context(), meter), modeltest.Ask(), emit)
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
	if r.kind == "" {
		if err != nil || out.Finish != r.finish {
			t.Errorf("%+v, %v", out, err)
		}
		return
	}
	r.judge(t, out, err)
	calls := max(1, r.calls)
	if streamed && strings.Contains("stall in the middle cut in the middle truncated JSON error inside the answer a body without end", r.name) {
		calls = 1 // a stream of which a piece was handed over is never begun again
	}
	if n := len(s.Calls()); r.calls >= 0 && n != calls {
		t.Errorf("%d calls reached the server, want %d", n, calls)
	}
	use := meter.Uses()[model.Writer]
	if use.Calls != 1 || use.LastFault == "" {
		t.Errorf("the meter says %+v", use)
	}
}

// judge holds an error to the table: kind, Spanish words, no key, no text.
func (r row) judge(t *testing.T, out model.Response, err error) {
	t.Helper()
	f := model.FaultOf(err)
	if f == nil || out.Text != "" {
		t.Fatalf("%+v, %v", out, err)
	}
	alike := f.Kind == r.kind || (f.Kind == model.KindCut || f.Kind == model.KindGarbled || f.Kind == model.KindEmpty) && (r.kind == model.KindCut || r.kind == model.KindGarbled)
	if !alike {
		t.Errorf("kind %s, want %s: %v", f.Kind, r.kind, err)
	}
	var e *digesto.Error
	if !asError(err, &e) || e.Message == "" || e.Hint == "" {
		t.Errorf("no message or no hint: %v", err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v %+v %+v", err, e, f, *f), modeltest.Key) {
		t.Errorf("the key stands in the error: %v", err)
	}
}

func asError(err error, into **digesto.Error) bool {
	for err != nil {
		if e, ok := err.(*digesto.Error); ok { //nolint:errorlint // each layer is looked at in turn
			*into = e
			return true
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return false
		}
		err = u.Unwrap()
	}
	return false
}

// TestWrongDimensions is the last row: vectors of another length.
func TestWrongDimensions(t *testing.T) {
	s := modeltest.NewServer(t, modeltest.Script{})
	set := bind(t, model.Embedding, s.URL, map[string]string{"dims": "1024"})
	_, err := set.Embedder.Embed(t.Context(), []string{"a"}, model.Query)
	var e *digesto.Error
	if f := model.FaultOf(err); f == nil || f.Reason != model.ReasonDims || !asError(err, &e) || !strings.Contains(e.Message, "4 dimensiones y se esperaban 1024") {
		t.Errorf("%v", err)
	}
	if n := len(s.Calls()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// TestCancelEndsTheCall cancels through the whole stack: within 100 ms, whether
// the call waits for the server, for its turn in a budget, or between attempts.
func TestCancelEndsTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		script modeltest.Script
		more   map[string]string
		warm   int
	}{
		"in the server":    {fault(modeltest.FaultSlow), map[string]string{"first_byte": "10s", "timeout": "20s"}, 0},
		"in the stream":    {fault(modeltest.FaultStall), map[string]string{"stall": "10s", "timeout": "20s"}, 0},
		"between attempts": {status(503, "", map[string]string{"Retry-After": "10"}), map[string]string{"attempts": "3"}, 0},
		"in the budget":    {modeltest.Script{Pieces: []string{"ya"}}, map[string]string{"rpm": "3"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			late := time.Hour
			for range 3 { // a busy machine may be late once
				set := bind(t, model.Writer, modeltest.NewServer(t, c.script).URL, c.more)
				for n := range c.warm {
					req := modeltest.Ask()
					req.MaxTokens = n + 1 // another request, so that the cache does not answer
					if _, err := set.Writer.Generate(t.Context(), req, nil); err != nil {
						t.Fatal(err)
					}
				}
				late = min(late, cancelled(t, set.Writer))
			}
			if late > 100*time.Millisecond {
				t.Errorf("ended %v after it was cancelled", late)
			}
		})
	}
}

func cancelled(t *testing.T, g model.Generator) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	at := make(chan time.Time, 1)
	timer := time.AfterFunc(150*time.Millisecond, func() { at <- time.Now(); cancel() })
	defer timer.Stop()
	_, err := g.Generate(ctx, modeltest.Ask(), func(string) error { return nil })
	end := time.Now()
	if digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("%v", err)
		cancel()
		return 0
	}
	return end.Sub(<-at)
}

func nothingLeft(t *testing.T, before int) {
	t.Helper()
	for range 300 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 64<<10)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}
