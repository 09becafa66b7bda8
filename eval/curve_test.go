package eval

import (
	"bytes"
	"slices"
	"testing"
)

func curveLines() []RefusalLine {
	return []RefusalLine{
		{Law: "FARO", State: StatePresent, Answered: true, Right: true, Confidence: .9},
		{Law: "FARO", State: StatePresent, Answered: true, Confidence: .4},
		{Law: "FARO", State: StateNamed, Answered: true, Confidence: .2},
		{Law: "RED", State: StatePresent},
		{Law: "RED", State: StateUnnamed},
	}
}

// TestCurve: counts by law add up to the curve of all; what is below a threshold is not answered.
func TestCurve(t *testing.T) {
	list := countCurve(curveLines())
	if len(list) != 2*curveSteps || list[0].Law != "FARO" || list[0].Present != 2 || list[0].Out != 1 {
		t.Fatalf("%d rows, first %+v", len(list), list[0])
	}
	for k, want := range map[int]CurvePoint{
		0:  {Least: 0, Coverage: .6667, Precision: .3333, Anyway: .5},
		8:  {Least: .4, Coverage: .6667, Precision: .5, Anyway: 0},
		10: {Least: .5, Coverage: .3333, Precision: 1, Anyway: 0},
		19: {Least: .95, Coverage: 0, Precision: 1, Anyway: 0},
	} {
		if got := Curve(list)[k]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestCurveFile: what is written is read; what is no curve is an error.
func TestCurveFile(t *testing.T) {
	list := countCurve(curveLines())
	got, err := ReadCurve(WriteCurve(list))
	if err != nil || !slices.Equal(got, list) {
		t.Errorf("%v: %v", err, got)
	}
	for _, bad := range []string{"x\n", curveHead + "FARO\t0\n", curveHead + "FARO\t0\t1\t1\t1\t1\t-1\n", curveHead + "FARO\tx\t1\t1\t1\t1\t1\n"} {
		if _, err := ReadCurve([]byte(bad)); err == nil {
			t.Errorf("%q is read as a curve", bad)
		}
	}
	if !bytes.HasPrefix(WriteCurve(nil), []byte("law\t")) {
		t.Error("a file without rows has no head")
	}
}

// TestCurveFalls: worse on any of the three sides is said, better or the same is not; of
// the golden figures only those of the laws asked are compared.
func TestCurveFalls(t *testing.T) {
	golden := countCurve(curveLines())
	if f := CurveFalls(golden, golden[:curveSteps]); len(f) != 0 {
		t.Errorf("the same of one law: %v", f)
	}
	for name, change := range map[string]func([]RefusalLine){
		"less is answered":         func(l []RefusalLine) { l[1].Answered = false },
		"less is right":            func(l []RefusalLine) { l[0].Right = false },
		"more is answered without": func(l []RefusalLine) { l[4].Answered = true },
	} {
		l := curveLines()
		change(l)
		if f := CurveFalls(golden, countCurve(l)); len(f) == 0 {
			t.Errorf("%s: not said", name)
		}
	}
	better := curveLines()
	better[2].Answered, better[3] = false, RefusalLine{Law: "RED", State: StatePresent, Answered: true, Right: true, Confidence: .9}
	if f := CurveFalls(golden, countCurve(better)); len(f) != 0 {
		t.Errorf("better: %v", f)
	}
	if f := CurveFalls(nil, golden); len(f) == 0 {
		t.Error("without golden figures nothing is said")
	}
}
