package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Bundle is a conversation with all that belongs to it: what a store is moved by.
type Bundle struct {
	Conversation Conversation `json:"conversation"`
	User         string       `json:"user"`
	Touched      int64        `json:"touched"`  // place in the order of activity
	LastSeq      int64        `json:"last_seq"` // of its messages
	Messages     []Message    `json:"messages"` // also those deleted
	Keys         []Once       `json:"keys"`
	Runs         []Run        `json:"runs"`
	Feedback     []Feedback   `json:"feedback"`
}

// Once is an idempotency key and the turn that it began.
type Once struct {
	Key  string `json:"key"`
	Turn int64  `json:"turn"`
}

// Use is one question for the limits of its user.
type Use struct {
	User string
	At   time.Time
}

// Sum is a checksum over all of a bundle.
func (b Bundle) Sum() (string, error) {
	raw, err := json.Marshal(b)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), err
}

// Mover is a store that can be moved to another one. Everything put may be put
// again: what is there is replaced.
type Mover interface {
	Store
	// IDs gives up to n conversations of all users, also those deleted softly, by id after one.
	IDs(ctx context.Context, after string, n int) ([]string, error)
	// Bundle gives a conversation; CodeNotFound for none.
	Bundle(ctx context.Context, id string) (Bundle, error)
	PutBundle(ctx context.Context, b Bundle) error
	// Uses gives who asked when since then; SetUses replaces all of it.
	Uses(ctx context.Context, since time.Time) ([]Use, error)
	SetUses(ctx context.Context, list []Use) error
	// Restore puts a user with the API keys there are, and keeps when each was made.
	Restore(ctx context.Context, u User, keys []Key) error
}
