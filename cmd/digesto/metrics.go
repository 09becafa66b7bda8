package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"digesto"
	"digesto/server"
	"digesto/server/metrics"
)

// watched lets something follow each question that goes through it: counts, spans.
type watched struct {
	server.Asker
	begin func(context.Context) (context.Context, watcher)
}

// watcher follows one question.
type watcher interface {
	Event(digesto.Event)
	End(digesto.Answer, error)
}

// measured counts the questions.
func measured(e server.Asker, m *metrics.Metrics) server.Asker {
	return watched{e, func(ctx context.Context) (context.Context, watcher) { return ctx, m.Question() }}
}

func (e watched) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	ctx, run := e.begin(ctx)
	a, err := e.Asker.Ask(ctx, q, func(ev digesto.Event) {
		run.Event(ev)
		if emit != nil {
			emit(ev)
		}
	})
	run.End(a, err)
	return a, err
}

// newMetrics makes the instruments of the server.
func (a *app) newMetrics(w *world) *metrics.Metrics {
	return metrics.New(metrics.Options{Version: buildVersion().Version, Corpus: func() (int, time.Duration, bool) {
		snap, err := a.snapshot(w)
		if err != nil {
			return 0, 0, false
		}
		defer snap.Close()
		n := len(snap.Norms())
		st, err := os.Stat(filepath.Join(a.conf.data, "corpus", "CURRENT"))
		if n == 0 || err != nil {
			return n, 0, n == 0
		}
		return n, a.now().Sub(st.ModTime()), true
	}})
}
