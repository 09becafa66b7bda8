package postgres

import (
	"context"
	"errors"
	"math"
	"time"

	"digesto/pg"
	"digesto/store"

	"github.com/jackc/pgx/v5"
)

// PutUser implements [store.People].
func (s *Store) PutUser(ctx context.Context, u store.User) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`INSERT INTO users VALUES ($1, $2, $3, nullif($4, ''), $5)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, key_hash = excluded.key_hash`, u.ID, u.Name, u.Plan, u.KeyHash, s.now())
		if pg.Violates(err, "users_key") {
			err = store.KeyTaken()
		}
		return err
	})
}

const selectUsers = `SELECT id, name, plan, coalesce(key_hash, ''), created FROM users `

// UserByKey implements [store.People].
func (s *Store) UserByKey(ctx context.Context, keyHash string) (u store.User, err error) {
	err = s.db.Read(ctx, func(q pg.Q) (err error) {
		u, err = pg.One(q, user, selectUsers+`WHERE key_hash = $1`, keyHash)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NoUser()
	}
	return u, err
}

// Users implements [store.People].
func (s *Store) Users(ctx context.Context) ([]store.User, error) {
	return all(ctx, s, user, selectUsers+`ORDER BY id COLLATE "C"`)
}

// DropUser implements [store.People].
func (s *Store) DropUser(ctx context.Context, id string) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		n, err := q.Exec(`DELETE FROM users WHERE id = $1`, id)
		if err == nil && n == 0 {
			return store.NoUser()
		}
		for _, sql := range []string{`DELETE FROM conversations WHERE owner = $1`, `DELETE FROM usage WHERE owner = $1`, `DELETE FROM traces WHERE owner = $1`} {
			if err == nil {
				_, err = q.Exec(sql, id)
			}
		}
		return err
	})
}

// all reads all rows of a statement; none is an empty list.
func all[T any](ctx context.Context, s *Store, one pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	out := []T{}
	err := s.db.Read(ctx, func(q pg.Q) (err error) {
		out, err = pg.All(q, one, sql, args...)
		return err
	})
	return out, err
}

// Runs implements [store.Journal].
func (s *Store) Runs(ctx context.Context, from, to time.Time) ([]store.Run, error) {
	return all(ctx, s, run, selectRuns+`WHERE at >= $1 AND at < $2 ORDER BY at, id`, bound(from, math.MinInt64), bound(to, math.MaxInt64))
}

const runColumns = `trace, owner, conversation, turn, at, pack, type, prompt, variant, topic, elapsed, calls, tokens`

const selectRuns = `SELECT ` + runColumns + ` FROM runs `

func insertRun(q pg.Q, r store.Run) error {
	_, err := q.Exec(`INSERT INTO runs (`+runColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		r.Trace, r.User, r.Conversation, r.Turn, r.At.UnixMilli(), r.Pack, r.Type, r.Prompt, r.Variant, r.Topic, r.Elapsed, r.Calls, r.Tokens)
	return err
}

const selectRatings = `SELECT conversation, seq, rating, comment, created FROM feedback `

// Ratings implements [store.Journal].
func (s *Store) Ratings(ctx context.Context, from, to time.Time) ([]store.Feedback, error) {
	return all(ctx, s, rating, selectRatings+`WHERE created >= $1 AND created < $2 ORDER BY created, conversation COLLATE "C", seq`,
		bound(from, math.MinInt64), bound(to, math.MaxInt64))
}

// Asked implements [store.Journal].
func (s *Store) Asked(ctx context.Context, user string, since time.Time) ([]time.Time, error) {
	return all(ctx, s, moment, `SELECT at FROM usage WHERE owner = $1 AND at >= $2 ORDER BY at, id`, user, bound(since, math.MinInt64))
}

// bound is a time in milliseconds, or what stands for none.
func bound(t time.Time, open int64) int64 {
	if t.IsZero() {
		return open
	}
	return t.UnixMilli()
}

// proofs finds nothing in a sound store. What PostgreSQL itself enforces (one
// answer a turn, whole JSON, no row without the one that holds it) is not asked again.
const proofs = `
	SELECT c.id || ': faltan mensajes o hay números saltados' FROM conversations c
		WHERE c.last_seq <> (SELECT count(*) FROM messages m WHERE m.conversation = c.id) OR c.last_seq <> (SELECT coalesce(max(seq), 0) FROM messages m WHERE m.conversation = c.id)
	UNION ALL SELECT m.conversation || ': una pregunta en el turno de otra' FROM messages m WHERE m.role = 'user' AND m.turn <> m.seq
	UNION ALL SELECT m.conversation || ': una respuesta sin pregunta' FROM messages m
		WHERE m.role = 'assistant' AND NOT EXISTS (SELECT 1 FROM messages q WHERE q.conversation = m.conversation AND q.seq = m.turn AND q.role = 'user')
	UNION ALL SELECT r.conversation || ': una clave sin su pregunta' FROM requests r
		WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation = r.conversation AND m.seq = r.turn)
	LIMIT 50`

// Check implements [store.Journal].
func (s *Store) Check(ctx context.Context) ([]string, error) {
	return all(ctx, s, pgx.RowTo[string], proofs)
}
