package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/server"
	"digesto/server/login"
	"digesto/server/metrics"
	"digesto/store"
	"digesto/verify"
)

// NewServer wires the pages and the API to what is open.
func (a *App) NewServer(w *Workspace, verbose, open bool) (*server.Server, error) {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	log, err := a.Logger(level)
	if err != nil {
		return nil, err
	}
	w.Log = log
	if w.spans, err = a.NewSpans(w); err != nil {
		return nil, err
	}
	w.Traces.oneFile(w)
	w.Law.Served = true
	inner, err := a.Engine(w)
	if err != nil {
		return nil, err
	}
	w.engine = inner
	m := a.newMetrics(w)
	engine, begin := withSpans(w.spans, measured(AuditedBy(w.Audit, log, inner), m))
	tools, err := a.NewMCP(w, engine, log)
	if err != nil {
		return nil, err
	}
	plans, err := a.Plans()
	if err != nil {
		return nil, err
	}
	proxies, err := a.Proxies()
	if err != nil {
		return nil, err
	}
	if w.gate == nil {
		if w.gate, err = a.Gate(a.sessionKey); err != nil {
			return nil, err
		}
	}
	gate := w.gate
	pages := a.facsimiles()
	find := w.questions(w.Law)
	replies, err := a.Pages.Replies()
	if err != nil {
		return nil, err
	}
	opt := server.Options{
		Signed: signed(gate), Replies: replies,
		Engine: engine, Metrics: m.Handler(), Observe: m.Request, Begin: begin, MCP: tools.Handler(), Law: w.Law.View, Texts: func() (*corpus.Snapshot, error) { return a.Snapshot(w) },
		Embedded: w.Embedded, Packs: w.Packs,
		Schema: func() ([]byte, error) { return verify.SchemaJSON(), nil }, Query: w.Query, Find: find, Routes: slices.Concat(a.Pages.Routes(a, w), loginRoutes(gate)),
		Clock: a.Now, Version: BuildVersion().Version, Store: w.Store, Plans: plans, Visitors: func(r *http.Request) bool { return open || !fromHere(r) }, Proxies: proxies,
		Log: log, Drain: a.Drain, Patience: a.Patience, Jobs: w.Jobs, Follow: a.followStatus(w.Follow), Looked: func() map[string]digesto.Date { return a.looked(w) },
	}
	if a.Settings.Data != "" {
		opt.Keep, opt.Discard = Keep, Discard
	}
	opt.Read = func(ctx context.Context, name string, data []byte) (string, error) {
		return ingest.Plain(ctx, name, data, ingest.Options{CacheDir: a.PdfCache()})
	}
	places := a.locations()
	opt.Check = func(ctx context.Context) error {
		if err := errors.Join(gone(places), a.LostLibrary(), w.received(), w.Law.Ready(ctx)); err != nil || w.Store == nil {
			return err
		}
		_, err := w.Store.Asked(ctx, "", a.Now())
		return err
	}
	if w.Traces != nil {
		w.Traces.log = log
		opt.Traces = w.Traces.forUser
	}
	if pages != nil {
		opt.Facsimiles = pages
		w.Closers = append(w.Closers, pages.pictures.Close)
	}
	if w.Store != nil {
		if w.keys == nil {
			w.keys = newKeyring(w.Store, a.Now)
		}
		if err := a.admit(&opt, w, gate, m, open, w.closed, func() error { return gone(places) }); err != nil {
			return nil, err
		}
		if w.tenant == "" {
			t := &tenants{a: a, w: w, verbose: verbose, open: open, served: map[string]*tenant{}}
			w.Closers = append(w.Closers, t.close)
			opt.Elsewhere = t.of
		}
	}
	return server.New(opt)
}

// admit tells who asks and who runs the server, and adds the pages of the latter.
// Where what is kept is gone nobody is anybody: what they ask would be lost.
func (a *App) admit(opt *server.Options, w *Workspace, gate *login.Gate, m *metrics.Metrics, open, closed bool, gone func() error) error {
	known, err := a.throughGate(gate, a.who(w.keys, open))
	if err != nil {
		return err
	}
	who := func(r *http.Request) (store.User, error) {
		if err := gone(); err != nil {
			return store.User{}, err
		}
		return known(r)
	}
	secret, err := a.sessionKey()
	if err != nil {
		return err
	}
	d := &admins{S: w.Store, Clock: a.Now, keys: w.keys, Gate: gate, open: open || closed, there: gone, Cookies: login.Cookies{Key: secret, Secure: strings.HasPrefix(a.Settings.Get("oidc.url"), "https:")}}
	if w.tenant == "" && a.Settings.Data != "" && a.Settings.Get("store") == "" {
		d.mark = filepath.Join(a.Settings.Data, keysMade)
	}
	if err := d.look(a.Context); err != nil {
		return unserved(err)
	}
	opt.Who, opt.Admin, opt.Enter = who, d.check, "/admin/entrar"
	opt.Routes = append(opt.Routes, a.Pages.Admin(AdminSite{d, a, w, m, a.Now(), opt.Check})...)
	return nil
}

// DataNote says where the law comes from, or that there is none.
func (a *App) DataNote(w *Workspace) string {
	if a.Settings.Data == "" {
		return "Sin carpeta de datos (" + a.Settings.DataWhy + "): se contesta con las fichas y tablas que trae el programa."
	}
	if err := a.LostLibrary(); err != nil {
		return Advised(err)
	}
	snap, err := a.Snapshot(w)
	if err != nil {
		return "La ley instalada en " + a.Settings.Data + " no se puede leer: ejecute «digesto doctor»."
	}
	defer snap.Close()
	if len(snap.Norms()) == 0 {
		return "Sin ley instalada en " + a.Settings.Data + ": se contesta con las fichas y tablas que trae el programa."
	}
	return fmt.Sprintf("Ley instalada en %s: %d normas.", a.Settings.Data, len(snap.Norms()))
}
