package judge_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"digesto/decide"
	"digesto/judge"
	"digesto/model"
)

// cases are questions of which the program is sure of half and right in most of those, and
// guesses at the rest.
func cases(n int) []judge.Case {
	rng := rand.New(rand.NewPCG(1, 9))
	out := make([]judge.Case, n)
	for i := range out {
		c := judge.Case{Question: question, Candidates: some(6, -1), Right: make([]bool, 6)}
		right := rng.IntN(6)
		c.Right[right] = i%5 != 0
		first := right
		if i%2 == 0 {
			first = rng.IntN(6)
		}
		c.Candidates[first].P = .42
		if i%2 == 1 {
			c.Candidates[first].P = .85
		}
		out[i] = c
	}
	return out
}

// player judges cases one after the other as it is told to.
type player struct {
	list   []judge.Case
	choose func(c judge.Case, size judge.Size, i int) (int, error)
}

func (p *player) of(size judge.Size) judge.Judge { return sized{p, size} }

type sized struct {
	*player
	size judge.Size
}

func (s sized) Judge(_ context.Context, _ string, list []judge.Candidate) (judge.Verdict, error) {
	for i, c := range s.list {
		if &c.Candidates[0] == &list[0] {
			k, err := s.choose(c, s.size, i)
			return judge.For(k, len(list)), err
		}
	}
	panic("a case of nobody")
}

func rightOf(c judge.Case) int {
	for k, r := range c.Right {
		if r {
			return k
		}
	}
	return -1
}

func likeliestOf(c judge.Case) int {
	best := 0
	for k := range c.Candidates {
		if c.Candidates[k].P > c.Candidates[best].P {
			best = k
		}
	}
	return best
}

// TestTry: a judge that is right nine times of ten may decide; one that guesses, repeats
// the program, always says none or fails may not.
func TestTry(t *testing.T) {
	clock := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	rng := rand.New(rand.NewPCG(3, 3))
	for name, c := range map[string]struct {
		choose func(judge.Case, judge.Size, int) (int, error)
		may    []judge.Power
	}{
		"strong": {func(c judge.Case, _ judge.Size, i int) (int, error) {
			if i%10 == 9 {
				return (rightOf(c) + 1) % 6, nil
			}
			return rightOf(c), nil
		}, []judge.Power{judge.All, judge.Ties}},
		"guesses":           {func(judge.Case, judge.Size, int) (int, error) { return rng.IntN(6), nil }, []judge.Power{judge.Nothing}},
		"repeats":           {func(c judge.Case, _ judge.Size, _ int) (int, error) { return likeliestOf(c), nil }, []judge.Power{judge.Nothing}},
		"none":              {func(judge.Case, judge.Size, int) (int, error) { return -1, nil }, []judge.Power{judge.Nothing}},
		"first of the list": {func(judge.Case, judge.Size, int) (int, error) { return 0, nil }, []judge.Power{judge.Nothing}},
		"fails": {func(judge.Case, judge.Size, int) (int, error) {
			return 0, model.NewError(&model.Fault{Kind: model.KindServer})
		}, []judge.Power{judge.Nothing}},
	} {
		list := cases(40)
		p := &player{list: list, choose: c.choose}
		got, err := judge.Try(t.Context(), list, judge.TryOptions{Judges: p.of, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		ok := false
		for _, m := range c.may {
			ok = ok || got.May == m
		}
		if !ok || got.Questions != 40 || got.Doubtful != 20 || (name == "fails") != (got.Failed == 40) {
			t.Errorf("%s: %+v", name, got)
		}
		if got.May != judge.Nothing && got.Both <= got.Own {
			t.Errorf("%s may decide %s and was right %d times together, the program %d", name, got.May, got.Both, got.Own)
		}
		var b bytes.Buffer
		if err := got.Write(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := judge.ReadProbe(b.Bytes()); err != nil || again != got {
			t.Errorf("read again: %+v, %v", again, err)
		}
	}
}

// TestPrompts: the long ones are for models that gain by them and read fast.
func TestPrompts(t *testing.T) {
	for name, c := range map[string]struct {
		small, large time.Duration
		better       bool
		want         judge.Size
	}{
		"fast and better":      {time.Second, 3 * time.Second, true, judge.Large},
		"fast, and not better": {time.Second, 3 * time.Second, false, judge.Small},
		"slow":                 {9 * time.Second, 30 * time.Second, true, judge.Small},
		"slow with long ones":  {3 * time.Second, 20 * time.Second, true, judge.Small},
	} {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		list := cases(20)
		p := &player{list: list, choose: func(x judge.Case, s judge.Size, i int) (int, error) {
			if s == judge.Large {
				if now = now.Add(c.large); c.better {
					return rightOf(x), nil
				}
				return -1, nil
			}
			if now = now.Add(c.small); i%2 == 0 {
				return rightOf(x), nil
			}
			return -1, nil
		}}
		got, err := judge.Try(t.Context(), list, judge.TryOptions{Judges: p.of, Clock: func() time.Time { return now }})
		if err != nil || got.Prompts != c.want {
			t.Errorf("%s: %s, %v", name, got.Prompts, err)
		}
	}
}

// TestTrust: what a judge says weighs by how often it was right beyond what was known.
func TestTrust(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	votes := func(right float64) (out []decide.Vote) {
		for range 60 {
			at := rng.IntN(5)
			said := at
			if rng.Float64() >= right {
				said = (at + 1 + rng.IntN(4)) % 5
			}
			for k := range 5 {
				h := decide.Heard{Others: 1}
				if k == said {
					h = decide.Heard{For: 1}
				}
				out = append(out, decide.Vote{P: .2, Heard: h, Right: k == at})
			}
		}
		return out
	}
	fit := func(right float64) decide.Trust { t, _ := decide.FitTrust(votes(right)); return t }
	strong, fair, guess := fit(.9), fit(.5), fit(.2)
	if !(strong.For > fair.For+.5 && fair.For > guess.For+.5 && guess.For < .5 && strong.Others < -1 && guess.Others > -.5) {
		t.Errorf("%+v %+v %+v", strong, fair, guess)
	}
	if p := strong.Weigh(.3, decide.Heard{For: 1}); p < .75 {
		t.Errorf("a vote of the strong one makes .3 into %.2f", p)
	}
	if p := (decide.Trust{}).Weigh(.3, decide.Heard{For: 1}); p < .2999 || p > .3001 {
		t.Errorf("without weight .3 becomes %v", p)
	}
}

// TestOffsetIsNoMerit: where the program holds too much for likely, one that says anything
// is not credited with what knowing that alone would mend.
func TestOffsetIsNoMerit(t *testing.T) {
	var votes []decide.Vote
	for k := range 200 {
		h := decide.Heard{Others: 1}
		switch {
		case k%5 == 0:
			h = decide.Heard{For: 1}
		case k%3 == 0:
			h = decide.Heard{None: 1}
		}
		votes = append(votes, decide.Vote{P: .7, Heard: h, Right: k%7 == 0})
	}
	w, offset := decide.FitTrust(votes)
	if offset > -1.5 || w.For > .5 || w.For < -.5 || w.Others > .5 || w.Others < -.5 || w.None > .5 || w.None < -.5 {
		t.Errorf("%+v, offset %.2f", w, offset)
	}
	if p := w.Moved(offset).Weigh(.7, votes[0].Heard); p > .3 {
		t.Errorf("moved, .7 is %.2f", p)
	}
}

func TestReadProbe(t *testing.T) {
	for _, bad := range []string{"", "{", `{"may":"everything"}`} {
		if _, err := judge.ReadProbe([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
