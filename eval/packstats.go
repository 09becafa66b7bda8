package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples and seed of the intervals and tests: the same figures on every run.
const (
	resamples = 1000
	seed      = 20261121
)

// Interval is a 95 % percentile bootstrap interval of a mean (Efron and Tibshirani
// 1993, ch. 13): what the mean would be over other samples of such questions.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Bootstrap gives the interval of the mean of scores; the zero value for none.
func Bootstrap(scores []float64) Interval {
	if len(scores) == 0 {
		return Interval{}
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(scores))))
	means := make([]float64, resamples)
	for k := range means {
		sum := 0.
		for range scores {
			sum += scores[r.IntN(len(scores))]
		}
		means[k] = sum / float64(len(scores))
	}
	slices.Sort(means)
	return Interval{round4(means[resamples*25/1000]), round4(means[resamples*975/1000-1])}
}

// Randomisation is the paired test of Fisher as Smucker, Allan and Carterette
// (CIKM 2007) use it for retrieval: the share of random swaps of each pair whose
// difference of means is at least as large as the one seen. Small = it is no chance.
func Randomisation(a, b []float64) float64 {
	n := min(len(a), len(b))
	seen := 0.
	differ := 0
	for k := range n {
		seen += a[k] - b[k]
		differ += int(boolFloat(a[k] != b[k]))
	}
	if differ == 0 {
		return 1
	}
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	atLeast := 1 // the order seen is one of those possible
	for range 10 * resamples {
		sum := 0.
		for k := range n {
			if d := a[k] - b[k]; d != 0 {
				if r.Uint64()&1 == 0 {
					d = -d
				}
				sum += d
			}
		}
		atLeast += int(boolFloat(math.Abs(sum) >= math.Abs(seen)-1e-12))
	}
	return float64(atLeast) / float64(10*resamples+1)
}

// ratio is n/of, 0 of nothing.
func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return round4(float64(n) / float64(of))
}

// percentile of sorted values, nearest rank.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

func meanOf(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sum := 0.
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
