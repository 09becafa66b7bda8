package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/model"
	"digesto/pack"
	"digesto/packs"
	"digesto/server"
	"digesto/server/login"
	"digesto/server/spans"
	"digesto/store"
)

// world is what commands work with: the packs, what they embed, and the law
// installed in the data folder.
type world struct {
	asked    askedQuestions
	packs    []*pack.Pack
	embedded ask.View
	laws     *laws
	tables   tables
	store    store.Store // of conversations; nil = none are kept
	log      *slog.Logger
	traces   *traces      // of answers; nil = none are kept
	jobs     *server.Jobs // of a server; nil = texts are not brought in from it
	audit    auditor      // nil = none is written
	spans    *spans.Spans // nil = no collector of them is configured
	closers  []func()     // what a server opened besides
	keys     *keyring     // of a server with a store, and of the tenants it serves: each key is hashed once
	gate     *login.Gate  // of a server with an identity provider, and of its tenants; nil = none
	closed   bool         // what was kept before may be elsewhere: only a key lets run the server
	checks   *checks      // of texts; those of tenants wait their turn with everybody's
	tenant   string       // whose texts these are; "" = everybody's
	anew     bool         // each question is searched anew, also one asked before
}

// open loads the packs and finds the law; it reads no text and no index yet.
func (a *app) open(ctx context.Context) (*world, error) {
	own, err := a.carried()
	if err != nil {
		return nil, err
	}
	a.names.of(own.packs)
	w := &world{packs: own.packs, embedded: own.view, checks: newChecks()}
	w.laws, err = a.openLaws()
	return w, err
}

// openPack opens as open does, and first makes sure that the pack of that name, if
// one is named, exists.
func (a *app) openPack(name string) (*world, error) {
	w, err := a.open(a.ctx)
	if err != nil {
		return nil, err
	}
	if _, err := w.pack(name); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// close lets go of what is open.
func (w *world) close() {
	w.laws.close()
	for _, f := range w.closers {
		f()
	}
	if w.audit != nil {
		_ = w.audit.Close()
	}
	if w.store != nil {
		_ = w.store.Close()
	}
}

// pack finds a pack by name; "" is none.
func (w *world) pack(name string) (*pack.Pack, error) {
	if name == "" {
		return nil, nil
	}
	if p, ok := packs.One(w.packs, name); ok {
		return p, nil
	}
	return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: fmt.Sprintf("No hay ningún paquete «%s»", name), Hint: "Los que hay: " + packNames(w.packs) + "."}
}

func packNames(all []*pack.Pack) string {
	s := ""
	for i, p := range all {
		if i > 0 {
			s += ", "
		}
		s += p.Name
	}
	return s
}

// dataIsFolder refuses a data folder that is something else, or may not be looked into:
// what it holds would seem not to be there. The user's own, not asked for, may be anything.
func (a *app) dataIsFolder() error {
	dir := a.conf.data
	if dir == "" || a.conf.origins["data"] == "" {
		return nil
	}
	e := &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + dir + "» no es una carpeta", Hint: "Elija otra con --data CARPETA o DIGESTO_DATA."}
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrPermission), err == nil && st.IsDir() && unsearchable(dir):
		e.Code, e.Message = digesto.CodeForbidden, "No hay permiso para leer la carpeta de datos «"+dir+"»"
		return e
	case errors.Is(err, syscall.ENOTDIR), err == nil && !st.IsDir():
		return e
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		e.Message, e.Err = "No se puede leer la carpeta de datos «"+dir+"»", err
		return e
	}
	return nil
}

// missingData says whether the data folder was asked for and is not there: the disk
// that it is on may be.
func (a *app) missingData() bool {
	return a.conf.data != "" && a.conf.origins["data"] != "" && !exists(a.conf.data)
}

// unsearchable says whether nothing in a folder can be opened.
func unsearchable(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "corpus"))
	return errors.Is(err, fs.ErrPermission)
}

// openLaws opens the library of the data folder, if there is one.
func (a *app) openLaws() (*laws, error) {
	m, err := a.meaning()
	if err != nil {
		return nil, err
	}
	l := &laws{remote: a.conf.get("index"), say: a.say, ctx: a.ctx, model: m, budget: a.budget, open: map[string]*lawIndex{}, words: true}
	if a.conf.data == "" {
		return l, nil
	}
	if err := a.dataIsFolder(); err != nil {
		return nil, err
	}
	dir := filepath.Join(a.conf.data, "corpus")
	lib, err := corpus.Open(dir, a.corpusOptions())
	if err != nil {
		if a.conf.origins["data"] == "" { // the user's own folder, not asked for
			a.say("No se puede mirar %s: se contesta con lo que trae el programa.", dir)
			return l, nil
		}
		return nil, err
	}
	l.lib, l.dir = lib, a.conf.data
	return l, nil
}

// say writes one line about the work on stderr.
func (a *app) say(format string, args ...any) {
	if a.notes != nil {
		a.notes.Info(clean(fmt.Sprintf(format, args...)))
		return
	}
	fmt.Fprintln(a.err, a.errStyle().dim(clean(fmt.Sprintf(format, args...))))
}

// engine makes the engine over all that is open.
func (a *app) engine(w *world) (*ask.Engine, error) { return a.engineOver(w, w.laws, w.embedded) }

// engineOver makes an engine over a law and what is embedded beside it.
func (a *app) engineOver(w *world, l *laws, embedded ask.View) (*ask.Engine, error) {
	opt, err := a.askOptions(w, l, embedded)
	if err != nil {
		return nil, err
	}
	if w.traces != nil {
		opt.Traced = w.traces.keeper(opt, !l.words)
	}
	return ask.New(opt)
}

// askOptions are the options of an engine over a law and what is embedded.
func (a *app) askOptions(w *world, l *laws, embedded ask.View) (ask.Options, error) {
	set, err := a.models()
	if err != nil {
		return ask.Options{}, err
	}
	if w.spans != nil {
		set.Writer, set.Reader, set.Reranker = w.spans.Generator(model.Writer, set.Writer), w.spans.Generator(model.Reader, set.Reader), w.spans.Reranker(set.Reranker)
	}
	limits, err := a.questionLimits()
	if err != nil {
		return ask.Options{}, err
	}
	flags, err := a.flags()
	if err != nil {
		return ask.Options{}, err
	}
	opt := ask.Options{
		Flags: flags, Recipe: a.recipe, Embed: l.embedQuestions(a.recipe),
		Law: l.view, Embedded: embedded, Packs: w.packs, Clock: a.now, Log: w.log,
		Writer: set.Writer, Reader: set.Reader, Reranker: set.Reranker, Embedding: l.embedding(), Limits: limits, Anew: w.anew,
	}
	alike, find := w.questions(l)
	opt.Alike, opt.Places, opt.Entries = alike, find.Find, find.Entries
	opt.Covers = find.Covers
	if w.store != nil {
		opt.Conversations = ask.Keep(w.store)
	}
	return opt, nil
}
