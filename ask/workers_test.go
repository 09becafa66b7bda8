package ask

import (
	"context"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/model"
)

// gated is a model that waits until it is let go.
type gated struct{ asked, goOn chan struct{} }

func (g gated) Generate(ctx context.Context, _ model.Request, _ func(string) error) (model.Response, error) {
	g.asked <- struct{}{}
	select {
	case <-g.goOn:
		return model.Response{}, model.NewError(&model.Fault{Kind: model.KindEmpty})
	case <-ctx.Done():
		return model.Response{}, model.Cancelled(ctx)
	}
}

// TestModelKeepsNoPlace asks two questions of an engine with one place: the
// second is worked on while the first waits for its model.
func TestModelKeepsNoPlace(t *testing.T) {
	g := gated{make(chan struct{}, 8), make(chan struct{})}
	e := newWorld(t, true).engine(t, func(o *Options) { o.Writer, o.Workers = g, 1 })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			a, err := e.Ask(ctx, digesto.Question{Text: "¿Cuántos días de vacaciones tiene el farero?"}, nil)
			if err != nil || a.Meta.Outcome != digesto.OutcomeAnswer {
				t.Errorf("%+v %v", a.Meta, err)
			}
		})
	}
	for range 2 { // both have come as far as the model
		select {
		case <-g.asked:
		case <-ctx.Done():
			t.Fatal("a question that waits for a model keeps the other from being worked on")
		}
	}
	close(g.goOn)
	wg.Wait()
	if n := len(e.places) + len(e.stores); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

// TestSeatOfCancelled gives up a question that waits for a place, and one that
// waits to come back to its place: neither takes one.
func TestSeatOfCancelled(t *testing.T) {
	places := make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	a, b := &worker{places: places}, &worker{places: places}
	if err := a.acquire(ctx); err != nil {
		t.Fatal(err)
	}
	back := waiting(context.WithValue(ctx, workerKey{}, a))
	other := waiting(context.WithValue(ctx, workerKey{}, a)) // two calls at a time
	if err := b.acquire(ctx); err != nil {
		t.Fatal(err)
	}
	back()
	if a.sits {
		t.Error("it sits though a call is still waited for")
	}
	cancel()
	other()
	a.release()
	if c := (&worker{places: places}); c.acquire(ctx) == nil {
		t.Error("a question that was given up takes a place")
	}
	if a.sits || !b.sits || len(places) != 1 {
		t.Errorf("%v %v, %d places taken", a.sits, b.sits, len(places))
	}
}
