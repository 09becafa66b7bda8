package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"database/sql"
	"digesto/store"
	"digesto/text"
)

var _ store.Mover = (*Store)(nil)

// IDs implements [store.Mover].
func (s *Store) IDs(ctx context.Context, after string, n int) ([]string, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id FROM conversations WHERE id > ? ORDER BY id LIMIT ?`, after, n)
	return rowsOf(rows, err, func(r scanner) (id string, err error) { err = r.Scan(&id); return id, err })
}

// Bundle implements [store.Mover]: all of it as of one moment, since it is read
// where writes are made.
func (s *Store) Bundle(ctx context.Context, id string) (b store.Bundle, err error) {
	err = s.write(ctx, later, func(x *tx) error {
		b = store.Bundle{}
		st, err := x.stmt(`SELECT ` + conversationColumns + ` FROM conversations c WHERE c.id = ?`)
		if err != nil {
			return err
		}
		b.Conversation, b.Touched, err = conversation(st.QueryRowContext(x.ctx, id))
		if errors.Is(err, sql.ErrNoRows) {
			return store.NotFound(id)
		}
		b.User = b.Conversation.User
		if err == nil {
			err = x.row(`SELECT last_seq FROM conversations WHERE id = ?`, []any{id}, &b.LastSeq)
		}
		if err == nil {
			b.Messages, err = messagesOf(id)(x.query(`SELECT `+messageColumns+` FROM messages WHERE conversation = ? ORDER BY seq`, id))
		}
		if err == nil {
			b.Keys, err = read(x, func(r scanner) (k store.Once, err error) { err = r.Scan(&k.Key, &k.Turn); return k, err }, `SELECT key, turn FROM requests WHERE conversation = ? ORDER BY turn, key`, id)
		}
		if err == nil {
			b.Runs, err = read(x, run, selectRuns+`WHERE conversation = ? ORDER BY at, rowid`, id)
		}
		if err == nil {
			b.Feedback, err = read(x, rating, selectRatings+`WHERE conversation = ? ORDER BY seq`, id)
		}
		return err
	})
	return b, err
}

func read[T any](x *tx, one func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := x.query(query, args...)
	return rowsOf(rows, err, one)
}

// PutBundle implements [store.Mover].
func (s *Store) PutBundle(ctx context.Context, b store.Bundle) error {
	return s.settled(ctx, func(x *tx) error {
		c := b.Conversation
		err := x.exec(`DELETE FROM conversations WHERE id = ?`, c.ID)
		if err == nil {
			err = x.exec(`INSERT INTO conversations (id, user, title, folded, pack, chat_type, created, updated, touched, last_seq, archived, deleted, share) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''))`,
				c.ID, b.User, c.Title, text.Fold(c.Title), c.Pack, c.ChatType, c.Created.UnixMilli(), c.Updated.UnixMilli(), b.Touched, b.LastSeq, millis(c.Archived), millis(c.Deleted), c.Share)
		}
		for _, m := range b.Messages {
			if err == nil {
				err = putMessage(x, c.ID, m)
			}
		}
		for _, k := range b.Keys {
			if err == nil {
				err = x.exec(`INSERT INTO requests VALUES (?, ?, ?, ?)`, b.User, k.Key, c.ID, k.Turn)
			}
		}
		for _, r := range b.Runs {
			if err == nil {
				err = insertRun(x, r)
			}
		}
		for _, f := range b.Feedback {
			if err == nil {
				err = x.exec(`INSERT INTO feedback VALUES (?, ?, ?, ?, ?)`, f.Conversation, f.Seq, f.Rating, f.Comment, f.Created.UnixMilli())
			}
		}
		if err == nil { // what is begun later comes later
			err = x.exec(`UPDATE counter SET n = max(n, ?)`, b.Touched)
		}
		return err
	})
}

func putMessage(x *tx, conv string, m store.Message) error {
	var meta any
	if m.Meta != nil {
		raw, err := json.Marshal(m.Meta)
		if err != nil {
			return err
		}
		meta = string(raw)
	}
	err := insert(x, conv, m.Seq, m.Turn, m.Role, m.Content, m.Tokens, meta, m.Created.UnixMilli())
	if err == nil && m.Deleted != nil {
		err = x.exec(`UPDATE messages SET deleted = ? WHERE conversation = ? AND seq = ?`, m.Deleted.UnixMilli(), conv, m.Seq)
	}
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
	a, _ := span(since, time.Time{})
	rows, err := s.read.QueryContext(ctx, `SELECT user, at FROM usage WHERE at >= ? ORDER BY at, rowid`, a)
	return rowsOf(rows, err, func(r scanner) (u store.Use, err error) {
		var at int64
		err = r.Scan(&u.User, &at)
		u.At = instant(at)
		return u, err
	})
}

// SetUses implements [store.Mover].
func (s *Store) SetUses(ctx context.Context, list []store.Use) error {
	return s.settled(ctx, func(x *tx) error {
		err := x.exec(`DELETE FROM usage`)
		for _, u := range list {
			if err == nil {
				err = x.exec(`INSERT INTO usage VALUES (?, ?)`, u.User, u.At.UnixMilli())
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
	return s.settled(ctx, func(x *tx) error {
		err := x.exec(`UPDATE users SET created = ? WHERE id = ?`, u.Created.UnixMilli(), u.ID)
		for _, k := range keys {
			if err == nil {
				err = x.exec(`UPDATE api_keys SET created = ? WHERE id = ?`, k.Created.UnixMilli(), k.ID)
			}
		}
		return err
	})
}
