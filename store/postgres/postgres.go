// Package postgres is the store in a database of PostgreSQL (15 or later): for
// several server processes that share conversations, limits and analytics.
//
// Each call is one transaction, committed to the disk of the server before it is
// acknowledged. The rows of a conversation are numbered under its row lock, so
// processes never interleave within one; the order of activity comes from a
// sequence. Everything of a person is asked for with that person's id in the query.
// What a restart of the server breaks off is tried again where that cannot double
// anything: a question with an idempotency key, an answer, a change.
package postgres

import (
	"context"
	"embed"
	"io/fs"
	"time"

	"digesto/pg"
	"digesto/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options of a store. Zero values mean the defaults stated.
type Options struct {
	Clock    func() time.Time // time.Now
	Database pg.Options
}

// Store is the database; see [store.Store].
type Store struct {
	clock func() time.Time
	db    *pg.DB
}

var _ store.Store = (*Store)(nil)

// Open connects to an address (postgres://…) and brings its tables up to date.
func Open(ctx context.Context, address string, opt Options) (*Store, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	db, err := pg.Open(ctx, address, opt.Database, files, "store_versions")
	if err != nil {
		return nil, err
	}
	return &Store{opt.Clock, db}, nil
}

// Close ends all connections.
func (s *Store) Close() error {
	s.db.Close()
	return nil
}

func (s *Store) now() int64 { return s.clock().UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func maybe(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	t := instant(*ms)
	return &t
}
