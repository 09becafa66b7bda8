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
	"lead",        // log of the sum over its asks over that of the best other place, negative where another is ahead
	"cosine",      // of its nearest ask
	"centroid",    // cosine of the mean of its likeliest entry's asks
	"words",       // of its nearest ask by words, of the best of the question
	"part",        // of the sum over all places
	"kinds",       // of asks among the first fifteen
	"rank",        // of its article: 1, 1/2, 1/3 …, 0 = not found
	"article",     // score of its article over that of the first
	"both",        // log of the sum × rank
	"long",        // length of the question
	"else",        // 1 where it is a matter that is elsewhere
	"answers",     // how well the best sentence of its text answers
	"answer rank", // of its text among the candidates by how it answers: 1, 1/2, 1/3 …
}

// Names gives the features' names, in their order.
func Names() []string { return names }

// Bounds that bring features to some 0–1: the log of the sum of a place with several
// very near asks (search.Scoring: 10 times a value that reaches 2.5 or so); the words of a long story.
const (
	fullSum = 25.
	fullLog = 4. // e⁴ ≈ 55 words
)

// Features gives those of every candidate for a question of so many words.
func Features(list []search.Candidate, words int) [][]float64 {
	first, second := bestTwo(list)
	ranks := answerRanks(list)
	long := math.Min(1.5, math.Log(float64(1+words))/fullLog)
	out := make([][]float64, len(list))
	for i, c := range list {
		f := make([]float64, 0, len(names))
		sum, lead := 0., 0.
		if c.Entry != nil {
			sum = logSum(c)
			lead = over(sum, first, second)
		}
		rank := 0.
		if c.Rank > 0 {
			rank = 1 / float64(c.Rank)
		}
		out[i] = append(f, 1, boolOf(c.Entry != nil), lead, c.Cos, c.Centroid, c.Words, c.Part, float64(c.Kinds)/3, rank, c.Share, sum/fullSum*rank, long,
			boolOf(c.Entry != nil && c.Entry.Elsewhere()), c.Text.Sentence, ranks[i])
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
