package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"digesto/store"
	"digesto/text"
)

// Get implements [store.Shelf].
func (s *Store) Get(ctx context.Context, user, id string) (store.Conversation, error) {
	c, _, err := conversation(s.read.QueryRowContext(ctx, `SELECT `+conversationColumns+` FROM conversations c WHERE c.id = ? AND c.user = ? AND c.deleted IS NULL`, id, user))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Conversation{}, store.NotFound(id)
	}
	return c, failed(err)
}

// states are the conditions of the states of a conversation.
var states = map[store.State]string{
	store.Active:   "c.deleted IS NULL AND c.archived IS NULL",
	store.Archived: "c.deleted IS NULL AND c.archived IS NOT NULL",
	store.Deleted:  "c.deleted IS NOT NULL",
}

// List implements [store.Shelf].
func (s *Store) List(ctx context.Context, user string, q store.ListQuery) (store.Page, error) {
	p := store.Page{List: []store.Conversation{}}
	at, err := q.At()
	state, known := states[q.State]
	if err != nil || !known {
		return p, err
	}
	where, args := []string{"c.user = ?", state}, []any{user}
	if at > 0 {
		where, args = append(where, "c.touched < ?"), append(args, at)
	}
	for _, w := range store.SearchWords(q.Search) {
		where = append(where, `(instr(c.folded, ?) > 0 OR EXISTS (SELECT 1 FROM messages m WHERE m.conversation = c.id AND m.deleted IS NULL AND instr(m.folded, ?) > 0))`)
		args = append(args, w, w)
	}
	n := q.LimitOf()
	rows, err := s.read.QueryContext(ctx, `SELECT `+conversationColumns+` FROM conversations c WHERE `+strings.Join(where, " AND ")+` ORDER BY c.touched DESC LIMIT ?`, append(args, n+1)...)
	if err != nil {
		return p, failed(err)
	}
	defer func() { _ = rows.Close() }()
	var last int64
	for rows.Next() {
		c, touched, err := conversation(rows)
		if err == nil && c.User != user {
			err = damaged(c.ID)
		}
		if err != nil {
			return p, failed(err)
		}
		if len(p.List) == n {
			p.Cursor = store.CursorOf(last)
			break
		}
		p.List, last = append(p.List, c), touched
	}
	return p, failed(rows.Err())
}

// Change implements [store.Shelf].
func (s *Store) Change(ctx context.Context, user, id string, ch store.Change) (c store.Conversation, err error) {
	set, args, err := s.changes(ch)
	if err != nil {
		return c, err
	}
	where := `id = ? AND user = ?`
	if ch.Deleted == nil {
		where += ` AND deleted IS NULL`
	}
	err = s.settled(ctx, func(x *tx) error {
		n, err := x.affect(`UPDATE conversations SET `+strings.Join(append(set, "id = id"), ", ")+` WHERE `+where, append(args, id, user)...)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.NotFound(id)
		}
		st, err := x.stmt(`SELECT ` + conversationColumns + ` FROM conversations c WHERE c.id = ?`)
		if err != nil {
			return err
		}
		c, _, err = conversation(st.QueryRowContext(x.ctx, id))
		return err
	})
	return c, err
}

func (s *Store) changes(ch store.Change) (set []string, args []any, err error) {
	if ch.Title != nil {
		title, err := store.CheckTitle(*ch.Title)
		if err != nil {
			return nil, nil, err
		}
		set, args = append(set, "title = ?", "folded = ?"), append(args, title, text.Fold(title))
	}
	for col, want := range map[string]*bool{"archived": ch.Archived, "deleted": ch.Deleted} {
		switch {
		case want == nil:
		case *want:
			set, args = append(set, col+" = coalesce("+col+", ?)"), append(args, s.now())
		default:
			set = append(set, col+" = NULL")
		}
	}
	if ch.Share != nil {
		set, args = append(set, "share = nullif(?, '')"), append(args, *ch.Share)
	}
	return set, args, nil
}

