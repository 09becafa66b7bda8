package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"digesto"
	"digesto/pg"
	"digesto/server"
	"digesto/store/audit"
	"digesto/store/postgres"
)

// AuditDir is where the audit log of a data folder is.
func AuditDir(data string) string { return filepath.Join(data, "audit") }

// VerifyAudit checks the chain that all nodes write where there is one, else that of the folder.
func (a *App) VerifyAudit(dir, key string) (audit.Report, error) {
	at := a.Settings.Get("store")
	if !pg.Is(at) {
		return audit.VerifyDir(AuditDir(dir), key)
	}
	s, err := postgres.Open(a.Context, at, postgres.Options{Clock: a.Now, Database: pg.Options{Conns: 2}})
	if err != nil {
		return audit.Report{}, err
	}
	defer func() { _ = s.Close() }() // read only
	lines, write := io.Pipe()
	var wg sync.WaitGroup
	var lost error
	wg.Go(func() {
		lost = s.AuditLines(a.Context, write)
		_ = write.Close()
	})
	r, err := audit.VerifyKeyed(lines, AuditDir(dir), key)
	_ = lines.CloseWithError(io.ErrClosedPipe)
	wg.Wait()
	if err == nil && !errors.Is(lost, io.ErrClosedPipe) {
		err = lost
	}
	return r, err
}

// auditor writes the audit log: that of a folder, or the one that all nodes share.
type auditor interface {
	Append(kind string, fields map[string]string) error
	Digest(text string) string
	Close() error
}

// commonAudit is the chain in the database of conversations, with its connection.
type commonAudit struct {
	*audit.Shared
	s *postgres.Store
}

func (c commonAudit) Close() error { return errors.Join(c.Shared.Close(), c.s.Close()) }

func (a *App) openCommonAudit(at string) (auditor, error) {
	s, err := postgres.Open(a.Context, at, postgres.Options{Clock: a.Now, Database: pg.Options{Conns: 2}})
	if err != nil {
		return nil, err
	}
	l, err := audit.OpenShared(a.Context, AuditDir(a.Settings.Data), s, audit.Options{Clock: a.Now})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return commonAudit{l, s}, nil
}

// OpenAudit opens the audit log of the data folder, or that of all nodes; nil where
// there is none to write in. The user's own folder is not made for it.
func (a *App) OpenAudit() (auditor, error) {
	if none, err := a.Settings.Yes("no_log"); err != nil || none || a.Settings.Data == "" {
		return nil, err
	}
	if _, err := os.Stat(a.Settings.Data); err != nil && a.Settings.Origins["data"] == "" {
		return nil, nil
	}
	if at := a.Settings.Get("store"); pg.Is(at) {
		l, err := a.openCommonAudit(at)
		if err == nil {
			return l, nil
		}
		a.Say("%s. Hasta entonces este nodo escribe un registro propio.", digesto.Told(err))
	}
	l, err := audit.Open(AuditDir(a.Settings.Data), audit.Options{Clock: a.Now})
	if err != nil {
		a.Say("%s. Se contesta sin registro. %s", digesto.Told(err), digesto.HintOf(err))
		return nil, nil
	}
	return l, nil
}

// audited writes down what is asked and how it ended, content as digests only.
type audited struct {
	server.Asker
	log   auditor
	trail *lastAudited
}

// lastAudited is what the log was told last.
type lastAudited struct {
	mu     sync.Mutex
	corpus string
	warn   *slog.Logger
}

// AuditedBy has an audit log written of what goes through an engine; nil = none.
func AuditedBy(l auditor, warn *slog.Logger, inner server.Asker) server.Asker {
	if l == nil {
		return inner
	}
	return audited{inner, l, &lastAudited{warn: warn}}
}

func (e audited) Ask(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error) {
	question, began := e.log.Digest(q.Text), time.Now()
	noted := false
	note := func() {
		if !noted {
			noted = true
			e.append("asked", map[string]string{"question": question, "user": e.log.Digest(q.User)})
		}
	}
	a, err := e.Asker.Ask(ctx, q, func(ev digesto.Event) {
		if emit != nil {
			emit(ev)
		}
		if ev.Kind == "session" { // behind the event: a checkpoint waits for the disk, whoever asks does not
			note()
		}
	})
	note()
	switch {
	case err != nil:
		e.append("failed", map[string]string{"question": question, "code": string(digesto.CodeOf(err))})
	case a.Meta != nil:
		e.trail.mu.Lock()
		changed := e.trail.corpus != a.Meta.Corpus
		e.trail.corpus = a.Meta.Corpus
		e.trail.mu.Unlock()
		if changed {
			e.append("corpus", map[string]string{"corpus": a.Meta.Corpus})
		}
		e.append("answered", map[string]string{"question": question, "answer": e.log.Digest(a.Answer), "trace_id": a.Meta.TraceID, "outcome": string(a.Meta.Outcome),
			"pack": a.Meta.Pack, "corpus": a.Meta.Corpus, "as_of": string(a.Meta.AsOf), "took": time.Since(began).Round(time.Millisecond).String()})
	}
	return a, err
}

func (e audited) append(kind string, fields map[string]string) {
	if err := e.log.Append(kind, fields); err != nil && e.trail.warn != nil {
		e.trail.warn.Warn("not audited", "error", err)
	}
}
