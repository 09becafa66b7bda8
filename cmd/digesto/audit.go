package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// auditCmd groups what is done with the audit log.
type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Comprueba sin red que nadie ha cambiado el registro de auditoría."`
}

// Examples of the group.
func (auditCmd) Examples() []string { return []string{"digesto audit verify"} }

// auditVerifyCmd checks the log.
type auditVerifyCmd struct {
	Key   string `name:"key" placeholder:"CLAVE" help:"Clave pública en base64, guardada aparte. Sin ella, la de la carpeta."`
	Since string `name:"checkpoint" placeholder:"LÍNEA:FIRMA" help:"Última firma que se guardó aparte: debe seguir en el registro."`
}

// Examples of the command.
func (auditVerifyCmd) Examples() []string {
	return []string{"digesto audit verify", "digesto audit verify --json --data /srv/digesto", "digesto audit verify --key CLAVE --checkpoint LÍNEA:FIRMA"}
}

func auditDir(data string) string { return filepath.Join(data, "audit") }

// Run names the first broken line; exit 7 when there is one.
func (c auditVerifyCmd) Run(a *app) error {
	dir, err := a.needData()
	if err != nil {
		return err
	}
	r, err := c.verify(a, dir)
	if err != nil {
		return err
	}
	switch {
	case a.json:
		err = a.printJSON(r)
	case r.Broken > 0:
		_, err = fmt.Fprintf(a.out, "Registro alterado: la línea %d %s. Antes de ella, %d líneas enteras.\n", r.Broken, clean(r.Why), r.Lines)
	default:
		_, err = fmt.Fprintf(a.out, "Registro entero: %d líneas, %d firmas, firmado hasta la línea %d. Clave pública %s\nÚltima firma, para guardarla aparte con la clave: %s\n", r.Lines, r.Checkpoints, r.Signed, r.Key, cmp.Or(r.Checkpoint, "no hay"))
	}
	if r.Torn > 0 && !a.json {
		fmt.Fprintf(a.out, "La última línea está sin terminar (%d octetos), como la deja un corte: se quita al seguir escribiendo.\n", r.Torn)
	}
	if err == nil && r.Broken > 0 {
		return checkFailed("el registro de auditoría está alterado", "Guárdelo tal como está y compárelo con una copia de seguridad: lo que hay antes de esa línea es lo que se escribió.")
	}
	if err == nil && c.Since != "" && !r.Holds(c.Since) {
		return checkFailed("la firma guardada aparte no está en el registro: se han quitado líneas del final, o es el de otra carpeta", "Revise que --checkpoint es LÍNEA:FIRMA, tal como lo dio esta orden, y compare el registro con una copia de seguridad.")
	}
	return err
}

// verify checks the chain that all nodes write where there is one, else that of the folder.
func (c auditVerifyCmd) verify(a *app, dir string) (audit.Report, error) {
	at := a.conf.get("store")
	if !pg.Is(at) {
		return audit.VerifyDir(auditDir(dir), c.Key)
	}
	s, err := postgres.Open(a.ctx, at, postgres.Options{Clock: a.now, Database: pg.Options{Conns: 2}})
	if err != nil {
		return audit.Report{}, err
	}
	defer func() { _ = s.Close() }() // read only
	lines, write := io.Pipe()
	var wg sync.WaitGroup
	var lost error
	wg.Go(func() {
		lost = s.AuditLines(a.ctx, write)
		_ = write.Close()
	})
	r, err := audit.VerifyKeyed(lines, auditDir(dir), c.Key)
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

func (a *app) openCommonAudit(at string) (auditor, error) {
	s, err := postgres.Open(a.ctx, at, postgres.Options{Clock: a.now, Database: pg.Options{Conns: 2}})
	if err != nil {
		return nil, err
	}
	l, err := audit.OpenShared(a.ctx, auditDir(a.conf.data), s, audit.Options{Clock: a.now})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return commonAudit{l, s}, nil
}

// openAudit opens the audit log of the data folder, or that of all nodes; nil where
// there is none to write in. The user's own folder is not made for it.
func (a *app) openAudit() (auditor, error) {
	if none, err := a.conf.yes("no_log"); err != nil || none || a.conf.data == "" {
		return nil, err
	}
	if _, err := os.Stat(a.conf.data); err != nil && a.conf.origins["data"] == "" {
		return nil, nil
	}
	if at := a.conf.get("store"); pg.Is(at) {
		l, err := a.openCommonAudit(at)
		if err == nil {
			return l, nil
		}
		a.say("%s. Hasta entonces este nodo escribe un registro propio.", digesto.Told(err))
	}
	l, err := audit.Open(auditDir(a.conf.data), audit.Options{Clock: a.now})
	if err != nil {
		a.say("%s. Se contesta sin registro. %s", digesto.Told(err), hintOf(err))
		return nil, nil
	}
	return l, nil
}

// audited writes down what is asked and how it ended, content as digests only.
type audited struct {
	server.Asker
	log   auditor
	trail *trail
}

// trail is what the log was told last.
type trail struct {
	mu     sync.Mutex
	corpus string
	warn   *slog.Logger
}

func auditedBy(l auditor, warn *slog.Logger, inner server.Asker) server.Asker {
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
