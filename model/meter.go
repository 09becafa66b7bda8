package model

import (
	"context"
	"sync"
	"time"

	"digesto"
)

// The roles that a configuration binds.
const (
	Reader    = "reader"   // reads the question
	Writer    = "writer"   // writes the answer
	Embedding = "embedder" // turns texts into vectors
	Ranking   = "reranker" // orders what was found
)

// Limits bound what all models together do for one question. The zero value
// gives the defaults named; a negative number does not bound.
type Limits struct {
	Calls  int           // 0 = 10
	Tokens int           // in and out; 0 = 60,000
	Cost   float64       // in the currency of the prices; 0 = not bounded
	Time   time.Duration // from the first call on; 0 = 90 s
}

// Price of a model in any one currency, per million tokens; of a reranker, per
// thousand calls.
type Price struct {
	In, Out float64
	Calls   float64
}

// Cost of some tokens and calls.
func (p Price) Cost(in, out, calls int) float64 {
	return (p.In*float64(in)+p.Out*float64(out))/1e6 + p.Calls*float64(calls)/1e3
}

// Meter counts what models do for one question, by role, and bounds it. It
// travels in the context, because some roles work inside a searcher. It is safe
// for any number of goroutines.
type Meter struct {
	limits Limits
	now    func() time.Time

	mu    sync.Mutex
	until time.Time // zero before the first call
	uses  map[string]*digesto.ModelUse
	calls int
	spent int // tokens
	cost  float64
}

// NewMeter makes a meter; now nil = time.Now.
func NewMeter(l Limits, now func() time.Time) *Meter {
	if l.Calls == 0 {
		l.Calls = 10
	}
	if l.Tokens == 0 {
		l.Tokens = 60_000
	}
	if l.Time == 0 {
		l.Time = 90 * time.Second
	}
	if now == nil {
		now = time.Now
	}
	return &Meter{limits: l, now: now, uses: map[string]*digesto.ModelUse{}}
}

type meterKey struct{}

// WithMeter puts a meter into a context.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// MeterFrom gives the meter of a context, nil if it has none.
func MeterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Uses gives what each role did so far; a role that did nothing is absent.
func (m *Meter) Uses() digesto.Models {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := digesto.Models{}
	for role, u := range m.uses {
		out[role] = *u
	}
	return out
}

// Calls gives the counts of calls that left the process.
func (m *Meter) Calls() digesto.ModelCalls {
	u := m.Uses()
	return digesto.ModelCalls{Reader: u[Reader].Calls, Writer: u[Writer].Calls, Embedder: u[Embedding].Calls, Reranker: u[Ranking].Calls}
}

// enter lets a call go or says which limit forbids it.
func (m *Meter) enter(role string) (until time.Time, fault *Fault) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if m.until.IsZero() {
		m.until = now.Add(m.limits.Time)
	}
	u := m.use(role)
	switch l := m.limits; {
	case l.Calls > 0 && m.calls >= l.Calls:
		fault = &Fault{Kind: KindForbidden, Detail: "the calls of this question are used up"}
	case l.Tokens > 0 && m.spent >= l.Tokens:
		fault = &Fault{Kind: KindForbidden, Detail: "the tokens of this question are used up"}
	case l.Cost > 0 && m.cost >= l.Cost:
		fault = &Fault{Kind: KindForbidden, Detail: "the cost of this question is reached"}
	case l.Time > 0 && !now.Before(m.until):
		fault = &Fault{Kind: KindTimeout, Detail: "the time for models of this question is over"}
	default:
		m.calls++
		u.Calls++
		return m.until, nil
	}
	u.LastFault = string(fault.Kind)
	return m.until, fault
}

func (m *Meter) use(role string) *digesto.ModelUse {
	u := m.uses[role]
	if u == nil {
		u = &digesto.ModelUse{Path: "model"}
		m.uses[role] = u
	}
	return u
}

// call is what one call came to.
type call struct {
	model  string
	usage  Usage
	cached bool
	took   time.Duration
	err    error
	price  Price
}

func (m *Meter) leave(role string, c call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.use(role)
	u.ElapsedMS += c.took.Milliseconds()
	if f := FaultOf(c.err); f != nil {
		u.LastFault = string(f.Kind)
	}
	if c.model != "" {
		u.Model = c.model
	}
	if c.cached { // it never left
		u.Calls--
		u.Cached++
		m.calls--
		return
	}
	u.In += c.usage.Prompt
	u.Out += c.usage.Completion
	u.Estimated = u.Estimated || c.usage.Estimated
	m.spent += c.usage.Prompt + c.usage.Completion
	cost := c.price.Cost(c.usage.Prompt, c.usage.Completion, 1)
	u.Cost += cost
	m.cost += cost
}

// run makes one call of a role under the meter of the context, if it has one.
func run(ctx context.Context, role string, price Price, do func(context.Context) call) error {
	m := MeterFrom(ctx)
	if m == nil {
		return do(ctx).err
	}
	until, fault := m.enter(role)
	if fault != nil {
		return NewError(fault)
	}
	began := m.now()
	if m.limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, until.Sub(began))
		defer cancel()
	}
	c := do(ctx)
	c.price = price
	c.took = m.now().Sub(began)
	m.leave(role, c)
	return c.err
}

// Metered counts the calls of a model in the meter of their context, under a role.
func Metered(role string, g Generator, p Price) Generator {
	if _, ok := g.(*meteredGenerator); ok || g == nil {
		return g
	}
	return &meteredGenerator{g, role, p}
}

type meteredGenerator struct {
	next  Generator
	role  string
	price Price
}

func (g *meteredGenerator) Generate(ctx context.Context, req Request, emit func(string) error) (out Response, err error) {
	err = run(ctx, g.role, g.price, func(ctx context.Context) call {
		out, err = g.next.Generate(ctx, req, emit)
		if err != nil && out.Usage == (Usage{}) && FaultOf(err) != nil {
			out.Usage = EstimateUsage(req, "") // a failed call is taken to have cost its prompt
		}
		return call{model: out.Model, usage: out.Usage, cached: out.Cached, err: err}
	})
	return out, err
}

// MeteredEmbedder is [Metered] for vectors; their tokens are estimated.
func MeteredEmbedder(e Embedder, p Price) Embedder { return &meteredEmbedder{e, p} }

type meteredEmbedder struct {
	Embedder
	price Price
}

func (e *meteredEmbedder) Embed(ctx context.Context, texts []string, mode Mode) (out [][]float32, err error) {
	u := Usage{Estimated: true}
	for _, t := range texts {
		u.Prompt += Estimate(t)
	}
	err = run(ctx, Embedding, e.price, func(ctx context.Context) call {
		out, err = e.Embedder.Embed(ctx, texts, mode)
		return call{model: e.Name(), usage: u, err: err}
	})
	return out, err
}

// MeteredReranker is [Metered] for a reranker.
func MeteredReranker(r Reranker, p Price) Reranker {
	if _, ok := r.(*meteredReranker); ok || r == nil {
		return r
	}
	return &meteredReranker{r, p}
}

type meteredReranker struct {
	next  Reranker
	price Price
}

func (r *meteredReranker) Rerank(ctx context.Context, query string, docs []string, top int) (out []Ranked, err error) {
	u := Usage{Estimated: true, Prompt: Estimate(query)}
	for _, d := range docs {
		u.Prompt += Estimate(d)
	}
	err = run(ctx, Ranking, r.price, func(ctx context.Context) call {
		out, err = r.next.Rerank(ctx, query, docs, top)
		return call{usage: u, err: err}
	})
	return out, err
}
