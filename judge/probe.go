package judge

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"time"

	"digesto"
	"digesto/decide"
	"digesto/model"
)

// Power is what a judge may decide.
type Power string

// The powers. A judge that was never tried has none, and is told apart: it may yet prove
// itself.
const (
	Untried Power = ""
	Nothing Power = "nothing" // it was no help: it is not asked
	Ties    Power = "ties"    // where the program is not sure
	All     Power = "all"     // also against what the program was sure of
)

// Case is a question of a probe with its candidates. No right place: nothing there answers.
type Case struct {
	Pack       string
	Question   string
	Candidates []Candidate
	Right      []bool // one a candidate
}

// own is the program's decision on a case as it stands.
func (c Case) own() int { return c.first(func(k int) float64 { return c.Candidates[k].P }) }

// first is the likeliest candidate, -1 where none is likely enough to be offered.
func (c Case) first(p func(k int) float64) int {
	best, most := -1, decide.First
	for k := range c.Candidates {
		if v := p(k); v >= most && (best < 0 || v > most) {
			best, most = k, v
		}
	}
	return best
}

// right says that a choice is the right one; -1 is right where nothing answers.
func (c Case) right(k int) bool {
	if k >= 0 {
		return c.Right[k]
	}
	for _, r := range c.Right {
		if r {
			return false
		}
	}
	return true
}

// Sure says that the program would answer by itself.
func (c Case) Sure() bool {
	k := c.own()
	return k >= 0 && c.Candidates[k].P >= decide.Sure
}

// Probe is what a model was found to be worth, and what follows from it.
type Probe struct {
	Model     string       `json:"model"` // section, provider, address and name
	At        digesto.Date `json:"at"`
	Questions int          `json:"questions"`
	Doubtful  int          `json:"doubtful"` // of them, where the program was not sure
	Agreed    int          `json:"agreed"`   // the judge alone chose rightly
	Own       int          `json:"own"`      // the program alone
	Both      int          `json:"both"`     // both together, each question judged by the weights of the others
	OwnDoubt  int          `json:"own_doubtful"`
	BothDoubt int          `json:"both_doubtful"`
	Failed    int          `json:"failed"` // no verdict
	May       Power        `json:"may"`
	Trust     decide.Trust `json:"trust"`
	Prompts   Size         `json:"prompts"`
	Seconds   float64      `json:"seconds"` // a question
	In        int          `json:"prompt_tokens"`
	Out       int          `json:"completion_tokens"`
	Cost      float64      `json:"cost"`
}

// ReadProbe reads a stored probe.
func ReadProbe(data []byte) (p Probe, err error) {
	if err := json.Unmarshal(data, &p); err != nil {
		return Probe{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "Lo que se sabe del juez está dañado", Err: err, Hint: "Pruébelo otra vez: digesto doctor --judge"}
	}
	switch p.May {
	case Untried, Nothing, Ties, All:
		return p, nil
	}
	return Probe{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "Lo que se sabe del juez está dañado", Hint: "Pruébelo otra vez: digesto doctor --judge"}
}

// Write writes a probe as [ReadProbe] reads it.
func (p Probe) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(p)
}

// Asks says whether the judge is to be asked about places of which the likeliest has p.
func (p Probe) Asks(likeliest float64) bool {
	return p.May == All || p.May == Ties && likeliest < decide.Sure
}

// Weigh gives the probabilities of the candidates after a verdict.
func (p Probe) Weigh(list []Candidate, v Verdict) []float64 {
	out := make([]float64, len(list))
	for k, c := range list {
		out[k] = p.Trust.Weigh(c.P, v.heard(k))
	}
	return out
}

// heard is how a verdict bears on a candidate.
func (v Verdict) heard(k int) decide.Heard {
	return decide.Heard{For: v.Votes[k], Others: max(0, 1-v.Votes[k]-v.None), None: v.None}
}

// TryOptions says how a probe is made. Judges and Clock are required.
type TryOptions struct {
	Judges func(Size) Judge
	Clock  func() time.Time
	// Each is told of every question asked; nil = nobody is.
	Each func(done int)
}

// Bounds of a probe: so many questions are asked with both prompts, the longer ones, which
// take about so many times as long, win only if they are right as often at least and no
// slower than this a question.
const (
	bothPrompts = 8
	slowest     = 12 * time.Second
	longer      = 3
)

// trial is what a judge said of a case.
type trial struct {
	Case
	verdict Verdict
	failed  bool
}

