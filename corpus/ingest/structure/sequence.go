package structure

import "math"

// candidate is a line that may open a unit of a numbered series.
type candidate struct {
	line   int
	rank   int     // number.rank
	main   int     // number.Main
	weight float64 // how much the line looks like a heading of this norm
	fresh  bool    // something since the previous candidate starts a new series (annex, approved text)
	empty  bool    // nothing stands under it: an entry of a contents table
	style  string  // how the heading is written
	series int     // set by choose: 0 = not a unit, 1… = which series
}

// window bounds how far back a predecessor is looked for; laws never quote that
// many foreign articles in a row.
const window = 700

// choose finds the headings that are this norm's own: the set of candidates of
// greatest weight whose numbers rise, one by one if possible, and begin anew
// only where a new text does. Articles of other norms quoted inside an amending
// article do not fit into the series, or only at a cost.
func choose(c []candidate) {
	n := len(c)
	if n == 0 {
		return
	}
	best := make([]float64, n)
	from := make([]int, n)
	resumed := resumptions(c)
	for i := range c {
		best[i], from[i] = c[i].weight+startCost(c[i]), -1
		fresh := c[i].fresh
		for j := i - 1; j >= 0 && j >= i-window; j-- {
			if c[i].rank <= c[j].rank && !fresh && (c[i].style != c[j].style || c[i].weight < 0) && resumed[j] > i {
				continue // a foreign text set into this one: the series goes on after it
			}
			if s := best[j] + link(c[j], c[i], fresh) + c[i].weight; s > best[i] {
				best[i], from[i] = s, j
			}
			fresh = fresh || c[j].fresh
		}
	}
	end := 0
	for i := range best {
		if best[i] > best[end] {
			end = i
		}
	}
	if best[end] <= 0 {
		return
	}
	var chain []int
	for i := end; i >= 0; i = from[i] {
		chain = append(chain, i)
	}
	series, last := 0, math.MaxInt
	for k := len(chain) - 1; k >= 0; k-- {
		i := chain[k]
		if c[i].rank <= last {
			series++
		}
		c[i].series, last = series, c[i].rank
	}
}

func startCost(c candidate) float64 {
	if c.main <= 1 {
		return 0
	}
	return -0.25 * math.Min(float64(c.main-1), 10)
}

// link is the worth of b right after a in one chain.
func link(a, b candidate, fresh bool) float64 {
	if b.rank > a.rank {
		if fresh && b.main == a.main+1 {
			return 0.9
		}
		switch gap := b.main - a.main; {
		case gap == 0:
			return 0.8
		case gap == 1 && b.rank%10000 == 0:
			return 1
		case gap > 60:
			return -9
		default:
			return -0.3 - 0.15*math.Min(float64(gap), 24)
		}
	}
	cost := -3.5
	if b.main > 1 {
		cost -= 0.8 * float64(b.main-1)
	}
	if b.main > 4 {
		return math.Inf(-1)
	}
	if fresh {
		cost += 2.9
	}
	return cost
}

// resumptions gives for each candidate the last later one of the same style
// that has one of the next numbers: where its series would go on.
func resumptions(c []candidate) []int {
	type key struct {
		main  int
		style string
	}
	last := map[key]int{}
	out := make([]int, len(c))
	for i := len(c) - 1; i >= 0; i-- {
		for d := 1; d <= 8; d++ {
			out[i] = max(out[i], last[key{c[i].main + d, c[i].style}])
		}
		if k := (key{c[i].main, c[i].style}); c[i].weight > 0.7 && last[k] == 0 {
			last[k] = i
		}
	}
	return out
}
