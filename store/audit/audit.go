// Package audit keeps a log that only grows: JSON Lines, each with the SHA-256
// of the line before it, and signed checkpoints (Ed25519, RFC 8032) between
// them. What people write is in it only as a keyed digest: erasing content
// elsewhere leaves the chain whole.
//
// A change, removal or insertion of a line breaks the chain and is found
// without a network. Two things it cannot show by itself: that lines after the
// last checkpoint were cut off, and that someone who holds the key wrote all of
// it anew. Against both, keep the last checkpoint in another place.
package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
)

// The names of the files of a log in its folder.
const (
	LogFile    = "audit.jsonl"
	SecretFile = "audit.key" // seed of the private key, base64; mode 0600
	PublicFile = "audit.pub" // base64
)

// maxLine bounds a line, in bytes.
const maxLine = 64 << 10

// The kinds that the log itself writes.
const (
	kindCheckpoint = "checkpoint"
	kindRepaired   = "repaired" // an unfinished last line was cut off
)

// Line is one entry.
type Line struct {
	Seq    int64             `json:"seq"` // from 1, without gaps
	At     time.Time         `json:"at"`
	Kind   string            `json:"kind"`
	Fields map[string]string `json:"fields,omitempty"`
	Prev   string            `json:"prev"` // SHA-256 of the line before, hexadecimal; "" for the first
}

// Options of a log. Zero values mean the defaults stated.
type Options struct {
	Clock func() time.Time // time.Now
	Every int              // lines between checkpoints; 64
}

// filled sets what is not set.
func (o Options) filled() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Every <= 0 {
		o.Every = 64
	}
	return o
}

// Log writes entries. It is safe for any number of goroutines; processes take
// turns by a lock on the file.
type Log struct {
	opt  Options
	dir  string
	key  ed25519.PrivateKey
	mu   sync.Mutex
	f    file
	tail tail
}

// file is what the log needs of the one it writes. Tests put one in that fails on
// demand.
type file interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Stat() (os.FileInfo, error)
	Truncate(size int64) error
	Sync() error
	Fd() uintptr
}

// tail is what the end of the file says.
type tail struct {
	size    int64
	seq     int64
	hash    string
	pending int // lines since the last checkpoint
}

// Open opens the log of a folder, and makes it and its key the first time. An
// unfinished last line, as a crash leaves it, or damaged lines behind the last
// checkpoint, as a loss of power does, are cut off, kept aside, and that is logged.
// Damage before a checkpoint is an error: nothing is cut from what was signed. Of a long log
// what stands before its last checkpoint is not read here; [Verify] reads it.
func Open(dir string, opt Options) (*Log, error) {
	opt = opt.filled()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unavailable(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, LogFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, unavailable(err)
	}
	return openOn(dir, f, opt)
}

func openOn(dir string, f file, opt Options) (*Log, error) {
	l := &Log{opt: opt, dir: dir, f: f}
	err := l.locked(func() (err error) {
		if l.key, err = readKey(dir); err != nil {
			return err
		}
		return l.catchUp()
	})
	if err != nil {
		_ = f.Close()
		return nil, unavailable(err)
	}
	return l, nil
}

func unavailable(err error) error {
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se puede escribir el registro de auditoría", Err: err, Hint: "Revise el espacio y los permisos de la carpeta de datos; si está dañado («digesto audit verify» lo dice), restáurelo de una copia de seguridad, o aparte la carpeta «audit» para empezar otro."}
}

// readKey reads the private key of a folder, or makes it.
func readKey(dir string) (ed25519.PrivateKey, error) {
	path := filepath.Join(dir, SecretFile)
	data, err := os.ReadFile(path)
	if err == nil {
		seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(data)))
		if err != nil || len(seed) != ed25519.SeedSize {
			return nil, noKey("no es una clave")
		}
		return ed25519.NewKeyFromSeed(seed), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, PublicFile)); err == nil { // another one would make all that is signed look changed
		return nil, noKey("falta")
	}
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	if err := writeNew(path, base64.StdEncoding.EncodeToString(key.Seed())+"\n", 0o600); err != nil {
		return nil, err
	}
	return key, writeNew(filepath.Join(dir, PublicFile), base64.StdEncoding.EncodeToString(pub)+"\n", 0o644)
}

