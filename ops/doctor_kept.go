package ops

import (
	"path/filepath"
	"strings"

	"digesto/app"
	"digesto/disk"
	"digesto/pg"
	"digesto/store/audit"
)

// doctorKept looks at what is kept of questions and answers: that it can be reached, that
// it is sound, and that nobody has changed the audit log. It makes no
// file that is not there.
func doctorKept(a *app.App, add func(what, state, format string, args ...any)) {
	none, err := a.Settings.Yes("no_log")
	if err != nil {
		add("conversaciones", "fail", "%s", app.Advised(err))
		return
	}
	if none {
		add("conversaciones", "ok", "no se guarda nada de lo que se pregunta («no_log»)")
		return
	}
	at, where := a.Settings.Get("store"), "conversations.db"
	switch {
	case pg.Is(at):
		where = "PostgreSQL"
	case at == "" && (a.Settings.Data == "" || !disk.Exists(filepath.Join(a.Settings.Data, where))):
		add("conversaciones", "ok", "todavía ninguna")
		return
	case at == "":
		at = app.ConversationsIn(a.Settings.Data)
	default:
		where = strings.TrimPrefix(at, "sqlite:")
	}
	s, err := a.OpenStoreAt(at)
	if err != nil {
		add("conversaciones", "fail", "%s", app.Advised(err))
		return
	}
	defer func() { _ = s.Close() }() // read only
	switch bad, err := s.Check(a.Context); {
	case err != nil:
		add("conversaciones", "fail", "%s", app.Advised(err))
	case len(bad) > 0:
		add("conversaciones", "fail", "%d defectos en %s; el primero: %s", len(bad), where, bad[0])
	default:
		add("conversaciones", "ok", "enteras, en %s", where)
	}
	doctorAudit(a, add)
}

func doctorAudit(a *app.App, add func(what, state, format string, args ...any)) {
	begun := audit.LogFile
	if pg.Is(a.Settings.Get("store")) {
		begun = audit.PublicFile // the lines are there, the key of this node here
	}
	if a.Settings.Data == "" || !disk.Exists(filepath.Join(app.AuditDir(a.Settings.Data), begun)) {
		return
	}
	switch r, err := a.VerifyAudit(a.Settings.Data, ""); {
	case err != nil:
		add("registro de auditoría", "fail", "%s", app.Advised(err))
	case r.Broken > 0:
		add("registro de auditoría", "fail", "alterado en la línea %d: «digesto audit verify»", r.Broken)
	default:
		add("registro de auditoría", "ok", "entero: %d líneas, firmado hasta la %d", r.Lines, r.Signed)
	}
}
