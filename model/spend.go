package model

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// SpendOptions bound what a day may cost.
type SpendOptions struct {
	Cap    float64 // a day (UTC), in the currency of the prices; 0 = not bounded
	Dir    string  // folder in which processes tell each other what they spent; "" = this process alone
	Ledger Ledger  // where processes on several machines share one purse, instead of Dir; nil = none
	Output int     // tokens that a call is taken to write if it sets no limit; 0 = 1000
	Now    func() time.Time
}

// Spend is the purse of a day that all models draw on. A call reserves what it
// may cost beforehand, so that calls side by side cannot pass the cap together.
// Each process appends what it spent to one file a day and reads what others
// did; with a ledger all draw on one purse there. It is safe for any number of goroutines.
type Spend struct {
	opt SpendOptions

	mu       sync.Mutex
	day      string
	spent    float64
	reserved float64
	read     int64 // bytes of the day's file already counted
}

// NewSpend makes a purse.
func NewSpend(opt SpendOptions) *Spend {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Output <= 0 {
		opt.Output = 1000
	}
	return &Spend{opt: opt}
}

// purse is the day's money as a ledger keeps it.
type purse struct {
	Day      string  `json:"day"`
	Spent    float64 `json:"spent"`
	Reserved float64 `json:"reserved"` // what a process that died held is free the next day
}

// purseName is the name of the purse in a ledger.
const purseName = "model.day_cost"

// purse changes that of the ledger, of today.
func (s *Spend) purse(ctx context.Context, do func(*purse)) error {
	return exchange(ctx, s.opt.Ledger, purseName, func() purse { return purse{} }, func(p *purse) {
		if day := s.opt.Now().UTC().Format(time.DateOnly); day > p.Day {
			*p = purse{Day: day}
		}
		do(p)
	})
}

// Today gives what was spent today by all processes; 0 when the ledger cannot be read.
func (s *Spend) Today() (spent float64) {
	if s.opt.Ledger != nil {
		_ = s.purse(context.Background(), func(p *purse) { spent = p.Spent })
		return spent
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	return s.spent
}

// file names the day's file.
func (s *Spend) file() string { return filepath.Join(s.opt.Dir, "spent-"+s.day+".log") }

// maxSpendLog bounds what is read of a day's file at once.
const maxSpendLog = 16 << 20

// look begins a new day, and counts what was appended since the last look.
func (s *Spend) look() {
	if day := s.opt.Now().UTC().Format(time.DateOnly); day != s.day {
		s.day, s.spent, s.read = day, 0, 0
	}
	if s.opt.Dir == "" {
		return
	}
	f, err := os.Open(s.file())
	if err != nil {
		return
	}
	defer f.Close()
	buf := make([]byte, maxSpendLog)
	if st, err := f.Stat(); err == nil {
		buf = buf[:min(int64(len(buf)), max(0, st.Size()-s.read))]
	}
	n, _ := f.ReadAt(buf, s.read)
	whole := strings.LastIndexByte(string(buf[:n]), '\n') + 1
	s.read += int64(whole)
	for line := range strings.Lines(string(buf[:whole])) {
		if v, err := strconv.ParseFloat(strings.TrimSpace(line), 64); err == nil && v > 0 && !math.IsInf(v, 0) {
			s.spent += v
		}
	}
}

// reservation is a cost taken out of the purse of a day.
type reservation struct {
	cost float64
	day  string
}

// reserve takes a cost out of the purse or says that it is empty.
func (s *Spend) reserve(ctx context.Context, cost float64) (r reservation, err error) {
	if s.opt.Ledger != nil {
		enough, spent := false, 0.
		err = s.purse(ctx, func(p *purse) {
			r, spent = reservation{cost, p.Day}, p.Spent
			if enough = s.opt.Cap <= 0 || p.Spent+p.Reserved+cost <= s.opt.Cap; enough {
				p.Reserved += cost
			}
		})
		if err == nil && !enough {
			err = s.empty(spent)
		}
		return r, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	if s.opt.Cap > 0 && s.spent+s.reserved+cost > s.opt.Cap {
		return r, s.empty(s.spent)
	}
	s.reserved += cost
	return reservation{cost, s.day}, nil
}

func (s *Spend) empty(spent float64) error {
	tomorrow := s.opt.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return NewError(&Fault{Kind: KindForbidden, RetryAfter: tomorrow.Sub(s.opt.Now()), Reason: ReasonSpend,
		Detail: fmt.Sprintf("%.4f of %.4f spent today", spent, s.opt.Cap)})
}

// pay settles a reservation. Where the ledger cannot be reached the reservation stays.
func (s *Spend) pay(ctx context.Context, r reservation, cost float64) {
	if s.opt.Ledger != nil {
		_ = s.purse(context.WithoutCancel(ctx), func(p *purse) {
			if p.Day == r.day {
				p.Reserved = max(0, p.Reserved-r.cost)
			}
			p.Spent += cost
		})
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved -= r.cost
	if cost <= 0 {
		return
	}
	s.look()
	if s.opt.Dir != "" && os.MkdirAll(s.opt.Dir, 0o700) == nil {
		if f, err := os.OpenFile(s.file(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, werr := fmt.Fprintf(f, "%.9f\n", cost)
			if f.Close() == nil && werr == nil {
				return // counted at the next look
			}
		}
	}
	s.spent += cost
}

// Generator lets a model spend; one without a price costs nothing.
func (s *Spend) Generator(g Generator, p Price) Generator {
	if s == nil || p == (Price{}) {
		return g
	}
	return &spender{g, s, p}
}

type spender struct {
	next  Generator
	s     *Spend
	price Price
}

func (g *spender) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	limit := req.MaxTokens
	if limit <= 0 {
		limit = g.s.opt.Output
	}
	prompt := EstimateUsage(req, "").Prompt
	want := g.price.Cost(prompt, limit, 1)
	r, err := g.s.reserve(ctx, want)
	if err != nil {
		return Response{}, err
	}
	out, err := g.next.Generate(ctx, req, emit)
	u := out.Usage
	if err != nil {
		u = Usage{Prompt: prompt} // a failed call is taken to have cost its prompt
	}
	g.s.pay(ctx, r, g.price.Cost(u.Prompt, u.Completion, 1))
	return out, err
}

// Guard lets calls of a fixed number of tokens spend.
func (s *Spend) Guard(p Price, tokens int) Guard {
	return func(ctx context.Context, call func(context.Context) error) error {
		if s == nil || p == (Price{}) {
			return call(ctx)
		}
		want := p.Cost(tokens, 0, 1)
		r, err := s.reserve(ctx, want)
		if err != nil {
			return err
		}
		err = call(ctx)
		s.pay(ctx, r, want)
		return err
	}
}
