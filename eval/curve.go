package eval

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"digesto"
)

// CurvePoint is what would be answered if nothing below a confidence were.
type CurvePoint struct {
	Least     float64 `json:"least"`     // confidence
	Coverage  float64 `json:"coverage"`  // answered of the questions whose law is present
	Precision float64 `json:"precision"` // right of all answered, with laws present and taken out
	Anyway    float64 `json:"anyway"`    // answered of the questions whose law is out
}

// CurveCounts are the counts behind a point of the curve, of the questions of one law:
// those of several laws add up.
type CurveCounts struct {
	Law      string  `json:"law"`
	Least    float64 `json:"least"`
	Present  int     `json:"present"`  // questions asked with their law
	Answered int     `json:"answered"` // … and answered
	Right    int     `json:"right"`    // … by a relevant unit
	Out      int     `json:"out"`      // questions asked without their law
	Anyway   int     `json:"anyway"`   // … and answered
}

// curveSteps is how many thresholds of confidence there are: 0, .05 … .95.
const curveSteps = 20

// countCurve counts what every threshold lets through, by law.
func countCurve(lines []RefusalLine) []CurveCounts {
	of := map[string][]CurveCounts{}
	for _, l := range lines {
		list := of[l.Law]
		if list == nil {
			for k := range curveSteps {
				list = append(list, CurveCounts{Law: l.Law, Least: float64(k) / curveSteps})
			}
			of[l.Law] = list
		}
		for k := range list {
			c, yes := &list[k], l.Answered && l.Confidence >= list[k].Least
			if inside(l.State) {
				c.Present, c.Answered, c.Right = c.Present+1, c.Answered+count(yes), c.Right+count(yes && l.Right)
			} else {
				c.Out, c.Anyway = c.Out+1, c.Anyway+count(yes)
			}
		}
	}
	var out []CurveCounts
	for _, law := range slices.Sorted(maps.Keys(of)) {
		out = append(out, of[law]...)
	}
	return out
}

// Curve draws coverage against precision over the thresholds, of all laws counted.
func Curve(list []CurveCounts) []CurvePoint {
	sums := make([]CurveCounts, curveSteps)
	for k := range sums {
		sums[k].Least = float64(k) / curveSteps
	}
	for _, c := range list {
		if k := slices.IndexFunc(sums, func(s CurveCounts) bool { return s.Least == c.Least }); k >= 0 {
			s := &sums[k]
			s.Present, s.Answered, s.Right, s.Out, s.Anyway = s.Present+c.Present, s.Answered+c.Answered, s.Right+c.Right, s.Out+c.Out, s.Anyway+c.Anyway
		}
	}
	var out []CurvePoint
	for _, s := range sums {
		p := CurvePoint{Least: s.Least, Precision: 1, Coverage: round4(float64(s.Answered) / float64(max(1, s.Present))), Anyway: round4(float64(s.Anyway) / float64(max(1, s.Out)))}
		if n := s.Answered + s.Anyway; n > 0 {
			p.Precision = round4(float64(s.Right) / float64(n))
		}
		out = append(out, p)
	}
	return out
}

const curveHead = "law\tleast\tpresent\tanswered\tright\tout\tanyway\n"

// WriteCurve gives the counts as a golden file.
func WriteCurve(list []CurveCounts) []byte {
	var b bytes.Buffer
	b.WriteString(curveHead)
	for _, c := range list {
		fmt.Fprintf(&b, "%s\t%.2f\t%d\t%d\t%d\t%d\t%d\n", c.Law, c.Least, c.Present, c.Answered, c.Right, c.Out, c.Anyway)
	}
	return b.Bytes()
}

// ReadCurve reads a golden file of counts.
func ReadCurve(data []byte) ([]CurveCounts, error) {
	var out []CurveCounts
	body, ok := strings.CutPrefix(string(data), curveHead)
	for line := range strings.Lines(body) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || len(f) != 7 {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No son cifras de una curva: " + strconv.Quote(line), Hint: "Escríbalas de nuevo con --update."}
		}
		c := CurveCounts{Law: f[0]}
		least, err := strconv.ParseFloat(f[1], 64)
		for k, into := range []*int{&c.Present, &c.Answered, &c.Right, &c.Out, &c.Anyway} {
			n, e := strconv.Atoi(f[k+2])
			if *into = n; e != nil || n < 0 {
				err = fmt.Errorf("%q", f[k+2])
			}
		}
		if err != nil {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Una cifra de la curva no se puede leer: " + strconv.Quote(line), Hint: "Escríbalas de nuevo con --update.", Err: err}
		}
		c.Least = least
		out = append(out, c)
	}
	return out, nil
}

// GoldenCurve gives the counts that the program carries.
func GoldenCurve() []CurveCounts {
	data, err := goldenFiles.ReadFile("golden/curve.tsv")
	if err != nil {
		return nil
	}
	list, _ := ReadCurve(data)
	return list
}

// curveSlack is by how much a share of the curve may be worse than its golden one.
const curveSlack = .02

// CurveFalls says, a line each, where a curve is worse than the golden one of the same
// laws: less answered with its law, less of it right, more answered without.
func CurveFalls(golden, got []CurveCounts) []string {
	laws := map[string]bool{}
	for _, c := range got {
		laws[c.Law] = true
	}
	same := slices.DeleteFunc(slices.Clone(golden), func(c CurveCounts) bool { return !laws[c.Law] })
	if len(same) != len(got) {
		return []string{"la referencia no tiene las mismas leyes"}
	}
	var out []string
	was := Curve(same)
	for k, p := range Curve(got) {
		for _, m := range []struct {
			name string
			fall float64
		}{{"contestadas con la ley", was[k].Coverage - p.Coverage}, {"acierto", was[k].Precision - p.Precision}, {"contestadas sin la ley", p.Anyway - was[k].Anyway}} {
			if m.fall > curveSlack {
				out = append(out, fmt.Sprintf("desde %.2f: %s, peor en %.3f", p.Least, m.name, m.fall))
			}
		}
	}
	return out
}
