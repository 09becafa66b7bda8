package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/model/vectorfile"
)

// laws gives the law installed now, with the index of exactly that snapshot.
// A new snapshot is seen at the next question; the index of the old one is
// closed when its last reader leaves. It is safe for any number of goroutines.
type laws struct {
	lib *corpus.Library // nil = no data folder
	dir string          // data folder
	say func(format string, args ...any)

	remote string   // address of the indexes; "" = in the data folder
	model  *meaning // nil = words alone
	budget time.Duration
	wanted chan string // texts whose vectors were missing; nil = nobody makes them later
	ctx    context.Context
	served bool // to people elsewhere, who are not told where on the disk it is

	making atomic.Int32 // indexes being opened or made, for which questions wait

	mu    sync.Mutex           // never held while an index is opened, made or closed
	open  map[string]*lawIndex // by content of the snapshot
	last  string               // content that was answered from last
	shown string               // and the snapshot that it was of
	left  []*lawIndex          // replaced, and perhaps still read
	// words searches by words alone, whatever the indexes hold; so it begins, because
	// answers go by words unless asked otherwise.
	words bool
	// pin is the snapshot to answer from; "" = the current one, "embedded" = no law.
	pin string
}

// embedding says how questions are compared by meaning, for the trace; "" = by words alone.
func (l *laws) embedding() string {
	if l.words || l.model == nil {
		return ""
	}
	return l.model.first.Name()
}

// lawIndex is an index and how many are reading it, or wait for it.
type lawIndex struct {
	made chan struct{} // closed when what follows is known
	err  error         // why there is none
	ix   searchable
	m    *meaning // whose vectors it holds

	keeping sync.Once
	kept    *vectorfile.File // of its articles, once opened
	uses    int              // under the mutex of laws
}

// isMade says whether nobody has to wait for an index.
func (li *lawIndex) isMade() bool {
	select {
	case <-li.made:
		return true
	default:
		return false
	}
}

// view opens the law of now. A library without norms gives the zero View: no law.
func (l *laws) view() (ask.View, func(), error) {
	if l.lib == nil || l.pin == noLaw {
		return ask.View{}, func() {}, nil
	}
	snap, err := l.snapshot()
	if err != nil {
		return ask.View{}, nil, l.unsound(err)
	}
	if snap.Content() == "" {
		snap.Close()
		return ask.View{}, func() {}, nil
	}
	if old := l.meanwhile(snap.Content()); old != nil {
		snap.Close()
		snap = old
	}
	li, err := l.acquire(snap)
	if err != nil {
		snap.Close()
		return ask.View{}, nil, err
	}
	view := ask.View{Snapshot: snap, Searcher: li.ix}
	if l.words && (l.model == nil || l.model.own) { // a service may fail, and words stand in for it
		view.State = snap.Hash()
	}
	if !l.words {
		view.Searcher = li.m.searcher(li.ix, l.passages(snap, li))
	}
	return view, func() { l.release(snap, li) }, nil
}

// noLaw is what answers call the law of a program without any.
const noLaw = "embedded"

func (l *laws) snapshot() (*corpus.Snapshot, error) {
	if l.pin != "" {
		return l.lib.Snapshot(l.pin)
	}
	return l.lib.Current()
}

// meanwhile gives the law that was answered from last, while another question makes the
// index of a newer one; nil when nobody makes it, or there is no other to answer from.
func (l *laws) meanwhile(content string) *corpus.Snapshot {
	l.mu.Lock()
	li, old, shown := l.open[content], l.open[l.last], l.shown
	l.mu.Unlock()
	if li == nil || li.isMade() || old == nil || old == li || !old.isMade() || l.pin != "" {
		return nil
	}
	snap, err := l.lib.Snapshot(shown)
	if err != nil { // it is gone: the question waits for the new one
		return nil
	}
	return snap
}

