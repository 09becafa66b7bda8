package model_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"
)

// clock is a time that passes only when told to, or when someone sleeps.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); c.now = c.now.Add(d); c.mu.Unlock() }

func (c *clock) Sleep(ctx context.Context, d time.Duration) error { c.pass(d); return ctx.Err() }

func ask(t *testing.T, g model.Generator) error {
	t.Helper()
	_, err := g.Generate(t.Context(), modeltest.Ask(), nil)
	return err
}

func kindOf(err error) model.Kind {
	if f := model.FaultOf(err); f != nil {
		return f.Kind
	}
	return ""
}

func TestResilienceConforms(t *testing.T) {
	for name, wrap := range map[string]func(model.Generator) model.Generator{
		"fallback": func(g model.Generator) model.Generator { return model.Fallback(g) },
		"breaker":  func(g model.Generator) model.Generator { return breaker(g, model.BreakerOptions{}) },
		"budget": func(g model.Generator) model.Generator {
			return model.NewBudget(model.BudgetOptions{Tokens: 1e6, Requests: 1e6}).Generator(g)
		},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Generator(t, func(t *testing.T, scripts ...modeltest.Script) model.Generator {
				return wrap(modeltest.New(scripts...))
			})
		})
	}
}

func TestFallback(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second modeltest.Script
		want          string
		kind          model.Kind
		calls         int // of the second
	}{
		{"first answers", good("a"), good("b"), "a.", "", 0},
		{"first is down", status(503), good("b"), "b.", "", 1},
		{"first has a wrong key", status(401), good("b"), "b.", "", 1},
		{"both fail: the first counts", status(401), status(503), "", model.KindKey, 1},
	} {
		second := modeltest.New(c.second)
		r, err := model.Fallback(modeltest.New(c.first), second).Generate(t.Context(), modeltest.Ask(), nil)
		if r.Text != c.want || kindOf(err) != c.kind || len(second.Requests()) != c.calls {
			t.Errorf("%s: %+v, %v, %d calls of the second", c.name, r, err, len(second.Requests()))
		}
	}
	second := modeltest.New(good("b"))
	var got string
	_, err := model.Fallback(modeltest.New(modeltest.Script{Pieces: []string{"a", "b"}, Fault: modeltest.FaultCut}), second).
		Generate(t.Context(), modeltest.Ask(), func(s string) error { got += s; return nil })
	if kindOf(err) != model.KindCut || got != "a" || len(second.Requests()) != 0 {
		t.Errorf("a stream that began was given to another model: %q, %v", got, err)
	}
	if err := ask(t, model.Fallback()); kindOf(err) != model.KindForbidden {
		t.Errorf("no model: %v", err)
	}
}

func breaker(g model.Generator, opt model.BreakerOptions) model.Generator {
	return model.GuardGenerator(g, model.BreakerGuard(opt))
}

func TestBreaker(t *testing.T) {
	c := newClock()
	inner := modeltest.New(status(503), status(503), status(503), good("a"), status(503), good("b"))
	g := breaker(inner, model.BreakerOptions{Failures: 2, Cooldown: time.Minute, Now: c.Now})
	step := func(what string, kind model.Kind, calls int) {
		t.Helper()
		if err := ask(t, g); kindOf(err) != kind || len(inner.Requests()) != calls {
			t.Fatalf("%s: %v after %d calls, want %q after %d", what, err, len(inner.Requests()), kind, calls)
		}
	}
	step("first failure", model.KindServer, 1)
	step("second failure", model.KindServer, 2)
	step("refused", model.KindServer, 2)
	c.pass(59 * time.Second)
	step("still refused", model.KindServer, 2)
	c.pass(time.Second)
	step("one may try", model.KindServer, 3)
	step("refused again", model.KindServer, 3)
	c.pass(time.Minute)
	step("one may try, and it works", "", 4)
	step("a single failure", model.KindServer, 5)
	step("is forgiven", "", 6)
}

func TestBreakerCountsOnlyTheServer(t *testing.T) {
	inner := modeltest.New(status(429))
	g := breaker(inner, model.BreakerOptions{Failures: 1})
	for range 3 {
		ask(t, g)
	}
	if n := len(inner.Requests()); n != 3 {
		t.Errorf("%d calls: a limit opened the breaker", n)
	}
	slow := modeltest.New(modeltest.Script{Pieces: []string{"a"}, Pause: time.Second})
	g = breaker(slow, model.BreakerOptions{Failures: 1})
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		g.Generate(ctx, modeltest.Ask(), nil)
		cancel()
	}
	if n := len(slow.Requests()); n != 3 {
		t.Errorf("%d calls: callers who left opened the breaker", n)
	}
}

func counted(prompt, completion int) modeltest.Script {
	return modeltest.Script{Pieces: []string{"a"}, Usage: &model.Usage{Prompt: prompt, Completion: completion}}
}

func TestBudgetOfRequests(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Requests: 2, MaxWait: time.Hour, Now: c.Now, Sleep: c.Sleep})
	g := b.Generator(modeltest.New(counted(1, 1)))
	start := c.Now()
	for i, want := range []time.Duration{0, 0, 30 * time.Second, time.Minute} {
		if err := ask(t, g); err != nil {
			t.Fatal(err)
		}
		if got := c.Now().Sub(start); got != want {
			t.Errorf("call %d went after %v, want %v", i, got, want)
		}
	}
}

