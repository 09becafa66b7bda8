package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/server"
	"digesto/server/login"
	"digesto/server/metrics"
	"digesto/store"
	"digesto/verify"
)

// serveCmd serves pages and API.
type serveCmd struct {
	Addr    string        `name:"addr" placeholder:"HOST:PUERTO" help:"Dirección en la que se escucha. Sin ella, 127.0.0.1:8080 o el puerto libre siguiente."`
	Vectors string        `name:"vectors" enum:"on,off" default:"off" placeholder:"on|off" help:"on: busca también por significado, con unos 15 ms más por pregunta; off: por palabras y léxico."`
	Every   time.Duration `name:"update-every" placeholder:"DURACIÓN" help:"Mira cada tanto (24h, como poco 1h) si han cambiado las normas instaladas y las trae mientras se sirve."`
	Pprof   string        `name:"pprof" placeholder:"127.0.0.1:PUERTO" help:"Sirve además los perfiles del programa (memoria, procesador) en esa dirección de esta máquina. Sin ella, no."`
	Drain   time.Duration `name:"drain" placeholder:"DURACIÓN" help:"Al pararse, cuánto sigue atendiendo mientras /readyz dice que se va: tiempo para que el proxy mande a otro nodo (detrás de un proxy, 5s)."`
	Verbose bool          `name:"verbose" help:"Una línea por petición en stderr."`
}

// Examples of the command.
func (serveCmd) Examples() []string {
	return []string{"digesto serve", "digesto serve --addr 127.0.0.1:9000 --data /srv/digesto", "curl -s http://127.0.0.1:8080/healthz"}
}

// Run serves until it is interrupted.
func (c serveCmd) Run(a *app) error {
	defer a.makeRoom()()
	l, err := c.listen(a)
	if err != nil {
		return err
	}
	defer l.Close()
	if a.conf.get("log") == "json" { // every line of it, for who reads them by program
		if a.notes, err = a.logger(slog.LevelInfo); err != nil {
			return err
		}
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	w.laws.words = c.Vectors != "on"
	w.laws.wanted = make(chan string, 256)
	defer w.close()
	if err := a.openKept(w); err != nil {
		return err
	}
	a.drain = c.Drain
	working, end := context.WithCancel(a.ctx)
	w.jobs = server.NewJobs(working, a.now, a.textWork(w))
	defer w.jobs.Wait()
	defer end()
	s, err := a.newServer(w, c.Verbose, openTo(l))
	if err != nil {
		return err
	}
	wait, err := a.profiles(a.ctx, c.Pprof)
	if err != nil {
		return err
	}
	defer wait()
	url := "http://" + l.Addr().String()
	a.say("%s", a.dataNote(w))
	if a.json {
		_ = a.printJSON(map[string]string{"url": url})
	} else {
		fmt.Fprintf(a.out, "Digesto escucha en %s (Ctrl+C para terminar)\n", url)
	}
	// An index that has to be rebuilt is begun now, not at the first question.
	w.laws.making.Add(1) // no moment in between looks ready
	var warm sync.WaitGroup
	defer warm.Wait()
	ctx, stop := context.WithCancel(a.ctx)
	defer stop()
	warm.Go(func() {
		if x, late := w.embedded.Searcher.(lateIndex); late {
			_, _ = x() // a fault is told to who searches
		}
		if _, done, err := w.laws.view(); err == nil {
			done()
		}
		w.laws.making.Add(-1)
		if !w.laws.words {
			w.laws.fill(ctx)
		}
	})
	keep, err := a.retention()
	if err != nil {
		return err
	}
	if len(keep) > 0 {
		warm.Go(func() { a.sweepDaily(ctx, w, keep) })
	}
	if c.Every > 0 {
		ctx, stop := context.WithCancel(a.ctx)
		defer stop() // before the wait above
		warm.Go(func() { a.updateEvery(ctx, w.jobs, max(c.Every, time.Hour)) })
	}
	if err := s.Serve(a.ctx, l); err != nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "El servidor se ha parado", Hint: "Vuelva a lanzarlo; si se repite, ejecute «digesto doctor».", Err: err}
	}
	a.say("Terminado.")
	return nil
}

// listen opens the address asked for; without one, the default or the next free port.
func (c serveCmd) listen(a *app) (net.Listener, error) {
	addr, explicit := c.Addr, c.Addr != ""
	if !explicit {
		addr = a.conf.get("addr")
		explicit = a.conf.origins["addr"] != "por defecto"
	}
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l, nil
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede escuchar en «" + addr + "»", Err: err, Hint: "Use --addr HOST:PUERTO, por ejemplo 127.0.0.1:8080."}
	}
	if explicit {
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "El puerto de «" + addr + "» está ocupado", Hint: "Pare el otro programa, elija otro con --addr, o no ponga --addr y se buscará uno libre."}
	}
	return nextFree(a, addr)
}

// nextFree tries the ports after a busy one.
func nextFree(a *app, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	for p := first + 1; p <= first+20 && p < 65536; p++ {
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p))); err == nil {
			a.say("El puerto %d está ocupado: se usa el %d.", first, p)
			return l, nil
		}
	}
	return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: fmt.Sprintf("Los puertos del %d al %d están ocupados", first, first+20), Hint: "Elija uno libre con --addr HOST:PUERTO."}
}

