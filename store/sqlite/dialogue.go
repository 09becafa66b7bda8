package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"digesto/store"
	"digesto/text"
)

const conversationColumns = `c.id, c.user, c.title, c.pack, c.chat_type, c.created, c.updated, c.archived, c.deleted, coalesce(c.share, ''),
	(SELECT count(*) FROM messages m WHERE m.conversation = c.id AND m.deleted IS NULL), c.touched`

type scanner interface{ Scan(...any) error }

// conversation reads a row of conversationColumns.
func conversation(r scanner) (c store.Conversation, touched int64, err error) {
	var created, updated int64
	var archived, deleted sql.NullInt64
	err = r.Scan(&c.ID, &c.User, &c.Title, &c.Pack, &c.ChatType, &created, &updated, &archived, &deleted, &c.Share, &c.Messages, &touched)
	c.Created, c.Updated, c.Archived, c.Deleted = instant(created), instant(updated), maybe(archived), maybe(deleted)
	return c, touched, err
}

const messageColumns = `conversation, seq, turn, role, content, tokens, metadata, created, deleted, sum`

// message reads a row of messageColumns, which has to be of a conversation: in a damaged
// page a search can end beside what was looked for, and the database takes what it finds.
func message(r scanner, of string) (m store.Message, err error) {
	var conv string
	var meta sql.NullString
	var created int64
	var deleted, sum sql.NullInt64
	if err = r.Scan(&conv, &m.Seq, &m.Turn, &m.Role, &m.Content, &m.Tokens, &meta, &created, &deleted, &sum); err != nil {
		return m, err
	}
	if conv != of || sum.Valid && sum.Int64 != sumOf(conv, m.Seq, m.Turn, m.Role, m.Content, meta.String) {
		return store.Message{}, damaged(of)
	}
	m.Created, m.Deleted = instant(created), maybe(deleted)
	if meta.Valid {
		err = json.Unmarshal([]byte(meta.String), &m.Meta)
	}
	return m, err
}

// messagesOf reads the messages of a conversation.
func messagesOf(conv string) func(*sql.Rows, error) ([]store.Message, error) {
	return func(rows *sql.Rows, err error) ([]store.Message, error) {
		return rowsOf(rows, err, func(r scanner) (store.Message, error) { return message(r, conv) })
	}
}

// Begin implements [store.Dialogue].
func (s *Store) Begin(ctx context.Context, b store.Begin) (t store.Turn, err error) {
	err = s.write(ctx, first, func(x *tx) (err error) {
		t, err = s.begin(x, b)
		return err
	})
	return t, err
}

func (s *Store) begin(x *tx, b store.Begin) (store.Turn, error) {
	if b.Key != "" {
		var conv string
		var turn int64
		err := x.row(`SELECT conversation, turn FROM requests WHERE user = ? AND key = ?`, []any{b.User, b.Key}, &conv, &turn)
		if err == nil {
			return s.again(x, b, conv, turn)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return store.Turn{}, err
		}
	}
	now := s.now()
	c, seq, err := s.place(x, b, now)
	if err != nil {
		return store.Turn{}, err
	}
	if err := insert(x, c.ID, seq, seq, store.RoleUser, b.Text, b.Tokens, nil, now); err != nil {
		return store.Turn{}, err
	}
	if b.Key != "" {
		if err := x.exec(`INSERT INTO requests VALUES (?, ?, ?, ?)`, b.User, b.Key, c.ID, seq); err != nil {
			return store.Turn{}, err
		}
	}
	if err := x.exec(`INSERT INTO usage VALUES (?, ?)`, b.User, now); err != nil {
		return store.Turn{}, err
	}
	c.Messages++
	return store.Turn{Conversation: c, Message: store.Message{Seq: seq, Turn: seq, Role: store.RoleUser, Content: b.Text, Tokens: b.Tokens, Created: instant(now)}}, nil
}

