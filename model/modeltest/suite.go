package modeltest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/model"
)

// Maker gives the Generator under test with the script played behind it. Its
// stall and first-byte timeouts must be about 500 ms.
type Maker func(t *testing.T, scripts ...Script) model.Generator

// Ask is a small request.
func Ask() model.Request {
	return model.Request{Messages: []model.Message{{Role: model.System, Text: "Responde."}, {Role: model.User, Text: "¿Cuándo abre la feria?"}}}
}

// Generator is the conformance suite of [model.Generator].
func Generator(t *testing.T, newGen Maker) {
	t.Run("whole and streamed are the same", func(t *testing.T) { whole1(t, newGen) })
	t.Run("usage", func(t *testing.T) { counts(t, newGen) })
	t.Run("finish", func(t *testing.T) { finishes(t, newGen) })
	t.Run("faults", func(t *testing.T) { faults(t, newGen) })
	t.Run("statuses", func(t *testing.T) { statuses(t, newGen) })
	t.Run("emit ends the call", func(t *testing.T) { emitEnds(t, newGen) })
	t.Run("cancel", func(t *testing.T) { cancels(t, newGen) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, newGen) })
}

var pieces = []string{"La feria ", "abre los ", "martes y el año ", "entero."}

// collect runs one call with pieces gathered.
func collect(ctx context.Context, g model.Generator, streamed bool) (model.Response, string, error) {
	if !streamed {
		r, err := g.Generate(ctx, Ask(), nil)
		return r, r.Text, err
	}
	var b strings.Builder
	r, err := g.Generate(ctx, Ask(), func(s string) error { b.WriteString(s); return nil })
	return r, b.String(), err
}

func each(t *testing.T, f func(t *testing.T, streamed bool)) {
	t.Run("whole", func(t *testing.T) { f(t, false) })
	t.Run("streamed", func(t *testing.T) { f(t, true) })
}

func whole1(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		sc := Script{Pieces: pieces}
		r, got, err := collect(t.Context(), newGen(t, sc), streamed)
		if err != nil || r.Text != sc.Text() || got != sc.Text() || r.Finish != model.FinishStop {
			t.Errorf("%+v, pieces %q, %v", r, got, err)
		}
	})
}

func counts(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		u := model.Usage{Prompt: 31, Completion: 7}
		r, _, err := collect(t.Context(), newGen(t, Script{Pieces: pieces, Usage: &u}), streamed)
		if err != nil || r.Usage != u {
			t.Errorf("counted: %+v, %v", r.Usage, err)
		}
		r, _, err = collect(t.Context(), newGen(t, Script{Pieces: pieces}), streamed)
		if err != nil || !r.Usage.Estimated || r.Usage.Prompt == 0 || r.Usage.Completion == 0 {
			t.Errorf("not counted: %+v, %v", r.Usage, err)
		}
	})
}

func finishes(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		for _, f := range []model.Finish{model.FinishLength, model.FinishFilter} {
			r, _, err := collect(t.Context(), newGen(t, Script{Pieces: pieces, Finish: f}), streamed)
			if err != nil || r.Finish != f {
				t.Errorf("%s: %+v, %v", f, r, err)
			}
		}
		r, _, err := collect(t.Context(), newGen(t, Script{Finish: model.FinishFilter}), streamed)
		if err != nil || r.Finish != model.FinishFilter || r.Text != "" {
			t.Errorf("filtered before a word: %+v, %v", r, err)
		}
	})
}

// check holds an error to the rules: an error of the program, of the kind
// expected, without the key, in Spanish with a hint.
func check(t *testing.T, what string, err error, want ...model.Kind) {
	t.Helper()
	var e *digesto.Error
	f := model.FaultOf(err)
	if !errors.As(err, &e) || f == nil {
		t.Errorf("%s: error %v is not a *digesto.Error with a fault", what, err)
		return
	}
	ok := false
	for _, k := range want {
		ok = ok || f.Kind == k
	}
	if !ok {
		t.Errorf("%s: kind %q (%v), want %q", what, f.Kind, err, want)
	}
	if strings.Contains(err.Error()+e.Message+e.Hint+f.Detail, Key) {
		t.Errorf("%s: the key stands in the error: %v", what, err)
	}
	if e.Message == "" || e.Hint == "" {
		t.Errorf("%s: no message or hint: %+v", what, e)
	}
}

