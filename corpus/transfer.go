package corpus

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"digesto"
)

// A snapshot travels as one file: a gzipped tar of a signed list and the files
// of the snapshot. The list names every file with its size and hash and is
// signed with ed25519 (RFC 8032), so that whoever trusts the key trusts every
// byte; nothing that the list does not name is read.
//
//	LIST        JSON: format, snapshot, day, files
//	SIGNATURE   hex: public key, signature of LIST
//	manifest    the manifest of the snapshot
//	norms/HASH  norm files

// transferList is the signed head of an exported snapshot.
type transferList struct {
	Format   int            `json:"format"`
	Snapshot string         `json:"snapshot"`
	Created  digesto.Date   `json:"created"`
	Norms    int            `json:"norms"`
	Files    []transferFile `json:"files"`
}

type transferFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

const transferFormat = 1

// Bounds of an import: what a file may claim.
const (
	maxTransferFiles = 1 << 20
	maxTransferBytes = 64 << 30
	maxTransferList  = 256 << 20
)

// Exported says what an export holds.
type Exported struct {
	Snapshot string       `json:"snapshot"`
	Key      string       `json:"key"` // public key that signed it, hex
	Created  digesto.Date `json:"created"`
	Norms    int          `json:"norms"`
	Files    int          `json:"files"`
	Bytes    int64        `json:"bytes"` // of the files, uncompressed
}

// Export writes the current snapshot as one signed file.
func (l *Library) Export(ctx context.Context, w io.Writer, key ed25519.PrivateKey, day digesto.Date) (Exported, error) {
	s, err := l.Current()
	if err != nil {
		return Exported{}, err
	}
	defer s.Close()
	if s.Hash() == "" {
		return Exported{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "La biblioteca está vacía: no hay nada que exportar", Hint: "Instale antes textos con «digesto corpus add» o «corpus pull»."}
	}
	list, paths, err := l.listOf(ctx, s, day)
	if err != nil {
		return Exported{}, err
	}
	head, err := json.Marshal(list)
	if err != nil {
		return Exported{}, err
	}
	pub := key.Public().(ed25519.PublicKey)
	zw := gzip.NewWriter(w)
	tw := tar.NewWriter(zw)
	sign := hex.EncodeToString(pub) + "\n" + hex.EncodeToString(ed25519.Sign(key, head)) + "\n"
	if err := putEntry(tw, "LIST", head); err != nil {
		return Exported{}, err
	}
	if err := putEntry(tw, "SIGNATURE", []byte(sign)); err != nil {
		return Exported{}, err
	}
	out := Exported{Snapshot: list.Snapshot, Key: hex.EncodeToString(pub), Created: day, Norms: list.Norms, Files: len(list.Files)}
	for i, f := range list.Files {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		data, err := os.ReadFile(paths[i])
		if err != nil {
			return out, errDisk("leer la biblioteca", paths[i], err)
		}
		if hashOf(data) != f.SHA256 {
			return out, errLost(paths[i], "su contenido ha cambiado", nil)
		}
		if err := putEntry(tw, f.Name, data); err != nil {
			return out, err
		}
		out.Bytes += f.Size
	}
	return out, errors.Join(tw.Close(), zw.Close())
}

func putEntry(tw *tar.Writer, name string, data []byte) error {
	if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err := tw.Write(data)
	return err
}

// listOf names the files of a snapshot, in order.
func (l *Library) listOf(ctx context.Context, s *Snapshot, day digesto.Date) (transferList, []string, error) {
	list := transferList{Format: transferFormat, Snapshot: s.Hash(), Created: day, Norms: len(s.c.entries)}
	names := []string{s.Hash()}
	for sum := range s.c.man.needs() {
		names = append(names, sum)
	}
	slices.Sort(names[1:])
	var paths []string
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return list, nil, err
		}
		path, entry := l.normPath(name), "norms/"+name
		if i == 0 {
			path, entry = l.manifestPath(name), "manifest"
		}
		st, err := os.Stat(path)
		if err != nil {
			return list, nil, errDisk("leer la biblioteca", path, err)
		}
		list.Files = append(list.Files, transferFile{entry, st.Size(), name})
		paths = append(paths, path)
	}
	return list, paths, nil
}

// needs are the norm files that a manifest names.
func (m *manifest) needs() map[string]bool {
	out := map[string]bool{}
	for i := range m.copies {
		out[hex.EncodeToString(m.copies[i].sum[:])] = true
		if w := &m.copies[i].woven; w.size > 0 {
			out[hex.EncodeToString(w.sum[:])] = true
		}
	}
	return out
}

