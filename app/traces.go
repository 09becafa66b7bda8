package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/pg"
	"digesto/store"
	"digesto/store/postgres"
	"digesto/store/trace"
)

// Traces keeps the way of each answer in the data folder, or in the database that
// several nodes share.
type Traces struct {
	Kept traceStore
	from string       // source of --from; "" = the installed law
	log  *slog.Logger // nil = a trace that cannot be kept is not spoken of
}

// traceStore is where traces are.
type traceStore interface {
	Put(r trace.Record) error
	Get(id string) (trace.Record, error)
	Prune(before time.Time) error
}

// sharedTraces are those of a database. What is erased there takes its traces along.
type sharedTraces struct{ s *postgres.Store }

// tracePatience bounds the wait for the database: an answer does not wait longer for its trace.
const tracePatience = 10 * time.Second

func (t sharedTraces) Put(r trace.Record) error {
	data, err := trace.Encode(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), tracePatience)
	defer cancel()
	return t.s.PutTrace(ctx, postgres.Trace{ID: r.ID, User: r.User, Conversation: r.Session, At: r.At, Record: data})
}

func (t sharedTraces) Get(id string) (trace.Record, error) {
	ctx, cancel := context.WithTimeout(context.Background(), tracePatience)
	defer cancel()
	data, err := t.s.TraceRecord(ctx, id)
	switch {
	case err != nil:
		return trace.Record{}, err
	case data == nil:
		return trace.Record{}, trace.NotFound(id)
	}
	return trace.Decode(id, data)
}

func (t sharedTraces) Prune(before time.Time) error {
	ctx, cancel := context.WithTimeout(context.Background(), tracePatience)
	defer cancel()
	return t.s.PruneTraces(ctx, before)
}

// tracesKept gives where traces are: in the database of --store, else in the data
// folder; nil where there is neither.
func (a *App) tracesKept() (traceStore, func(), error) {
	if at := a.Settings.Get("store"); pg.Is(at) {
		s, err := postgres.Open(a.Context, at, postgres.Options{Clock: a.Now, Database: pg.Options{Conns: 4}})
		if err != nil {
			return nil, nil, err
		}
		return sharedTraces{s}, func() { _ = s.Close() }, nil // nothing is left undone in it
	}
	if a.Settings.Data == "" {
		return nil, nil, nil
	}
	return TracesIn(a.Settings.Data), func() {}, nil
}

// TraceOf gives a kept trace.
func (a *App) TraceOf(id string) (trace.Record, error) {
	kept, done, err := a.tracesKept()
	if err != nil {
		return trace.Record{}, err
	}
	if kept == nil {
		_, err := a.NeedData()
		return trace.Record{}, err
	}
	defer done()
	return kept.Get(id)
}

// TracesIn are the traces of a data folder.
func TracesIn(data string) trace.Folder { return trace.Folder{Dir: filepath.Join(data, "traces")} }

// OpenTraces opens those of a workspace, without the ones whose time is over; none
// where there is no place or none are wanted. The user's own folder is not made for
// them: a bare program that is asked writes nothing.
func (a *App) OpenTraces(w *Workspace, from string) error {
	days, err := a.Settings.Amount("traces_days")
	if none, nerr := a.Settings.Yes("no_log"); err == nil && (nerr != nil || none) {
		return nerr
	}
	if err != nil || days < 1 {
		return err
	}
	if _, err := os.Stat(a.Settings.Data); err != nil && a.Settings.Origins["data"] == "" && !pg.Is(a.Settings.Get("store")) {
		return nil
	}
	kept, done, err := a.tracesKept()
	if err != nil || kept == nil {
		return err
	}
	w.Closers = append(w.Closers, done)
	if from != "" {
		if abs, err := filepath.Abs(from); err == nil {
			from = abs
		}
	}
	w.Traces = &Traces{Kept: kept, from: from}
	_ = kept.Prune(a.Now().AddDate(0, 0, -int(days))) // what is left is tried the next time
	return nil
}

// oneFile makes a server's traces of the data folder stand one behind the other.
func (t *Traces) oneFile(w *Workspace) {
	if t == nil {
		return
	}
	if f, ok := t.Kept.(trace.Folder); ok {
		l := &trace.Log{Folder: f}
		t.Kept = l
		w.Closers = append(w.Closers, func() { _ = l.Close() })
	}
}

