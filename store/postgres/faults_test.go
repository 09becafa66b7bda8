package postgres_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
	"digesto/internal/pgtest"
	"digesto/pg"
	"digesto/store"
	"digesto/store/postgres"
)

// told checks that an error says in Spanish what is wrong and what to do, and no password.
func told(t *testing.T, what string, err error, code digesto.Code) {
	t.Helper()
	var e *digesto.Error
	if !errors.As(err, &e) || e.Code != code || e.Hint == "" || strings.Contains(err.Error(), "prueba") {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// TestUnusable: a wrong password, base, schema or address, a server that is not
// there and one that never answers.
func TestUnusable(t *testing.T) {
	u, err := url.Parse(pgtest.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*url.URL)) error {
		v := *u
		change(&v)
		s, err := postgres.Open(t.Context(), v.String(), postgres.Options{})
		if err == nil {
			_ = s.Close()
		}
		return err
	}
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	told(t, "password", with(func(v *url.URL) { v.User = url.UserPassword("digesto", "mala") }), digesto.CodeForbidden)
	told(t, "base", with(func(v *url.URL) { v.Path = "/ninguna" }), digesto.CodeNotFound)
	told(t, "schema", with(func(v *url.URL) { v.RawQuery = "search_path=NO%20VALE" }), digesto.CodeUsage)
	told(t, "nobody", with(func(v *url.URL) { v.Host = "127.0.0.1:1" }), digesto.CodeUnavailable)
	told(t, "deaf", with(func(v *url.URL) { v.Host, v.RawQuery = deaf.Addr().String(), "sslmode=disable&connect_timeout=1" }), digesto.CodeUnavailable)
	told(t, "address", with(func(v *url.URL) { v.Host = "x:y" }), digesto.CodeUsage)
}

// TestSlow: a server that is held up is told after the time allowed, and nothing is stored.
func TestSlow(t *testing.T) {
	address := pgtest.Schema(t)
	s, err := postgres.Open(t.Context(), address, postgres.Options{Database: pg.Options{Timeout: 300 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	free := make(chan struct{})
	locked := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { pgtest.Locked(t, address, "conversations", locked, free) })
	<-locked
	_, err = s.Begin(t.Context(), store.Begin{User: "ana", Text: "q"})
	told(t, "held up", err, digesto.CodeUnavailable)
	close(free)
	wg.Wait()
	if page, err := s.List(t.Context(), "ana", store.ListQuery{}); err != nil || len(page.List) != 0 {
		t.Errorf("stored all the same: %+v %v", page, err)
	}
}

// TestCrash kills the server again and again while questions are asked and
// answered: what was acknowledged is there once, and the same store goes on.
func TestCrash(t *testing.T) {
	server := pgtest.Own(t)
	s, err := postgres.Open(t.Context(), server.Address, postgres.Options{Database: pg.Options{Patience: 20 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var stop atomic.Bool
	var acked sync.Map
	var failures atomic.Int64
	var wg sync.WaitGroup
	defer func() { stop.Store(true); wg.Wait() }()
	for w := range 8 {
		wg.Go(func() {
			conv := ""
			for i := 0; !stop.Load(); i++ {
				text := fmt.Sprintf("w%d-%d", w, i)
				x, err := s.Begin(t.Context(), store.Begin{User: "ana", Conversation: conv, Key: text, Text: text, Title: text})
				if err == nil {
					_, err = s.Finish(t.Context(), store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "re-" + text, Run: store.Run{Trace: text}})
				}
				if err != nil {
					failures.Add(1)
					told(t, text, err, digesto.CodeUnavailable)
					continue
				}
				acked.Store(text, x.Conversation.ID)
				if conv = x.Conversation.ID; i%5 == 4 {
					conv = ""
				}
			}
		})
	}
	for range 4 {
		time.Sleep(700 * time.Millisecond)
		server.Crash(t)
		time.Sleep(200 * time.Millisecond)
		server.Resume(t)
	}
	time.Sleep(500 * time.Millisecond)
	stop.Store(true)
	wg.Wait()
	runs, err := s.Runs(t.Context(), time.Time{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, r := range runs {
		seen[r.Trace]++
	}
	n := 0
	acked.Range(func(text, _ any) bool {
		if n++; seen[text.(string)] != 1 {
			t.Errorf("%s is there %d times", text, seen[text.(string)])
		}
		return true
	})
	if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("check: %v %v", bad, err)
	}
	t.Logf("4 crashes, %d answers acknowledged, all there once; %d refused meanwhile", n, failures.Load())
}

// noise is a text that does not get smaller by compression.
func noise(seed int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	b := make([]byte, 30_000)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(26))
	}
	return string(b)
}

// TestFullDisk: a full disk is told, what was stored stays whole, and when there is
// room again the same store goes on.
func TestFullDisk(t *testing.T) {
	server := pgtest.Own(t)
	if server.Small == "" {
		t.Skip("no small disk could be mounted here")
	}
	pgtest.Exec(t, server.Address, "CREATE TABLESPACE small LOCATION '"+server.Small+"'")
	s, err := postgres.Open(t.Context(), server.Address+"&default_tablespace=small", postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pgtest.Exec(t, server.Address, "CREATE TABLE filler (x text) TABLESPACE small; ALTER TABLE filler ALTER x SET STORAGE EXTERNAL; INSERT INTO filler SELECT repeat('x', 1000000) FROM generate_series(1, 24)")
	stored := 0
	for ; stored < 3000; stored++ {
		if _, err = s.Begin(t.Context(), store.Begin{User: "ana", Text: noise(stored), Title: "t"}); err != nil {
			break
		}
	}
	told(t, "full", err, digesto.CodeUnavailable)
	if !strings.Contains(err.Error(), "lleno") {
		t.Errorf("says %v", err)
	}
	pgtest.Exec(t, server.Address, "DROP TABLE filler")
	if _, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "cabe", Title: "t"}); err != nil {
		t.Errorf("with room again: %v", err)
	}
	asked, err := s.Asked(t.Context(), "ana", time.Time{})
	if err != nil || len(asked) != stored+1 {
		t.Errorf("%d questions there, %d acknowledged, %v", len(asked), stored+1, err)
	}
	if bad, err := s.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("check: %v %v", bad, err)
	}
}
