package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"digesto/pg"
	"digesto/store"
	"digesto/text"

	"github.com/jackc/pgx/v5"
)

// Begin implements [store.Dialogue].
func (s *Store) Begin(ctx context.Context, b store.Begin) (t store.Turn, err error) {
	b.Text = pg.Storable(b.Text)
	err = s.db.Write(ctx, b.Key != "", func(q pg.Q) (err error) {
		t, err = s.begin(q, b)
		return err
	})
	return t, err
}

func (s *Store) begin(q pg.Q, b store.Begin) (store.Turn, error) {
	if b.Key != "" {
		// the same key at the same time, in another process: one after the other
		if _, err := q.Exec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, b.User+"\x1f"+b.Key); err != nil {
			return store.Turn{}, err
		}
		before, err := pg.One(q, pgx.RowToStructByPos[request], `SELECT conversation, turn FROM requests WHERE owner = $1 AND key = $2`, b.User, b.Key)
		if err == nil {
			return again(q, b, before)
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return store.Turn{}, err
		}
	}
	now := s.now()
	id, seq, err := place(q, b, now)
	if err != nil {
		return store.Turn{}, err
	}
	m := store.Message{Seq: seq, Turn: seq, Role: store.RoleUser, Content: b.Text, Tokens: b.Tokens, Created: instant(now)}
	if err := insert(q, id, m, nil); err != nil {
		return store.Turn{}, err
	}
	if b.Key != "" {
		if _, err := q.Exec(`INSERT INTO requests VALUES ($1, $2, $3, $4)`, b.User, b.Key, id, seq); err != nil {
			return store.Turn{}, err
		}
	}
	if _, err := q.Exec(`INSERT INTO usage (owner, at) VALUES ($1, $2)`, b.User, now); err != nil {
		return store.Turn{}, err
	}
	c, err := pg.One(q, conversation, selectConversation+`c.id = $1`, id)
	return store.Turn{Conversation: c.Conversation, Message: m}, err
}

type request struct {
	Conversation string
	Turn         int64
}

// place finds or makes the conversation and takes the next number of it.
func place(q pg.Q, b store.Begin, now int64) (id string, seq int64, err error) {
	if b.Conversation == "" {
		id = store.NewID()
		_, err = q.Exec(`INSERT INTO conversations (id, owner, title, folded, pack, chat_type, created, updated, touched, last_seq) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, nextval('activity'), 1)`,
			id, b.User, b.Title, text.Fold(b.Title), b.Pack, b.ChatType, now)
		return id, 1, err
	}
	seq, err = pg.One(q, pgx.RowTo[int64], `UPDATE conversations SET last_seq = last_seq + 1, updated = $1, touched = nextval('activity')
		WHERE id = $2 AND owner = $3 AND deleted IS NULL RETURNING last_seq`, now, b.Conversation, b.User)
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NotFound(b.Conversation)
	}
	return b.Conversation, seq, err
}

func insert(q pg.Q, conv string, m store.Message, meta any) error {
	_, err := q.Exec(`INSERT INTO messages VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL)`,
		conv, m.Seq, m.Turn, m.Role, m.Content, text.Fold(m.Content), m.Tokens, meta, m.Created.UnixMilli())
	return err
}

// again gives the turn that a repeated key began.
func again(q pg.Q, b store.Begin, before request) (store.Turn, error) {
	c, err := pg.One(q, conversation, selectConversation+`c.id = $1 AND c.owner = $2 AND c.deleted IS NULL`, before.Conversation, b.User)
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NotFound(before.Conversation)
	}
	if err != nil {
		return store.Turn{}, err
	}
	list, err := turn(q, before.Conversation, before.Turn)
	if err != nil {
		return store.Turn{}, err
	}
	t := store.Turn{Conversation: c.Conversation, Repeated: true}
	for i, m := range list {
		if m.Role == store.RoleUser {
			t.Message = m
		} else {
			t.Reply = &list[i]
		}
	}
	if t.Message.Content != b.Text || b.Conversation != "" && b.Conversation != c.ID {
		return store.Turn{}, store.OtherText()
	}
	return t, nil
}

func turn(q pg.Q, conv string, n int64) ([]store.Message, error) {
	return pg.All(q, message, selectMessages+`conversation = $1 AND turn = $2 ORDER BY seq`, conv, n)
}

// Window implements [store.Dialogue].
func (s *Store) Window(ctx context.Context, conv string, turn int64, n int) (list []store.Message, err error) {
	err = s.db.Read(ctx, func(q pg.Q) error {
		there, err := pg.One(q, pgx.RowTo[bool], `SELECT EXISTS (SELECT 1 FROM conversations WHERE id = $1)`, conv)
		if err == nil && !there {
			err = store.NotFound(conv)
		}
		if err == nil {
			list, err = pg.All(q, message, selectMessages+`conversation = $1 AND turn < $2 AND deleted IS NULL ORDER BY turn DESC, seq DESC LIMIT $3`, conv, turn, n)
		}
		return err
	})
	slices.Reverse(list)
	return list, err
}

// Finish implements [store.Dialogue].
func (s *Store) Finish(ctx context.Context, f store.Finish) (m store.Message, err error) {
	var meta any
	if f.Meta != nil {
		raw, err := json.Marshal(f.Meta)
		if err != nil {
			return m, err
		}
		meta = string(raw)
	}
	f.Text = pg.Storable(f.Text)
	err = s.db.Write(ctx, true, func(q pg.Q) (err error) {
		m, err = s.finish(q, f, meta)
		return err
	})
	return m, err
}

func (s *Store) finish(q pg.Q, f store.Finish, meta any) (store.Message, error) {
	var none store.Message
	// the lock on the row makes two answers of one turn come one after the other
	owner, err := pg.One(q, pgx.RowTo[string], `SELECT owner FROM conversations WHERE id = $1 FOR UPDATE`, f.Conversation)
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NotFound(f.Conversation)
	}
	if err != nil {
		return none, err
	}
	list, err := turn(q, f.Conversation, f.Turn)
	if err != nil {
		return none, err
	}
	for _, m := range list {
		if m.Role == store.RoleAssistant {
			return m, nil
		}
	}
	if len(list) == 0 {
		return none, store.NoMessage(f.Turn)
	}
	now, r := s.now(), f.Run
	m := store.Message{Turn: f.Turn, Role: store.RoleAssistant, Content: f.Text, Tokens: f.Tokens, Meta: f.Meta, Created: instant(now)}
	m.Seq, err = pg.One(q, pgx.RowTo[int64], `UPDATE conversations SET last_seq = last_seq + 1, updated = $1, touched = nextval('activity'), pack = coalesce(nullif($2, ''), pack) WHERE id = $3 RETURNING last_seq`,
		now, f.Pack, f.Conversation)
	if err == nil {
		err = insert(q, f.Conversation, m, meta)
	}
	if err == nil {
		r.User, r.Conversation, r.Turn, r.At = owner, f.Conversation, f.Turn, instant(now)
		err = insertRun(q, r)
	}
	return m, err
}
