package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"digesto"
	"digesto/server"
	"digesto/store/audit"
)

// auditCmd groups what is done with the audit log.
type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Comprueba sin red que nadie ha cambiado el registro de auditoría."`
}

// Examples of the group.
func (auditCmd) Examples() []string { return []string{"digesto audit verify"} }

// auditVerifyCmd checks the log.
type auditVerifyCmd struct {
	Key string `name:"key" placeholder:"CLAVE" help:"Clave pública en base64, guardada aparte. Sin ella, la de la carpeta."`
}

// Examples of the command.
func (auditVerifyCmd) Examples() []string {
	return []string{"digesto audit verify", "digesto audit verify --json --data /srv/digesto"}
}

func auditDir(data string) string { return filepath.Join(data, "audit") }

// Run names the first broken line; exit 7 when there is one.
func (c auditVerifyCmd) Run(a *app) error {
	dir, err := a.needData()
	if err != nil {
		return err
	}
	r, err := audit.VerifyDir(auditDir(dir), c.Key)
	if err != nil {
		return err
	}
	switch {
	case a.json:
		err = a.printJSON(r)
	case r.Broken > 0:
		_, err = fmt.Fprintf(a.out, "Registro alterado: la línea %d %s. Antes de ella, %d líneas enteras.\n", r.Broken, clean(r.Why), r.Lines)
	default:
		_, err = fmt.Fprintf(a.out, "Registro entero: %d líneas, %d firmas, firmado hasta la línea %d. Clave pública %s\n", r.Lines, r.Checkpoints, r.Signed, r.Key)
	}
	if r.Torn > 0 && !a.json {
		fmt.Fprintf(a.out, "La última línea está sin terminar (%d octetos), como la deja un corte: se quita al seguir escribiendo.\n", r.Torn)
	}
	if err == nil && r.Broken > 0 {
		return checkFailed("el registro de auditoría está alterado")
	}
	return err
}

// openAudit opens the audit log of the data folder; nil where there is none to
// write in. The user's own folder is not made for it.
func (a *app) openAudit() (*audit.Log, error) {
	if none, err := a.conf.yes("no_log"); err != nil || none || a.conf.data == "" {
		return nil, err
	}
	if _, err := os.Stat(a.conf.data); err != nil && a.conf.origins["data"] == "" {
		return nil, nil
	}
	l, err := audit.Open(auditDir(a.conf.data), audit.Options{Clock: a.now})
	if err != nil {
		a.say("%v. Se contesta sin registro.", err)
		return nil, nil
	}
	return l, nil
}

// audited writes down what is asked and how it ended, content as digests only.
type audited struct {
	server.Asker
	log   *audit.Log
	trail *trail
}

// trail is what the log was told last.
type trail struct {
	mu     sync.Mutex
	corpus string
	warn   *slog.Logger
}

func auditedBy(l *audit.Log, warn *slog.Logger, inner server.Asker) server.Asker {
	if l == nil {
		return inner
	}
	return audited{inner, l, &trail{warn: warn}}
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
