package store

import (
	"context"
	"encoding/json"
	"io"
	"time"
)

// User owns conversations. A user without a key is the one of a program that
// serves one person, or a visitor known by a cookie.
type User struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Plan    string    `json:"plan"`
	KeyHash string    `json:"-"` // SHA-256 of an API key of the first form, hexadecimal; "" = none. See Key
	Created time.Time `json:"created_at"`
}

// Conversation is a row of messages of one user.
type Conversation struct {
	ID       string     `json:"id"`
	User     string     `json:"-"`
	Title    string     `json:"title"`
	Pack     string     `json:"pack,omitempty"` // of its last answer, or as created
	ChatType string     `json:"chat_type,omitempty"`
	Created  time.Time  `json:"created_at"`
	Updated  time.Time  `json:"updated_at"` // of the last message
	Archived *time.Time `json:"archived_at"`
	Deleted  *time.Time `json:"deleted_at"` // softly: it can be restored
	Share    string     `json:"share,omitempty"`
	Messages int        `json:"messages"` // not deleted
}

// The roles of a message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Message is one message. Messages are ordered by turn, then by sequence.
type Message struct {
	Seq     int64      `json:"seq"`  // grows within the conversation, from 1
	Turn    int64      `json:"turn"` // Seq of the question that it is, or answers
	Role    string     `json:"role"`
	Content string     `json:"content"`
	Tokens  int        `json:"tokens"`
	Meta    Metadata   `json:"metadata"` // null for the user's
	Created time.Time  `json:"created_at"`
	Deleted *time.Time `json:"deleted_at,omitempty"`
}

// Metadata says what a message is. "message_type" is always there; other keys
// are open.
type Metadata map[string]json.RawMessage

// Begin is a question that arrives.
type Begin struct {
	User         string
	Conversation string // "" = a new one
	Key          string // idempotency key of the user's; "" = none
	Text         string
	Title        string // of a new conversation
	Pack         string // of a new conversation
	ChatType     string // of a new conversation
	Tokens       int
}

// Turn is a question stored.
type Turn struct {
	Conversation Conversation
	Message      Message  // the user's
	Reply        *Message // stored before: the request is a repetition
	Repeated     bool     // the key was seen before
}

// Finish is the end of a turn: what was answered, and how the run went.
type Finish struct {
	Conversation string
	Turn         int64
	Text         string
	Tokens       int
	Pack         string // becomes the conversation's; "" = stays
	Meta         Metadata
	Run          Run
}

// Run is what analytics look at: one question and how it ended.
type Run struct {
	Trace        string    `json:"trace_id"`
	User         string    `json:"user"`
	Conversation string    `json:"session_id"`
	Turn         int64     `json:"turn"`
	At           time.Time `json:"at"`
	Pack         string    `json:"pack"`
	Type         string    `json:"message_type"`
	Prompt       string    `json:"prompt_type,omitempty"`
	Variant      string    `json:"variant,omitempty"` // version of the prompt
	Topic        string    `json:"topic,omitempty"`   // what was asked, self-contained
	Elapsed      int64     `json:"elapsed_ms"`
	Calls        int       `json:"model_calls"`
	Tokens       int       `json:"tokens"`
}

// Feedback is what a person thinks of an answer.
type Feedback struct {
	Conversation string    `json:"session_id"`
	Seq          int64     `json:"seq"` // of the answer
	Rating       int       `json:"rating"`
	Comment      string    `json:"comment,omitempty"`
	Created      time.Time `json:"created_at"`
}

// State says which conversations a list shows.
type State string

// The states.
const (
	Active   State = ""
	Archived State = "archived"
	Deleted  State = "deleted"
)

// ListQuery asks for conversations, newest activity first.
type ListQuery struct {
	Search string // words that each stand in the title or in a message; folded
	State  State
	Cursor string // of the page before; "" = first
	Limit  int    // 0 = 20, at most 100
}

// Page is part of a list.
type Page struct {
	List   []Conversation `json:"conversations"`
	Cursor string         `json:"next_cursor,omitempty"` // "" = no more
}

