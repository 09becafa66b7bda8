package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"sync"
)

// Tx is an update under way. Its methods are safe for any number of
// goroutines, and their order does not change the result.
type Tx struct {
	ctx  context.Context
	lib  *Library
	base *Snapshot

	ofFile map[string][]copyEntry // of the base

	mu      sync.Mutex
	copies  map[string]copyEntry // by key
	files   map[string]fileEntry // by path
	touched map[string]bool      // files read anew in this update
	fresh   map[string]bool      // keys put in this update
	written map[[32]byte]string  // norm files written → norm id
	aside   []string             // files of units set aside in this update
}

func newTx(ctx context.Context, l *Library, base *Snapshot) *Tx {
	tx := &Tx{ctx: ctx, lib: l, base: base,
		ofFile: map[string][]copyEntry{}, copies: map[string]copyEntry{}, files: map[string]fileEntry{},
		touched: map[string]bool{}, fresh: map[string]bool{}, written: map[[32]byte]string{}}
	if m := base.c.man; m != nil {
		for _, c := range m.copies {
			tx.copies[c.key()] = c
			tx.ofFile[c.file] = append(tx.ofFile[c.file], c)
		}
		for _, f := range m.files {
			tx.files[f.path] = f
		}
	}
	return tx
}

// Base is the snapshot that the update starts from. It is closed with the update.
func (tx *Tx) Base() *Snapshot { return tx.base }

// Unchanged says that a source file gave what is stored with these very
// contents, so that it need not be read again. A file whose norms are missing
// from the disk or cut short counts as changed: adding it again repairs them.
func (tx *Tx) Unchanged(file, contentHash string) bool {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	f, ok := tx.files[file]
	if !ok || contentHash == "" || f.hash != contentHash {
		return false
	}
	for _, c := range tx.ofFile[file] {
		st, err := os.Stat(tx.lib.normPath(hex.EncodeToString(c.sum[:])))
		if err != nil || st.Size() != int64(c.size) {
			return false
		}
	}
	return true
}

// Put stores one norm. A second norm of the same file goes beside the first;
// all that the file gave in earlier updates and does not give in this one is
// removed. The same file added for another pack serves both. Copies of a norm
// from several files are settled at the end by [Prefer].
//
// It refuses (CodeInvalid) a document that the library could not vouch for: see
// [Document.Validate].
func (tx *Tx) Put(doc Document) error {
	if err := tx.ctx.Err(); err != nil {
		return err
	}
	if err := doc.Validate(); err != nil {
		return err
	}
	doc.Units = slices.Clone(doc.Units)
	for i := range doc.Units {
		doc.Units[i].Versions = slices.Clone(doc.Units[i].Versions)
	}
	if harmless(&doc) {
		if err := doc.Validate(); err != nil { // nothing but such characters, or two ids that they told apart
			return err
		}
	}
	complete(doc.Norm.ID, doc.Units)
	data, err := encodeUnits(doc.Units)
	if err != nil {
		return err
	}
	c := doc.entry()
	c.sum, c.size = sha256.Sum256(data), len(data)
	if err := tx.store(&c, data); err != nil {
		return errDisk("escribir la biblioteca", tx.lib.dir, err)
	}
	tx.mu.Lock()
	defer tx.mu.Unlock()
	tx.touch(doc.File, doc.ContentHash, doc.Defects)
	if old, ok := tx.copies[c.key()]; ok {
		c.norm.Packs = mergePacks(old.norm.Packs, c.norm.Packs)
		c.chosen = c.chosen || old.chosen
	}
	tx.copies[c.key()] = c
	tx.fresh[c.key()] = true
	return nil
}

// Skip remembers a file that gave no norm, with the reasons, so that it is
// reported and not read again until it changes.
func (tx *Tx) Skip(file, contentHash string, defects ...Defect) {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	tx.touch(file, contentHash, defects)
}

// touch notes what a file gave. The first time in an update replaces what was known of it.
func (tx *Tx) touch(file, hash string, defects []Defect) {
	f := tx.files[file]
	if !tx.touched[file] {
		f = fileEntry{path: file}
		tx.touched[file] = true
	}
	f.hash = hash
	for _, d := range defects {
		if d.File == "" {
			d.File = file
		}
		f.defects = append(f.defects, d)
	}
	tx.files[file] = f
}

// Remove takes a norm out, named by any of its identifiers, with the copies
// that stand behind it, and forgets that their files were read. Norms put in
// this update are found too.
func (tx *Tx) Remove(norm string) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	id := foldID(norm)
	gone := map[string]bool{}
	for k, c := range tx.copies {
		if slices.Contains(identifiers(&c.norm), id) {
			gone[k] = true
		}
	}
	if len(gone) == 0 {
		return errNoNorm(norm)
	}
	for k, c := range tx.copies {
		if gone[k] || gone[c.behind] {
			delete(tx.copies, k)
			delete(tx.fresh, k)
			tx.forget(c.file)
		}
	}
	return nil
}

// forget drops what is known of a file, or, if it gave other norms too, the
// belief that it is unchanged.
func (tx *Tx) forget(file string) {
	for _, c := range tx.copies {
		if c.file == file {
			f := tx.files[file]
			f.hash = ""
			tx.files[file] = f
			return
		}
	}
	delete(tx.files, file)
}

// store writes a norm file. One that a manifest already names is trusted if it
// has its hash; any other (the remains of a dead writer) is written again.
func (tx *Tx) store(c *copyEntry, data []byte) error {
	tx.mu.Lock()
	_, done := tx.written[c.sum]
	if !done {
		tx.written[c.sum] = c.norm.ID
	}
	tx.mu.Unlock()
	if done {
		return nil
	}
	err := tx.write(c, data)
	if err != nil {
		tx.mu.Lock()
		delete(tx.written, c.sum)
		tx.mu.Unlock()
	}
	return err
}

func (tx *Tx) write(c *copyEntry, data []byte) error {
	name := hex.EncodeToString(c.sum[:])
	path := tx.lib.normPath(name)
	if st, err := os.Stat(path); err == nil && st.Size() == int64(len(data)) {
		b := fileBody{path: path, sum: c.sum}
		if _, err := b.read(); err == nil {
			return nil
		}
	}
	tmp := path + ".tmp"
	if err := tx.lib.disk.write(tmp, data); err != nil {
		discard(tx.lib.disk, tmp)
		return err
	}
	return tx.lib.disk.rename(tmp, path)
}

// manifest is the state that the update leaves.
func (tx *Tx) manifest() *manifest {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	m := &manifest{}
	for k, c := range tx.copies {
		if tx.touched[c.file] && !tx.fresh[k] {
			continue
		}
		m.copies = append(m.copies, c)
	}
	for _, f := range tx.files {
		slices.SortFunc(f.defects, compareDefects)
		m.files = append(m.files, f)
	}
	m.sort()
	settle(m.copies)
	return m
}

func compareDefects(a, b Defect) int {
	for _, c := range []int{strings.Compare(a.Norm, b.Norm), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Detail, b.Detail)} {
		if c != 0 {
			return c
		}
	}
	return 0
}
