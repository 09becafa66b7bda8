package pdf

import (
	"cmp"
	"slices"

	"digesto/internal/pdfium"
)

// Word processors draw each side of a box as thin filled rectangles, cut at
// every line of text, with a dot at each corner. Rules are put together from
// such pieces before boxes and tables are looked for.

const (
	ruleWidth   = 2.5 // a path thinner than this, in points, is a rule
	ruleMinimum = 4   // if it is longer than this
	joint       = 3.0 // pieces this near belong together
)

// ruled is a straight line: at is its x (vertical) or y (horizontal).
type ruled struct{ at, from, to float32 }

// rulesOf gives the vertical and horizontal rules of a page.
func rulesOf(p pdfium.Page) (vertical, horizontal []ruled) {
	for _, r := range p.Paths {
		w, h := r.Right-r.Left, r.Top-r.Bottom
		switch {
		case w <= ruleWidth && h > ruleWidth:
			vertical = append(vertical, ruled{(r.Left + r.Right) / 2, r.Bottom, r.Top})
		case h <= ruleWidth && w > ruleMinimum:
			horizontal = append(horizontal, ruled{(r.Bottom + r.Top) / 2, r.Left, r.Right})
		}
	}
	return joinRules(vertical), joinRules(horizontal)
}

// joinRules puts together the pieces of rules that lie on one line and touch.
// The rules come sorted by their place.
func joinRules(rs []ruled) []ruled {
	slices.SortFunc(rs, func(a, b ruled) int { return cmp.Compare(a.at, b.at) })
	var out []ruled
	for len(rs) > 0 {
		n := 1
		for n < len(rs) && rs[n].at-rs[0].at < 1 {
			n++
		}
		slices.SortFunc(rs[:n], func(a, b ruled) int { return cmp.Compare(a.from, b.from) })
		for i, r := range rs[:n] {
			if last := len(out) - 1; i > 0 && r.from <= out[last].to+joint {
				out[last].to = max(out[last].to, r.to)
			} else {
				out = append(out, ruled{rs[0].at, r.from, r.to})
			}
		}
		rs = rs[n:]
	}
	return out
}

// block is a box or a table: rules that touch each other.
type block struct {
	pdfium.Box
	vertical, horizontal []ruled
	parent               int // index of the block around it, −1 = none
	kind                 blockKind
	lines                []textLine // those directly in it
}

// blockKind is what a box holds.
type blockKind int

const (
	plainBlock   blockKind = iota // a table, or a box that says nothing of itself
	historyBlock                  // a former wording
	noteBlock                     // a note, with the wording that it speaks of
)

// maxRules bounds the work on a page that is a drawing, not a text.
const maxRules = 2000

// findBlocks gives the boxes and tables of a page, the smallest first.
func findBlocks(vertical, horizontal []ruled) []block {
	if len(vertical)+len(horizontal) > maxRules {
		return nil
	}
	group := newGroups(len(vertical) + len(horizontal))
	for i, v := range vertical {
		for k, h := range horizontal {
			if v.at >= h.from-joint && v.at <= h.to+joint && h.at >= v.from-joint && h.at <= v.to+joint {
				group.join(i, len(vertical)+k)
			}
		}
		for k, w := range vertical[:i] { // the sides of a box that runs on over both edges of the page
			if v.at-w.at > 20 && near(v.from, w.from) && near(v.to, w.to) && group.alone(i) && group.alone(k) {
				group.join(i, k)
			}
		}
	}
	var out []block
	for _, members := range group.all() {
		b := block{parent: -1}
		for _, m := range members {
			if m < len(vertical) {
				b.vertical = append(b.vertical, vertical[m])
			} else {
				b.horizontal = append(b.horizontal, horizontal[m-len(vertical)])
			}
		}
		if len(b.vertical) < 2 {
			continue
		}
		b.Box = bounds(b.vertical)
		if b.Right-b.Left > 20 && b.Top-b.Bottom > 6 {
			out = append(out, b.apart()...)
		}
	}
	slices.SortStableFunc(out, func(a, b block) int { return cmp.Compare(a.Area(), b.Area()) })
	for i := range out {
		out[i].parent = slices.IndexFunc(out[i+1:], func(b block) bool { return b.Mostly(out[i].Box) })
		if out[i].parent >= 0 {
			out[i].parent += i + 1
		}
	}
	return out
}

