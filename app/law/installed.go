// Package law is the law installed, as questions see it: the snapshot of now with its
// index, the vectors of questions and articles, and what is made of them while others read.
package law

import (
	"context"
	"errors"
	"io/fs"
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

// Installed gives the law installed now, with the index of exactly that snapshot.
// A new snapshot is seen at the next question; the index of the old one is
// closed when its last reader leaves. It is safe for any number of goroutines.
type Installed struct {
	Library *corpus.Library // nil = no data folder
	Dir     string          // data folder
	More    fs.FS           // packs beside the program's; nil = none
	Say     func(format string, args ...any)

	Remote string     // address of the indexes; "" = in the data folder
	Model  *Embedding // nil = words alone
	Budget time.Duration
	Wanted chan string // texts whose vectors were missing; nil = nobody makes them later
	Ctx    context.Context
	Served bool // to people elsewhere, who are not told where on the disk it is

	Making atomic.Int32 // indexes being opened or made, for which questions wait

	mu      sync.Mutex            // never held while an index is opened, made or closed
	indexes map[string]*liveIndex // by content of the snapshot
	last    string                // content that was answered from last
	shown   string                // and the snapshot that it was of
	left    []*liveIndex          // replaced, and perhaps still read
	// WordsOnly searches by words alone, whatever the indexes hold; so it begins, because
	// answers go by words unless asked otherwise.
	WordsOnly bool
	// Pin is the snapshot to answer from; "" = the current one, "embedded" = no law.
	Pin string
}

// New gives what has no law yet; say tells what is slow or goes wrong.
func New(ctx context.Context, say func(format string, args ...any)) *Installed {
	return &Installed{Ctx: ctx, Say: say, indexes: map[string]*liveIndex{}}
}

// EmbeddingName says how questions are compared by meaning, for the trace; "" = by words alone.
func (l *Installed) EmbeddingName() string {
	if l.WordsOnly || l.Model == nil {
		return ""
	}
	return l.Model.First.Name()
}

// liveIndex is an index and how many are reading it, or wait for it.
type liveIndex struct {
	made chan struct{} // closed when what follows is known
	err  error         // why there is none
	ix   Searchable
	m    *Embedding // whose vectors it holds

	keeping sync.Once
	kept    *vectorfile.File // of its articles, once opened
	uses    int              // under the mutex of Installed
}

// isMade says whether nobody has to wait for an index.
func (li *liveIndex) isMade() bool {
	select {
	case <-li.made:
		return true
	default:
		return false
	}
}

// View opens the law of now. A library without norms gives the zero View: no law.
func (l *Installed) View() (ask.View, func(), error) {
	if l.Library == nil || l.Pin == NoLaw {
		return ask.View{}, func() {}, nil
	}
	snap, err := l.snapshot()
	if err != nil {
		return ask.View{}, nil, l.Unsound(err)
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
	if l.WordsOnly && (l.Model == nil || l.Model.Own) { // a service may fail, and words stand in for it
		view.State = snap.Hash()
	}
	if !l.WordsOnly {
		view.Searcher = li.m.Searcher(li.ix, l.passages(snap, li))
	}
	return view, func() { l.release(snap, li) }, nil
}

// NoLaw is what answers call the law of a program without any.
const NoLaw = "embedded"

func (l *Installed) snapshot() (*corpus.Snapshot, error) {
	if l.Pin != "" {
		return l.Library.Snapshot(l.Pin)
	}
	return l.Library.Current()
}

// meanwhile gives the law that was answered from last, while another question makes the
// index of a newer one; nil when nobody makes it, or there is no other to answer from.
func (l *Installed) meanwhile(content string) *corpus.Snapshot {
	l.mu.Lock()
	li, old, shown := l.indexes[content], l.indexes[l.last], l.shown
	l.mu.Unlock()
	if li == nil || li.isMade() || old == nil || old == li || !old.isMade() || l.Pin != "" {
		return nil
	}
	snap, err := l.Library.Snapshot(shown)
	if err != nil { // it is gone: the question waits for the new one
		return nil
	}
	return snap
}

// acquire gives the index of a snapshot, opening or making it the first time. Who needs
// the same one meanwhile waits for it; nobody else does.
func (l *Installed) acquire(snap *corpus.Snapshot) (*liveIndex, error) {
	content := snap.Content()
	l.mu.Lock()
	li := l.indexes[content]
	mine := li == nil
	if mine {
		li = &liveIndex{made: make(chan struct{})}
		l.indexes[content] = li
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
	var unread []*liveIndex
	for h, old := range l.indexes {
		if h != content && old.uses == 0 {
			unread = append(unread, old)
			delete(l.indexes, h)
		}
	}
	l.mu.Unlock()
	for _, old := range unread {
		_ = old.ix.Close()
	}
	return li, nil
}

// make opens or makes an index. One that cannot be is forgotten: the next question tries again.
func (l *Installed) make(li *liveIndex, snap *corpus.Snapshot) {
	l.Making.Add(1)
	defer close(li.made)
	defer l.Making.Add(-1)
	li.err = errors.New("the index was not made") // unless it is, below
	if li.ix, li.m, li.err = l.index(snap); li.err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.indexes[snap.Content()] == li {
		delete(l.indexes, snap.Content())
	}
}

// Ready says whether questions are answered now, or wait for the index of the law
// that is installed. An index of a server is asked, and opened if nobody has yet: no
// question will, as long as nodes that are not ready get none.
func (l *Installed) Ready(ctx context.Context) error {
	if l.Library == nil || l.Pin == NoLaw {
		return nil
	}
	snap, err := l.snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	switch {
	case snap.Content() == "" || l.Making.Load() == 0 && l.Remote == "":
		return nil
	case l.Making.Load() == 0:
		_, done, err := l.View()
		if err != nil {
			return err
		}
		defer done()
		l.mu.Lock()
		li := l.indexes[snap.Content()]
		l.mu.Unlock()
		if li == nil { // the law has changed at this moment
			return nil
		}
		return li.ix.(Remote).Ready(ctx)
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Se está haciendo el índice de la ley instalada", Hint: "Espere unos segundos: las preguntas que lleguen aguardan a que termine."}
}

func (l *Installed) release(snap *corpus.Snapshot, li *liveIndex) {
	l.mu.Lock()
	li.uses--
	var unread []*liveIndex
	l.left = slices.DeleteFunc(l.left, func(old *liveIndex) bool {
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

// Close saves the vectors made and lets go of indexes and library.
func (l *Installed) Close() {
	l.mu.Lock()
	open, left := l.indexes, l.left
	l.indexes, l.left = map[string]*liveIndex{}, nil
	l.mu.Unlock()
	for _, li := range open {
		if <-li.made; li.kept != nil {
			if err := li.kept.Save(); err != nil {
				l.Say("%v", err)
			}
		}
		if li.err == nil {
			left = append(left, li)
		}
	}
	for _, li := range left {
		_ = li.ix.Close()
	}
	if l.Library != nil {
		l.Library.Close()
	}
}

// Replaced is how many indexes somebody may still read in whose place another stands.
func (l *Installed) Replaced() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.left)
}

// IndexDir is where the index of a snapshot stands, by what it indexes: a file that
// is refused changes the snapshot and not its index.
func IndexDir(data, content string) string { return filepath.Join(data, "index", content) }

// index opens the index of a snapshot, and says whose vectors it holds. While
// serving, the index of a service's vectors is left to be built beside the one there
// is (see replace); otherwise it is built now. Without the service's answer the
// binary's own model stands in.
func (l *Installed) index(snap *corpus.Snapshot) (Searchable, *Embedding, error) {
	m := l.Model
	if l.Remote != "" {
		ix, err := l.outside(snap)
		return ix, m, err
	}
	if m != nil && !m.Own {
		ix, err := index.Open(IndexDir(l.Dir, snap.Content()+m.Suffix()), m.Opened())
		if err == nil {
			return ix, m, nil
		}
		if l.Wanted == nil {
			if ix, err = l.external(l.Ctx, snap); err == nil {
				return ix, m, nil
			}
			if l.Ctx.Err() != nil {
				return nil, nil, err
			}
			l.Say("No se puede hacer el índice del modelo de vectores configurado (%s): se busca con el que trae el programa. %s", digesto.Told(err), digesto.HintOf(err))
		}
		m = OwnEmbedding(true)
	}
	ix, err := l.ownIndex(snap, m)
	return ix, m, err
}

// external builds and opens the index of a service's vectors.
func (l *Installed) external(ctx context.Context, snap *corpus.Snapshot) (*index.Index, error) {
	l.Say("Construyendo el índice con el modelo de vectores configurado (una sola vez)…")
	if err := BuildIndex(ctx, l.Dir, snap, l.Model); err != nil {
		return nil, err
	}
	return index.Open(IndexDir(l.Dir, snap.Content()+l.Model.Suffix()), l.Model.Opened())
}

// Replace builds the index of a service's vectors beside the one that serves and
// puts it in its place. Who searches in the old one ends there.
func (l *Installed) Replace(ctx context.Context, snap *corpus.Snapshot) error {
	ix, err := l.external(ctx, snap)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.indexes[snap.Content()]; old != nil {
		l.left = append(l.left, old)
	}
	made := make(chan struct{})
	close(made)
	l.indexes[snap.Content()] = &liveIndex{made: made, ix: ix, m: l.Model}
	l.Say("El índice del modelo de vectores configurado está hecho y en uso.")
	return nil
}

// ownIndex opens the index of a snapshot. One that is missing, damaged or of
// another format is built again, and that is said; where the folder cannot be
// written it is built in memory.
func (l *Installed) ownIndex(snap *corpus.Snapshot, m *Embedding) (*index.Index, error) {
	dir := IndexDir(l.Dir, snap.Content())
	ix, err := index.Open(dir, m.Opened())
	if err == nil {
		return ix, nil
	}
	why := "falta"
	if digesto.CodeOf(err) != digesto.CodeNotFound {
		why = "está dañado o es de otra versión"
	}
	l.Say("El índice de la ley instalada %s: se reconstruye ahora (una sola vez).", why)
	if err := BuildIndex(l.Ctx, l.Dir, snap, m); err == nil {
		return index.Open(dir, m.Opened())
	} else if l.Ctx.Err() != nil {
		return nil, err
	}
	l.Say("No se puede guardar el índice en %s: se usa en memoria.", dir)
	opt, chunks := m.Vectored(l.Ctx, snap.Chunks())
	return index.Memory(l.Ctx, chunks, opt)
}

// BuildIndex builds the index of a snapshot in its place. Whoever has an old
// one open there keeps it.
func BuildIndex(ctx context.Context, data string, snap *corpus.Snapshot, m *Embedding) error {
	opt, chunks := m.Vectored(ctx, snap.Chunks())
	return index.Build(ctx, chunks, IndexDir(data, snap.Content()+m.Suffix()), opt)
}

// passages is the second stage over a snapshot; nil where there is none. The file
// of vectors is opened at the first use: one that is of another model, or damaged,
// is said, and searches go by one stage.
func (l *Installed) passages(snap *corpus.Snapshot, li *liveIndex) *SecondStage {
	if li.m == nil || li.m.Second == nil || l.Dir == "" {
		return nil
	}
	p := &SecondStage{Model: li.m.Second, Budget: l.Budget, Text: func(h digesto.Hit) (string, bool) {
		c, ok := snap.Chunk(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/"), strings.TrimPrefix(h.ID, h.Unit+"/"))
		return TextOf(c), ok
	}}
	p.Open = sync.OnceValue(func() *vectorfile.File { return l.vectors(snap.Content(), li) })
	if l.Wanted != nil {
		p.wanted = func(text string) {
			select {
			case l.Wanted <- text:
			default: // there is work enough; it will be asked for again
			}
		}
	}
	return p
}

// vectors opens those of a snapshot's articles once; nil when they cannot be used.
func (l *Installed) vectors(hash string, li *liveIndex) *vectorfile.File {
	li.keeping.Do(func() {
		f, err := OpenKept(l.Dir, hash, li.m.Space)
		if err != nil {
			l.Say("%s. %s", digesto.Told(err), digesto.HintOf(err))
		}
		li.kept = f
	})
	return li.kept
}

// PruneIndexes removes the indexes of snapshots that are gone. Failure costs
// disk space only, so it is not reported.
func PruneIndexes(data string, keep ...string) {
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