// Erase implements [store.Shelf]: rows go by cascade, are overwritten on disk,
// and the log that still holds them is emptied.
func (s *Store) Erase(ctx context.Context, user, id string) error {
	err := s.settled(ctx, func(x *tx) error {
		n, err := x.affect(`DELETE FROM conversations WHERE id = ? AND user = ?`, id, user)
		if err == nil && n == 0 {
			err = store.NotFound(id)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.emptyLog(ctx)
	return nil
}

// emptyLog moves the log into the file. A reader at work may keep a part until
// the next time: nothing is lost by that.
func (s *Store) emptyLog(ctx context.Context) {
	_, _ = s.read.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
}

// Messages implements [store.Messages].
func (s *Store) Messages(ctx context.Context, user, conv string) ([]store.Message, error) {
	if _, err := s.Get(ctx, user, conv); err != nil {
		return nil, err
	}
	list, err := s.active(ctx, conv)
	return list, failed(err)
}

func (s *Store) active(ctx context.Context, conv string) ([]store.Message, error) {
	return messagesOf(conv)(s.read.QueryContext(ctx, `SELECT `+messageColumns+` FROM messages WHERE conversation = ? AND deleted IS NULL ORDER BY turn, seq`, conv))
}

// DeleteMessage implements [store.Messages].
func (s *Store) DeleteMessage(ctx context.Context, user, conv string, seq int64) error {
	return s.settled(ctx, func(x *tx) error {
		var there int
		if err := x.row(`SELECT count(*) FROM conversations WHERE id = ? AND user = ? AND deleted IS NULL`, []any{conv, user}, &there); err != nil {
			return err
		}
		if there == 0 {
			return store.NotFound(conv)
		}
		// seq = turn only for a question: its answer goes with it.
		n, err := x.affect(`UPDATE messages SET deleted = ? WHERE conversation = ? AND deleted IS NULL AND (seq = ? OR turn = ?)
			AND EXISTS (SELECT 1 FROM messages m WHERE m.conversation = ? AND m.seq = ? AND m.deleted IS NULL)`, s.now(), conv, seq, seq, conv, seq)
		if err == nil && n == 0 {
			err = store.NoMessage(seq)
		}
		return err
	})
}

// Shared implements [store.Messages].
func (s *Store) Shared(ctx context.Context, token string) (store.Conversation, []store.Message, error) {
	c, _, err := conversation(s.read.QueryRowContext(ctx, `SELECT `+conversationColumns+` FROM conversations c WHERE c.share = ? AND c.deleted IS NULL`, token))
	if errors.Is(err, sql.ErrNoRows) {
		return c, nil, store.NotFound("compartida")
	}
	if err != nil {
		return c, nil, failed(err)
	}
	list, err := s.active(ctx, c.ID)
	return c, list, failed(err)
}

// Rate implements [store.Messages].
func (s *Store) Rate(ctx context.Context, user string, f store.Feedback) error {
	if err := store.CheckFeedback(f); err != nil {
		return err
	}
	return s.settled(ctx, func(x *tx) error {
		var there, answers int
		err := x.row(`SELECT count(*), coalesce(sum(EXISTS (SELECT 1 FROM messages m WHERE m.conversation = c.id AND m.seq = ? AND m.role = 'assistant' AND m.deleted IS NULL)), 0)
			FROM conversations c WHERE c.id = ? AND c.user = ? AND c.deleted IS NULL`, []any{f.Seq, f.Conversation, user}, &there, &answers)
		switch {
		case err != nil:
			return err
		case there == 0:
			return store.NotFound(f.Conversation)
		case answers == 0:
			return store.NoMessage(f.Seq)
		}
		return x.exec(`INSERT OR REPLACE INTO feedback VALUES (?, ?, ?, ?, ?)`, f.Conversation, f.Seq, f.Rating, f.Comment, s.now())
	})
}

// span gives the bounds of a query by time in milliseconds.
func span(from, to time.Time) (int64, int64) {
	a, b := int64(-1<<62), int64(1<<62)
	if !from.IsZero() {
		a = from.UnixMilli()
	}
	if !to.IsZero() {
		b = to.UnixMilli()
	}
	return a, b
}
