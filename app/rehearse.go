package app

import (
	"context"
	"time"

	"digesto/store/trace"
)

// rehearsed is how many of the latest traces are looked at for questions.
const rehearsed = 512

// Rehearse finds again what the questions of the latest traces stand on: after the start,
// and after each change of the law, until ctx ends. It takes half of one processor at most.
func (w *Workspace) Rehearse(ctx context.Context) {
	var done string
	for pause := time.Duration(0); rest(ctx, pause); pause = time.Second {
		law := w.Law.Answering()
		if law == "" || law == done || w.Traces == nil {
			continue
		}
		done = law
		w.RehearseIn(ctx, law)
	}
}

// RehearseIn gives how many questions it found again in a law, until there is another.
func (w *Workspace) RehearseIn(ctx context.Context, law string) (n int) {
	for _, r := range w.Traces.latest() {
		if r.Turn > 1 || r.From != "" || len(r.Question.History) > 0 {
			continue
		}
		began := time.Now()
		if kept, err := w.engine.Rehearse(ctx, r.Question); kept && err == nil { // who asks it is told what is wrong
			n++
		}
		if !rest(ctx, time.Since(began)) || w.Law.Answering() != law {
			break
		}
	}
	return n
}

// rest waits; false when ctx has ended.
func rest(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// latest gives the newest traces of a server's own folder.
func (t *Traces) latest() []trace.Record {
	l, ok := t.Kept.(*trace.Log)
	if !ok {
		return nil
	}
	return l.Latest(rehearsed)
}
