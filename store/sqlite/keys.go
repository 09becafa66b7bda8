package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"digesto/store"
)

// PutKey implements [store.Keys].
func (s *Store) PutKey(ctx context.Context, k store.Key) error {
	return s.settled(ctx, func(x *tx) error {
		var there int
		if err := x.row(`SELECT count(*) FROM users WHERE id = ?`, []any{k.User}, &there); err != nil {
			return err
		}
		if there == 0 {
			return store.NoUser()
		}
		return x.exec(`INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET user = excluded.user, hash = excluded.hash, scopes = excluded.scopes, expires = excluded.expires`,
			k.ID, k.User, k.Hash, strings.Join(k.Scopes, " "), s.now(), millis(k.Expires))
	})
}

const keyColumns = `k.id, k.user, k.hash, k.scopes, k.created, k.expires`

func key(r scanner, more ...any) (k store.Key, err error) {
	var scopes string
	var created int64
	var expires sql.NullInt64
	err = r.Scan(append([]any{&k.ID, &k.User, &k.Hash, &scopes, &created, &expires}, more...)...)
	k.Scopes, k.Created, k.Expires = strings.Fields(scopes), instant(created), maybe(expires)
	return k, err
}

// Key implements [store.Keys].
func (s *Store) Key(ctx context.Context, id string) (store.Key, store.User, error) {
	var u store.User
	var created int64
	k, err := key(s.read.QueryRowContext(ctx, `SELECT `+keyColumns+`, u.id, u.name, u.plan, coalesce(u.key_hash, ''), u.created
		FROM api_keys k JOIN users u ON u.id = k.user WHERE k.id = ?`, id), &u.ID, &u.Name, &u.Plan, &u.KeyHash, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return k, u, store.NoKey()
	}
	u.Created = instant(created)
	return k, u, failed(err)
}

// UserKeys implements [store.Keys].
func (s *Store) UserKeys(ctx context.Context, user string) ([]store.Key, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+keyColumns+` FROM api_keys k WHERE ? = '' OR k.user = ? ORDER BY k.created, k.id`, user, user)
	return rowsOf(rows, err, func(r scanner) (store.Key, error) { return key(r) })
}

// DropKey implements [store.Keys].
func (s *Store) DropKey(ctx context.Context, id string) error {
	return s.settled(ctx, func(x *tx) error {
		n, err := x.affect(`DELETE FROM api_keys WHERE id = ?`, id)
		if err == nil && n == 0 {
			return store.NoKey()
		}
		return err
	})
}
