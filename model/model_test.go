package model_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/internal/long"
	"digesto/model"
	"digesto/model/modeltest"
)

func status(n int) modeltest.Script {
	return modeltest.Script{Pieces: []string{"x"}, Fault: modeltest.FaultStatus, Status: n}
}

func good(s string) modeltest.Script { return modeltest.Script{Pieces: []string{s, "."}} }

// waits records what Retry sleeps and never sleeps itself.
type waits struct{ all []time.Duration }

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	w.all = append(w.all, d)
	return ctx.Err()
}

func TestDecoratorsConform(t *testing.T) {
	for name, wrap := range long.Some(map[string]func(model.Generator) model.Generator{
		"retry": func(g model.Generator) model.Generator {
			return model.Retry(g, model.RetryOptions{Base: time.Millisecond})
		},
		"timeout": func(g model.Generator) model.Generator { return model.Timeout(g, time.Minute) },
		"record":  func(g model.Generator) model.Generator { return model.Record(g, &bytes.Buffer{}) },
		"all": func(g model.Generator) model.Generator {
			return model.Record(model.Retry(model.Timeout(g, time.Minute), model.RetryOptions{Base: time.Millisecond}), &bytes.Buffer{})
		},
	}, "all") {
		t.Run(name, func(t *testing.T) {
			modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
				return wrap(modeltest.New(scripts...))
			})
		})
	}
}

