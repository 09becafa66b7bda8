package decide

import (
	"math"

	"digesto/search"
)

// names are the features of a candidate, in the order of [Features]. Each is some 0–1.
var names = []string{
	"bias",
	"lead",     // log of the sum over its asks over that of the best other place, negative where another is ahead
	"centroid", // cosine of the mean of its likeliest entry's asks
	"profile",  // … of all their words
	"words",    // of its nearest ask by words, of the best of the question
	"rank",     // of its article: 1, 1/2, 1/3 …, 0 = not found
	"both",     // log of the sum × rank
	"else",     // 1 where it is a matter that is elsewhere
	"answers",  // how well the best sentence of its text answers
}

// Names gives the features' names, in their order.
func Names() []string { return names }

// fullSum brings the log of the sum of a place with several very near asks to some 0–1
// (search.Scoring: 10 times a value that reaches 2.5 or so).
const fullSum = 25.

// Features gives those of every candidate.
func Features(list []search.Candidate) [][]float64 {
	first, second := bestTwo(list)
	out := make([][]float64, len(list))
	for i, c := range list {
		sum, lead, rank := 0., 0., 0.
		if c.Entry != nil {
			sum = logSum(c)
			lead = over(sum, first, second)
		}
		if c.Rank > 0 {
			rank = 1 / float64(c.Rank)
		}
		out[i] = []float64{1, lead, c.Centroid, c.Profile, c.Words, rank, sum / fullSum * rank, boolOf(c.Entry != nil && c.Entry.Elsewhere()), c.Text.Sentence}
	}
	return out
}

func logSum(c search.Candidate) float64 { return math.Max(0, math.Log(c.Score)) }

// over is how far a log sum is ahead of the best of the others, −1–1.
func over(sum, first, second float64) float64 {
	other := first
	if sum >= first {
		other = second
	}
	return math.Max(-1, math.Min(1, (sum-other)/3))
}

// bestTwo gives the highest two log sums of places that asks lead to; 0 where there are none.
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
