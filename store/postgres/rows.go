package postgres

import (
	"encoding/json"
	"time"

	"digesto/store"

	"github.com/jackc/pgx/v5"
)

// held is a conversation with its place in the order of activity.
type held struct {
	store.Conversation
	touched int64
}

const selectConversation = `SELECT c.id, c.owner, c.title, c.pack, c.chat_type, c.created, c.updated, c.archived, c.deleted, coalesce(c.share, ''),
	(SELECT count(*) FROM messages m WHERE m.conversation = c.id AND m.deleted IS NULL), c.touched FROM conversations c WHERE `

func conversation(r pgx.CollectableRow) (c held, err error) {
	var created, updated int64
	var archived, deleted *int64
	err = r.Scan(&c.ID, &c.User, &c.Title, &c.Pack, &c.ChatType, &created, &updated, &archived, &deleted, &c.Share, &c.Messages, &c.touched)
	c.Created, c.Updated, c.Archived, c.Deleted = instant(created), instant(updated), maybe(archived), maybe(deleted)
	return c, err
}

const selectMessages = `SELECT seq, turn, role, content, tokens, metadata::text, created, deleted FROM messages WHERE `

func message(r pgx.CollectableRow) (m store.Message, err error) {
	var meta *string
	var created int64
	var deleted *int64
	if err = r.Scan(&m.Seq, &m.Turn, &m.Role, &m.Content, &m.Tokens, &meta, &created, &deleted); err != nil {
		return m, err
	}
	m.Created, m.Deleted = instant(created), maybe(deleted)
	if meta != nil {
		err = json.Unmarshal([]byte(*meta), &m.Meta)
	}
	return m, err
}

func user(r pgx.CollectableRow) (u store.User, err error) {
	var created int64
	err = r.Scan(&u.ID, &u.Name, &u.Plan, &u.KeyHash, &created)
	u.Created = instant(created)
	return u, err
}

func run(r pgx.CollectableRow) (x store.Run, err error) {
	var at int64
	err = r.Scan(&x.Trace, &x.User, &x.Conversation, &x.Turn, &at, &x.Pack, &x.Type, &x.Prompt, &x.Variant, &x.Topic, &x.Elapsed, &x.Calls, &x.Tokens)
	x.At = instant(at)
	return x, err
}

func rating(r pgx.CollectableRow) (f store.Feedback, err error) {
	var at int64
	err = r.Scan(&f.Conversation, &f.Seq, &f.Rating, &f.Comment, &at)
	f.Created = instant(at)
	return f, err
}

func moment(r pgx.CollectableRow) (time.Time, error) {
	var at int64
	err := r.Scan(&at)
	return instant(at), err
}