// noKey says that a log cannot go on.
func noKey(why string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "la clave «" + SecretFile + "» " + why}
}

// writeNew writes a file so that it is whole after a crash or not there.
func writeNew(path, text string, mode os.FileMode) error {
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Digest stands for a text: the same for the same text, and not to be guessed
// by who has no key (HMAC-SHA-256).
func (l *Log) Digest(text string) string { return digest(l.key, text) }

func digest(key ed25519.PrivateKey, text string) string {
	secret := sha256.Sum256(append([]byte("digest\x00"), key.Seed()...))
	h := hmac.New(sha256.New, secret[:])
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// locked runs while no other process writes.
func (l *Log) locked(do func() error) error {
	if err := lock(l.f); err != nil {
		return err
	}
	return errors.Join(do(), unlock(l.f))
}

// Append adds an entry. It is on disk for good at the next checkpoint.
func (l *Log) Append(kind string, fields map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.locked(func() error {
		if err := l.catchUp(); err != nil {
			return err
		}
		if err := l.write(kind, fields); err != nil {
			return err
		}
		if l.tail.pending >= l.opt.Every {
			return l.checkpoint()
		}
		return nil
	})
	if err != nil {
		return unavailable(err)
	}
	return nil
}

// Close signs what is not signed yet.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.locked(func() error {
		if err := l.catchUp(); err != nil || l.tail.pending == 0 {
			return err
		}
		return l.checkpoint()
	})
	return errors.Join(err, l.f.Close())
}

// write adds a line.
func (l *Log) write(kind string, fields map[string]string) error {
	end := l.tail
	line, err := end.next(Line{At: l.opt.Clock().UTC(), Kind: kind, Fields: fields})
	if err != nil {
		return err
	}
	return l.put(line, end)
}

// checkpoint signs its own line, which names the one before it, and with it all.
func (l *Log) checkpoint() error {
	end := l.tail
	line, err := end.checkpoint(l.opt.Clock(), l.key)
	if err == nil {
		err = l.put(line, end)
	}
	if err != nil {
		return err
	}
	return l.f.Sync()
}

// put writes a line, behind which the log ends so. What a failed write left is cut off
// the next time.
func (l *Log) put(line []byte, end tail) error {
	if _, err := l.f.Write(append(line, '\n')); err != nil {
		l.tail = tail{size: -1} // unknown: read it again
		return err
	}
	l.tail = end
	return nil
}

var errTooLong = errors.New("the entry is too long")

// next gives an entry its place in the chain, and is the tail behind it then.
func (t *tail) next(e Line) ([]byte, error) {
	e.Seq, e.Prev = t.seq+1, t.hash
	line, err := json.Marshal(e)
	if err == nil && len(line) > maxLine {
		err = errTooLong
	}
	if err == nil {
		*t = tail{t.size + int64(len(line)) + 1, e.Seq, sum(line), t.pending + 1}
	}
	return line, err
}

// checkpoint gives the line that signs what stands before it, and is the tail behind it then.
func (t *tail) checkpoint(at time.Time, key ed25519.PrivateKey) ([]byte, error) {
	e, err := Line{Seq: t.seq + 1, At: at.UTC(), Kind: kindCheckpoint, Prev: t.hash}.sealed(key)
	if err != nil {
		return nil, err
	}
	line, err := t.next(e)
	t.pending = 0
	return line, err
}

// fieldSig is the field of a checkpoint, and of nothing else.
const fieldSig = "sig"

// signed is what the signature of a checkpoint covers.
func (e Line) signed() ([]byte, error) {
	e.Fields = nil
	data, err := json.Marshal(e)
	return append([]byte("digesto audit 1\x00"), data...), err
}

