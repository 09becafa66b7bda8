package postgres

import (
	"context"
	"errors"
	"time"

	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// Trace is the way of an answer as it is kept: what it says is the caller's.
type Trace struct {
	ID           string
	User         string
	Conversation string // "" = none
	At           time.Time
	Record       []byte // JSON
}

// PutTrace keeps a trace; one with the same id is replaced. It goes with its
// conversation and with its user.
func (s *Store) PutTrace(ctx context.Context, t Trace) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`INSERT INTO traces VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, conversation = excluded.conversation, at = excluded.at, record = excluded.record`,
			t.ID, t.User, t.Conversation, t.At.UnixMilli(), string(t.Record))
		return err
	})
}

// TraceRecord gives what was kept of an answer; nil where there is none.
func (s *Store) TraceRecord(ctx context.Context, id string) (record []byte, err error) {
	err = s.db.Read(ctx, func(q pg.Q) error {
		text, err := pg.One(q, pgx.RowTo[string], `SELECT record FROM traces WHERE id = $1`, id)
		record = []byte(text)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return record, err
}

// PruneTraces removes the traces from before a time.
func (s *Store) PruneTraces(ctx context.Context, before time.Time) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`DELETE FROM traces WHERE at < $1`, before.UnixMilli())
		return err
	})
}
