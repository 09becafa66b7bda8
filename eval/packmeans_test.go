package eval

import "testing"

// TestGoldenMeans reads what the report writes.
func TestGoldenMeans(t *testing.T) {
	rep := PackReport{Pack: "mar", Corpus: "abc", Groups: []PackGroup{{Kind: KindAnswer, N: 3, Score: .6667}, {Kind: KindAnswer, Category: "faros", N: 2, Score: 1}},
		Cases: []CaseResult{{Kind: KindAnswer, ID: "a", Score: 1}}}
	means, corpus := GoldenMeans(rep.TSV())
	if corpus != "abc" || len(means) != 2 || means[0] != (GoldenMean{KindAnswer, "", 3, .6667}) || means[1] != (GoldenMean{KindAnswer, "faros", 2, 1}) {
		t.Errorf("%q %+v", corpus, means)
	}
	if means, corpus := GoldenMeans(nil); len(means) != 0 || corpus != "" {
		t.Errorf("of nothing: %q %+v", corpus, means)
	}
	if means, _ := GoldenMeans([]byte("# answer\tx\tmuchos\t1\n# answer\tx\t1\t?\nanswer\tx\t1\t1\n")); len(means) != 0 {
		t.Errorf("of what is no figure: %+v", means)
	}
}

// TestGoldenSearches: every set that the program carries has all its measures.
func TestGoldenSearches(t *testing.T) {
	list := GoldenSearches()
	if len(list) == 0 {
		t.Fatal("no figures")
	}
	for _, s := range list {
		for _, m := range []string{"hit@1", "hit@10", "MRR@10", "nDCG@10"} {
			if v, ok := s.Measures[m]; !ok || v < 0 || v > 1 {
				t.Errorf("%s %s: %s is %v", s.Set, s.Form, m, v)
			}
		}
	}
}
