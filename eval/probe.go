package eval

import (
	"context"
	"math/rand/v2"
	"slices"

	"digesto"
	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/judge"
	"digesto/search"
)

// ProbeOptions says where the questions of a probe come from.
type ProbeOptions struct {
	Engine *ask.Engine
	Packs  []string
	// Files gives the entries of a pack, Asks its asks as the engine finds places by them.
	Files func(pack string) ([]digest.File, error)
	Asks  func(pack string) (*search.Asks, error)
	Seed  uint64
	N     int // questions; 0 = 40
}

// Shares of a probe: of every five questions three are of those that the program is not
// sure of, and one of every five has nothing that answers it among its candidates.
const (
	probeQuestions = 40
	probeDoubtful  = .6
	probeNothing   = 5
	probeTries     = 40 // questions looked at for each that is wanted, at most
)

// ProbeCases draws questions of the digests as people ask and tell them, of all packs in
// turn. An ask does not count for itself, as if it had not been written.
func ProbeCases(ctx context.Context, o ProbeOptions) ([]judge.Case, error) {
	if o.N == 0 {
		o.N = probeQuestions
	}
	doubtful := int(probeDoubtful * float64(o.N))
	want := map[bool]int{false: doubtful, true: o.N - doubtful} // by whether the program is sure
	from, err := o.shuffled()
	if err != nil {
		return nil, err
	}
	var out []judge.Case
	for i := 0; i < probeTries*o.N && len(out) < o.N && len(from) > 0; i++ {
		k := i % len(from)
		if len(from[k].asks) == 0 {
			from = slices.Delete(from, k, k+1)
			continue
		}
		x := from[k].asks[0]
		from[k].asks = from[k].asks[1:]
		c, err := o.probeCase(ctx, from[k].pack, x, len(out)%probeNothing == 0)
		if err != nil {
			return nil, err
		}
		if sure := c.Sure(); len(c.Candidates) > 1 && want[sure] > 0 {
			want[sure]--
			out = append(out, c)
		}
	}
	return out, nil
}

type packAsks struct {
	pack string
	asks []digest.AskRef
}

func (o ProbeOptions) shuffled() (out []packAsks, err error) {
	rng := rand.New(rand.NewPCG(o.Seed, 2))
	for _, p := range o.Packs {
		files, err := o.Files(p)
		if err != nil {
			return nil, err
		}
		var list []digest.AskRef
		for _, x := range digest.Asks(files) {
			if !x.Entry.Elsewhere() && (x.Ask.Kind == digest.Street || x.Ask.Kind == digest.Told) {
				list = append(list, x)
			}
		}
		rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		if len(list) > 0 {
			out = append(out, packAsks{p, list})
		}
	}
	return out, nil
}

// probeCase finds the candidates of an ask; without its place where nothing shall answer.
func (o ProbeOptions) probeCase(ctx context.Context, pack string, x digest.AskRef, nothing bool) (judge.Case, error) {
	c := judge.Case{Pack: pack, Question: x.Ask.Text}
	asks, err := o.Asks(pack)
	if err != nil {
		return c, err
	}
	right := asks.Leader(x.Entry.Place())
	list, err := o.Engine.Candidates(ctx, digesto.Question{Text: x.Ask.Text, Pack: pack}, func(q *decide.Query) {
		q.Without = x.Ask.Text
		if reach := q.Reach; nothing {
			q.Reach = func(e *digest.Entry) bool { return asks.Leader(e.Place()) != right && reach(e) }
		}
	})
	for _, one := range list {
		is := asks.Leader(one.Place) == right
		if is && nothing {
			continue
		}
		c.Candidates, c.Right = append(c.Candidates, one), append(c.Right, is)
	}
	return c, err
}