// Import reads an exported snapshot and makes it current. Trust is the public
// key that must have signed it, in hex; with another, or none, it is refused and
// the error names the key; so is one older than the last of the same key, unless
// opt.Older. Every file is proved by its hash and the whole by
// [Snapshot.Check] before anything is current; a failure leaves the library as it was.
func (l *Library) Import(ctx context.Context, r io.Reader, trust string, opt UpdateOptions) (Exported, error) {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return Exported{}, badTransfer("no es una exportación", err)
	}
	tr := tar.NewReader(zr)
	list, out, err := readHead(tr, trust)
	if err != nil {
		return out, err
	}
	lock, err := l.lock()
	if err != nil {
		return out, err
	}
	defer lock.Close()
	st, err := l.begun()
	if err != nil {
		return out, err
	}
	days := l.imported()
	if last := days[out.Key]; list.Created < last && !opt.Older {
		return out, &digesto.Error{Code: digesto.CodeForbidden, Message: "La exportación es del " + string(list.Created) + ", y de la misma clave ya se instaló una del " + string(last),
			Hint: "Pida una más nueva; si de verdad quiere volver a textos anteriores, repita la orden con --older."}
	}
	if err := l.receive(ctx, tr, list); err != nil {
		l.collect()
		return out, err
	}
	if list.Snapshot != st.current {
		if err := l.adopt(ctx, list.Snapshot, opt, st); err != nil {
			l.collect()
			return out, err
		}
	}
	days[out.Key] = list.Created
	data, err := json.Marshal(days)
	if err == nil {
		err = replace(l.disk, l.path(importedFile), data)
	}
	if err != nil {
		return out, errDisk("escribir la biblioteca", l.dir, err)
	}
	return out, nil
}

// importedFile has the day of the last export taken of each key: an older one of the
// same key, signed as well as it is, would bring back law that was replaced.
const importedFile = "IMPORTED"

func (l *Library) imported() map[string]digesto.Date {
	days := map[string]digesto.Date{}
	data, err := os.ReadFile(l.path(importedFile))
	if err != nil || json.Unmarshal(data, &days) != nil || days == nil {
		return map[string]digesto.Date{} // none yet, or not to be read: nothing to compare with
	}
	return days
}

// Adopt makes a snapshot that the library still has the current one, once it is
// proved as an import is; CodeNotFound when it is not there.
func (l *Library) Adopt(ctx context.Context, hash string, opt UpdateOptions) error {
	if !isHash(hash) {
		return errInvalid("%q no es el nombre de una instantánea", hash)
	}
	lock, err := l.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	st, err := l.begun()
	if err != nil || st.current == hash {
		return err
	}
	return l.adopt(ctx, hash, opt, st)
}

// adopt proves a snapshot that is on the disk and makes it current.
func (l *Library) adopt(ctx context.Context, hash string, opt UpdateOptions, st state) error {
	next, err := l.snapshot(hash)
	if err != nil {
		return err
	}
	defer next.done()
	if err := next.Check(ctx); err != nil {
		return err
	}
	if opt.BeforeSwap != nil {
		if err := opt.BeforeSwap(next); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := l.swap(state{hash, st.current}); err != nil {
		return errDisk("escribir la biblioteca", l.dir, err)
	}
	l.drop()
	l.collect()
	return nil
}

// readHead reads and proves the signed list.
func readHead(tr *tar.Reader, trust string) (list transferList, out Exported, err error) {
	head, err := nextEntry(tr, "LIST", maxTransferList)
	if err != nil {
		return list, out, err
	}
	sign, err := nextEntry(tr, "SIGNATURE", 1024)
	if err != nil {
		return list, out, err
	}
	lines := strings.Fields(string(sign))
	if len(lines) != 2 {
		return list, out, badTransfer("no trae firma", nil)
	}
	pub, err1 := hex.DecodeString(lines[0])
	sig, err2 := hex.DecodeString(lines[1])
	if err1 != nil || err2 != nil || len(pub) != ed25519.PublicKeySize || !ed25519.Verify(pub, head, sig) {
		return list, out, &digesto.Error{Code: digesto.CodeCheck, Message: "La firma de la exportación no es válida: el fichero se ha alterado", Hint: "Pídalo de nuevo a quien lo hizo."}
	}
	if !strings.EqualFold(strings.TrimSpace(trust), lines[0]) {
		return list, out, &digesto.Error{Code: digesto.CodeForbidden, Message: "La exportación está firmada con la clave " + lines[0] + ", que no es de confianza",
			Hint: "Compruebe la clave con quien la hizo y repita la orden con --trust CLAVE."}
	}
	if err := json.Unmarshal(head, &list); err != nil || list.Format != transferFormat || !isHash(list.Snapshot) || len(list.Files) == 0 || len(list.Files) > maxTransferFiles {
		return list, out, badTransfer("su lista no se entiende", err)
	}
	out = Exported{Snapshot: list.Snapshot, Key: lines[0], Created: list.Created, Norms: list.Norms, Files: len(list.Files)}
	for i, f := range list.Files {
		name := "norms/" + f.SHA256
		if i == 0 {
			name = "manifest"
		}
		out.Bytes += f.Size
		if !isHash(f.SHA256) || f.Name != name || f.Size < 0 || out.Bytes > maxTransferBytes || i == 0 && f.SHA256 != list.Snapshot {
			return list, out, badTransfer("su lista no se entiende", nil)
		}
	}
	return list, out, nil
}

func nextEntry(tr *tar.Reader, name string, most int64) ([]byte, error) {
	h, err := tr.Next()
	if err != nil || h.Name != name || h.Size > most {
		return nil, badTransfer("falta "+name, err)
	}
	data, err := io.ReadAll(io.LimitReader(tr, most))
	if err != nil {
		return nil, badTransfer("se corta en "+name, err)
	}
	return data, nil
}

// receive writes the files of a list, each proved by its hash.
func (l *Library) receive(ctx context.Context, tr *tar.Reader, list transferList) error {
	for _, f := range list.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := tr.Next()
		if err != nil || h.Name != f.Name || h.Size != f.Size {
			return badTransfer("falta "+f.Name, err)
		}
		var buf bytes.Buffer
		if _, err := io.Copy(&buf, io.LimitReader(tr, f.Size+1)); err != nil {
			return badTransfer("se corta en "+f.Name, err)
		}
		if sum := sha256.Sum256(buf.Bytes()); hex.EncodeToString(sum[:]) != f.SHA256 {
			return badTransfer(f.Name+" no tiene el contenido que dice la lista", nil)
		}
		path := l.normPath(f.SHA256)
		if f.Name == "manifest" {
			path = l.manifestPath(f.SHA256)
		}
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, buf.Bytes()) {
			continue // one that is damaged is mended
		}
		if err := replace(l.disk, path, buf.Bytes()); err != nil {
			return errDisk("escribir la biblioteca", path, err)
		}
	}
	return nil
}