func TestBudgetOfTokensIsShared(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Tokens: 3000, MaxWait: time.Hour, Now: c.Now, Sleep: c.Sleep})
	reader, writer := b.Generator(modeltest.New(counted(500, 500))), b.Generator(modeltest.New(counted(1000, 1000)))
	start := c.Now()
	for _, g := range []model.Generator{reader, writer} { // 3000 tokens in all
		if err := ask(t, g); err != nil {
			t.Fatal(err)
		}
	}
	if c.Now() != start {
		t.Errorf("waited %v within the allowance", c.Now().Sub(start))
	}
	if err := ask(t, reader); err != nil || c.Now().Sub(start) < 15*time.Second || c.Now().Sub(start) > 25*time.Second {
		t.Errorf("a third call of about 1000 tokens went after %v, %v; want about 20 s", c.Now().Sub(start), err)
	}
}

func TestBudgetRefusesClearly(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Requests: 1, MaxWait: 10 * time.Second, Now: c.Now, Sleep: c.Sleep})
	inner := modeltest.New(counted(1, 1))
	g := b.Generator(inner)
	ask(t, g)
	err := ask(t, g)
	if f := model.FaultOf(err); f == nil || f.Kind != model.KindLimited || f.RetryAfter != time.Minute || digesto.CodeOf(err) != digesto.CodeLimited {
		t.Errorf("a wait beyond the limit: %v", err)
	}
	b = model.NewBudget(model.BudgetOptions{Requests: 1, MaxWait: time.Hour, Now: time.Now})
	g = b.Generator(inner)
	ask(t, g)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := g.Generate(ctx, modeltest.Ask(), nil); kindOf(err) != model.KindLimited || time.Since(start) > time.Minute {
		t.Errorf("a wait beyond the caller's time: %v", err)
	}
}

func TestDailyCap(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Daily: 2500, Output: 100, Now: c.Now, Sleep: c.Sleep})
	g := b.Generator(modeltest.New(counted(1000, 400)))
	if err := ask(t, g); err != nil || b.Spent() != 1400 {
		t.Fatalf("%d spent, %v", b.Spent(), err)
	}
	if err := ask(t, g); err != nil || b.Spent() != 2800 {
		t.Fatalf("%d spent, %v", b.Spent(), err)
	}
	if err := ask(t, g); kindOf(err) != model.KindForbidden || model.FaultOf(err).RetryAfter != 14*time.Hour {
		t.Errorf("over the cap: %v", err)
	}
	c.pass(14 * time.Hour)
	if err := ask(t, g); err != nil || b.Spent() != 1400 {
		t.Errorf("the next day: %d spent, %v", b.Spent(), err)
	}
}

func TestBudgetGivesBackWhatWasNotUsed(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Requests: 1, Daily: 1e6, MaxWait: time.Hour, Now: c.Now,
		Sleep: func(context.Context, time.Duration) error { return context.Canceled }})
	g := b.Generator(modeltest.New(counted(10, 10)))
	ask(t, g)
	if err := ask(t, g); digesto.CodeOf(err) != digesto.CodeCancelled || b.Spent() != 20 {
		t.Errorf("cancelled in the queue: %d spent, %v", b.Spent(), err)
	}
}

// TestBudgetQueueIsFair starts calls one after the other that all must wait: they go in order.
func TestBudgetQueueIsFair(t *testing.T) {
	c := newClock()
	var mu sync.Mutex
	var waits []time.Duration
	b := model.NewBudget(model.BudgetOptions{Requests: 60, MaxWait: time.Hour, Now: c.Now,
		Sleep: func(_ context.Context, d time.Duration) error {
			mu.Lock()
			waits = append(waits, d)
			mu.Unlock()
			return nil
		}})
	g := b.Generator(modeltest.New(counted(1, 1)))
	for range 65 { // time stands still: each takes its place behind the others
		ask(t, g)
	}
	if len(waits) != 5 {
		t.Fatalf("%d calls waited, want 5", len(waits))
	}
	for i, w := range waits {
		if w != time.Duration(i+1)*time.Second {
			t.Errorf("place %d waits %v", i+1, w)
		}
	}
}

func TestBudgetForEmbedder(t *testing.T) {
	c := newClock()
	b := model.NewBudget(model.BudgetOptions{Daily: 10, Now: c.Now, Sleep: c.Sleep})
	e := b.Embedder(fixedEmbedder{})
	if _, err := e.Embed(t.Context(), []string{"ocho letras y pico"}, model.Query); err != nil || b.Spent() != 5 {
		t.Errorf("%d spent, %v", b.Spent(), err)
	}
	if _, err := e.Embed(t.Context(), []string{"un texto más largo que lo que queda"}, model.Query); kindOf(err) != model.KindForbidden {
		t.Errorf("over the cap: %v", err)
	}
}

type fixedEmbedder struct{}

func (fixedEmbedder) Embed(_ context.Context, texts []string, _ model.Mode) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}
func (fixedEmbedder) Name() string { return "fixed" }
func (fixedEmbedder) Dims() int    { return 1 }
