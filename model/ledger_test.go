package model_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/modeltest"
)

// board is a ledger that lives as long as the test.
type board struct {
	mu     sync.Mutex
	values map[string]string
	down   error
}

func newBoard() *board { return &board{values: map[string]string{}} }

func (b *board) Exchange(_ context.Context, name string, do func(string) (string, error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down != nil {
		return b.down
	}
	_, _ = do(b.values[name]) // what a lost connection broke off runs again
	v, err := do(b.values[name])
	if err == nil {
		b.values[name] = v
	}
	return err
}

// TestBudgetOfNodes: two processes with one ledger wait and are refused as one would be.
func TestBudgetOfNodes(t *testing.T) {
	c, l := newClock(), newBoard()
	node := func(opt model.BudgetOptions) model.Generator {
		opt.Ledger, opt.Name, opt.Now, opt.Sleep, opt.MaxWait, opt.Output = l, "x", c.Now, c.Sleep, time.Hour, 100
		return model.NewBudget(opt).Generator(modeltest.New(counted(1000, 400)))
	}
	one, other := node(model.BudgetOptions{Requests: 2, Daily: 6000}), node(model.BudgetOptions{Requests: 2, Daily: 6000})
	start := c.Now()
	for i, want := range []time.Duration{0, 0, 30 * time.Second, time.Minute} {
		if err := ask(t, []model.Generator{one, other}[i%2]); err != nil || c.Now().Sub(start) != want {
			t.Errorf("call %d went after %v, want %v, %v", i, c.Now().Sub(start), want, err)
		}
	}
	c.pass(time.Hour)
	if err := ask(t, one); err != nil { // 7000 tokens
		t.Error(err)
	}
	for _, g := range []model.Generator{one, other} {
		if err := ask(t, g); kindOf(err) != model.KindForbidden {
			t.Errorf("over the cap of the day: %v", err)
		}
	}
	c.pass(24 * time.Hour)
	if err := ask(t, other); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// TestBudgetOfClocks: a node whose clock is ahead gives the others nothing.
func TestBudgetOfClocks(t *testing.T) {
	c, l := newClock(), newBoard()
	node := func(ahead time.Duration) model.Generator {
		return model.NewBudget(model.BudgetOptions{Requests: 6, Ledger: l, Name: "x", MaxWait: time.Second,
			Now: func() time.Time { return c.Now().Add(ahead) }, Sleep: c.Sleep}).Generator(modeltest.New(counted(1, 1)))
	}
	right, fast := node(0), node(10*time.Second)
	went := 0
	for range 100 { // time stands still
		for _, g := range []model.Generator{right, fast} {
			if ask(t, g) == nil {
				went++
			}
		}
	}
	if went > 7 { // six, and what ten seconds give
		t.Errorf("%d calls of 6 a minute", went)
	}
}

// TestSpendOfNodes: calls side by side on several nodes cannot pass the day's money.
func TestSpendOfNodes(t *testing.T) {
	c, l := newClock(), newBoard()
	price := model.Price{In: 1e6} // 1 a token
	var purses []*model.Spend
	for range 3 {
		purses = append(purses, model.NewSpend(model.SpendOptions{Cap: 1000, Ledger: l, Now: c.Now}))
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	paid, refused := 0, 0
	for i := range 60 {
		wg.Go(func() {
			err := purses[i%3].Guard(price, 40)(t.Context(), func(context.Context) error { return nil })
			mu.Lock()
			defer mu.Unlock()
			switch f := model.FaultOf(err); {
			case err == nil:
				paid++
			case f != nil && f.Reason == model.ReasonSpend:
				refused++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if paid > 25 || paid < 20 || paid+refused != 60 {
		t.Errorf("%d paid, %d refused", paid, refused)
	}
	for _, p := range purses {
		if got := p.Today(); got != float64(40*paid) {
			t.Errorf("%.0f spent, %d paid", got, paid)
		}
	}
	c.pass(24 * time.Hour)
	if got := purses[0].Today(); got != 0 {
		t.Errorf("the next day: %.0f", got)
	}
}

// TestLedgerGone: where what was spent cannot be read no call is made, and what is
// wrong is said.
func TestLedgerGone(t *testing.T) {
	l := newBoard()
	inner := modeltest.New(counted(1, 1))
	budget := model.NewBudget(model.BudgetOptions{Requests: 5, Ledger: l, Name: "x"})
	g := model.NewSpend(model.SpendOptions{Ledger: l}).Generator(inner, model.Price{In: 1})
	l.values["x"], l.values["model.day_cost"] = "{", "[]"
	for _, g := range []model.Generator{budget.Generator(inner), g} {
		if err := ask(t, g); digesto.CodeOf(err) != digesto.CodeInternal || !strings.Contains(err.Error(), "no se entiende") {
			t.Errorf("what another wrote: %v", err)
		}
	}
	l.down = errors.New("gone")
	for _, g := range []model.Generator{budget.Generator(inner), g} {
		if err := ask(t, g); !errors.Is(err, l.down) {
			t.Errorf("no ledger: %v", err)
		}
	}
	if n := budget.Spent(); n != 0 || len(inner.Requests()) != 0 {
		t.Errorf("%d spent, %d calls", n, len(inner.Requests()))
	}
	if err := ask(t, model.NewBudget(model.BudgetOptions{Ledger: l}).Generator(inner)); err != nil {
		t.Errorf("an allowance without bounds needs no ledger: %v", err)
	}
}
