package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"digesto/pg"
	"digesto/store"
	"digesto/text"

	"github.com/jackc/pgx/v5"
)

// live is the condition of a conversation that is this user's and not deleted.
const live = `c.id = $1 AND c.owner = $2 AND c.deleted IS NULL`

// Get implements [store.Shelf].
func (s *Store) Get(ctx context.Context, user, id string) (store.Conversation, error) {
	return s.one(ctx, id, live, id, user)
}

// one reads the conversation of a condition.
func (s *Store) one(ctx context.Context, name, where string, args ...any) (store.Conversation, error) {
	var c held
	err := s.db.Read(ctx, func(q pg.Q) (err error) {
		c, err = pg.One(q, conversation, selectConversation+where, args...)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.NotFound(name)
	}
	return c.Conversation, err
}

// states are the conditions of the states of a conversation.
var states = map[store.State]string{
	store.Active:   "c.deleted IS NULL AND c.archived IS NULL",
	store.Archived: "c.deleted IS NULL AND c.archived IS NOT NULL",
	store.Deleted:  "c.deleted IS NOT NULL",
}

// args collects the values of a statement and names their places.
type args []any

func (a *args) put(v any) string {
	*a = append(*a, v)
	return fmt.Sprintf("$%d", len(*a))
}

// List implements [store.Shelf].
func (s *Store) List(ctx context.Context, user string, l store.ListQuery) (store.Page, error) {
	p := store.Page{List: []store.Conversation{}}
	at, err := l.At()
	state, known := states[l.State]
	if err != nil || !known {
		return p, err
	}
	var a args
	where := []string{"c.owner = " + a.put(user), state}
	if at > 0 {
		where = append(where, "c.touched < "+a.put(at))
	}
	for _, w := range store.SearchWords(l.Search) {
		n := a.put(w)
		where = append(where, `(strpos(c.folded, `+n+`) > 0 OR EXISTS (SELECT 1 FROM messages m WHERE m.conversation = c.id AND m.deleted IS NULL AND strpos(m.folded, `+n+`) > 0))`)
	}
	n, found := l.LimitOf(), []held(nil)
	err = s.db.Read(ctx, func(q pg.Q) (err error) {
		found, err = pg.All(q, conversation, selectConversation+strings.Join(where, " AND ")+fmt.Sprintf(` ORDER BY c.touched DESC LIMIT %d`, n+1), a...)
		return err
	})
	if len(found) > n {
		p.Cursor, found = store.CursorOf(found[n-1].touched), found[:n]
	}
	for _, c := range found {
		p.List = append(p.List, c.Conversation)
	}
	return p, err
}

// Change implements [store.Shelf].
func (s *Store) Change(ctx context.Context, user, id string, ch store.Change) (store.Conversation, error) {
	var a args
	set := []string{"id = id"}
	if ch.Title != nil {
		title, err := store.CheckTitle(*ch.Title)
		if err != nil {
			return store.Conversation{}, err
		}
		set = append(set, "title = "+a.put(title), "folded = "+a.put(text.Fold(title)))
	}
	for col, want := range map[string]*bool{"archived": ch.Archived, "deleted": ch.Deleted} {
		switch {
		case want == nil:
		case *want:
			set = append(set, col+" = coalesce("+col+", "+a.put(s.now())+")")
		default:
			set = append(set, col+" = NULL")
		}
	}
	if ch.Share != nil {
		set = append(set, "share = nullif("+a.put(*ch.Share)+", '')")
	}
	where := "id = " + a.put(id) + " AND owner = " + a.put(user)
	if ch.Deleted == nil {
		where += " AND deleted IS NULL"
	}
	var c held
	err := s.db.Write(ctx, true, func(q pg.Q) error {
		n, err := q.Exec(`UPDATE conversations SET `+strings.Join(set, ", ")+` WHERE `+where, a...)
		if err == nil && n == 0 {
			err = store.NotFound(id)
		}
		if err == nil {
			c, err = pg.One(q, conversation, selectConversation+`c.id = $1`, id)
		}
		return err
	})
	return c.Conversation, err
}

// Erase implements [store.Shelf]: rows go by cascade. The server's own log and its
// backups keep them as long as whoever runs it decides.
func (s *Store) Erase(ctx context.Context, user, id string) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		n, err := q.Exec(`DELETE FROM conversations WHERE id = $1 AND owner = $2`, id, user)
		if err == nil && n == 0 {
			err = store.NotFound(id)
		}
		if err == nil {
			_, err = q.Exec(`DELETE FROM traces WHERE conversation = $1`, id)
		}
		return err
	})
}

// Messages implements [store.Messages].
func (s *Store) Messages(ctx context.Context, user, conv string) ([]store.Message, error) {
	if _, err := s.Get(ctx, user, conv); err != nil {
		return nil, err
	}
	return s.active(ctx, conv)
}

func (s *Store) active(ctx context.Context, conv string) (list []store.Message, err error) {
	err = s.db.Read(ctx, func(q pg.Q) (err error) {
		list, err = pg.All(q, message, selectMessages+`conversation = $1 AND deleted IS NULL ORDER BY turn, seq`, conv)
		return err
	})
	return list, err
}

// DeleteMessage implements [store.Messages].
func (s *Store) DeleteMessage(ctx context.Context, user, conv string, seq int64) error {
	return s.db.Write(ctx, false, func(q pg.Q) error {
		if err := owned(q, user, conv); err != nil {
			return err
		}
		// seq = turn only for a question: its answer goes with it.
		n, err := q.Exec(`UPDATE messages SET deleted = $1 WHERE conversation = $2 AND deleted IS NULL AND (seq = $3 OR turn = $3)
			AND EXISTS (SELECT 1 FROM messages m WHERE m.conversation = $2 AND m.seq = $3 AND m.deleted IS NULL)`, s.now(), conv, seq)
		if err == nil && n == 0 {
			err = store.NoMessage(seq)
		}
		return err
	})
}

// owned refuses a conversation that is not this user's, and keeps it there meanwhile.
func owned(q pg.Q, user, conv string) error {
	_, err := pg.One(q, pgx.RowTo[string], `SELECT c.id FROM conversations c WHERE `+live+` FOR SHARE`, conv, user)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.NotFound(conv)
	}
	return err
}

// Shared implements [store.Messages].
func (s *Store) Shared(ctx context.Context, token string) (store.Conversation, []store.Message, error) {
	c, err := s.one(ctx, "compartida", `c.share = $1 AND c.deleted IS NULL`, token)
	if err != nil {
		return c, nil, err
	}
	list, err := s.active(ctx, c.ID)
	return c, list, err
}

// Rate implements [store.Messages].
func (s *Store) Rate(ctx context.Context, user string, f store.Feedback) error {
	if err := store.CheckFeedback(f); err != nil {
		return err
	}
	return s.db.Write(ctx, true, func(q pg.Q) error {
		if err := owned(q, user, f.Conversation); err != nil {
			return err
		}
		n, err := q.Exec(`INSERT INTO feedback SELECT m.conversation, m.seq, $3, $4, $5 FROM messages m WHERE m.conversation = $1 AND m.seq = $2 AND m.role = 'assistant' AND m.deleted IS NULL
			ON CONFLICT (conversation, seq) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, created = excluded.created`,
			f.Conversation, f.Seq, f.Rating, f.Comment, s.now())
		if err == nil && n == 0 {
			err = store.NoMessage(f.Seq)
		}
		return err
	})
}
