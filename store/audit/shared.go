package audit

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"digesto"
)

// Book keeps the lines of one chain for several processes.
type Book interface {
	// AuditKey gives the public key of the chain; the first that is asked with becomes it.
	AuditKey(ctx context.Context, public string) (string, error)
	// AppendAudit adds the lines that next gives, while nobody else adds any. next gets
	// the last line (nil: there is none) and how many stand behind the last
	// checkpoint; with safe they must be on the disk before the call returns.
	AppendAudit(ctx context.Context, next func(last []byte, pending int) (lines [][]byte, safe bool, err error)) error
}

// Shared writes a chain that several processes write. All have the same key: the
// chain names it, and who has another is refused. It is safe for any number of goroutines.
type Shared struct {
	opt  Options
	key  ed25519.PrivateKey
	book Book
}

// bookTimeout bounds one entry.
const bookTimeout = 10 * time.Second

// OpenShared opens the chain of a book with the key of a folder, which is made the
// first time.
func OpenShared(ctx context.Context, dir string, book Book, opt Options) (*Shared, error) {
	opt = opt.filled()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unavailable(err)
	}
	key, err := readKey(dir)
	if err != nil {
		return nil, unavailable(err)
	}
	mine := base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	kept, err := book.AuditKey(ctx, mine)
	if err != nil {
		return nil, unavailable(err)
	}
	if kept != mine {
		return nil, &digesto.Error{Code: digesto.CodeConflict, Message: "El registro de auditoría común se firma con otra clave", Hint: "Copie «" + SecretFile + "» y «" + PublicFile + "» del primer nodo a «" + filepath.ToSlash(dir) + "» y vuelva a empezar."}
	}
	return &Shared{opt, key, book}, nil
}

// Digest stands for a text, as that of [Log] does: the same on all nodes.
func (s *Shared) Digest(text string) string { return digest(s.key, text) }

// Append adds an entry. It is on disk for good at the next checkpoint.
func (s *Shared) Append(kind string, fields map[string]string) error {
	return s.add(func(t *tail) ([][]byte, error) {
		line, err := t.next(Line{At: s.opt.Clock().UTC(), Kind: kind, Fields: fields})
		if err != nil || t.pending < s.opt.Every {
			return [][]byte{line}, err
		}
		mark, err := t.checkpoint(s.opt.Clock(), s.key)
		return [][]byte{line, mark}, err
	})
}

// Close signs what is not signed yet.
func (s *Shared) Close() error {
	return s.add(func(t *tail) ([][]byte, error) {
		if t.pending == 0 {
			return nil, nil
		}
		mark, err := t.checkpoint(s.opt.Clock(), s.key)
		return [][]byte{mark}, err
	})
}

func (s *Shared) add(lines func(*tail) ([][]byte, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), bookTimeout)
	defer cancel()
	err := s.book.AppendAudit(ctx, func(last []byte, pending int) ([][]byte, bool, error) {
		t := tail{pending: pending}
		if last != nil {
			var e Line
			if err := json.Unmarshal(last, &e); err != nil {
				return nil, false, err
			}
			t.seq, t.hash = e.Seq, sum(last)
		}
		out, err := lines(&t)
		return out, t.pending == 0, err
	})
	if err != nil {
		return unavailable(err)
	}
	return nil
}
