package main

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	speed "digesto/bench"
	"digesto/internal/pgtest"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/roles"
)

// TestSharedBudget: two nodes on one database keep within one allowance together, and
// without a database each has its own.
func TestSharedBudget(t *testing.T) {
	address := pgtest.Schema(t)
	stub := &speed.StubModel{}
	s := httptest.NewServer(stub)
	defer s.Close()
	day := time.Date(2030, 1, 2, 10, 0, 0, 0, time.UTC)
	node := func(store, limits string) *roles.Set {
		t.Helper()
		file := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(file, []byte("model:\n  writer:\n    provider: openai\n    url: "+s.URL+"/v1\n    name: al-instante\n    key: k\n"+limits), 0o600); err != nil {
			t.Fatal(err)
		}
		e, _, _ := testEnv(nil)
		e.clock = func() time.Time { return day }
		a := newApp(t.Context(), e)
		var err error
		if a.Settings, err = a.LoadSettings(t.TempDir(), file, [2]string{"store", store}); err != nil {
			t.Fatal(err)
		}
		a.Ledger = a.NewLedger()
		t.Cleanup(func() { _ = a.Ledger.Close() })
		set, err := a.Models()
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	// A call reserves so many tokens for its answer and uses 1,000 and 50. Forty are made
	// at once: what is refused while others are under way depends on the machine. So the
	// nodes go on one call at a time until they are refused: what they got in all does not.
	var asked atomic.Int64
	run := func(most int, nodes ...*roles.Set) int {
		before := stub.Calls.Load()
		ask := func(i int) bool {
			req := modeltest.Ask()
			req.MaxTokens = most
			// Each its own, or the cache answers it.
			req.Messages = append(req.Messages, model.Message{Role: model.User, Text: strconv.FormatInt(asked.Add(1), 10)})
			_, err := nodes[i%len(nodes)].Writer.Generate(context.Background(), req, nil)
			if f := model.FaultOf(err); err != nil && (f == nil || f.Kind != model.KindForbidden) {
				t.Errorf("refused otherwise: %v", err)
			}
			return err == nil
		}
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() { ask(i) })
		}
		wg.Wait()
		for i := range nodes {
			for n := 0; n < 100 && ask(i); n++ {
			}
		}
		return int(stub.Calls.Load() - before)
	}
	const tokens = "    day_tokens: 12000\n"
	one, other := node(address, tokens), node(address, tokens)
	if n := run(2000, one, other); n != 10 {
		t.Errorf("two nodes made %d calls of one allowance for 10", n)
	}
	if n := run(2000, node(address, tokens)); n > 0 {
		t.Errorf("a node started later made %d more", n)
	}
	alone := node("", tokens)
	if n := run(2000, alone); n != 10 {
		t.Errorf("a node by itself made %d calls of 10", n)
	}

	const money = "    price_out: 1000\n  day_cost: 1.02\n" // .05 of it a call, .1 reserved
	one, other = node(address, money), node(address, money)
	if n := run(100, one, other); n != 19 {
		t.Errorf("two nodes made %d calls for the money of 19", n)
	}
	if a, b := one.Spend.Today(), other.Spend.Today(); a != b || a > 1 || a < .9 {
		t.Errorf("%.3f and %.3f spent", a, b)
	}
}