// sealed is a checkpoint with its signature.
func (e Line) sealed(key ed25519.PrivateKey) (Line, error) {
	what, err := e.signed()
	e.Fields = map[string]string{fieldSig: base64.StdEncoding.EncodeToString(ed25519.Sign(key, what))}
	return e, err
}

func sum(line []byte) string {
	s := sha256.Sum256(line)
	return hex.EncodeToString(s[:])
}

// catchUp reads what others wrote since, and cuts an unfinished line off.
func (l *Log) catchUp() error {
	st, err := l.f.Stat()
	if err != nil {
		return err
	}
	if st.Size() == l.tail.size {
		return nil
	}
	from, t := l.tail.size, l.tail
	if from <= 0 || from > st.Size() {
		if t, err = l.lastSigned(st.Size()); err != nil {
			return err
		}
		from = t.size
	}
	broken := false // from here on nothing is what was written
	err = eachLine(io.NewSectionReader(l.f, from, st.Size()-from), func(n int64, line []byte, whole bool) error {
		var e Line
		if err := json.Unmarshal(line, &e); err != nil || !whole {
			broken = true
		}
		if broken && whole && e.Kind == kindCheckpoint { // it was safe on the disk, and so was all before it
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "la línea " + strconv.FormatInt(t.seq+1, 10) + " está dañada"}
		}
		if broken {
			return nil
		}
		t.seq, t.hash, t.size = e.Seq, sum(line), t.size+int64(len(line))+1
		if t.pending++; e.Kind == kindCheckpoint {
			t.pending = 0
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.tail = t
	if !broken {
		return nil
	}
	return l.repair(st.Size() - t.size)
}

// recent is how many bytes of its end a log is read anew: some twelve times what stands between
// two checkpoints.
const recent = 256 << 10

// lastSigned is the tail behind the last checkpoint among the recent lines of a log of so many
// bytes that our key signed: it covers all before it, which [Verify] reads. The zero tail is the
// beginning.
func (l *Log) lastSigned(size int64) (t tail, err error) {
	if size <= recent {
		return t, nil
	}
	at := size - recent
	err = eachLine(io.NewSectionReader(l.f, at, recent), func(n int64, line []byte, whole bool) error {
		at += int64(len(line)) + 1
		var e Line
		if n > 1 && whole && json.Unmarshal(line, &e) == nil && e.Kind == kindCheckpoint && e.signedBy(l.key.Public().(ed25519.PublicKey)) {
			t = tail{size: at, seq: e.Seq, hash: sum(line)}
		}
		return nil
	})
	return t, err
}

// repair cuts off what a crash or a loss of power left behind the last whole line,
// puts it aside and logs that it did.
func (l *Log) repair(n int64) error {
	rest := make([]byte, min(n, maxRest))
	if _, err := l.f.ReadAt(rest, l.tail.size); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	aside := fmt.Sprintf("damaged-%d", l.tail.seq+1)
	if err := writeNew(filepath.Join(l.dir, aside), string(rest), 0o600); err != nil {
		return err
	}
	if err := l.f.Truncate(l.tail.size); err != nil {
		return err
	}
	return l.write(kindRepaired, map[string]string{"bytes": strconv.FormatInt(n, 10), "sha256": sum(rest)})
}

// maxRest is how much of a damaged end is put aside.
const maxRest = 1 << 20

// eachLine gives the lines with their numbers from 1; the last may be unfinished.
func eachLine(r io.Reader, do func(n int64, line []byte, whole bool) error) error {
	buf, chunk := []byte{}, make([]byte, 64<<10)
	for n := int64(1); ; {
		k, err := r.Read(chunk)
		buf = append(buf, chunk[:k]...)
		for {
			i := bytes.IndexByte(buf, '\n')
			if i < 0 {
				break
			}
			if err := do(n, buf[:i], true); err != nil {
				return err
			}
			buf, n = buf[i+1:], n+1
		}
		if len(buf) > maxLine && err == nil {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "la línea " + strconv.FormatInt(n, 10) + " es demasiado larga"}
		}
		if err == io.EOF {
			if len(buf) > 0 {
				return do(n, buf, false)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}
