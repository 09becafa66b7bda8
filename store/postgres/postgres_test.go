package postgres_test

import (
	"testing"
	"time"

	"digesto/internal/pgtest"
	"digesto/store"
	"digesto/store/postgres"
	"digesto/store/storetest"
)

func open(t *testing.T, address string, clock func() time.Time) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, postgres.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestPostgres(t *testing.T) {
	pgtest.Address(t)
	storetest.Run(t, func(t *testing.T, clock func() time.Time) store.Store {
		return open(t, pgtest.Schema(t)+"&synchronous_commit=off", clock) // nothing is killed here
	})
}