// acquire gives the index of a snapshot, opening or making it the first time. Who needs
// the same one meanwhile waits for it; nobody else does.
func (l *laws) acquire(snap *corpus.Snapshot) (*lawIndex, error) {
	content := snap.Content()
	l.mu.Lock()
	li := l.open[content]
	mine := li == nil
	if mine {
		li = &lawIndex{made: make(chan struct{})}
		l.open[content] = li
	}
	li.uses++
	l.mu.Unlock()
	if mine {
		l.make(li, snap)
	}
	if <-li.made; li.err != nil {
		return nil, li.err
	}
	l.mu.Lock()
	l.last, l.shown = content, snap.Hash()
	var unread []*lawIndex
	for h, old := range l.open {
		if h != content && old.uses == 0 {
			unread = append(unread, old)
			delete(l.open, h)
		}
	}
	l.mu.Unlock()
	for _, old := range unread {
		_ = old.ix.Close()
	}
	return li, nil
}

// make opens or makes an index. One that cannot be is forgotten: the next question tries again.
func (l *laws) make(li *lawIndex, snap *corpus.Snapshot) {
	l.making.Add(1)
	defer close(li.made)
	defer l.making.Add(-1)
	li.err = errors.New("the index was not made") // unless it is, below
	if li.ix, li.m, li.err = l.index(snap); li.err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[snap.Content()] == li {
		delete(l.open, snap.Content())
	}
}

