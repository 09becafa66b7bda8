package postgres

import (
	"context"

	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// Exchange implements [store.Registers]. A commit without an answer is an error: the
// change may stand.
func (s *Store) Exchange(ctx context.Context, name string, do func(old string) (string, error)) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		if _, err := q.Exec(`INSERT INTO registers VALUES ($1, '') ON CONFLICT DO NOTHING`, name); err != nil {
			return err
		}
		old, err := pg.One(q, pgx.RowTo[string], `SELECT value FROM registers WHERE name = $1 FOR UPDATE`, name)
		if err != nil {
			return err
		}
		value, err := do(old)
		if err == nil {
			_, err = q.Exec(`UPDATE registers SET value = $2 WHERE name = $1`, name, value)
		}
		return err
	})
}
