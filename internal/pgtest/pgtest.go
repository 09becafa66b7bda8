// Package pgtest gives tests a schema of their own in a real PostgreSQL.
package pgtest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Address is where the server of the tests is, as «.ci/postgres start» prints
// it; the test skips where there is none.
func Address(t testing.TB) string {
	t.Helper()
	a := os.Getenv("DIGESTO_TEST_POSTGRES_URL")
	if a == "" {
		t.Skip("no PostgreSQL here: eval \"$(.ci/postgres start DIR)\" starts one and sets DIGESTO_TEST_POSTGRES_URL")
	}
	return a
}

// Schema is the address of an empty schema that goes with the test.
func Schema(t testing.TB) string {
	t.Helper()
	a := Address(t)
	name := "t_" + strings.ToLower(rand.Text())[:16]
	u, err := url.Parse(a)
	if err != nil {
		t.Fatal(err)
	}
	v := u.Query()
	v.Set("search_path", name)
	u.RawQuery = v.Encode()
	t.Cleanup(func() { Exec(t, a, "DROP SCHEMA IF EXISTS "+name+" CASCADE") })
	return u.String()
}

// Exec runs one statement.
func Exec(t testing.TB, address, sql string) {
	t.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Errorf("%s: %v", sql, err)
		return
	}
	defer func() { _ = c.Close(ctx) }()
	if _, err := c.Exec(ctx, sql); err != nil {
		t.Errorf("%s: %v", sql, err)
	}
}

// Count gives the number that a statement answers with.
func Count(t testing.TB, address, sql string) (n int) {
	t.Helper()
	ctx := context.Background()
	c, err := pgx.Connect(ctx, address)
	if err == nil {
		defer func() { _ = c.Close(ctx) }()
		err = c.QueryRow(ctx, sql).Scan(&n)
	}
	if err != nil {
		t.Errorf("%s: %v", sql, err)
	}
	return n
}

// Locked holds a lock on a table until it may be freed.
func Locked(t testing.TB, address, table string, locked chan<- struct{}, free <-chan struct{}) {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, address)
	if err == nil {
		defer func() { _ = c.Close(ctx) }()
		_, err = c.Exec(ctx, "BEGIN; LOCK TABLE "+table)
	}
	if err != nil {
		t.Error(err)
	}
	close(locked)
	<-free
}
