package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"digesto"
	"digesto/app/law"
	"digesto/ask"
	"digesto/conversation"
	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/decide"
	"digesto/disk"
	"digesto/model"
	"digesto/pack"
	"digesto/packs"
	"digesto/server"
	"digesto/server/login"
	"digesto/server/spans"
	"digesto/store"
)

// Workspace is what commands work with: the packs, what they embed, and the law
// installed in the data folder.
type Workspace struct {
	asked struct {
		once sync.Once
		find *decide.Finder
	}
	engine   *ask.Engine // of a server
	Packs    []*pack.Pack
	Embedded ask.View
	Law      *law.Installed
	tables   tables
	Store    store.Store // of conversations; nil = none are kept
	Log      *slog.Logger
	Traces   *Traces          // of answers; nil = none are kept
	Jobs     *server.Jobs     // of a server; nil = texts are not brought in from it
	Follow   *follow.Follower // keeps the law at what is published; nil = it follows nobody
	Audit    auditor          // nil = none is written
	spans    *spans.Spans     // nil = no collector of them is configured
	Closers  []func()         // what a server opened besides
	keys     *keyring         // of a server with a store, and of the tenants it serves: each key is hashed once
	gate     *login.Gate      // of a server with an identity provider, and of its tenants; nil = none
	closed   bool             // what was kept before may be elsewhere: only a key lets run the server
	Checks   *checks          // of texts; those of tenants wait their turn with everybody's
	tenant   string           // whose texts these are; "" = everybody's
	Anew     bool             // each question is searched anew, also one asked before
}

// Open loads the packs and finds the law; it reads no text and no index yet.
func (a *App) Open(ctx context.Context) (*Workspace, error) {
	own, err := a.builtin()
	if err != nil {
		return nil, err
	}
	a.Names.of(own.packs)
	w := &Workspace{Packs: own.packs, Embedded: own.view, Checks: NewChecks()}
	w.Law, err = a.OpenLaws()
	return w, err
}

// OpenPack opens as open does, and first makes sure that the pack of that name, if
// one is named, exists.
func (a *App) OpenPack(name string) (*Workspace, error) {
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, err
	}
	if _, err := w.Pack(name); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close lets go of what is open.
func (w *Workspace) Close() {
	w.Law.Close()
	for _, f := range w.Closers {
		f()
	}
	if w.Audit != nil {
		_ = w.Audit.Close()
	}
	if w.Store != nil {
		_ = w.Store.Close()
	}
}

// Pack finds a pack by name; "" is none.
func (w *Workspace) Pack(name string) (*pack.Pack, error) { return packs.Named(w.Packs, name) }

// DataIsFolder refuses a data folder that is something else, or may not be looked into:
// what it holds would seem not to be there. The user's own, not asked for, may be anything.
func (a *App) DataIsFolder() error {
	dir := a.Settings.Data
	if dir == "" || a.Settings.Origins["data"] == "" {
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
func (a *App) missingData() bool {
	return a.Settings.Data != "" && a.Settings.Origins["data"] != "" && !disk.Exists(a.Settings.Data)
}

// unsearchable says whether nothing in a folder can be opened.
func unsearchable(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "corpus"))
	return errors.Is(err, fs.ErrPermission)
}

// OpenLaws opens the library of the data folder, if there is one.
func (a *App) OpenLaws() (*law.Installed, error) {
	m, err := a.Meaning()
	if err != nil {
		return nil, err
	}
	l := law.New(a.Context, a.Say)
	if l.More, err = a.morePacks(); err != nil {
		return nil, err
	}
	l.Remote, l.Model, l.Budget, l.WordsOnly = a.Settings.Get("index"), m, a.Budget, true
	if a.Settings.Data == "" {
		return l, nil
	}
	if err := a.DataIsFolder(); err != nil {
		return nil, err
	}
	dir := filepath.Join(a.Settings.Data, "corpus")
	lib, err := corpus.Open(dir, a.corpusOptions())
	if err != nil {
		if a.Settings.Origins["data"] == "" { // the user's own folder, not asked for
			a.Say("No se puede mirar %s: se contesta con lo que trae el programa.", dir)
			return l, nil
		}
		return nil, err
	}
	l.Library, l.Dir = lib, a.Settings.Data
	return l, nil
}

// Engine makes the engine over all that is open.
func (a *App) Engine(w *Workspace) (*ask.Engine, error) {
	return a.EngineOver(w, w.Law, w.Embedded)
}

// EngineOver makes an engine over a law and what is embedded beside it.
func (a *App) EngineOver(w *Workspace, l *law.Installed, embedded ask.View) (*ask.Engine, error) {
	opt, err := a.AskOptions(w, l, embedded)
	if err != nil {
		return nil, err
	}
	if w.Traces != nil {
		opt.Traced = w.Traces.recorder(opt, !l.WordsOnly)
	}
	return ask.New(opt)
}

// AskOptions are the options of an engine over a law and what is embedded.
func (a *App) AskOptions(w *Workspace, l *law.Installed, embedded ask.View) (ask.Options, error) {
	set, err := a.Models()
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
	flags, err := a.Flags()
	if err != nil {
		return ask.Options{}, err
	}
	opt := ask.Options{
		Flags: flags, Recipe: a.recipe, Embed: l.EmbedQuestions(a.recipe),
		Law: l.View, Embedded: embedded, Packs: w.Packs, Clock: a.Now, Log: w.Log,
		Writer: set.Writer, Reader: set.Reader, Reranker: set.Reranker, Embedding: l.EmbeddingName(), Limits: limits, Anew: w.Anew,
	}
	if opt.Probe, err = a.Probe(); err != nil {
		return ask.Options{}, err
	}
	if opt.Stranger, err = a.stranger(); err != nil {
		return ask.Options{}, err
	}
	find := w.questions(l)
	opt.Places, opt.Entries = find.Find, find.Entries
	opt.Asks, opt.Covers = find.Asks, find.Covers
	if w.Store != nil {
		opt.Conversations = conversation.Keep(w.Store)
	}
	return opt, nil
}

// questions opens what compares questions, once for all laws.
func (w *Workspace) questions(l *law.Installed) *decide.Finder {
	w.asked.once.Do(func() { w.asked.find = l.Questions() })
	return w.asked.find
}
