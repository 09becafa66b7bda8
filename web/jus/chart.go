package jus

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/packs/jus"

	"github.com/govalues/decimal"
)

// The drawing: the plot is a box of 1000 × 1000 that stretches inside the
// figure, from chartLeft to chartRight percent of its width; what is not
// stretched (text, dots) is placed in percent and pixels. The scale is
// logarithmic, or the years before 2020 would be a flat line.
const (
	chartLeft, chartRight = 13.0, 97.0 // %
	chartTop, chartBottom = 16.0, 246.0
	chartMin, chartMax    = 40.0, 60000.0 // pesos
)

// jusChart is the series of values drawn and as a table.
type jusChart struct {
	Known, Supposed string // paths in the box
	Levels          []chartMark
	Years           []chartMark
	Dots            []chartMark
	Asked           []chartMark
	Rows            []chartRow // newest first
	Until           digesto.Date
	First, Last     jus.Value
	Falls           []jus.Value
}

// chartMark is a place with a word: X in percent, Y in pixels.
type chartMark struct {
	X, Y, Label, Anchor string
	Text                string // Y of the label
}

type chartRow struct {
	jus.Value
	Marks []string
}

// flagWords say each flag of the table of values.
var flagWords = []struct{ flag, word string }{
	{"gap", "Hueco antes"}, {"fall", "Baja"}, {"doubtful", "Dudoso"}, {"former", "Régimen anterior"},
}

// chartOf draws the series until today, with the days that were asked about.
func chartOf(calc *jus.Calc, today digesto.Date, asked []digesto.Date) jusChart {
	values := calc.Values()
	c := jusChart{Until: today, First: values[0], Last: values[len(values)-1]}
	for _, v := range append(calc.Former(), values...) {
		row := chartRow{Value: v}
		for _, f := range flagWords {
			if v.Flags[f.flag] {
				row.Marks = append(row.Marks, f.word)
			}
		}
		c.Rows = append([]chartRow{row}, c.Rows...)
	}
	for _, v := range values {
		if v.Flags["fall"] {
			c.Falls = append(c.Falls, v)
		}
	}
	until := max(today, c.Last.Date)
	x := scaleX(c.First.Date, until)
	c.Known, c.Supposed = paths(calc.Stretches(until), x)
	for _, v := range []int{50, 100, 500, 1000, 5000, 10000, 50000} {
		d := decimal.MustNew(int64(v), 0)
		y := pixel(scaleY(d))
		c.Levels = append(c.Levels, chartMark{Y: y, Label: strings.TrimSuffix(strings.TrimPrefix(jus.Pesos(d), "$ "), ",00"), Text: down(y, 4)})
	}
	first, _ := strconv.Atoi(string(c.First.Date[:4]))
	for year := first; ; year += 4 {
		day := digesto.Date(strconv.Itoa(year) + "-01-01")
		if day > until {
			break
		}
		c.Years = append(c.Years, chartMark{X: percent(max(0, x(day))), Label: strconv.Itoa(year)})
	}
	c.Dots = dots(calc.Stretches(until), x)
	for i, d := range asked {
		if (i == 0 || d != asked[i-1]) && d >= c.First.Date && d <= until {
			c.Asked = append(c.Asked, chartMark{X: percent(x(d))})
		}
	}
	return c
}

// paths draws the steps: what is known, and what has to be supposed.
func paths(runs []jus.Stretch, x func(digesto.Date) float64) (known, supposed string) {
	var k, s strings.Builder
	joined := false
	for _, r := range runs {
		y := 1000 * scaleY(r.Amount)
		b := &s
		if r.Known {
			b = &k
		}
		if r.Known && joined {
			fmt.Fprintf(b, "V%.1f", y)
		} else {
			fmt.Fprintf(b, "M%.1f %.1f", 1000*x(r.From), y)
		}
		fmt.Fprintf(b, "H%.1f", 1000*x(r.To))
		joined = r.Known
	}
	return k.String(), s.String()
}

// dots mark the falls, the gaps and the last value.
func dots(runs []jus.Stretch, x func(digesto.Date) float64) []chartMark {
	var out []chartMark
	for i, r := range runs {
		m := chartMark{X: percent(x(r.From)), Y: pixel(scaleY(r.Amount)), Anchor: "start"}
		last := i == len(runs)-1 || i == len(runs)-2 && !runs[i+1].Known
		switch {
		case r.Known && r.Flags["fall"]:
			m.Label, m.Text = "baja de "+string(r.From[:4]), down(m.Y, 18)
		case r.Known && last:
			m.Label, m.Text, m.Anchor = jus.Pesos(r.Amount), down(m.Y, -10), "end"
		case !r.Known && i < len(runs)-1:
			m.Label, m.Text = "hueco", down(m.Y, -10)
		default:
			continue
		}
		out = append(out, m)
	}
	return out
}

// scaleX places a day between two others, from 0 to 1.
func scaleX(from, to digesto.Date) func(digesto.Date) float64 {
	day := func(d digesto.Date) float64 {
		t, err := time.Parse(time.DateOnly, string(d))
		if err != nil {
			return 0
		}
		return float64(t.Unix())
	}
	a, width := day(from), max(1, day(to)-day(from))
	return func(d digesto.Date) float64 { return (day(d) - a) / width }
}

// scaleY places an amount, 0 at the top.
func scaleY(d decimal.Decimal) float64 {
	f, _ := d.Float64()
	f = min(max(f, chartMin), chartMax)
	return 1 - math.Log(f/chartMin)/math.Log(chartMax/chartMin)
}

func percent(x float64) string {
	return fmt.Sprintf("%.2f%%", chartLeft+x*(chartRight-chartLeft))
}

func pixel(y float64) string { return fmt.Sprintf("%.1f", chartTop+y*(chartBottom-chartTop)) }

// down moves a place in pixels.
func down(y string, by float64) string {
	f, _ := strconv.ParseFloat(y, 64)
	return fmt.Sprintf("%.1f", f+by)
}
