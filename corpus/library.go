package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"digesto"
	"digesto/text"
)

// Options open a library. The zero value is what everyone needs.
type Options struct {
	// Today gives the day on which the law is read: a norm whose repeal takes effect
	// later is in force until then. nil = a repeal that is known holds.
	Today func() digesto.Date
	// Known gives what the packs know of norms, by identifier in lower case; it is asked
	// when a snapshot is opened. nil = nothing.
	Known func() map[string]Known
	disk  disk // tests only; nil = the file system
}

// Library is a folder of snapshots, one of them current. It is safe for any
// number of goroutines and processes; one writes at a time.
type Library struct {
	dir   string
	disk  disk
	today func() digesto.Date
	known func() map[string]Known

	mu  sync.Mutex
	cur *Snapshot // the library's own handle of the newest snapshot it gave out

	held atomic.Bool // it has had law: to find none is a loss
}

// Open opens the library in a folder (say DATA/corpus), which need not exist
// yet and need not be writable for reading. It reads nothing so far.
func Open(dir string, opt Options) (*Library, error) {
	if dir == "" {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "Falta la carpeta de la biblioteca", Hint: "Indíquela con --data."}
	}
	st, err := os.Stat(dir)
	switch {
	case err == nil && !st.IsDir():
		return nil, &digesto.Error{Code: digesto.CodeInvalid,
			Message: fmt.Sprintf("%s no es una carpeta", dir), Hint: "Elija otra carpeta de datos con --data."}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, errDisk("leer la biblioteca", dir, err)
	}
	if opt.disk == nil {
		opt.disk = osDisk{}
	}
	if opt.Today == nil {
		opt.Today = func() digesto.Date { return "" }
	}
	if opt.Known == nil {
		opt.Known = func() map[string]Known { return nil }
	}
	return &Library{dir: dir, disk: opt.disk, today: opt.Today, known: opt.Known}, nil
}

// Close lets go of the snapshot that the library keeps at hand. Snapshots given
// out stay good until they are closed themselves.
func (l *Library) Close() error {
	l.drop()
	return nil
}

func (l *Library) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cur != nil {
		l.cur.done()
		l.cur = nil
	}
}

func (l *Library) path(parts ...string) string {
	return filepath.Join(append([]string{l.dir}, parts...)...)
}

func (l *Library) manifestPath(hash string) string { return l.path("snapshots", hash) }
func (l *Library) normPath(sum string) string      { return l.path("norms", sum) }

// state is what CURRENT says.
type state struct{ current, previous string }

const stateMagic = "digesto corpus 1"

func (l *Library) readState() (state, error) {
	data, err := os.ReadFile(l.path("CURRENT"))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, l.missing()
	}
	if err != nil {
		return state{}, errDisk("leer la biblioteca", l.dir, err)
	}
	st, err := parseState(l.path("CURRENT"), data)
	if err == nil && st.current != "" {
		l.held.Store(true)
	}
	return st, err
}

// missing tells a library that nobody has written in yet, which is none, from one
// whose CURRENT is gone: the first thing that is written is CURRENT.
func (l *Library) missing() error {
	if _, err := os.Stat(l.dir); l.held.Load() && errors.Is(err, fs.ErrNotExist) {
		return errGone(l.dir, "La carpeta «"+l.dir+"» de la biblioteca ya no está")
	}
	if l.held.Load() || slices.ContainsFunc(names(l.path("snapshots")), isHash) {
		return errGone(l.path("CURRENT"), "El archivo "+l.path("CURRENT")+", que dice qué ley está instalada, ya no está")
	}
	return nil
}

func parseState(path string, data []byte) (state, error) {
	lines := strings.Split(string(data), "\n")
	if len(lines) != 4 || lines[0] != stateMagic || !hashOrNone(lines[1]) || !hashOrNone(lines[2]) || lines[3] != "" {
		return state{}, errLost(path, "no nombra ninguna instantánea", nil)
	}
	return state{lines[1], lines[2]}, nil
}

func (s state) encode() []byte {
	return []byte(stateMagic + "\n" + s.current + "\n" + s.previous + "\n")
}

func hashOrNone(s string) bool { return s == "" || isHash(s) }

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && strings.ToLower(s) == s
}

