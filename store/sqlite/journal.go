package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"digesto/store"
)

// PutUser implements [store.People].
func (s *Store) PutUser(ctx context.Context, u store.User) error {
	return s.settled(ctx, func(x *tx) error {
		err := x.exec(`INSERT INTO users VALUES (?, ?, ?, nullif(?, ''), ?)
			ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, key_hash = excluded.key_hash`, u.ID, u.Name, u.Plan, u.KeyHash, s.now())
		if err != nil && strings.Contains(err.Error(), "users.key_hash") {
			return store.KeyTaken()
		}
		return err
	})
}

const userColumns = `id, name, plan, coalesce(key_hash, ''), created`

func user(r scanner) (u store.User, err error) {
	var created int64
	err = r.Scan(&u.ID, &u.Name, &u.Plan, &u.KeyHash, &created)
	u.Created = instant(created)
	return u, err
}

// UserByKey implements [store.People].
func (s *Store) UserByKey(ctx context.Context, keyHash string) (store.User, error) {
	u, err := user(s.read.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users WHERE key_hash = ?`, keyHash))
	if errors.Is(err, sql.ErrNoRows) {
		return u, store.NoUser()
	}
	return u, failed(err)
}

// rowsOf reads all rows of a query.
func rowsOf[T any](rows *sql.Rows, err error, one func(scanner) (T, error)) ([]T, error) {
	out := []T{}
	if err != nil {
		return out, failed(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		v, err := one(rows)
		if err != nil {
			return out, failed(err)
		}
		out = append(out, v)
	}
	return out, failed(rows.Err())
}

// Users implements [store.People].
func (s *Store) Users(ctx context.Context) ([]store.User, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+userColumns+` FROM users ORDER BY id`)
	return rowsOf(rows, err, user)
}

// DropUser implements [store.People].
func (s *Store) DropUser(ctx context.Context, id string) error {
	err := s.settled(ctx, func(x *tx) error {
		n, err := x.affect(`DELETE FROM users WHERE id = ?`, id)
		if err == nil && n == 0 {
			return store.NoUser()
		}
		if err == nil {
			err = x.exec(`DELETE FROM conversations WHERE user = ?`, id)
		}
		if err == nil {
			err = x.exec(`DELETE FROM usage WHERE user = ?`, id)
		}
		return err
	})
	if err == nil {
		s.emptyLog(ctx)
	}
	return err
}

// Runs implements [store.Journal].
func (s *Store) Runs(ctx context.Context, from, to time.Time) ([]store.Run, error) {
	a, b := span(from, to)
	rows, err := s.read.QueryContext(ctx, selectRuns+`WHERE at >= ? AND at < ? ORDER BY at, rowid`, a, b)
	return rowsOf(rows, err, run)
}

const selectRuns = `SELECT trace, user, conversation, turn, at, pack, type, prompt, variant, topic, elapsed, calls, tokens FROM runs `

func run(r scanner) (x store.Run, err error) {
	var at int64
	err = r.Scan(&x.Trace, &x.User, &x.Conversation, &x.Turn, &at, &x.Pack, &x.Type, &x.Prompt, &x.Variant, &x.Topic, &x.Elapsed, &x.Calls, &x.Tokens)
	x.At = instant(at)
	return x, err
}

func insertRun(x *tx, r store.Run) error {
	return x.exec(`INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Trace, r.User, r.Conversation, r.Turn, r.At.UnixMilli(), r.Pack, r.Type, r.Prompt, r.Variant, r.Topic, r.Elapsed, r.Calls, r.Tokens)
}

// Ratings implements [store.Journal].
func (s *Store) Ratings(ctx context.Context, from, to time.Time) ([]store.Feedback, error) {
	a, b := span(from, to)
	rows, err := s.read.QueryContext(ctx, selectRatings+`WHERE created >= ? AND created < ? ORDER BY created, conversation, seq`, a, b)
	return rowsOf(rows, err, rating)
}

const selectRatings = `SELECT conversation, seq, rating, comment, created FROM feedback `

func rating(r scanner) (f store.Feedback, err error) {
	var at int64
	err = r.Scan(&f.Conversation, &f.Seq, &f.Rating, &f.Comment, &at)
	f.Created = instant(at)
	return f, err
}

// Asked implements [store.Journal].
func (s *Store) Asked(ctx context.Context, user string, since time.Time) ([]time.Time, error) {
	a, _ := span(since, time.Time{})
	rows, err := s.read.QueryContext(ctx, `SELECT at FROM usage WHERE user = ? AND at >= ? ORDER BY at, rowid`, user, a)
	return rowsOf(rows, err, func(r scanner) (time.Time, error) {
		var at int64
		err := r.Scan(&at)
		return instant(at), err
	})
}

// proofs are queries that find nothing in a sound store, each with what it means.
var proofs = []struct{ query, says string }{
	{`SELECT c.id FROM conversations c WHERE c.last_seq <> (SELECT count(*) FROM messages m WHERE m.conversation = c.id)`, "faltan mensajes o hay números saltados"},
	{`SELECT c.id FROM conversations c WHERE c.last_seq <> (SELECT coalesce(max(seq), 0) FROM messages m WHERE m.conversation = c.id)`, "el último número no es el del último mensaje"},
	{`SELECT m.conversation FROM messages m WHERE m.role = 'user' AND m.turn <> m.seq`, "una pregunta en el turno de otra"},
	{`SELECT m.conversation FROM messages m WHERE m.role = 'assistant' AND NOT EXISTS (SELECT 1 FROM messages q WHERE q.conversation = m.conversation AND q.seq = m.turn AND q.role = 'user')`, "una respuesta sin pregunta"},
	{`SELECT m.conversation FROM messages m WHERE m.metadata IS NOT NULL AND NOT json_valid(m.metadata)`, "metadatos que no son JSON"},
	{`SELECT r.conversation FROM requests r WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation = r.conversation AND m.seq = r.turn)`, "una clave sin su pregunta"},
	{`SELECT "table" FROM pragma_foreign_key_check`, "una fila sin la que la sostiene"},
}

// Check implements [store.Journal]: the file itself, then what must hold of its rows.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	var bad []string
	text := func(r scanner) (v string, err error) { err = r.Scan(&v); return v, err }
	rows, err := s.read.QueryContext(ctx, `PRAGMA integrity_check`)
	list, err := rowsOf(rows, err, text)
	if err != nil {
		return nil, err
	}
	for _, l := range list {
		if l != "ok" {
			bad = append(bad, l)
		}
	}
	rows, err = s.read.QueryContext(ctx, `SELECT conversation, seq, turn, role, content, metadata, sum FROM messages`)
	changed, err := damagedMessages(rows, err)
	if err != nil {
		return bad, err
	}
	for _, id := range changed {
		bad = append(bad, id+": un mensaje no es lo que se escribió")
	}
	for _, p := range proofs {
		rows, err := s.read.QueryContext(ctx, p.query+` LIMIT 10`)
		ids, err := rowsOf(rows, err, text)
		if err != nil {
			return bad, err
		}
		for _, id := range ids {
			bad = append(bad, fmt.Sprintf("%s: %s", id, p.says))
		}
	}
	return bad, nil
}