// Program names what answers: another version may answer otherwise.
func Program() string {
	v := BuildVersion()
	name := strings.TrimSpace(v.Version + " " + v.Revision)
	if v.Modified {
		name += " (modificado)"
	}
	return name
}

// recorder gives the function that keeps the traces of an engine. An answer whose
// trace cannot be kept is given all the same.
func (t *Traces) recorder(opt ask.Options, vectors bool) func(context.Context, ask.Trace) {
	var roles []string
	for role, has := range map[string]bool{"writer": opt.Writer != nil, "reader": opt.Reader != nil, "reranker": opt.Reranker != nil} {
		if has {
			roles = append(roles, role)
		}
	}
	own := map[string]func() string{"": func() string { return "" }}
	for _, p := range opt.Packs {
		own[p.Name] = sync.OnceValue(p.Sum)
	}
	return func(_ context.Context, tr ask.Trace) {
		r, err := recordOf(tr)
		if err == nil {
			r.Roles, r.Vectors, r.Recipe, r.From, r.Own = roles, vectors, opt.Recipe, t.from, own[r.Pack]()
			err = t.Kept.Put(r)
		}
		if err != nil && t.log != nil {
			t.log.Warn("trace not kept", "error", err)
		}
	}
}

// recordOf is a trace in the form that is kept.
func recordOf(t ask.Trace) (trace.Record, error) {
	m := t.Answer.Meta
	if m == nil {
		return trace.Record{}, errors.New("an answer without envelope")
	}
	answer, err := trace.Bytes(t.Answer)
	r := trace.Record{
		ID: m.TraceID, At: t.Began, User: t.Question.User, Program: Program(), Question: t.Question, Session: t.Session, Turn: t.Turn, Sticky: t.Pack, ChatType: t.ChatType,
		Pack: m.Pack, AsOf: m.AsOf, Corpus: m.Corpus, Answer: answer, SHA256: trace.Sum(answer),
	}
	for _, s := range t.Stages {
		r.Stages = append(r.Stages, trace.Stage{Name: s.Name, Begin: s.Begin.Microseconds()})
	}
	for line := range bytes.Lines(t.Exchanges) {
		r.Exchanges = append(r.Exchanges, json.RawMessage(bytes.TrimSpace(line)))
	}
	return r, err
}

// forUser gives a trace to the user who asked, and any to who may see all; another's is one
// that there is not.
func (t *Traces) forUser(_ context.Context, user string, all bool, id string) (any, error) {
	r, err := t.Kept.Get(id)
	if err == nil && r.User != user && !all {
		err = trace.NotFound(id)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ErasingStore is a store whose erasures reach the traces too.
type ErasingStore struct {
	store.Store
	Traces trace.Folder
	Words  string // folder of what models wrote; "" = none
}

func (e ErasingStore) Erase(ctx context.Context, user, id string) error {
	if err := e.Store.Erase(ctx, user, id); err != nil {
		return err
	}
	return e.drop(func(r trace.Record) bool { return r.Session == id })
}

func (e ErasingStore) DropUser(ctx context.Context, id string) error {
	if err := e.Store.DropUser(ctx, id); err != nil {
		return err
	}
	return e.drop(func(r trace.Record) bool { return r.User == id })
}

func (e ErasingStore) drop(match func(trace.Record) bool) error {
	if err := e.Traces.Drop(match); err != nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Se ha borrado la conversación, pero no todas sus trazas", Err: err, Hint: "Revise los permisos de la carpeta «traces» y repita."}
	}
	if err := e.dropWords(); err != nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Se ha borrado la conversación, pero no lo que se guarda de los modelos", Err: err, Hint: "Borre a mano la carpeta «models/cache» de la carpeta de datos."}
	}
	return nil
}

// dropWords erases what is kept of models: it repeats what was asked, and nothing in it
// tells by whom. What is missed there costs a call.
func (e ErasingStore) dropWords() error {
	if e.Words == "" {
		return nil
	}
	return os.RemoveAll(e.Words)
}
