package main

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"digesto/internal/pgtest"
	"digesto/model"
	"digesto/model/modeltest"
	"digesto/model/roles"
)

// TestSharedBudget: two nodes on one database keep within one allowance together, and
// without a database each has its own.
func TestSharedBudget(t *testing.T) {
	address := pgtest.Schema(t)
	stub := &benchStub{}
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
		a := &app{env: e, ctx: t.Context(), now: func() time.Time { return day }}
		var err error
		if a.conf, err = a.loadSettings(t.TempDir(), file, [2]string{"store", store}); err != nil {
			t.Fatal(err)
		}
		a.shared = a.newLedger()
		t.Cleanup(func() { _ = a.shared.Close() })
		set, err := a.models()
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	// A call reserves so many tokens for its answer and uses 1,000 and 50.
	run := func(most int, nodes ...*roles.Set) (went int, refused model.Kind) {
		before := stub.calls.Load()
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				req := modeltest.Ask()
				req.MaxTokens = most
				if _, err := nodes[i%len(nodes)].Writer.Generate(context.Background(), req, nil); err != nil {
					mu.Lock()
					defer mu.Unlock()
					if f := model.FaultOf(err); f == nil || f.Kind != model.KindForbidden {
						t.Errorf("refused otherwise: %v", err)
					} else {
						refused = f.Kind
					}
				}
			})
		}
		wg.Wait()
		return int(stub.calls.Load() - before), refused
	}
	const tokens = "    day_tokens: 12000\n"
	one, other := node(address, tokens), node(address, tokens)
	if n, refused := run(2000, one, other); n < 5 || n > 11 || refused == "" {
		t.Errorf("two nodes made %d calls of one allowance for 11", n)
	}
	if n, _ := run(2000, node(address, tokens)); n > 5 {
		t.Errorf("a node started later made %d more", n)
	}
	alone := node("", tokens)
	if n, _ := run(2000, alone); n < 5 || n > 11 {
		t.Errorf("a node by itself made %d calls", n)
	}

	const money = "    price_out: 1000\n  day_cost: 1\n" // .05 of it a call, .1 reserved
	one, other = node(address, money), node(address, money)
	total := 0
	for range 20 {
		n, _ := run(100, one, other)
		total += n
	}
	if total < 10 || total > 20 {
		t.Errorf("two nodes made %d calls for the money of 20", total)
	}
	if a, b := one.Spend.Today(), other.Spend.Today(); a != b || a > 1 || a < .5 {
		t.Errorf("%.3f and %.3f spent", a, b)
	}
}
