package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Exchange implements [store.Registers].
func (s *Store) Exchange(ctx context.Context, name string, do func(old string) (string, error)) error {
	return s.settled(ctx, func(x *tx) error {
		old := ""
		if err := x.row(`SELECT value FROM registers WHERE name = ?`, []any{name}, &old); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		value, err := do(old)
		if err == nil {
			err = x.exec(`INSERT INTO registers VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
		}
		return err
	})
}
