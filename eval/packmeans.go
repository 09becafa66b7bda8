package eval

import (
	"strconv"
	"strings"
)

// GoldenMean is a mean that the golden figures of a pack hold.
type GoldenMean struct {
	Kind     CaseKind
	Category string // "" = all of the kind
	N        int    // cases
	Score    float64
}

// GoldenMeans gives the means of golden figures as [PackReport.TSV] writes them, in
// its order, and the state of the law that they were taken with ("" = none).
func GoldenMeans(data []byte) (means []GoldenMean, corpus string) {
	for line := range strings.SplitSeq(string(data), "\n") {
		f := strings.Split(strings.TrimPrefix(line, "# "), "\t")
		if !strings.HasPrefix(line, "# ") || len(f) != 4 {
			continue
		}
		n, err := strconv.Atoi(f[2])
		score, err2 := strconv.ParseFloat(f[3], 64)
		if err == nil && err2 == nil {
			means = append(means, GoldenMean{CaseKind(f[0]), f[1], n, score})
		}
	}
	return means, goldenCorpus(data)
}

// GoldenSearch is what the search alone finds in a set of questions and judgements.
type GoldenSearch struct {
	Set, Form string             // Form: "clean", "unaccented", "typos"
	Measures  map[string]float64 // "hit@1", "hit@10", "MRR@10", "nDCG@10"
}

// GoldenSearches gives the golden figures of retrieval that the program carries, set
// by set.
func GoldenSearches() []GoldenSearch {
	data, err := goldenFiles.ReadFile("golden/retrieval.tsv")
	if err != nil {
		return nil
	}
	var out []GoldenSearch
	for line := range strings.SplitSeq(string(data), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			continue
		}
		v, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Set != f[0] || out[n-1].Form != f[1] {
			out = append(out, GoldenSearch{f[0], f[1], map[string]float64{}})
		}
		out[len(out)-1].Measures[f[2]] = v
	}
	return out
}
