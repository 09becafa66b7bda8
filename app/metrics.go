package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"time"

	"digesto"
	"digesto/app/law"
	"digesto/server"
	"digesto/server/metrics"
)

// observed lets something follow each question that goes through it: counts, spans.
type observed struct {
	server.Asker
	begin func(context.Context) (context.Context, observer)
}

// observer follows one question.
type observer interface {
	Event(digesto.Event)
	End(digesto.Answer, error)
}

// measured counts the questions.
func measured(e server.Asker, m *metrics.Metrics) server.Asker {
	return observed{e, func(ctx context.Context) (context.Context, observer) { return ctx, m.Question() }}
}

func (e observed) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
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
func (a *App) newMetrics(w *Workspace) *metrics.Metrics {
	return metrics.New(metrics.Options{Version: BuildVersion().Version, Follow: a.followStatus(w.Follow), Snapshot: func() string {
		snap, err := a.Snapshot(w)
		if err != nil {
			return ""
		}
		defer snap.Close()
		return cmp.Or(snap.Hash(), law.NoLaw)
	}, Corpus: func() (int, time.Duration, bool) {
		snap, err := a.Snapshot(w)
		if err != nil {
			return 0, 0, false
		}
		defer snap.Close()
		n := len(snap.Norms())
		st, err := os.Stat(filepath.Join(a.Settings.Data, "corpus", "CURRENT"))
		if n == 0 || err != nil {
			return n, 0, n == 0
		}
		return n, a.Now().Sub(st.ModTime()), true
	}})
}
