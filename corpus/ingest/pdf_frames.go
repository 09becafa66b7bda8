package ingest

import (
	"cmp"
	"slices"
)

// A frame is a rectangle drawn around text: a box with a former wording, a
// table, a picture's border. Word processors draw each of its four sides as
// thin filled rectangles, cut at every line of text, so sides are put together
// from pieces before corners are looked for.

const (
	ruleWidth   = 2.5 // a path thinner than this is a ruled
	ruleMinimum = 4   // and longer than this
	joint       = 3.0 // pieces this near belong together
)

// ruled is a straight line: at is its x (vertical) or y (horizontal).
type ruled struct{ at, from, to float32 }

// frames gives the rectangles drawn on a page, the smallest first.
func frames(p rawPage) []box {
	var vertical, horizontal []ruled
	var out []box
	for _, r := range p.paths {
		w, h := r.right-r.left, r.top-r.bottom
		switch {
		case w <= ruleWidth && h > ruleWidth:
			vertical = append(vertical, ruled{(r.left + r.right) / 2, r.bottom, r.top})
		case h <= ruleWidth && w > ruleMinimum:
			horizontal = append(horizontal, ruled{(r.bottom + r.top) / 2, r.left, r.right})
		}
	}
	vertical, horizontal = joinRules(vertical), joinRules(horizontal)
	for i, l := range vertical {
		for _, r := range vertical[i+1:] {
			if r.at-l.at < 20 || !near(l.from, r.from) || !near(l.to, r.to) || l.to-l.from < 6 {
				continue
			}
			b := box{l.at, max(l.from, r.from), r.at, min(l.to, r.to)}
			if hasSide(horizontal, b, b.top) || hasSide(horizontal, b, b.bottom) {
				out = append(out, b)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b box) int { return cmp.Compare(a.area(), b.area()) })
	return out
}

// joinRules puts together the pieces of rules that lie on one line and touch.
func joinRules(rs []ruled) []ruled {
	slices.SortFunc(rs, func(a, b ruled) int {
		if c := cmp.Compare(round(a.at), round(b.at)); c != 0 {
			return c
		}
		return cmp.Compare(a.from, b.from)
	})
	var out []ruled
	for _, r := range rs {
		joined := false
		for i := len(out) - 1; i >= 0 && r.at-out[i].at < 1; i-- {
			if r.from <= out[i].to+joint && r.to >= out[i].from-joint {
				out[i].from, out[i].to = min(out[i].from, r.from), max(out[i].to, r.to)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, r)
		}
	}
	return out
}

// hasSide says whether a horizontal ruled closes b at height y.
func hasSide(hs []ruled, b box, y float32) bool {
	for _, h := range hs {
		if near(h.at, y) && h.from <= b.left+joint && h.to >= b.right-joint {
			return true
		}
	}
	return false
}

func near(a, b float32) bool { return a-b < joint && b-a < joint }

func (b box) area() float32 { return (b.right - b.left) * (b.top - b.bottom) }

// holds says whether the middle of l's base line lies in b.
func (b box) holds(l textLine) bool {
	x := (l.left + l.right) / 2
	mid := l.y + 0.2*l.size
	return x > b.left && x < b.right && mid > b.bottom-1 && mid < b.top+1
}
