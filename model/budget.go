package model

import (
	"context"
	"sync"
	"time"
)

// BudgetOptions bound what a deployment is asked. A field that is 0 does not bound.
type BudgetOptions struct {
	Requests int // a minute
	Tokens   int // a minute, prompt and output
	Daily    int // tokens a day (UTC); a hard cap
	// MaxWait is how long a call may queue; one that would wait longer fails at
	// once with the time to wait. 0 = 30 s.
	MaxWait time.Duration
	// Output is what a call is taken to write if it sets no limit; 0 = 1000 tokens.
	Output int
	// Ledger keeps the allowance under Name, so that all processes that use it share
	// one; nil = this process alone. Their clocks should agree to the second.
	Ledger Ledger
	Name   string
	Now    func() time.Time                                 // nil = time.Now
	Sleep  func(ctx context.Context, d time.Duration) error // nil = by the clock
}

// Budget is the allowance of one deployment. All roles that use the deployment
// share it: wrap each with [Budget.Generator] or [Budget.Embedder].
//
// A call takes its estimated tokens beforehand and gives back, or pays, the
// difference when it is counted. The allowance may go below zero: whoever
// takes it there waits until it is made up, so calls go in the order they came.
type Budget struct {
	opt BudgetOptions

	mu  sync.Mutex
	own account // without a ledger
}

// account is what is left of an allowance.
type account struct {
	At       time.Time `json:"at"` // as of
	Requests float64   `json:"requests"`
	Tokens   float64   `json:"tokens"`
	Day      string    `json:"day"`
	Spent    int       `json:"spent"` // tokens of that day
}

