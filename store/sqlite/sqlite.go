// Package sqlite is the store in one file of SQLite (write-ahead log, pure Go).
//
// Writers that arrive together share a commit: the first in line writes for all
// who wait behind it, questions before answers. The log is moved into the file
// beside the writers, not by one of them. Readers never wait for a writer. A question is stored
// safely against the end of the process; an answer, and with it its question,
// against the loss of power too.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"digesto"
	"digesto/store"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options of a store. Zero values mean the defaults stated.
type Options struct {
	Clock func() time.Time // time.Now
	// Readers is how many reads run at a time; 0 = 8.
	Readers int
}

// Store is the database; see [store.Store].
type Store struct {
	clock func() time.Time
	read  *sql.DB
	own   *sql.DB   // holds conn alone
	conn  *sql.Conn // the one writer
	stmts map[string]*sql.Stmt
	line  line
	disk  *settler
	log   keeper
}

var _ store.Store = (*Store)(nil)

// Open opens or makes the database and brings its tables up to date. Several
// processes may have it open. A file of a newer program is CodeInvalid.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Readers <= 0 {
		opt.Readers = 8
	}
	if err := private(path); err != nil {
		return nil, unusable(path, err)
	}
	s := &Store{clock: opt.Clock, stmts: map[string]*sql.Stmt{}, disk: newSettler(path)}
	var err error
	if s.own, err = sql.Open("sqlite", source(path)); err == nil {
		s.own.SetMaxOpenConns(1)
		err = migrate(ctx, s.own)
	}
	if err == nil {
		s.conn, err = s.own.Conn(ctx)
	}
	if err == nil {
		s.read, err = sql.Open("sqlite", source(path)+"&_pragma=query_only(1)")
	}
	if err != nil {
		_ = s.Close()
		return nil, unusable(path, err)
	}
	s.read.SetMaxOpenConns(opt.Readers)
	s.read.SetMaxIdleConns(opt.Readers)
	if s.disk.size() > tidyBytes { // left by a program that was killed
		s.log.since.Store(tidyEvery)
	}
	return s, nil
}

// private makes the file, readable by its owner alone: people's questions are in it.
func private(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// source is the address of the file with what every connection sets. A commit
// survives the end of the process; see settler for more. What is erased is
// overwritten.
func source(path string) string {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)", "secure_delete(1)", "wal_autocheckpoint(0)", "cache_size(-16000)"}}
	return address(path) + "?" + q.Encode()
}

// address names a file to the driver, whatever is in its name.
func address(path string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	known := p.ListSources()
	switch newest := known[len(known)-1].Version; {
	case have == newest:
		return nil
	case have > newest:
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Las conversaciones guardadas son de una versión posterior del programa", Hint: "Actualice el programa o use otra carpeta de datos."}
	}
	_, err = p.Up(ctx)
	return err
}

// unusable says that the database cannot be opened.
func unusable(path string, err error) error {
	var own *digesto.Error
	if errors.As(err, &own) {
		return own
	}
	if w := why(err); w != nil {
		return &digesto.Error{Code: w.Code, Message: "No se puede usar la base de conversaciones «" + path + "»", Hint: w.Hint, Err: w}
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se pueden guardar conversaciones en «" + path + "»", Hint: "Revise los permisos y el espacio libre, o elija otra carpeta con --data.", Err: err}
}

// Close ends all work and lets go of the file.
func (s *Store) Close() error {
	s.disk.close()
	var errs []error
	for _, st := range s.stmts {
		errs = append(errs, st.Close())
	}
	for _, c := range []interface{ Close() error }{s.conn, s.read, s.own} {
		switch c := c.(type) {
		case *sql.Conn:
			if c != nil {
				errs = append(errs, c.Close())
			}
		case *sql.DB:
			if c != nil {
				errs = append(errs, c.Close())
			}
		}
	}
	return errors.Join(errs...)
}

func (s *Store) now() int64 { return s.clock().UnixMilli() }

// failed wraps an error of the database; our own errors and those of a context pass.
func failed(err error) error {
	var own *digesto.Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if w := why(err); w != nil {
		err = w
	}
	return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se ha podido leer o guardar la conversación", Hint: "Vuelva a intentarlo; si se repite, revise el espacio libre y ejecute «digesto doctor».", Err: err}
}

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func maybe(ms sql.NullInt64) *time.Time {
	if !ms.Valid {
		return nil
	}
	t := instant(ms.Int64)
	return &t
}