func TestRetry(t *testing.T) {
	for _, c := range []struct {
		name    string
		scripts []modeltest.Script
		calls   int
		kind    model.Kind // "" = success
	}{
		{"passes at once", []modeltest.Script{good("a")}, 1, ""},
		{"passes at the third", []modeltest.Script{status(503), status(429), good("a")}, 3, ""},
		{"gives up", []modeltest.Script{status(500)}, 3, model.KindServer},
		{"wrong key", []modeltest.Script{status(401), good("a")}, 1, model.KindKey},
		{"unknown model", []modeltest.Script{status(404), good("a")}, 1, model.KindUnknown},
		{"bad request", []modeltest.Script{status(400), good("a")}, 1, model.KindRequest},
	} {
		w := &waits{}
		g := modeltest.New(c.scripts...)
		r, err := model.Retry(g, model.RetryOptions{Sleep: w.sleep}).Generate(t.Context(), modeltest.Ask(), nil)
		if n := len(g.Requests()); n != c.calls || len(w.all) != c.calls-1 {
			t.Errorf("%s: %d calls, %d waits", c.name, n, len(w.all))
		}
		if c.kind == "" && (err != nil || r.Text != "a.") || c.kind != "" && (model.FaultOf(err) == nil || model.FaultOf(err).Kind != c.kind) {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
	}
}

func TestRetryWaitsLonger(t *testing.T) {
	w := &waits{}
	model.Retry(modeltest.New(status(500)), model.RetryOptions{Attempts: 5, Base: 100 * time.Millisecond, Max: 300 * time.Millisecond, Sleep: w.sleep}).
		Generate(t.Context(), modeltest.Ask(), nil)
	for i, most := range []time.Duration{100, 200, 300, 300} {
		most *= time.Millisecond
		if w.all[i] < most/2 || w.all[i] > most {
			t.Errorf("wait %d is %v, want %v to %v", i, w.all[i], most/2, most)
		}
	}
}

// limited is a server that names the time to wait.
type limited struct {
	after time.Duration
	calls int
}

func (l *limited) Generate(context.Context, model.Request, func(string) error) (model.Response, error) {
	l.calls++
	return model.Response{}, model.NewError(&model.Fault{Kind: model.KindLimited, RetryAfter: l.after})
}

func TestRetryHonoursTheServer(t *testing.T) {
	w := &waits{}
	model.Retry(&limited{after: 7 * time.Second}, model.RetryOptions{Sleep: w.sleep}).Generate(t.Context(), modeltest.Ask(), nil)
	if !slices.Equal(w.all, []time.Duration{7 * time.Second, 7 * time.Second}) {
		t.Errorf("waits %v", w.all)
	}
	l := &limited{after: time.Hour}
	_, err := model.Retry(l, model.RetryOptions{Sleep: w.sleep}).Generate(t.Context(), modeltest.Ask(), nil)
	if l.calls != 1 || digesto.CodeOf(err) != digesto.CodeLimited {
		t.Errorf("asked to wait an hour: %d calls, %v", l.calls, err)
	}
}

func TestRetryNeverRepeatsAStream(t *testing.T) {
	g := modeltest.New(modeltest.Script{Pieces: []string{"a", "b"}, Fault: modeltest.FaultCut}, good("c"))
	var got []string
	_, err := model.Retry(g, model.RetryOptions{Sleep: (&waits{}).sleep}).Generate(t.Context(), modeltest.Ask(), func(s string) error {
		got = append(got, s)
		return nil
	})
	if model.FaultOf(err) == nil || len(g.Requests()) != 1 || !slices.Equal(got, []string{"a"}) {
		t.Errorf("pieces %q, %d calls, %v", got, len(g.Requests()), err)
	}
	g = modeltest.New(status(500), good("c"))
	if r, err := model.Retry(g, model.RetryOptions{Sleep: (&waits{}).sleep}).Generate(t.Context(), modeltest.Ask(), func(string) error { return nil }); err != nil || r.Text != "c." {
		t.Errorf("before the first piece it may: %+v, %v", r, err)
	}
}

func TestRetryStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(30*time.Millisecond, cancel)
	start := time.Now()
	_, err := model.Retry(&limited{after: 5 * time.Second}, model.RetryOptions{}).Generate(ctx, modeltest.Ask(), nil)
	if digesto.CodeOf(err) != digesto.CodeCancelled || time.Since(start) > 4*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestTimeout(t *testing.T) {
	slow := modeltest.New(modeltest.Script{Pieces: []string{"a"}, Pause: time.Second})
	_, err := model.Timeout(slow, 20*time.Millisecond).Generate(t.Context(), modeltest.Ask(), nil)
	if f := model.FaultOf(err); f == nil || f.Kind != model.KindTimeout {
		t.Errorf("%v", err)
	}
	if g := model.Timeout(slow, 0); g != model.Generator(slow) {
		t.Error("no bound still wraps")
	}
}

func TestRecordAndReplay(t *testing.T) {
	var tape bytes.Buffer
	rec := model.Record(modeltest.New(good("a"), good("b"), status(429)), &tape)
	other := modeltest.Ask()
	other.MaxTokens = 5
	rec.Generate(t.Context(), modeltest.Ask(), nil)
	rec.Generate(t.Context(), modeltest.Ask(), nil)
	rec.Generate(t.Context(), other, nil)
	play, err := model.Replay(strings.NewReader(tape.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.", "b.", "b."} {
		var streamed string
		r, err := play.Generate(t.Context(), modeltest.Ask(), func(s string) error { streamed += s; return nil })
		if err != nil || r.Text != want || streamed != want || r.Finish != model.FinishStop {
			t.Errorf("%+v, %q, %v, want %q", r, streamed, err, want)
		}
	}
	if _, err := play.Generate(t.Context(), other, nil); digesto.CodeOf(err) != digesto.CodeLimited {
		t.Errorf("recorded fault: %v", err)
	}
	other.MaxTokens = 6
	if _, err := play.Generate(t.Context(), other, nil); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("not recorded: %v", err)
	}
	for _, bad := range []string{"{", `{"key":"x"}`, `{"response":{"text":"x"}}`} {
		if _, err := model.Replay(strings.NewReader(bad)); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk") }

func TestRecordFailsRatherThanLoseACall(t *testing.T) {
	if _, err := model.Record(modeltest.New(good("a")), brokenWriter{}).Generate(t.Context(), modeltest.Ask(), nil); err == nil {
		t.Error("no error")
	}
}

func TestFaultsSpeak(t *testing.T) {
	for _, k := range []model.Kind{model.KindKey, model.KindUnknown, model.KindRequest, model.KindTooLong, model.KindLimited, model.KindServer,
		model.KindNetwork, model.KindTimeout, model.KindCut, model.KindGarbled, model.KindEmpty, model.KindForbidden, "otra"} {
		var e *digesto.Error
		if err := model.NewError(&model.Fault{Kind: k}); !errors.As(err, &e) || e.Message == "" || e.Hint == "" || e.Code == "" {
			t.Errorf("%s: %+v", k, e)
		}
	}
}

func FuzzReplay(f *testing.F) {
	f.Add(`{"key":"a","request":{"messages":null},"response":{"text":"x","finish":"stop","usage":{"prompt":1,"completion":1}}}`)
	f.Fuzz(func(t *testing.T, s string) {
		if g, err := model.Replay(strings.NewReader(s)); err == nil {
			g.Generate(t.Context(), model.Request{}, nil)
		}
	})
}
