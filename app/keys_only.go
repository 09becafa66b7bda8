package app

import (
	"context"
	"errors"
	"os"
	"sync"

	"digesto/disk"
	"digesto/store"
)

// keysOnly is a store of a server that keeps nothing of what is asked: conversations
// live as long as the program, people and their keys where they always stand. Without
// them a server that had keys would take whoever came for its owner.
type keysOnly struct {
	store.Store                             // in memory
	there       func() bool                 // there is a place with keys already
	open        func() (store.Store, error) // that place, made if need be

	mu     sync.Mutex
	people store.Store
}

// openKeysOnly opens the keys there are; ones that cannot be opened end the command.
// without says that there are none and that none could be kept.
func (a *App) openKeysOnly() (s store.Store, without bool, err error) {
	f := &keysOnly{Store: store.Memory(a.Now)}
	if a.Settings.Data == "" && a.Settings.Get("store") == "" {
		return f.Store, true, nil
	}
	f.there = func() bool { return a.Settings.Get("store") != "" || !a.surelyNoDatabase() }
	f.open = a.OpenDatabase
	if _, err := f.keys(false); err != nil {
		return nil, false, unserved(err)
	}
	return f, f.people == nil && !writable(a.Settings.Data), nil
}

// writable says whether a file can be made in a folder that is there.
func writable(dir string) bool {
	if !disk.Exists(dir) {
		return true // it is made when there is something to keep
	}
	f, err := os.CreateTemp(dir, ".digesto-")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// keys gives where people are; wanted makes the place.
func (f *keysOnly) keys(wanted bool) (store.Store, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.people != nil {
		return f.people, nil
	}
	if !wanted && !f.there() {
		return f.Store, nil
	}
	s, err := f.open()
	if err == nil {
		f.people = s
	}
	return s, err
}

// PutUser keeps a person.
func (f *keysOnly) PutUser(ctx context.Context, u store.User) error {
	s, err := f.keys(true)
	if err != nil {
		return err
	}
	return s.PutUser(ctx, u)
}

// UserByKey gives the person of a key of the first form.
func (f *keysOnly) UserByKey(ctx context.Context, hash string) (store.User, error) {
	s, err := f.keys(false)
	if err != nil {
		return store.User{}, err
	}
	return s.UserByKey(ctx, hash)
}

// Users gives the people.
func (f *keysOnly) Users(ctx context.Context) ([]store.User, error) {
	s, err := f.keys(false)
	if err != nil {
		return nil, err
	}
	return s.Users(ctx)
}

// DropUser erases a person, here and where keys stand.
func (f *keysOnly) DropUser(ctx context.Context, id string) error {
	s, err := f.keys(false)
	if err == nil {
		err = s.DropUser(ctx, id)
	}
	if err != nil || s == f.Store {
		return err
	}
	if err := f.Store.PutUser(ctx, store.User{ID: id}); err != nil { // who is not known there has conversations there
		return err
	}
	return f.Store.DropUser(ctx, id)
}

// PutKey keeps a key.
func (f *keysOnly) PutKey(ctx context.Context, k store.Key) error {
	s, err := f.keys(true)
	if err != nil {
		return err
	}
	return s.PutKey(ctx, k)
}

// Key gives a key and its person.
func (f *keysOnly) Key(ctx context.Context, id string) (store.Key, store.User, error) {
	s, err := f.keys(false)
	if err != nil {
		return store.Key{}, store.User{}, err
	}
	return s.Key(ctx, id)
}

// UserKeys gives the keys of a person, or of all.
func (f *keysOnly) UserKeys(ctx context.Context, user string) ([]store.Key, error) {
	s, err := f.keys(false)
	if err != nil {
		return nil, err
	}
	return s.UserKeys(ctx, user)
}

// DropKey takes a key back.
func (f *keysOnly) DropKey(ctx context.Context, id string) error {
	s, err := f.keys(false)
	if err != nil {
		return err
	}
	return s.DropKey(ctx, id)
}

// Close lets go of both.
func (f *keysOnly) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.Store.Close()
	if f.people != nil {
		err = errors.Join(err, f.people.Close())
	}
	return err
}
