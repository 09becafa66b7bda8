package app

import (
	"context"
	"sync"

	"digesto/model"
	"digesto/pg"
	"digesto/store/postgres"
)

// Ledger keeps what models may still spend in the database of --store, so that all
// nodes share it. It connects when a model is first called: most commands call none.
type Ledger struct {
	open func(context.Context) (*postgres.Store, error)

	mu sync.Mutex
	s  *postgres.Store
}

var _ model.Ledger = (*Ledger)(nil)

// NewLedger makes the one of the database; nil where every process counts for itself.
func (a *App) NewLedger() *Ledger {
	at := a.Settings.Get("store")
	if !pg.Is(at) {
		return nil
	}
	return &Ledger{open: func(ctx context.Context) (*postgres.Store, error) {
		return postgres.Open(ctx, at, postgres.Options{Clock: a.Now, Database: pg.Options{Conns: 4}})
	}}
}

// ledger is what models count in, nil for none.
func (a *App) ledger() model.Ledger {
	if a.Ledger == nil {
		return nil
	}
	return a.Ledger
}

// Exchange implements [model.Ledger].
func (l *Ledger) Exchange(ctx context.Context, name string, do func(string) (string, error)) error {
	s, err := l.store(ctx)
	if err != nil {
		return err
	}
	return s.Exchange(ctx, name, do)
}

// store connects once; a connection that failed is tried again by the next call.
func (l *Ledger) store(ctx context.Context) (*postgres.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.s == nil {
		l.s, err = l.open(ctx)
	}
	return l.s, err
}

// Close ends the connections, if there are any.
func (l *Ledger) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.s == nil {
		return nil
	}
	s := l.s
	l.s = nil
	return s.Close()
}
