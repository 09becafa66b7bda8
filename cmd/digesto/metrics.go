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

// measured counts the questions that go through it.
type measured struct {
	server.Asker
	m *metrics.Metrics
}

func (e measured) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	run := e.m.Question()
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
