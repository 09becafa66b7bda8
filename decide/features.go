package decide

import (
	"math"

	"digesto/search"
)

// names are the features of a candidate, in the order of [Features]. Each is some 0–1.
var names = []string{
	"bias",
	"entry",   // 1 where asks lead to it
	"sum",     // log of the sum over its asks
	"lead",    // the same over the best other place's, negative where another is ahead
	"cosine",  // of its nearest ask
	"next",    // of the second nearest
	"words",   // of its nearest ask by words, of the best of the question
	"said",    // of the question\'s information by words
	"part",    // of the sum over all places
	"share",   // of the first asks
	"kinds",   // of asks among those
	"rank",    // of its article: 1, 1/2, 1/3 …, 0 = not found
	"article", // score of its article over that of the first
	"both",    // sum × rank
	"long",    // length of the question
	"else",    // 1 where it is a matter that is elsewhere
	"answers", // how well the best sentence of its text answers
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
	first, second := bestTwo(list)
	long := math.Min(1.5, math.Log(float64(1+words))/fullLog)
	out := make([][]float64, len(list))
	for i, c := range list {
		f := make([]float64, 0, len(names))
		sum, lead := 0., 0.
		if c.Entry != nil {
			sum = logSum(c)
			other := first
			if sum >= first {
				other = second
			}
			lead = math.Max(-1, math.Min(1, (sum-other)/3))
		}
		rank := 0.
		if c.Rank > 0 {
			rank = 1 / float64(c.Rank)
		}
		out[i] = append(f, 1, boolOf(c.Entry != nil), sum/fullSum, lead, c.Cos, c.Next, c.Words, c.Said, c.Part, float64(c.First)/15, float64(c.Kinds)/3, rank, c.Share, sum/fullSum*rank, long, boolOf(c.Entry != nil && c.Entry.Elsewhere()), c.Text.Sentence)
	}
	return out
}

func logSum(c search.Candidate) float64 { return math.Max(0, math.Log(c.Score)) }

// bestTwo gives the highest two log sums; 0 where there are none.
func bestTwo(list []search.Candidate) (first, second float64) {
	for _, c := range list {
		if c.Entry == nil {
			continue
		}
		switch s := logSum(c); {
		case s > first:
			first, second = s, first
		case s > second:
			second = s
		}
	}
	return first, second
}

func boolOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