// place finds or makes the conversation and takes the next number of it.
func (s *Store) place(x *tx, b store.Begin, now int64) (c store.Conversation, seq int64, err error) {
	touched, err := x.next()
	if err != nil {
		return c, 0, err
	}
	if b.Conversation == "" {
		c = store.Conversation{ID: store.OrderedID(s.clock()), User: b.User, Title: b.Title, Pack: b.Pack, ChatType: b.ChatType, Created: instant(now), Updated: instant(now)}
		return c, 1, x.exec(`INSERT INTO conversations (id, user, title, folded, pack, chat_type, created, updated, touched, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
			c.ID, c.User, c.Title, text.Fold(c.Title), c.Pack, c.ChatType, now, now, touched)
	}
	err = x.row(`UPDATE conversations SET last_seq = last_seq + 1, updated = ?, touched = ? WHERE id = ? AND user = ? AND deleted IS NULL RETURNING last_seq`,
		[]any{now, touched, b.Conversation, b.User}, &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return c, 0, store.NotFound(b.Conversation)
	}
	if err != nil {
		return c, 0, err
	}
	st, err := x.stmt(`SELECT ` + conversationColumns + ` FROM conversations c WHERE c.id = ?`)
	if err != nil {
		return c, 0, err
	}
	c, _, err = conversation(st.QueryRowContext(x.ctx, b.Conversation))
	return c, seq, err
}

func insert(x *tx, conv string, seq, turn int64, role, content string, tokens int, meta any, now int64) error {
	said, _ := meta.(string)
	return x.exec(`INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)`, conv, seq, turn, role, content, text.Fold(content), tokens, meta, now,
		sumOf(conv, seq, turn, role, content, said))
}

// again gives the turn that a repeated key began.
func (s *Store) again(x *tx, b store.Begin, conv string, turn int64) (store.Turn, error) {
	st, err := x.stmt(`SELECT ` + conversationColumns + ` FROM conversations c WHERE c.id = ? AND c.user = ? AND c.deleted IS NULL`)
	if err != nil {
		return store.Turn{}, err
	}
	c, _, err := conversation(st.QueryRowContext(x.ctx, conv, b.User))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Turn{}, store.NotFound(conv)
	}
	if err != nil {
		return store.Turn{}, err
	}
	list, err := messagesOf(conv)(x.query(`SELECT `+messageColumns+` FROM messages WHERE conversation = ? AND turn = ? ORDER BY seq`, conv, turn))
	if err != nil {
		return store.Turn{}, err
	}
	t := store.Turn{Conversation: c, Repeated: true}
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

// Window implements [store.Dialogue].
func (s *Store) Window(ctx context.Context, conv string, turn int64, n int) ([]store.Message, error) {
	var there int
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM conversations WHERE id = ?`, conv).Scan(&there); err != nil || there == 0 {
		if err == nil {
			err = store.NotFound(conv)
		}
		return nil, failed(err)
	}
	list, err := messagesOf(conv)(s.read.QueryContext(ctx, `SELECT `+messageColumns+` FROM messages
		WHERE conversation = ? AND turn < ? AND deleted IS NULL ORDER BY turn DESC, seq DESC LIMIT ?`, conv, turn, n))
	slices.Reverse(list)
	return list, failed(err)
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
	err = s.settled(ctx, func(x *tx) (err error) {
		m, err = s.finish(x, f, meta)
		return err
	})
	return m, err
}

func (s *Store) finish(x *tx, f store.Finish, meta any) (store.Message, error) {
	var none store.Message
	var user string
	if err := x.row(`SELECT user FROM conversations WHERE id = ?`, []any{f.Conversation}, &user); errors.Is(err, sql.ErrNoRows) {
		return none, store.NotFound(f.Conversation)
	} else if err != nil {
		return none, err
	}
	list, err := messagesOf(f.Conversation)(x.query(`SELECT `+messageColumns+` FROM messages WHERE conversation = ? AND turn = ? ORDER BY seq`, f.Conversation, f.Turn))
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
	touched, err := x.next()
	if err != nil {
		return none, err
	}
	now := s.now()
	m := store.Message{Turn: f.Turn, Role: store.RoleAssistant, Content: f.Text, Tokens: f.Tokens, Meta: f.Meta, Created: instant(now)}
	err = x.row(`UPDATE conversations SET last_seq = last_seq + 1, updated = ?, touched = ?, pack = CASE WHEN ? = '' THEN pack ELSE ? END WHERE id = ? RETURNING last_seq`,
		[]any{now, touched, f.Pack, f.Pack, f.Conversation}, &m.Seq)
	if err == nil {
		err = insert(x, f.Conversation, m.Seq, f.Turn, m.Role, m.Content, m.Tokens, meta, now)
	}
	if err == nil {
		r := f.Run
		r.User, r.Conversation, r.Turn, r.At = user, f.Conversation, f.Turn, instant(now)
		err = insertRun(x, r)
	}
	return m, err
}