func badTransfer(what string, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El fichero no es una exportación entera: " + what, Err: err, Hint: "Pídalo de nuevo a quien lo hizo; la biblioteca no se ha tocado."}
}

// Rollback makes the snapshot before the current one current again; a second
// time it goes forward again.
func (l *Library) Rollback(ctx context.Context, opt UpdateOptions) (from, to string, err error) {
	lock, err := l.lock()
	if err != nil {
		return "", "", err
	}
	defer lock.Close()
	st, err := l.readState()
	if err != nil {
		return "", "", err
	}
	if st.previous == "" {
		return "", "", &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna instantánea anterior a la que volver", Hint: "Solo se guarda la anterior a la última orden que cambió la biblioteca."}
	}
	return st.current, st.previous, l.adopt(ctx, st.previous, opt, st)
}

// Forgotten is the proof that nothing of what was removed is left.
type Forgotten struct {
	Snapshot string   `json:"snapshot"` // the one that stays
	Deleted  []string `json:"deleted"`  // names (hashes of contents) of the files that are gone
	Kept     int      `json:"kept"`     // norm files that stay, each named by the snapshot
	Held     []string `json:"held"`     // files that a reader still holds: they go when it ends
}

// Forget gives up the snapshot before the current one and deletes every file
// that the current one does not name, so that removed text is gone for good, and
// proves it by looking at the folder again.
func (l *Library) Forget(_ context.Context) (Forgotten, error) {
	out := Forgotten{Deleted: []string{}, Held: []string{}}
	lock, err := l.lock()
	if err != nil {
		return out, err
	}
	defer lock.Close()
	st, err := l.readState()
	if err != nil {
		return out, err
	}
	before := append(names(l.path("snapshots")), names(l.path("norms"))...)
	if err := l.swap(state{st.current, ""}); err != nil {
		return out, errDisk("escribir la biblioteca", l.dir, err)
	}
	l.drop()
	l.collect()
	out.Snapshot = st.current
	needed := map[string]bool{st.current: true}
	if st.current != "" {
		if err := l.needed(needed, st.current); err != nil {
			return out, err
		}
	}
	left := map[string]bool{}
	for _, name := range append(names(l.path("snapshots")), names(l.path("norms"))...) {
		left[name] = true
		switch {
		case !needed[name]:
			out.Held = append(out.Held, name)
		case name != st.current:
			out.Kept++
		}
	}
	out.Deleted = append(out.Deleted, slices.DeleteFunc(before, func(name string) bool { return left[name] })...)
	slices.Sort(out.Deleted)
	if len(out.Held) > 0 {
		return out, &digesto.Error{Code: digesto.CodeConflict, Message: fmt.Sprintf("Otro proceso lee todavía %d ficheros de lo borrado", len(out.Held)),
			Hint: "Pare el servidor o espere a que termine, y repita la orden: lo demás ya está borrado."}
	}
	return out, nil
}