// NewBudget makes a full allowance.
func NewBudget(opt BudgetOptions) *Budget {
	if opt.MaxWait <= 0 {
		opt.MaxWait = 30 * time.Second
	}
	if opt.Output <= 0 {
		opt.Output = 1000
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Sleep == nil {
		opt.Sleep = sleep
	}
	b := &Budget{opt: opt}
	b.own = b.full()
	return b
}

func (b *Budget) full() account {
	return account{At: b.opt.Now(), Requests: float64(b.opt.Requests), Tokens: float64(b.opt.Tokens)}
}

// change changes the account as it is now, alone.
func (b *Budget) change(ctx context.Context, do func(*account)) error {
	now := func(a *account) { b.refill(a); do(a) }
	if b.opt.Ledger != nil {
		return exchange(ctx, b.opt.Ledger, b.opt.Name, b.full, now)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now(&b.own)
	return nil
}

// Spent gives the tokens of the present day; 0 when the ledger cannot be read.
func (b *Budget) Spent() (n int) {
	_ = b.change(context.Background(), func(a *account) { n = a.Spent })
	return n
}

// refill adds what the time since the last look gives, up to one minute's worth. The
// clock of an account never goes back: that of another process may be ahead.
func (b *Budget) refill(a *account) {
	now := b.opt.Now()
	minutes := max(0, now.Sub(a.At).Minutes())
	if minutes > 0 {
		a.At = now
	}
	a.Requests = min(float64(b.opt.Requests), a.Requests+minutes*float64(b.opt.Requests))
	a.Tokens = min(float64(b.opt.Tokens), a.Tokens+minutes*float64(b.opt.Tokens))
	if day := now.UTC().Format(time.DateOnly); day > a.Day {
		a.Day, a.Spent = day, 0
	}
}

// take reserves a call of n tokens and gives how long it must wait. A call
// larger than the whole allowance waits for a full one.
func (b *Budget) take(ctx context.Context, n int) (wait time.Duration, err error) {
	var fault *Fault
	err = b.change(ctx, func(a *account) {
		wait, fault = 0, nil
		if b.opt.Daily > 0 && a.Spent+n > b.opt.Daily {
			tomorrow := a.At.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
			fault = &Fault{Kind: KindForbidden, RetryAfter: tomorrow.Sub(a.At), Detail: "daily cap reached"}
			return
		}
		wait = max(shortage(b.opt.Requests, a.Requests, 1), shortage(b.opt.Tokens, a.Tokens, n))
		if wait > b.opt.MaxWait {
			fault = &Fault{Kind: KindLimited, RetryAfter: wait, Detail: "the deployment's budget is used up"}
			return
		}
		a.Requests--
		a.Tokens -= float64(n)
		a.Spent += n
	})
	if err == nil && fault != nil {
		err = NewError(fault)
	}
	return wait, err
}

// shortage is how long until an allowance of rate a minute, of which there is
// have, gives n.
func shortage(rate int, have float64, n int) time.Duration {
	missing := min(float64(n), float64(rate)) - have
	if rate <= 0 || missing <= 0 {
		return 0
	}
	return time.Duration(missing / float64(rate) * float64(time.Minute))
}

// settle corrects a reservation of n tokens by what was really used; a call that
// was never made gives all back. Where the ledger cannot be reached the reservation stays.
func (b *Budget) settle(ctx context.Context, n, used int, made bool) {
	_ = b.change(context.WithoutCancel(ctx), func(a *account) {
		a.Tokens = min(float64(b.opt.Tokens), a.Tokens+float64(n-used))
		a.Spent = max(0, a.Spent+used-n)
		if !made {
			a.Requests = min(float64(b.opt.Requests), a.Requests+1)
		}
	})
}

// bounded says whether there is anything to count.
func (b *Budget) bounded() bool { return b.opt.Requests > 0 || b.opt.Tokens > 0 || b.opt.Daily > 0 }

// do runs a call of about n tokens; it says how many it really used.
func (b *Budget) do(ctx context.Context, n int, call func() (used int, err error)) error {
	if b.opt.Ledger != nil && !b.bounded() {
		_, err := call()
		return err
	}
	wait, err := b.take(ctx, n)
	if err != nil {
		return err
	}
	if wait > 0 {
		if deadline, ok := ctx.Deadline(); ok && deadline.Before(b.opt.Now().Add(wait)) {
			b.settle(ctx, n, 0, false)
			return NewError(&Fault{Kind: KindLimited, RetryAfter: wait, Detail: "the budget does not allow the call in the time left"})
		}
		if b.opt.Sleep(ctx, wait) != nil {
			b.settle(ctx, n, 0, false)
			return Cancelled(ctx)
		}
	}
	used, err := call()
	b.settle(ctx, n, used, true)
	return err
}

// Generator lets a model use the budget.
func (b *Budget) Generator(g Generator) Generator { return &budgeted{b, g} }

type budgeted struct {
	b    *Budget
	next Generator
}

func (g *budgeted) Generate(ctx context.Context, req Request, emit func(string) error) (out Response, err error) {
	limit := req.MaxTokens
	if limit <= 0 {
		limit = g.b.opt.Output
	}
	prompt := EstimateUsage(req, "").Prompt
	err = g.b.do(ctx, prompt+limit, func() (int, error) {
		out, err = g.next.Generate(ctx, req, emit)
		if err != nil {
			return prompt, err // a failed call is taken to have cost its prompt
		}
		return out.Usage.Prompt + out.Usage.Completion, nil
	})
	return out, err
}

// Embedder lets a model of vectors use the budget.
func (b *Budget) Embedder(e Embedder) Embedder { return &budgetedEmbedder{e, b} }

type budgetedEmbedder struct {
	Embedder
	b *Budget
}

func (e *budgetedEmbedder) Embed(ctx context.Context, texts []string, mode Mode) (out [][]float32, err error) {
	n := 0
	for _, t := range texts {
		n += Estimate(t)
	}
	err = e.b.do(ctx, n, func() (int, error) {
		out, err = e.Embedder.Embed(ctx, texts, mode)
		return n, err
	})
	return out, err
}

// Guard lets calls of a fixed number of tokens use the budget.
func (b *Budget) Guard(tokens int) Guard {
	return func(ctx context.Context, call func(context.Context) error) error {
		return b.do(ctx, tokens, func() (int, error) { return tokens, call(ctx) })
	}
}