// newServer wires the pages and the API to what is open.
func (a *app) newServer(w *world, verbose, open bool) (*server.Server, error) {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	log, err := a.logger(level)
	if err != nil {
		return nil, err
	}
	w.log = log
	if w.spans, err = a.newSpans(w); err != nil {
		return nil, err
	}
	w.traces.oneFile(w)
	w.laws.served = true
	inner, err := a.engine(w)
	if err != nil {
		return nil, err
	}
	m := a.newMetrics(w)
	engine, begin := withSpans(w.spans, measured(auditedBy(w.audit, log, inner), m))
	tools, err := a.newMCP(w, engine, log)
	if err != nil {
		return nil, err
	}
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	proxies, err := a.proxies()
	if err != nil {
		return nil, err
	}
	if w.gate == nil {
		if w.gate, err = a.gate(a.sessionKey); err != nil {
			return nil, err
		}
	}
	gate := w.gate
	pages := a.facsimiles()
	_, find := w.questions(w.laws)
	opt := server.Options{
		Signed: signed(gate),
		Engine: engine, Metrics: m.Handler(), Observe: m.Request, Begin: begin, MCP: tools.Handler(), Law: w.laws.view, Texts: func() (*corpus.Snapshot, error) { return a.snapshot(w) },
		Embedded: w.embedded, Packs: w.packs,
		Schema: func() ([]byte, error) { return verify.SchemaJSON(), nil }, Query: w.query, Find: find, Routes: slices.Concat(verifyRoutes(a, w), jusRoutes(a, w), laboralRoutes(a, w), loginRoutes(gate), recordRoutes(a, w), evalRoutes(a, w)),
		Clock: a.now, Version: buildVersion().Version, Store: w.store, Plans: plans, Visitors: func(r *http.Request) bool { return open || !fromHere(r) }, Proxies: proxies,
		Log: log, Drain: a.drain, Patience: a.patience, Jobs: w.jobs, Looked: func() map[string]digesto.Date { return a.lookedAt(strings.Split(packNames(w.packs), ", ")) },
	}
	places := a.placesOf()
	opt.Check = func(ctx context.Context) error {
		if err := errors.Join(gone(places), a.lostLibrary(), w.laws.ready()); err != nil || w.store == nil {
			return err
		}
		_, err := w.store.Asked(ctx, "", a.now())
		return err
	}
	if w.traces != nil {
		w.traces.log = log
		opt.Traces = w.traces.of
	}
	if pages != nil {
		opt.Facsimiles = pages
		w.closers = append(w.closers, pages.pictures.Close)
	}
	if w.store != nil {
		if w.keys == nil {
			w.keys = newKeyring(w.store, a.now)
		}
		if err := a.letPeopleIn(&opt, w, gate, m, open, w.closed, func() error { return gone(places) }); err != nil {
			return nil, err
		}
		if w.tenant == "" {
			t := &tenants{a: a, w: w, verbose: verbose, open: open, served: map[string]*tenant{}}
			w.closers = append(w.closers, t.close)
			opt.Elsewhere = t.of
		}
	}
	return server.New(opt)
}

// letPeopleIn tells who asks and who runs the server, and adds the pages of the latter.
// Where what is kept is gone nobody is anybody: what they ask would be lost.
func (a *app) letPeopleIn(opt *server.Options, w *world, gate *login.Gate, m *metrics.Metrics, open, closed bool, gone func() error) error {
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
	d := &admins{s: w.store, clock: a.now, keys: w.keys, gate: gate, open: open || closed, there: gone, cookies: login.Cookies{Key: secret, Secure: strings.HasPrefix(a.conf.get("oidc.url"), "https:")}}
	if w.tenant == "" && a.conf.data != "" && a.conf.get("store") == "" {
		d.mark = filepath.Join(a.conf.data, keysMade)
	}
	if err := d.look(a.ctx); err != nil {
		return unserved(err)
	}
	opt.Who, opt.Admin, opt.Enter = who, d.check, "/admin/entrar"
	opt.Routes = append(opt.Routes, adminPages{d, a, w, m, a.now(), opt.Check}.routes()...)
	return nil
}

// dataNote says where the law comes from, or that there is none.
func (a *app) dataNote(w *world) string {
	if a.conf.data == "" {
		return "Sin carpeta de datos (" + a.conf.dataWhy + "): se contesta con las fichas y tablas que trae el programa."
	}
	if err := a.lostLibrary(); err != nil {
		return advised(err)
	}
	snap, err := a.snapshot(w)
	if err != nil {
		return "La ley instalada en " + a.conf.data + " no se puede leer: ejecute «digesto doctor»."
	}
	defer snap.Close()
	if len(snap.Norms()) == 0 {
		return "Sin ley instalada en " + a.conf.data + ": se contesta con las fichas y tablas que trae el programa."
	}
	return fmt.Sprintf("Ley instalada en %s: %d normas.", a.conf.data, len(snap.Norms()))
}
