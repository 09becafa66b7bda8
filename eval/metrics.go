package eval

import (
	"math"
	"slices"
)

// Metrics are the measures of a set of ranked lists, each a mean over the queries
// that have at least one relevant document. Names are those of the JSON form.
//
//   - hit@k: share of queries with a relevant document among the first k (success@k).
//   - MRR@10: mean of 1/rank of the first relevant document, 0 beyond rank 10
//     (Voorhees 1999).
//   - nDCG@10: discounted cumulative gain of the first 10, Σ gain / log2(rank+1), over
//     that of the ideal order of all judged documents (Järvelin and Kekäläinen 2002,
//     with linear gains as trec_eval has it).
type Metrics map[string]float64

// cutoffs of hit@k.
var cutoffs = []int{1, 5, 10, 100}

// measure gives the measures of one ranked list.
func measure(ranked []string, gains map[string]float64) Metrics {
	m := Metrics{}
	first := 0
	for i, id := range ranked {
		if gains[id] > 0 {
			first = i + 1
			break
		}
	}
	for _, k := range cutoffs {
		m[hitAt(k)] = boolFloat(first > 0 && first <= k)
	}
	m["MRR@10"] = 0
	if first > 0 && first <= 10 {
		m["MRR@10"] = 1 / float64(first)
	}
	m["nDCG@10"] = ndcg(ranked, gains, 10)
	return m
}

func hitAt(k int) string {
	switch k {
	case 1:
		return "hit@1"
	case 5:
		return "hit@5"
	case 10:
		return "hit@10"
	}
	return "hit@100"
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func ndcg(ranked []string, gains map[string]float64, k int) float64 {
	got := 0.0
	for i, id := range ranked[:min(k, len(ranked))] {
		got += gains[id] / math.Log2(float64(i+2))
	}
	ideal := make([]float64, 0, len(gains))
	for _, g := range gains {
		ideal = append(ideal, g)
	}
	slices.SortFunc(ideal, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	best := 0.0
	for i, g := range ideal[:min(k, len(ideal))] {
		best += g / math.Log2(float64(i+2))
	}
	if best == 0 {
		return 0
	}
	return got / best
}

// mean adds up the measures of single queries and divides.
type mean struct {
	sum Metrics
	n   int
}

func (m *mean) add(one Metrics) {
	if m.sum == nil {
		m.sum = Metrics{}
	}
	for k, v := range one {
		m.sum[k] += v
	}
	m.n++
}

// metrics gives the means, to 4 decimals.
func (m *mean) metrics() Metrics {
	out := Metrics{}
	for k, v := range m.sum {
		out[k] = math.Round(v/float64(m.n)*1e4) / 1e4
	}
	return out
}
