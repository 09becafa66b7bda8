package eval

import (
	"math"
	"testing"
)

func TestMeasure(t *testing.T) {
	gains := map[string]float64{"a": 2, "b": 1}
	for _, c := range []struct {
		ranked              []string
		hit1, hit5, mrr, dg float64
	}{
		{[]string{"a", "b", "c"}, 1, 1, 1, 1},
		{[]string{"b", "a"}, 1, 1, 1, (1 + 2/math.Log2(3)) / (2 + 1/math.Log2(3))},
		{[]string{"x", "y", "a"}, 0, 1, 1.0 / 3, 2 / math.Log2(4) / (2 + 1/math.Log2(3))},
		{[]string{"x"}, 0, 0, 0, 0},
		{nil, 0, 0, 0, 0},
	} {
		m := measure(c.ranked, gains)
		for k, want := range map[string]float64{"hit@1": c.hit1, "hit@5": c.hit5, "MRR@10": c.mrr, "nDCG@10": c.dg} {
			if math.Abs(m[k]-want) > 1e-12 {
				t.Errorf("%v: %s = %v, want %v", c.ranked, k, m[k], want)
			}
		}
	}
	far := make([]string, 40)
	far[30] = "a"
	if m := measure(far, gains); m["hit@10"] != 0 || m["hit@100"] != 1 || m["MRR@10"] != 0 {
		t.Errorf("rank 31: %v", m)
	}
}

func TestNDCGMoreRelevantThanTen(t *testing.T) {
	gains := map[string]float64{}
	var ranked []string
	for i := range 20 {
		id := string(rune('a' + i))
		gains[id] = 1
		ranked = append(ranked, id)
	}
	if got := ndcg(ranked, gains, 10); got != 1 {
		t.Errorf("an ideal list scores %v", got)
	}
}
