package decide_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"digesto/decide"
	"digesto/digest"
	"digesto/search"
)

func candidate(id string, score, cos float64) search.Candidate {
	e := &digest.Entry{Norm: "LEY-1", Unit: id}
	return search.Candidate{Place: search.Place{ID: id, Entry: e, Entries: []search.Weighed{{Entry: e, Score: 1000 * score}}, Score: 1000 * score, Centroid: cos, Profile: cos}}
}

// TestFit: weights that made examples are found again.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := len(decide.Names())
	truth := make([]float64, n)
	truth[0], truth[3], truth[n-1] = -1, 3, -2
	var list []decide.Example
	for range 20000 {
		f := make([]float64, n)
		f[0] = 1
		z := truth[0]
		for j := 1; j < n; j++ {
			f[j] = rng.Float64()
			z += truth[j] * f[j]
		}
		list = append(list, decide.Example{Features: f, Right: rng.Float64() < 1/(1+math.Exp(-z)), Weight: 1})
	}
	w, err := decide.Fit(list)
	if err != nil {
		t.Fatal(err)
	}
	for j, name := range decide.Names() {
		if math.Abs(w[name]-truth[j]) > .25 {
			t.Errorf("%s: %.3f, want %.1f", name, w[name], truth[j])
		}
	}
}

// TestPriors: of two places as near, that is first which is of the territory named, or of the
// norm that governs, and that last which is for some.
func TestPriors(t *testing.T) {
	m := decide.Model{Priors: decide.Priors{Principal: .5, Local: 1.25, Special: -1}, Scale: 1}
	plain := m.Probability(make([]float64, len(decide.Names())), search.Passage{}, "")
	for _, x := range []struct {
		text search.Passage
		odds float64
	}{{search.Passage{Local: true}, 1.25}, {search.Passage{Principal: true}, .5}, {search.Passage{Special: true}, -1}, {search.Passage{Local: true, Special: true}, .25}} {
		p := m.Probability(make([]float64, len(decide.Names())), x.text, "")
		if got := math.Log(p/(1-p)) - math.Log(plain/(1-plain)); math.Abs(got-x.odds) > 1e-9 {
			t.Errorf("%+v: %.3f, want %.2f", x.text, got, x.odds)
		}
	}
}

// TestJudge: the model of the repository puts a place that many asks lead to before
// one that few do, and is surer of it the further it is ahead.
func TestJudge(t *testing.T) {
	data, err := os.ReadFile("../packs/decide.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := decide.ReadModel(data)
	if err != nil {
		t.Fatal(err)
	}
	near := m.Judge([]search.Candidate{candidate("a1", .1, .5), candidate("a2", .8, .9)}, "clara")
	if near[0].ID != "a2" || near[0].P <= near[1].P {
		t.Fatalf("%+v", near)
	}
	even := m.Judge([]search.Candidate{candidate("a1", .4, .8), candidate("a2", .45, .82)}, "clara")
	if even[0].P >= near[0].P {
		t.Errorf("%.2f beside one alike, %.2f ahead of all", even[0].P, near[0].P)
	}
	for _, f := range decide.Features([]search.Candidate{{Place: search.Place{ID: "a9"}, Rank: 2}}) {
		for j, v := range f {
			if math.IsNaN(v) || v < -1.5 || v > 1.5 {
				t.Errorf("%s = %v", decide.Names()[j], v)
			}
		}
	}
}

func TestReadModel(t *testing.T) {
	for _, bad := range []string{"", "{}", `{"weights":{"bias":1}}`, "{"} {
		if _, err := decide.ReadModel([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestRecalibrate: odds that were stated twice too flat and too low are put right.
func TestRecalibrate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var list []decide.Outcome
	for range 50000 {
		z := 4*rng.Float64() - 2
		list = append(list, decide.Outcome{P: 1 / (1 + math.Exp(-z)), Right: rng.Float64() < 1/(1+math.Exp(-(2*z+.5)))})
	}
	scale, offset := decide.Recalibrate(list)
	if math.Abs(scale-2) > .08 || math.Abs(offset-.5) > .05 {
		t.Errorf("scale %.3f, offset %.3f", scale, offset)
	}
	if o := decide.Offset(list, 2); math.Abs(o-.5) > .05 {
		t.Errorf("offset alone %.3f", o)
	}
	for i, x := range list {
		z := math.Log(x.P / (1 - x.P))
		list[i].P = 1 / (1 + math.Exp(-(scale*z + offset)))
	}
	for _, b := range decide.Calibration(list) {
		if math.Abs(b.Stated-b.Right) > .02 {
			t.Errorf("%+v", b)
		}
	}
}
