package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"digesto/pg"
	"digesto/store"
	"digesto/text"

	"github.com/jackc/pgx/v5"
)

var _ store.Mover = (*Store)(nil)

// IDs implements [store.Mover].
func (s *Store) IDs(ctx context.Context, after string, n int) ([]string, error) {
	return all(ctx, s, pgx.RowTo[string], `SELECT id FROM conversations WHERE id COLLATE "C" > $1 ORDER BY id COLLATE "C" LIMIT $2`, after, n)
}

// Bundle implements [store.Mover].
func (s *Store) Bundle(ctx context.Context, id string) (b store.Bundle, err error) {
	err = s.db.Write(ctx, true, func(q pg.Q) error { // one moment
		if _, err := q.Exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
			return err
		}
		c, err := pg.One(q, conversation, selectConversation+`c.id = $1`, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return store.NotFound(id)
		}
		b.Conversation, b.User, b.Touched = c.Conversation, c.User, c.touched
		if err == nil {
			b.LastSeq, err = pg.One(q, pgx.RowTo[int64], `SELECT last_seq FROM conversations WHERE id = $1`, id)
		}
		if err == nil {
			b.Messages, err = pg.All(q, message, selectMessages+`conversation = $1 ORDER BY seq`, id)
		}
		if err == nil {
			b.Keys, err = pg.All(q, pgx.RowToStructByPos[store.Once], `SELECT key, turn FROM requests WHERE conversation = $1 ORDER BY turn, key COLLATE "C"`, id)
		}
		if err == nil {
			b.Runs, err = pg.All(q, run, selectRuns+`WHERE conversation = $1 ORDER BY at, id`, id)
		}
		if err == nil {
			b.Feedback, err = pg.All(q, rating, selectRatings+`WHERE conversation = $1 ORDER BY seq`, id)
		}
		return err
	})
	return b, err
}

// PutBundle implements [store.Mover].
func (s *Store) PutBundle(ctx context.Context, b store.Bundle) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		c := b.Conversation
		_, err := q.Exec(`DELETE FROM conversations WHERE id = $1`, c.ID)
		if err == nil {
			_, err = q.Exec(`INSERT INTO conversations (id, owner, title, folded, pack, chat_type, created, updated, touched, last_seq, archived, deleted, share) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, nullif($13, ''))`,
				c.ID, b.User, c.Title, text.Fold(c.Title), c.Pack, c.ChatType, c.Created.UnixMilli(), c.Updated.UnixMilli(), b.Touched, b.LastSeq, millis(c.Archived), millis(c.Deleted), c.Share)
		}
		for _, m := range b.Messages {
			if err == nil {
				err = putMessage(q, c.ID, m)
			}
		}
		for _, k := range b.Keys {
			if err == nil {
				_, err = q.Exec(`INSERT INTO requests VALUES ($1, $2, $3, $4)`, b.User, k.Key, c.ID, k.Turn)
			}
		}
		for _, r := range b.Runs {
			if err == nil {
				err = insertRun(q, r)
			}
		}
		for _, f := range b.Feedback {
			if err == nil {
				_, err = q.Exec(`INSERT INTO feedback VALUES ($1, $2, $3, $4, $5)`, f.Conversation, f.Seq, f.Rating, f.Comment, f.Created.UnixMilli())
			}
		}
		if err == nil { // what is begun later comes later
			_, err = q.Exec(`SELECT setval('activity', greatest($1, (SELECT last_value FROM activity)))`, b.Touched)
		}
		return err
	})
}

func putMessage(q pg.Q, conv string, m store.Message) error {
	var meta any
	if m.Meta != nil {
		raw, err := json.Marshal(m.Meta)
		if err != nil {
			return err
		}
		meta = string(raw)
	}
	if err := insert(q, conv, m, meta); err != nil || m.Deleted == nil {
		return err
	}
	_, err := q.Exec(`UPDATE messages SET deleted = $1 WHERE conversation = $2 AND seq = $3`, m.Deleted.UnixMilli(), conv, m.Seq)
	return err
}

// millis is a moment as it is stored, NULL for none.
func millis(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

// Uses implements [store.Mover].
func (s *Store) Uses(ctx context.Context, since time.Time) ([]store.Use, error) {
	return all(ctx, s, func(r pgx.CollectableRow) (u store.Use, err error) {
		var at int64
		err = r.Scan(&u.User, &at)
		u.At = instant(at)
		return u, err
	}, `SELECT owner, at FROM usage WHERE at >= $1 ORDER BY at, id`, bound(since, math.MinInt64))
}

// SetUses implements [store.Mover].
func (s *Store) SetUses(ctx context.Context, list []store.Use) error {
	return s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`DELETE FROM usage`)
		for _, u := range list {
			if err == nil {
				_, err = q.Exec(`INSERT INTO usage (owner, at) VALUES ($1, $2)`, u.User, u.At.UnixMilli())
			}
		}
		return err
	})
}

// Restore implements [store.Mover].
func (s *Store) Restore(ctx context.Context, u store.User, keys []store.Key) error {
	if err := s.PutUser(ctx, u); err != nil {
		return err
	}
	for _, k := range keys {
		if err := s.PutKey(ctx, k); err != nil {
			return err
		}
	}
	return s.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`UPDATE users SET created = $1 WHERE id = $2`, u.Created.UnixMilli(), u.ID)
		for _, k := range keys {
			if err == nil {
				_, err = q.Exec(`UPDATE api_keys SET created = $1 WHERE id = $2`, k.Created.UnixMilli(), k.ID)
			}
		}
		return err
	})
}