// Current gives the newest snapshot. An empty library gives a snapshot without
// norms whose hash is "". It waits for no writer.
func (l *Library) Current() (*Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	for range 100 { // a writer may collect the snapshot between two looks
		var st state
		if st, err = l.readState(); err != nil {
			return nil, err
		}
		if l.cur != nil && l.cur.Hash() == st.current && !l.cur.c.outlived(l.today()) {
			return l.cur.c.handle(), nil
		}
		var s *Snapshot
		if s, err = l.snapshot(st.current); err == nil {
			if l.cur != nil {
				l.cur.done()
			}
			l.cur = s
			return s.c.handle(), nil
		}
		if digesto.CodeOf(err) != digesto.CodeNotFound {
			return nil, err
		}
	}
	return nil, errLost(l.path("CURRENT"), "la instantánea que nombra no está", err)
}

// Snapshot opens a snapshot by its hash. The current one and the one before it
// are kept; older ones as long as someone reads them.
func (l *Library) Snapshot(hash string) (*Snapshot, error) {
	if hash != "" && !isHash(hash) {
		return nil, errInvalid("%q no es el nombre de una instantánea", hash)
	}
	return l.snapshot(hash)
}

// Previous opens the snapshot that was current before this one, for
// [Changes]. It is empty if there is none.
func (l *Library) Previous() (*Snapshot, error) {
	st, err := l.readState()
	if err != nil {
		return nil, err
	}
	return l.snapshot(st.previous)
}

func (l *Library) snapshot(hash string) (*Snapshot, error) {
	if hash == "" {
		return Memory(), nil
	}
	f, data, err := l.openManifest(hash)
	if err != nil {
		return nil, err
	}
	s, err := l.load(hash, data)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.c.release = func() { f.Close() }
	return s, nil
}

// load makes a snapshot of the bytes of its manifest. It holds no lock yet.
func (l *Library) load(hash string, data []byte) (*Snapshot, error) {
	path := l.manifestPath(hash)
	if hashOf(data) != hash {
		return nil, errLost(path, "su contenido no es el que dice su nombre", nil)
	}
	m, err := decodeManifest(data)
	if err != nil {
		return nil, errLost(path, "no se puede leer", err)
	}
	c := &core{man: m, lib: l, hash: func() string { return hash }}
	c.lately.Most = recentBytes
	day := l.today()
	known := l.known()
	for _, v := range m.visible() {
		disclaim(&v.norm)
		recognise(&v.norm, known)
		n := standing(v.norm, day)
		n.URL, n.Claim = text.WebOnly(n.URL), text.WebOnly(n.Claim) // a library of before may hold others
		c.entries = append(c.entries, entry{Norm: n, sum: v.sum, units: v.units, cites: v.cites, also: v.also})
		c.bodies = append(c.bodies, c.newBody(&v))
	}
	c.index()
	c.settleEffects(day)
	return c.handle(), nil
}

// openManifest reads a manifest and holds it by a shared lock, which keeps its
// files from being collected. The file may vanish between opening and locking,
// so it is looked at again.
func (l *Library) openManifest(hash string) (*os.File, []byte, error) {
	path := l.manifestPath(hash)
	for range 100 {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, &digesto.Error{Code: digesto.CodeNotFound,
				Message: fmt.Sprintf("La instantánea %.12s ya no está en la biblioteca", hash),
				Hint:    "Repita la consulta: usará la actual."}
		}
		if err != nil {
			return nil, nil, errDisk("leer la biblioteca", path, err)
		}
		held, err := tryLock(f, false)
		if err == nil && held && samePlace(f, path) {
			data, err := io.ReadAll(f)
			if err == nil {
				return f, data, nil
			}
			f.Close()
			return nil, nil, errDisk("leer la biblioteca", path, err)
		}
		f.Close()
		if err != nil {
			return nil, nil, errDisk("leer la biblioteca", path, err)
		}
	}
	return nil, nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "La instantánea se está retirando", Hint: "Repita la consulta."}
}

// samePlace says whether the open file still has its name.
func samePlace(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// Defects gives every fault known of the source files, those of copies that
// gave way included.
func (s *Snapshot) Defects() []Defect {
	if s.c.man == nil {
		return nil
	}
	var out []Defect
	for i := range s.c.man.files {
		out = append(out, s.c.man.files[i].defects...)
	}
	return append(out, s.c.man.superseded()...)
}
