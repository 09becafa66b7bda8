package corpus

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"digesto"

	"golang.org/x/sync/errgroup"
)

// UpdateOptions steer one update.
type UpdateOptions struct {
	// BeforeSwap sees the new snapshot when it is complete and checked, before
	// it becomes current: what derives from it (the index) is built here. Its
	// error leaves the old snapshot current. It is not called when nothing changed.
	BeforeSwap func(*Snapshot) error
	// Older lets an import be older than the last one signed with the same key.
	Older bool
}

// Update runs fn with the library's one writer and makes what it leaves the
// current snapshot; hash names it. If fn, BeforeSwap or the disk fails, or ctx
// ends, the old snapshot stays and nothing of the new one remains. A second
// writer gets a conflict error at once. Contents decide the hash: an update
// that changes nothing gives the old one and writes nothing.
func (l *Library) Update(ctx context.Context, opt UpdateOptions, fn func(*Tx) error) (hash string, err error) {
	lock, err := l.lock()
	if err != nil {
		return "", err
	}
	defer lock.Close()
	st, err := l.begun()
	if err != nil {
		return "", err
	}
	base, err := l.snapshot(st.current)
	if err != nil {
		return "", err
	}
	defer base.done()
	tx := newTx(ctx, l, base)
	hash = st.current
	err = fn(tx)
	for _, path := range tx.aside {
		discard(l.disk, path)
	}
	if err == nil {
		hash, err = l.commit(ctx, opt, tx, st)
	}
	if err != nil {
		l.collect()
		return "", err
	}
	return hash, nil
}

// begun is readState for the writer. In a library that nobody has written in yet it
// writes the state without law: from then on a CURRENT that is missing is a loss.
func (l *Library) begun() (state, error) {
	st, err := l.readState()
	if err != nil || st != (state{}) {
		return st, err
	}
	if _, err := os.Stat(l.path("CURRENT")); err == nil {
		return st, nil
	}
	return st, errDisk("escribir la biblioteca", l.dir, l.swap(st))
}

// lock makes the folders and takes the writer's lock, a lock of the system on
// a file: whoever held it and died holds it no more.
func (l *Library) lock() (*os.File, error) {
	if _, err := l.readState(); err != nil { // nothing is made where a library was
		return nil, err
	}
	for _, dir := range []string{l.path("snapshots"), l.path("norms")} {
		if err := l.disk.mkdir(dir); err != nil {
			return nil, errDisk("escribir la biblioteca", l.dir, err)
		}
	}
	f, err := os.OpenFile(l.path("LOCK"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, errDisk("escribir la biblioteca", l.dir, err)
	}
	held, err := tryLock(f, true)
	if err == nil && held {
		if f.Truncate(0) == nil { // the number is only for a message to another writer
			fmt.Fprintf(f, "%d\n", os.Getpid())
		}
		return f, nil
	}
	defer f.Close()
	if err != nil {
		return nil, errDisk("bloquear la biblioteca", l.dir, err)
	}
	return nil, &digesto.Error{Code: digesto.CodeConflict,
		Message: "Otro proceso está modificando la biblioteca" + writerOf(f),
		Hint:    "Espere a que termine y repita la orden; mientras tanto se puede seguir consultando."}
}

// writerOf names the process that wrote its number into the lock file.
func writerOf(f *os.File) string {
	var pid int
	if _, err := fmt.Fscan(f, &pid); err != nil || pid <= 0 {
		return ""
	}
	return fmt.Sprintf(" (proceso %d)", pid)
}

// commit makes the new state current: files safe on disk, read back and
// checked, manifest, what derives from it, one rename.
func (l *Library) commit(ctx context.Context, opt UpdateOptions, tx *Tx, st state) (string, error) {
	m := tx.manifest()
	if err := tx.weave(m); err != nil {
		return "", err
	}
	if err := tx.affect(m); err != nil {
		return "", err
	}
	data, hash := m.encode()
	if len(m.copies) == 0 && len(m.files) == 0 {
		hash = ""
	}
	if err := l.settleFiles(ctx, tx); err != nil {
		return "", errDisk("escribir la biblioteca", l.dir, err)
	}
	if hash == st.current {
		return hash, ctx.Err()
	}
	next := Memory()
	if hash != "" {
		path := l.manifestPath(hash)
		if err := replace(l.disk, path, data); err != nil {
			return "", errDisk("escribir la biblioteca", l.dir, err)
		}
		var err error
		if next, err = l.snapshot(hash); err != nil {
			return "", err
		}
	}
	defer next.done()
	if opt.BeforeSwap != nil {
		if err := opt.BeforeSwap(next); err != nil {
			return "", err
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if err := l.swap(state{hash, st.current}); err != nil {
		return "", errDisk("escribir la biblioteca", l.dir, err)
	}
	l.drop() // or the library itself would keep the snapshot before the previous one
	l.collect()
	return hash, nil
}

// swap is the moment at which the new snapshot becomes current.
func (l *Library) swap(st state) error {
	return replace(l.disk, l.path("CURRENT"), st.encode())
}

// settleFiles makes the norm files of an update safe from a power cut and reads
// each back: only what is proven sound is ever named by a manifest.
func (l *Library) settleFiles(ctx context.Context, tx *Tx) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for sum, norm := range tx.written {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			path := l.normPath(hex.EncodeToString(sum[:]))
			if err := l.disk.sync(path); err != nil {
				return err
			}
			b := &fileBody{path: path, norm: norm, sum: sum}
			for _, err := range b.all() {
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if len(tx.written) == 0 {
		return nil
	}
	return l.disk.sync(l.path("norms"))
}

// collect removes what nobody needs: manifests that are neither current nor
// previous and that no reader holds, norm files that no manifest names, and
// remains of a writer that died. Only the writer may call it. What cannot be
// removed now is left for the next time, so failures do not matter.
func (l *Library) collect() {
	st, err := l.readState()
	if err != nil {
		return
	}
	needed := map[string]bool{}
	for _, name := range names(l.path("snapshots")) {
		if !isHash(name) {
			discard(l.disk, l.manifestPath(name))
			continue
		}
		if name != st.current && name != st.previous && l.retire(name) {
			continue
		}
		if l.needed(needed, name) != nil {
			return // what it needs is unknown: keep everything
		}
	}
	for _, name := range names(l.path("norms")) {
		if !needed[name] {
			discard(l.disk, l.normPath(name))
		}
	}
	discard(l.disk, l.path("CURRENT.tmp"))
}

// needed adds what a snapshot needs to a set.
func (l *Library) needed(set map[string]bool, hash string) error {
	data, err := os.ReadFile(l.manifestPath(hash))
	if err != nil {
		return errDisk("leer la biblioteca", l.dir, err)
	}
	m, err := decodeManifest(data)
	if err != nil {
		return errLost(l.manifestPath(hash), "no se puede leer", err)
	}
	for sum := range m.needs() {
		set[sum] = true
	}
	return nil
}

// retire says whether no reader holds a manifest, and takes its name away while
// it is locked, so that no reader can come between.
func (l *Library) retire(hash string) bool {
	f, err := os.Open(l.manifestPath(hash))
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := tryLock(f, true)
	return err == nil && free && l.disk.remove(l.manifestPath(hash)) == nil
}

func names(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	return out
}