// Change alters a conversation; nil fields stay.
type Change struct {
	Title    *string
	Archived *bool
	Deleted  *bool
	Share    *string // token of the public view; "" ends it
}

// Dialogue is what answering a question needs.
type Dialogue interface {
	// Begin stores a question. With a key seen before it stores nothing and gives
	// the turn there is; the same key with another text is CodeConflict. A
	// conversation that is not the user's is CodeNotFound.
	Begin(ctx context.Context, b Begin) (Turn, error)
	// Window gives the last n messages of the turns before this one that are not
	// deleted, oldest first.
	Window(ctx context.Context, conversation string, turn int64, n int) ([]Message, error)
	// Finish stores the answer of a turn. A turn that has one keeps it: the stored
	// message is given back.
	Finish(ctx context.Context, f Finish) (Message, error)
}

// Shelf is what a person does with conversations. All of another user's are
// CodeNotFound.
type Shelf interface {
	Get(ctx context.Context, user, id string) (Conversation, error)
	List(ctx context.Context, user string, q ListQuery) (Page, error)
	Change(ctx context.Context, user, id string, c Change) (Conversation, error)
	// Erase removes a conversation and all of it for good.
	Erase(ctx context.Context, user, id string) error
}

// Messages is what a person does with messages.
type Messages interface {
	// Messages gives those not deleted, by turn and sequence.
	Messages(ctx context.Context, user, conversation string) ([]Message, error)
	// DeleteMessage deletes one softly; with a question goes its answer.
	DeleteMessage(ctx context.Context, user, conversation string, seq int64) error
	// Shared gives a conversation by the token of its public view.
	Shared(ctx context.Context, token string) (Conversation, []Message, error)
	Rate(ctx context.Context, user string, f Feedback) error
}

// People are the users.
type People interface {
	// PutUser makes a user or replaces name, plan and key of the one there is.
	PutUser(ctx context.Context, u User) error
	UserByKey(ctx context.Context, keyHash string) (User, error)
	Users(ctx context.Context) ([]User, error)
	// DropUser erases a user with all that is theirs.
	DropUser(ctx context.Context, id string) error
}

// Key is an API key of a user. The key itself is nowhere: Hash says how to know it
// again.
type Key struct {
	ID      string     `json:"id"`
	User    string     `json:"user"`
	Hash    string     `json:"-"`      // Argon2id in the PHC string format
	Scopes  []string   `json:"scopes"` // what it may do
	Created time.Time  `json:"created_at"`
	Expires *time.Time `json:"expires_at"` // nil = never
}

// Keys are the API keys.
type Keys interface {
	// PutKey stores a key of a user that there is (CodeNotFound otherwise), or
	// replaces the one with its id.
	PutKey(ctx context.Context, k Key) error
	// Key gives a key and its user; CodeNotFound when there is none.
	Key(ctx context.Context, id string) (Key, User, error)
	// UserKeys gives the keys of a user, or of all ("" ), oldest first.
	UserKeys(ctx context.Context, user string) ([]Key, error)
	DropKey(ctx context.Context, id string) error
}

// Journal is what is looked at over all users.
type Journal interface {
	// Runs gives the runs of [from, to) in order of time; a zero bound is open.
	Runs(ctx context.Context, from, to time.Time) ([]Run, error)
	Ratings(ctx context.Context, from, to time.Time) ([]Feedback, error)
	// Asked gives when a user asked since then, oldest first.
	Asked(ctx context.Context, user string, since time.Time) ([]time.Time, error)
	// Check proves the store sound; its lines say what is wrong.
	Check(ctx context.Context) ([]string, error)
}

// Registers are small values that all processes on one store share, as allowances are.
type Registers interface {
	// Exchange changes the value of that name alone: do gets what stands there ("" =
	// nothing yet) and gives what shall. do may run more than once, and must not use
	// the store; an error of it changes nothing.
	Exchange(ctx context.Context, name string, do func(old string) (string, error)) error
}

// Store is all of it. It is safe for any number of goroutines.
type Store interface {
	Dialogue
	Shelf
	Messages
	People
	Keys
	Journal
	Registers
	io.Closer
}
