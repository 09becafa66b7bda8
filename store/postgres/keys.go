package postgres

import (
	"context"
	"errors"
	"strings"

	"digesto/pg"
	"digesto/store"

	"github.com/jackc/pgx/v5"
)

// PutKey implements [store.Keys].
func (s *Store) PutKey(ctx context.Context, k store.Key) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		n, err := q.Exec(`INSERT INTO api_keys SELECT $1, u.id, $3, $4, $5, $6 FROM users u WHERE u.id = $2
			ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, hash = excluded.hash, scopes = excluded.scopes, expires = excluded.expires`,
			k.ID, k.User, k.Hash, strings.Join(k.Scopes, " "), s.now(), millis(k.Expires))
		if err == nil && n == 0 {
			return store.NoUser()
		}
		return err
	})
}

type heldKey struct {
	store.Key
	owner store.User
}

const selectKeys = `SELECT k.id, k.owner, k.hash, k.scopes, k.created, k.expires, u.id, u.name, u.plan, coalesce(u.key_hash, ''), u.created
	FROM api_keys k JOIN users u ON u.id = k.owner `

func key(r pgx.CollectableRow) (k heldKey, err error) {
	var scopes string
	var created, since int64
	var expires *int64
	u := &k.owner
	err = r.Scan(&k.ID, &k.User, &k.Hash, &scopes, &created, &expires, &u.ID, &u.Name, &u.Plan, &u.KeyHash, &since)
	k.Scopes, k.Created, k.Expires, u.Created = strings.Fields(scopes), instant(created), maybe(expires), instant(since)
	return k, err
}

// Key implements [store.Keys].
func (s *Store) Key(ctx context.Context, id string) (store.Key, store.User, error) {
	var k heldKey
	err := s.db.Read(ctx, func(q pg.Q) (err error) {
		k, err = pg.One(q, key, selectKeys+`WHERE k.id = $1`, id)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NoKey()
	}
	return k.Key, k.owner, err
}

// UserKeys implements [store.Keys].
func (s *Store) UserKeys(ctx context.Context, user string) ([]store.Key, error) {
	list, err := all(ctx, s, key, selectKeys+`WHERE $1 = '' OR k.owner = $1 ORDER BY k.created, k.id COLLATE "C"`, user)
	out := []store.Key{}
	for _, k := range list {
		out = append(out, k.Key)
	}
	return out, err
}

// DropKey implements [store.Keys].
func (s *Store) DropKey(ctx context.Context, id string) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		n, err := q.Exec(`DELETE FROM api_keys WHERE id = $1`, id)
		if err == nil && n == 0 {
			return store.NoKey()
		}
		return err
	})
}