func faults(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		for f, want := range map[Fault][]model.Kind{
			FaultSlow: {model.KindTimeout}, FaultStall: {model.KindTimeout},
			FaultCut: {model.KindCut}, FaultEnd: {model.KindCut, model.KindGarbled}, FaultGarbled: {model.KindGarbled, model.KindCut},
			FaultEmpty: {model.KindEmpty}, FaultHTML: {model.KindGarbled, model.KindCut, model.KindEmpty}, FaultInBand: {model.KindServer},
			FaultHuge: {model.KindGarbled, model.KindCut, model.KindTimeout}, FaultRefused: {model.KindNetwork}, FaultMoved: {model.KindUnknown},
		} {
			before := runtime.NumGoroutine()
			start := time.Now()
			r, _, err := collect(t.Context(), newGen(t, Script{Pieces: pieces, Fault: f}), streamed)
			if err == nil {
				t.Errorf("%s: no error, but %+v", f, r)
				continue
			}
			check(t, string(f), err, want...)
			if r.Text != "" {
				t.Errorf("%s: a failed call gives the text %q", f, r.Text)
			}
			if d := time.Since(start); d > 3*time.Second {
				t.Errorf("%s: took %v", f, d)
			}
			settled(t, string(f), before)
		}
		r, got, err := collect(t.Context(), newGen(t, Script{Pieces: pieces, Fault: FaultUTF8}), streamed)
		if err == nil && (!utf8.ValidString(r.Text) || got != r.Text) {
			t.Errorf("invalid UTF-8 came through: %q", r.Text)
		}
		if _, _, err := collect(t.Context(), newGen(t, Script{Pieces: []string{""}}), streamed); model.FaultOf(err) == nil {
			t.Errorf("no text: %v", err)
		}
	})
}

func statuses(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		for _, s := range []int{400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504} {
			_, _, err := collect(t.Context(), newGen(t, Script{Pieces: pieces, Fault: FaultStatus, Status: s}), streamed)
			check(t, "HTTP", err, KindOfStatus(s))
		}
	})
}

var errEnough = errors.New("enough")

func emitEnds(t *testing.T, newGen Maker) {
	n := 0
	_, err := newGen(t, Script{Pieces: pieces}).Generate(t.Context(), Ask(), func(string) error { n++; return errEnough })
	if !errors.Is(err, errEnough) || n != 1 {
		t.Errorf("after %d pieces: %v", n, err)
	}
}

func cancels(t *testing.T, newGen Maker) {
	each(t, func(t *testing.T, streamed bool) {
		for name, sc := range map[string]Script{
			"before the first byte": {Pieces: pieces, Pause: 200 * time.Millisecond},
			"in the middle":         {Pieces: append([]string{"ya "}, pieces...), Pause: 60 * time.Millisecond},
		} {
			late := time.Hour
			for range 3 { // a busy machine may be late once
				late = min(late, cancelled(t, name, newGen(t, sc), streamed))
			}
			if late > 100*time.Millisecond {
				t.Errorf("%s: ended %v after it was cancelled", name, late)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, _, err := collect(ctx, newGen(t, Script{Pieces: pieces, Pause: 200 * time.Millisecond}), streamed)
		if f := model.FaultOf(err); f == nil || f.Kind != model.KindTimeout {
			t.Errorf("deadline: %v", err)
		}
	})
}

// cancelled cancels a call after 100 ms and says how much later it ended.
func cancelled(t *testing.T, name string, g model.Generator, streamed bool) time.Duration {
	t.Helper()
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	at := make(chan time.Time, 1)
	timer := time.AfterFunc(100*time.Millisecond, func() { at <- time.Now(); cancel() })
	defer timer.Stop()
	_, _, err := collect(ctx, g, streamed)
	end := time.Now()
	if digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	settled(t, name, before)
	return end.Sub(<-at)
}

// settled waits for the goroutines of a call to end. Servers and idle
// connections may keep a few of their own for a moment.
func settled(t *testing.T, what string, before int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= before+4 { // server and keep-alive connection of this call
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 64<<10)
	t.Errorf("%s: %d goroutines before, %d after:\n%s", what, before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

func concurrent(t *testing.T, newGen Maker) {
	g := newGen(t, Script{Pieces: pieces})
	want := Script{Pieces: pieces}.Text()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			r, got, err := collect(t.Context(), g, i%2 == 0)
			if err != nil || r.Text != want || got != want {
				t.Errorf("%q %q %v", r.Text, got, err)
			}
		})
	}
	wg.Wait()
}
