package pg

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Q runs statements, in a transaction or one by one.
type Q struct {
	ctx context.Context
	q   querier
}

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Exec runs a statement and gives how many rows it changed.
func (q Q) Exec(sql string, args ...any) (int64, error) {
	tag, err := q.q.Exec(q.ctx, sql, storable(args)...)
	return tag.RowsAffected(), err
}

// All reads all rows of a statement.
func All[T any](q Q, one pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := q.q.Query(q.ctx, sql, storable(args)...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, one)
}

// One reads the one row of a statement; pgx.ErrNoRows when there is none.
func One[T any](q Q, one pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := q.q.Query(q.ctx, sql, storable(args)...)
	if err != nil {
		var none T
		return none, err
	}
	return pgx.CollectOneRow(rows, one)
}

// storable takes from texts what PostgreSQL cannot hold: the null character, and
// bytes that are no UTF-8.
func storable(args []any) []any {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Storable(s)
		}
	}
	return args
}

// Storable is a text as PostgreSQL can hold it.
func Storable(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
}

// Read runs statements that change nothing, each for itself. What a lost connection broke off is
// tried again.
func (d *DB) Read(ctx context.Context, do func(Q) error) error {
	return d.again(ctx, func(ctx context.Context) (error, bool) { return do(Q{ctx, d.Pool}), true })
}

// Write runs a transaction. One that a lost connection broke off before its
// commit is tried again, since nothing of it stands; one whose commit got no answer
// only if it may be repeated without harm.
func (d *DB) Write(ctx context.Context, repeatable bool, do func(Q) error) error {
	return d.again(ctx, func(ctx context.Context) (error, bool) {
		tx, err := d.Pool.Begin(ctx)
		if err != nil {
			return err, true
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
		if err := do(Q{ctx, tx}); err != nil {
			return err, true
		}
		err = tx.Commit(ctx)
		var answered *pgconn.PgError
		return err, repeatable || errors.As(err, &answered)
	})
}

// again does work until it ends, fails for good, or patience does.
func (d *DB) again(ctx context.Context, work func(context.Context) (err error, unfinished bool)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, d.opt.Timeout)
	defer cancel()
	until := time.Now().Add(d.opt.Patience)
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err, unfinished := work(bounded)
		if err == nil || !unfinished || !passing(err) || time.Now().After(until) {
			if ctx.Err() != nil && err != nil {
				return ctx.Err()
			}
			return Failed(err)
		}
		select {
		case <-bounded.Done():
		case <-time.After(wait):
		}
	}
}