// ready says whether questions are answered now, or wait for the index of the law
// that is installed.
func (l *laws) ready() error {
	if l.lib == nil || l.pin == noLaw {
		return nil
	}
	snap, err := l.snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	if l.making.Load() == 0 || snap.Content() == "" {
		return nil
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Se está haciendo el índice de la ley instalada", Hint: "Espere unos segundos: las preguntas que lleguen aguardan a que termine."}
}

func (l *laws) release(snap *corpus.Snapshot, li *lawIndex) {
	l.mu.Lock()
	li.uses--
	var unread []*lawIndex
	l.left = slices.DeleteFunc(l.left, func(old *lawIndex) bool {
		if old.uses == 0 {
			unread = append(unread, old)
		}
		return old.uses == 0
	})
	l.mu.Unlock()
	for _, old := range unread {
		_ = old.ix.Close()
	}
	snap.Close()
}

func (l *laws) close() {
	l.mu.Lock()
	open, left := l.open, l.left
	l.open, l.left = map[string]*lawIndex{}, nil
	l.mu.Unlock()
	for _, li := range open {
		if <-li.made; li.kept != nil {
			if err := li.kept.Save(); err != nil {
				l.say("%v", err)
			}
		}
		if li.err == nil {
			left = append(left, li)
		}
	}
	for _, li := range left {
		_ = li.ix.Close()
	}
	if l.lib != nil {
		l.lib.Close()
	}
}

// indexDir is where the index of a snapshot stands, by what it indexes: a file that
// is refused changes the snapshot and not its index.
func indexDir(data, content string) string { return filepath.Join(data, "index", content) }

// index opens the index of a snapshot, and says whose vectors it holds. While
// serving, the index of a service's vectors is left to be built beside the one there
// is (see replace); otherwise it is built now. Without the service's answer the
// binary's own model stands in.
func (l *laws) index(snap *corpus.Snapshot) (searchable, *meaning, error) {
	m := l.model
	if l.remote != "" {
		ix, err := l.outside(snap)
		return ix, m, err
	}
	if m != nil && !m.own {
		ix, err := index.Open(indexDir(l.dir, snap.Content()+m.suffix()), m.opened())
		if err == nil {
			return ix, m, nil
		}
		if l.wanted == nil {
			if ix, err = l.external(l.ctx, snap); err == nil {
				return ix, m, nil
			}
			if l.ctx.Err() != nil {
				return nil, nil, err
			}
			l.say("No se puede hacer el índice del modelo de vectores configurado (%s): se busca con el que trae el programa. %s", digesto.Told(err), hintOf(err))
		}
		m = ownMeaning(true)
	}
	ix, err := l.ownIndex(snap, m)
	return ix, m, err
}

// external builds and opens the index of a service's vectors.
func (l *laws) external(ctx context.Context, snap *corpus.Snapshot) (*index.Index, error) {
	l.say("Construyendo el índice con el modelo de vectores configurado (una sola vez)…")
	if err := buildIndex(ctx, l.dir, snap, l.model); err != nil {
		return nil, err
	}
	return index.Open(indexDir(l.dir, snap.Content()+l.model.suffix()), l.model.opened())
}

// replace builds the index of a service's vectors beside the one that serves and
// puts it in its place. Who searches in the old one ends there.
func (l *laws) replace(ctx context.Context, snap *corpus.Snapshot) error {
	ix, err := l.external(ctx, snap)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.open[snap.Content()]; old != nil {
		l.left = append(l.left, old)
	}
	made := make(chan struct{})
	close(made)
	l.open[snap.Content()] = &lawIndex{made: made, ix: ix, m: l.model}
	l.say("El índice del modelo de vectores configurado está hecho y en uso.")
	return nil
}

// ownIndex opens the index of a snapshot. One that is missing, damaged or of
// another format is built again, and that is said; where the folder cannot be
// written it is built in memory.
func (l *laws) ownIndex(snap *corpus.Snapshot, m *meaning) (*index.Index, error) {
	dir := indexDir(l.dir, snap.Content())
	ix, err := index.Open(dir, m.opened())
	if err == nil {
		return ix, nil
	}
	why := "falta"
	if digesto.CodeOf(err) != digesto.CodeNotFound {
		why = "está dañado o es de otra versión"
	}
	l.say("El índice de la ley instalada %s: se reconstruye ahora (una sola vez).", why)
	if err := buildIndex(l.ctx, l.dir, snap, m); err == nil {
		return index.Open(dir, m.opened())
	} else if l.ctx.Err() != nil {
		return nil, err
	}
	l.say("No se puede guardar el índice en %s: se usa en memoria.", dir)
	opt, chunks := m.vectored(l.ctx, snap.Chunks())
	return index.Memory(l.ctx, chunks, opt)
}

// buildIndex builds the index of a snapshot in its place. Whoever has an old
// one open there keeps it.
func buildIndex(ctx context.Context, data string, snap *corpus.Snapshot, m *meaning) error {
	opt, chunks := m.vectored(ctx, snap.Chunks())
	return index.Build(ctx, chunks, indexDir(data, snap.Content()+m.suffix()), opt)
}

// passages is the second stage over a snapshot; nil where there is none. The file
// of vectors is opened at the first use: one that is of another model, or damaged,
// is said, and searches go by one stage.
func (l *laws) passages(snap *corpus.Snapshot, li *lawIndex) *passages {
	if li.m == nil || li.m.second == nil || l.dir == "" {
		return nil
	}
	p := &passages{model: li.m.second, budget: l.budget, text: func(h digesto.Hit) (string, bool) {
		c, ok := snap.Chunk(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/"), strings.TrimPrefix(h.ID, h.Unit+"/"))
		return textOf(c), ok
	}}
	p.open = sync.OnceValue(func() *vectorfile.File { return l.vectors(snap.Content(), li) })
	if l.wanted != nil {
		p.wanted = func(text string) {
			select {
			case l.wanted <- text:
			default: // there is work enough; it will be asked for again
			}
		}
	}
	return p
}

// vectors opens those of a snapshot's articles once; nil when they cannot be used.
func (l *laws) vectors(hash string, li *lawIndex) *vectorfile.File {
	li.keeping.Do(func() {
		f, err := openKept(l.dir, hash, li.m.space)
		if err != nil {
			l.say("%s. %s", digesto.Told(err), hintOf(err))
		}
		li.kept = f
	})
	return li.kept
}

func hintOf(err error) string {
	var e *digesto.Error
	if errors.As(err, &e) {
		return e.Next()
	}
	return ""
}

// pruneIndexes removes the indexes of snapshots that are gone. Failure costs
// disk space only, so it is not reported.
func pruneIndexes(data string, keep ...string) {
	entries, err := os.ReadDir(filepath.Join(data, "index"))
	if err != nil {
		return
	}
	for _, e := range entries {
		hash, _, _ := strings.Cut(e.Name(), "-") // what follows names another model
		if !slices.Contains(keep, hash) {
			_ = os.RemoveAll(filepath.Join(data, "index", e.Name()))
		}
	}
}
