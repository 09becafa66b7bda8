package decide

import (
	"cmp"
	"math"
	"slices"

	"digesto/search"
)

// names are the features of a candidate, in the order of [Features]. Each is some 0–1.
var names = []string{
	"bias",
	"entry",       // 1 where asks lead to it
	"sum",         // log of the sum over its asks
	"lead",        // the same over the best other place's, negative where another is ahead
	"cosine",      // of its nearest ask
	"next",        // of the second nearest
	"words",       // of its nearest ask by words, of the best of the question
	"said",        // of the question\'s information by words
	"part",        // of the sum over all places
	"share",       // of the first asks
	"kinds",       // of asks among those
	"rank",        // of its article: 1, 1/2, 1/3 …, 0 = not found
	"article",     // score of its article over that of the first
	"both",        // sum × rank
	"long",        // length of the question
	"else",        // 1 where it is a matter that is elsewhere
	"answers",     // how well the best sentence of its text answers
	"entry sum",   // log of the sum over the asks of its likeliest entry: a unit of many matters is not the likelier for them
	"entry lead",  // the same over the best other place's
	"answer rank", // of its text among the candidates by how it answers: 1, 1/2, 1/3 …
}

// Names gives the features' names, in their order.
func Names() []string { return names }

// Bounds that bring features to some 0–1: the log of the sum of a place with several
// very near asks; the words of a long story.
const (
	fullSum = 12.
	fullLog = 4. // e⁴ ≈ 55 words
)

// Features gives those of every candidate for a question of so many words.
func Features(list []search.Candidate, words int) [][]float64 {
	first, second := bestTwo(list, logSum)
	firstEntry, secondEntry := bestTwo(list, entrySum)
	ranks := answerRanks(list)
	long := math.Min(1.5, math.Log(float64(1+words))/fullLog)
	out := make([][]float64, len(list))
	for i, c := range list {
		f := make([]float64, 0, len(names))
		sum, lead, own, ownLead := 0., 0., 0., 0.
		if c.Entry != nil {
			sum, own = logSum(c), entrySum(c)
			lead, ownLead = over(sum, first, second), over(own, firstEntry, secondEntry)
		}
		rank := 0.
		if c.Rank > 0 {
			rank = 1 / float64(c.Rank)
		}
		out[i] = append(f, 1, boolOf(c.Entry != nil), sum/fullSum, lead, c.Cos, c.Next, c.Words, c.Said, c.Part, float64(c.First)/15, float64(c.Kinds)/3, rank, c.Share, sum/fullSum*rank, long, boolOf(c.Entry != nil && c.Entry.Elsewhere()), c.Text.Sentence,
			own/fullSum, ownLead, ranks[i])
	}
	return out
}

func logSum(c search.Candidate) float64 { return math.Max(0, math.Log(c.Score)) }

// entrySum is the log of the sum over the asks of the likeliest entry of a place.
func entrySum(c search.Candidate) float64 {
	best := 0.
	for _, e := range c.Entries {
		best = math.Max(best, e.Score)
	}
	return math.Log1p(best)
}

// over is how far a log sum is ahead of the best of the others, −1–1.
func over(sum, first, second float64) float64 {
	other := first
	if sum >= first {
		other = second
	}
	return math.Max(-1, math.Min(1, (sum-other)/3))
}

// bestTwo gives the highest two of what is measured of places that asks lead to; 0 where there are none.
func bestTwo(list []search.Candidate, of func(search.Candidate) float64) (first, second float64) {
	for _, c := range list {
		if c.Entry == nil {
			continue
		}
		switch s := of(c); {
		case s > first:
			first, second = s, first
		case s > second:
			second = s
		}
	}
	return first, second
}

// answerRanks gives 1, 1/2, 1/3 … to the candidates by how well their texts answer.
func answerRanks(list []search.Candidate) []float64 {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].Text.Sentence, list[a].Text.Sentence) })
	out := make([]float64, len(list))
	for k, i := range order {
		out[i] = 1 / float64(k+1)
	}
	return out
}

func boolOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
