package main

import (
	"errors"
	"path/filepath"

	"digesto"
	"digesto/store"
	"digesto/store/sqlite"
)

// localUser owns the conversations of a program that serves one person: the
// command line, and a server without keys.
const localUser = "local"

// openStore opens the conversations of the data folder. Without a folder, or
// with one that cannot be written, they live as long as the program.
func (a *app) openStore() (store.Store, error) {
	if a.conf.data == "" {
		return store.Memory(a.now), nil
	}
	s, err := a.openDatabase()
	if err != nil {
		var e *digesto.Error
		if errors.As(err, &e) && e.Code == digesto.CodeUnavailable {
			a.say("%s: las conversaciones durarán lo que dure el programa.", e.Message)
			return store.Memory(a.now), nil
		}
		return nil, err
	}
	return s, nil
}

// openDatabase opens the file of conversations in the data folder.
func (a *app) openDatabase() (store.Store, error) {
	dir, err := a.needData()
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(a.ctx, filepath.Join(dir, "conversations.db"), sqlite.Options{Clock: a.now})
	if err != nil {
		return nil, err
	}
	return s, nil
}
