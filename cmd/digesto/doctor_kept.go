package main

import (
	"errors"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/pg"
	"digesto/store/audit"
)

// doctorKept looks at what is kept of questions and answers: that it can be reached, that
// it is sound, and that nobody has changed the audit log. It makes no
// file that is not there.
func (a *app) doctorKept(add func(what, state, format string, args ...any)) {
	none, err := a.conf.yes("no_log")
	if err != nil {
		add("conversaciones", "fail", "%s", advised(err))
		return
	}
	if none {
		add("conversaciones", "ok", "no se guarda nada de lo que se pregunta («no_log»)")
		return
	}
	at, where := a.conf.get("store"), "conversations.db"
	switch {
	case pg.Is(at):
		where = "PostgreSQL"
	case at == "" && (a.conf.data == "" || !exists(filepath.Join(a.conf.data, where))):
		add("conversaciones", "ok", "todavía ninguna")
		return
	case at == "":
		at = conversationsIn(a.conf.data)
	default:
		where = strings.TrimPrefix(at, "sqlite:")
	}
	s, err := a.openStoreAt(at)
	if err != nil {
		add("conversaciones", "fail", "%s", advised(err))
		return
	}
	defer func() { _ = s.Close() }() // read only
	switch bad, err := s.Check(a.ctx); {
	case err != nil:
		add("conversaciones", "fail", "%s", advised(err))
	case len(bad) > 0:
		add("conversaciones", "fail", "%d defectos en %s; el primero: %s", len(bad), where, bad[0])
	default:
		add("conversaciones", "ok", "enteras, en %s", where)
	}
	a.doctorAudit(add)
}

func (a *app) doctorAudit(add func(what, state, format string, args ...any)) {
	begun := audit.LogFile
	if pg.Is(a.conf.get("store")) {
		begun = audit.PublicFile // the lines are there, the key of this node here
	}
	if a.conf.data == "" || !exists(filepath.Join(auditDir(a.conf.data), begun)) {
		return
	}
	switch r, err := (auditVerifyCmd{}).verify(a, a.conf.data); {
	case err != nil:
		add("registro de auditoría", "fail", "%s", advised(err))
	case r.Broken > 0:
		add("registro de auditoría", "fail", "alterado en la línea %d: «digesto audit verify»", r.Broken)
	default:
		add("registro de auditoría", "ok", "entero: %d líneas, firmado hasta la %d", r.Lines, r.Signed)
	}
}

// advised is an error with what to do next, in one line.
func advised(err error) string {
	var e *digesto.Error
	if errors.As(err, &e) {
		return digesto.Told(e) + ". " + capital(e.Next())
	}
	return digesto.Told(err)
}
