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

	mu       sync.Mutex
	at       time.Time
	requests float64
	tokens   float64
	day      string
	spent    int // tokens of that day
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
	return &Budget{opt: opt, at: opt.Now(), requests: float64(opt.Requests), tokens: float64(opt.Tokens)}
}

// Spent gives the tokens of the present day.
func (b *Budget) Spent() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill()
	return b.spent
}

// refill adds what the time since the last look gives, up to one minute's worth.
func (b *Budget) refill() {
	now := b.opt.Now()
	minutes := max(0, now.Sub(b.at).Minutes())
	b.at = now
	b.requests = min(float64(b.opt.Requests), b.requests+minutes*float64(b.opt.Requests))
	b.tokens = min(float64(b.opt.Tokens), b.tokens+minutes*float64(b.opt.Tokens))
	if day := now.UTC().Format(time.DateOnly); day != b.day {
		b.day, b.spent = day, 0
	}
}

// take reserves a call of n tokens and gives how long it must wait. A call
// larger than the whole allowance waits for a full one.
func (b *Budget) take(n int) (time.Duration, *Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill()
	if b.opt.Daily > 0 && b.spent+n > b.opt.Daily {
		tomorrow := b.at.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		return 0, &Fault{Kind: KindForbidden, RetryAfter: tomorrow.Sub(b.at), Detail: "daily cap reached"}
	}
	wait := max(shortage(b.opt.Requests, b.requests, 1), shortage(b.opt.Tokens, b.tokens, n))
	if wait > b.opt.MaxWait {
		return 0, &Fault{Kind: KindLimited, RetryAfter: wait, Detail: "the deployment's budget is used up"}
	}
	b.requests--
	b.tokens -= float64(n)
	b.spent += n
	return wait, nil
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
// was never made gives all back.
func (b *Budget) settle(n, used int, made bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refill()
	b.tokens = min(float64(b.opt.Tokens), b.tokens+float64(n-used))
	b.spent = max(0, b.spent+used-n)
	if !made {
		b.requests = min(float64(b.opt.Requests), b.requests+1)
	}
}

// do runs a call of about n tokens; it says how many it really used.
func (b *Budget) do(ctx context.Context, n int, call func() (used int, err error)) error {
	wait, fault := b.take(n)
	if fault != nil {
		return NewError(fault)
	}
	if wait > 0 {
		if deadline, ok := ctx.Deadline(); ok && deadline.Before(b.opt.Now().Add(wait)) {
			b.settle(n, 0, false)
			return NewError(&Fault{Kind: KindLimited, RetryAfter: wait, Detail: "the budget does not allow the call in the time left"})
		}
		if b.opt.Sleep(ctx, wait) != nil {
			b.settle(n, 0, false)
			return Cancelled(ctx)
		}
	}
	used, err := call()
	b.settle(n, used, true)
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