// Try asks a judge the questions of a probe, and finds what it weighs and what it may
// decide. Calls that fail count against it; only an ended context is an error.
func Try(ctx context.Context, cases []Case, o TryOptions) (Probe, error) {
	meter := model.NewMeter(model.Limits{Calls: -1, Tokens: -1, Time: -1}, o.Clock)
	ctx = model.WithMeter(ctx, meter)
	done := 0
	run := func(size Size, list []Case) (out []trial, right int, each time.Duration, err error) {
		j, began := o.Judges(size), o.Clock()
		for _, c := range list {
			v, err := j.Judge(ctx, c.Question, c.Candidates)
			if ctx.Err() != nil {
				return nil, 0, 0, model.Cancelled(ctx)
			}
			t := trial{Case: c, verdict: v, failed: err != nil || !v.sound(len(c.Candidates))}
			if t.failed {
				t.verdict = Verdict{}
			} else if c.right(v.Best()) {
				right++
			}
			out = append(out, t)
			if done++; o.Each != nil {
				o.Each(done)
			}
		}
		return out, right, o.Clock().Sub(began) / time.Duration(max(1, len(list))), nil
	}
	n := min(bothPrompts, len(cases))
	trials, right, each, err := run(Small, cases[:n])
	if err != nil {
		return Probe{}, err
	}
	size := Small
	if each <= slowest/longer {
		long, longRight, longEach, err := run(Large, cases[:n])
		if err != nil {
			return Probe{}, err
		}
		if longRight >= right && longEach <= slowest {
			size, trials = Large, long
		}
	}
	rest, _, each, err := run(size, cases[n:])
	if err != nil {
		return Probe{}, err
	}
	p := weigh(append(trials, rest...))
	p.Prompts, p.Seconds, p.At = size, each.Seconds(), digesto.Date(o.Clock().Format(time.DateOnly))
	for _, u := range meter.Uses() {
		p.In, p.Out, p.Cost = p.In+u.In, p.Out+u.Out, p.Cost+u.Cost
	}
	return p, nil
}

// weigh counts what trials came to.
func weigh(list []trial) Probe {
	p := Probe{Questions: len(list)}
	p.Trust, _ = trust(list, -1, true)
	wins, losses := 0, 0 // where the program is not sure
	allWins, allLosses := 0, 0
	sureOwn, sureBoth := 0, 0
	for i, t := range list {
		_, moved := trust(list, i, false)
		own := t.right(t.first(func(k int) float64 { return decide.Trust{}.Moved(moved).Weigh(t.Candidates[k].P, decide.Heard{For: 1}) }))
		both := own
		switch {
		case t.failed:
			p.Failed++
		default:
			p.Agreed += count(t.right(t.verdict.Best()))
			w, moved := trust(list, i, true)
			w = w.Moved(moved)
			both = t.right(t.first(func(k int) float64 { return w.Weigh(t.Candidates[k].P, t.verdict.heard(k)) }))
		}
		p.Own, p.Both = p.Own+count(own), p.Both+count(both)
		allWins, allLosses = allWins+count(both && !own), allLosses+count(own && !both)
		if t.Sure() {
			sureOwn, sureBoth = sureOwn+count(own), sureBoth+count(both)
			continue
		}
		p.Doubtful++
		p.OwnDoubt, p.BothDoubt = p.OwnDoubt+count(own), p.BothDoubt+count(both)
		wins, losses = wins+count(both && !own), losses+count(own && !both)
	}
	switch {
	case sureBoth >= sureOwn && chance(allWins, allLosses) <= luck:
		p.May = All
	case chance(wins, losses) <= luck:
		p.May = Ties
	default:
		p.May = Nothing
	}
	return p
}

// trust fits the weights on all trials but one; -1 = on all. Without the votes it fits
// the offset alone: what the program would do if it knew how likely answers are among such
// questions, which a judge that knows nothing must not be credited with.
func trust(list []trial, but int, voted bool) (decide.Trust, float64) {
	var votes []decide.Vote
	for i, t := range list {
		if i == but || t.failed {
			continue
		}
		for k, c := range t.Candidates {
			v := decide.Vote{P: c.P, Right: t.Right[k]}
			if voted {
				v.Heard = t.verdict.heard(k)
			}
			votes = append(votes, v)
		}
	}
	return decide.FitTrust(votes)
}

// luck is how likely chance may explain what a judge gained, at most, before it may decide.
const luck = .05

// chance is how likely at least so many of the questions that changed would have changed
// for the better if each did by the toss of a coin (sign test, one-sided).
func chance(wins, losses int) float64 {
	n := wins + losses
	p, c := 0., math.Pow(.5, float64(n))
	for k := 0; k <= n; k++ {
		if k >= wins {
			p += c
		}
		c *= float64(n-k) / float64(k+1)
	}
	return p
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