// apart takes the boxes out of a table whose sides touch its rules: two
// vertical rules of the same length closed by a horizontal one that ends where
// they stand. The table comes first, what was in it after it.
func (b block) apart() []block {
	var best pdfium.Box
	for i, l := range b.vertical {
		for _, r := range b.vertical[i+1:] {
			f := boxOf(l.at, max(l.from, r.from), r.at, min(l.to, r.to))
			if f.Right-f.Left < 20 || f.Top-f.Bottom < 6 || !near(l.from, r.from) || !near(l.to, r.to) {
				continue
			}
			if f.Area() < 0.85*b.Area() && f.Area() > best.Area() && (b.closed(f, f.Top) || b.closed(f, f.Bottom)) {
				best = f
			}
		}
	}
	if best.Area() == 0 {
		return []block{b}
	}
	in := block{Box: best, parent: -1}
	in.vertical, b.vertical = split(b.vertical, func(v ruled) bool {
		return around(best, boxOf(v.at, v.from, v.at, v.to))
	})
	in.horizontal, b.horizontal = split(b.horizontal, func(h ruled) bool {
		return around(best, boxOf(h.from, h.at, h.to, h.at))
	})
	out := in.apart()
	if len(b.vertical) > 1 {
		b.Box = bounds(b.vertical)
		out = append(b.apart(), out...)
	}
	return out
}

// closed says whether a horizontal rule of just f's breadth lies at height y.
func (b block) closed(f pdfium.Box, y float32) bool {
	return slices.ContainsFunc(b.horizontal, func(h ruled) bool {
		return near(h.at, y) && near(h.from, f.Left) && near(h.to, f.Right)
	})
}

func split(rs []ruled, inside func(ruled) bool) (in, out []ruled) {
	for _, r := range rs {
		if inside(r) {
			in = append(in, r)
		} else {
			out = append(out, r)
		}
	}
	return in, out
}

func bounds(vs []ruled) pdfium.Box {
	b := boxOf(vs[0].at, vs[0].from, vs[0].at, vs[0].to)
	for _, v := range vs {
		b = boxOf(min(b.Left, v.at), min(b.Bottom, v.from), max(b.Right, v.at), max(b.Top, v.to))
	}
	return b
}

func near(a, b float32) bool { return a-b < joint && b-a < joint }

func around(b, c pdfium.Box) bool {
	return c.Left > b.Left-joint && c.Right < b.Right+joint && c.Bottom > b.Bottom-joint && c.Top < b.Top+joint
}

// holds says whether the middle of l lies in b.
func holds(b pdfium.Box, l textLine) bool {
	x, y := (l.left+l.right)/2, l.y+0.2*l.size
	return x > b.Left && x < b.Right && y > b.Bottom-1 && y < b.Top+1
}

// columns says into how many columns the rules part b at most.
func (b block) columns() int {
	n, last := 0, b.Left
	for _, v := range b.vertical {
		if v.at > last+joint {
			n, last = n+1, v.at
		}
	}
	return n
}

// row gives the number of the row that height y lies in, from the top.
func (b block) row(y float32) int {
	n := 0
	for _, h := range b.horizontal {
		if h.at > y && h.at < b.Top-joint && h.to-h.from > 0.7*(b.Right-b.Left) {
			n++
		}
	}
	return n
}

// column gives the number of the column that l lies in: the rules that part the
// table at the height of the line count.
func (b block) column(l textLine) int {
	n := 0
	x, y := (l.left+l.right)/2, l.y+0.3*l.size
	for _, v := range b.vertical {
		if v.at < x && v.at > b.Left+joint && v.from <= y && v.to >= y {
			n++
		}
	}
	return n
}

// groups is a union-find over n things.
type groups struct{ parent, size []int }

func newGroups(n int) *groups {
	g := &groups{make([]int, n), make([]int, n)}
	for i := range n {
		g.parent[i], g.size[i] = i, 1
	}
	return g
}

func (g *groups) find(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

func (g *groups) join(a, b int) {
	if a, b = g.find(a), g.find(b); a != b {
		g.parent[max(a, b)] = min(a, b)
		g.size[min(a, b)] += g.size[max(a, b)]
	}
}

func (g *groups) alone(i int) bool { return g.size[g.find(i)] == 1 }

// all gives the members of each group, in order.
func (g *groups) all() [][]int {
	at := map[int]int{}
	var out [][]int
	for i := range g.parent {
		r := g.find(i)
		k, ok := at[r]
		if !ok {
			k = len(out)
			at[r] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

func boxOf(left, bottom, right, top float32) pdfium.Box {
	return pdfium.Box{Left: left, Bottom: bottom, Right: right, Top: top}
}
