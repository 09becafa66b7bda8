package verify

import (
	"slices"
	"strconv"
	"strings"

	"digesto/text"
	"digesto/text/figure"
)

// figures compares the figures of the claim with those of the deciding sentence.
// differs names one that is another there; clean says that every figure of the claim
// stands there, in the same order, and where several could be meant, with its own
// words around it.
func (x *comparison) figures() (differs pair, clean bool) {
	law := figure.FindAll(x.context, x.loc)
	mine := x.counted()
	clean = true
	last := map[string]int{} // by what is counted
	for _, f := range mine {
		at, alike := x.closest(f, law, mine)
		switch {
		case alike && at < 0: // as another unit, or a number alone
		case alike:
			clean = clean && at >= last[baseUnit(f)]
			last[baseUnit(f)] = at
		case at < 0 || x.elsewhere(f):
			clean = false
		default:
			clean = false
			differs = pair{said: f.Text, law: law[at].Text}
		}
	}
	return differs, clean
}

// counted gives the figures of the claim, without those that name a part of a law.
func (x *comparison) counted() []figure.Figure {
	var out []figure.Figure
	rs := []rune(x.c.text)
	for _, f := range figure.FindAll(x.c.text, x.loc) {
		if f.Kind != figure.Number || !bare(f) && !naming(rs[:f.Start]) {
			out = append(out, f)
		}
	}
	return out
}

// elsewhere says that the unit has a figure somewhere: then it is the sentence that
// may be wrong, not the claim.
func (x *comparison) elsewhere(f figure.Figure) bool {
	for _, s := range x.p.sents {
		for _, g := range figure.FindAll(s.Text, x.loc) {
			if sameFigure(f, g) {
				return true
			}
		}
	}
	return false
}

// closest gives the figure of the passage that counts the same thing and has most
// of the words around f around it; -1 when none does, or two do equally. alike says
// that it is the same figure, of another unit with -1.
func (x *comparison) closest(f figure.Figure, law, mine []figure.Figure) (best int, alike bool) {
	var rivals []int
	same := -1
	for k, g := range law {
		alike = alike || sameFigure(f, g)
		switch {
		case !countsAlike(f, g):
		case sameFigure(f, g):
			rivals = append(rivals, k)
			if same < 0 {
				same = k
			}
		case !slices.ContainsFunc(mine, func(m figure.Figure) bool { return sameFigure(m, g) }): // the claim's own other figures are no rivals
			rivals = append(rivals, k)
		}
	}
	words := stemsOf(x.c.text)
	if same >= 0 {
		if x.own(same, rivals, law, words) {
			return same, true
		}
		return -1, false
	}
	best = -1
	top, tie := -1, false
	for _, k := range rivals {
		n := shared(x.beside(law[k]), words)
		switch {
		case n > top:
			top, best, tie = n, k, false
		case n == top && !sameFigure(law[best], law[k]):
			tie = true
		}
	}
	if tie {
		return -1, alike
	}
	return best, alike
}

// own says that the words of the claim are those of one figure and not of its
// rivals: rules of several cases put the case behind each figure, or before it.
func (x *comparison) own(same int, rivals []int, law []figure.Figure, mine map[string]bool) bool {
	rs := []rune(x.context)
	several := false
	behind, before := true, true
	for n, k := range rivals {
		from, to := 0, len(rs)
		if n > 0 {
			from = law[rivals[n-1]].End
		}
		if n+1 < len(rivals) {
			to = law[rivals[n+1]].Start
		}
		has := shared(stemsOf(string(rs[law[k].End:to])), mine) > 0
		had := shared(stemsOf(string(rs[from:law[k].Start])), mine) > 0
		if sameFigure(law[same], law[k]) {
			behind, before = behind && has, before && had
			continue
		}
		several = true
		behind, before = behind && !has, before && !had
	}
	x.cases = x.cases || several
	return !several || behind || before
}

func shared(a, b map[string]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// reach is how many code points around a figure tell what it is the figure of.
const reach = 70

func (x *comparison) beside(f figure.Figure) map[string]bool {
	rs := []rune(x.context)
	return stemsOf(string(rs[max(0, f.Start-reach):f.Start]) + " " + string(rs[f.End:min(len(rs), f.End+reach)]))
}

func stemsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(nil, s) {
		if !text.IsStop(t.Text) {
			out[text.Stem(t.Text)] = true
		}
	}
	return out
}

// countsAlike says that two figures count the same thing: days and working days, or
// two amounts of money. What has no unit is compared with nothing.
func countsAlike(a, b figure.Figure) bool {
	return a.Kind == b.Kind && a.Kind != figure.Number && baseUnit(a) == baseUnit(b)
}

// sameFigure says that two figures are the same, or that one is only more exact
// about its unit, or that the units differ by a whole factor.
func sameFigure(a, b figure.Figure) bool {
	if a.Kind == figure.Number || b.Kind == figure.Number {
		return a.Value == b.Value
	}
	if a.Kind != b.Kind {
		return false
	}
	if baseUnit(a) == baseUnit(b) {
		return a.Value == b.Value && (a.Unit == b.Unit || a.Unit == baseUnit(a) || b.Unit == baseUnit(b))
	}
	return inYears(a) != "" && inYears(a) == inYears(b)
}

func baseUnit(f figure.Figure) string {
	if f.Kind != figure.Duration {
		return f.Unit
	}
	u, _, _ := strings.Cut(f.Unit, " ")
	return u
}

// inYears makes months and years comparable: "12 meses" is "1 año".
func inYears(f figure.Figure) string {
	switch baseUnit(f) {
	case "año":
		if n, err := strconv.Atoi(f.Value); err == nil {
			return strconv.Itoa(12 * n)
		}
	case "mes":
		return f.Value
	}
	return ""
}

// How much of a claim a sentence must say for its figure to be the one that the claim means:
// a share of the words beside figures, and so many of them.
const (
	strayShare = .6
	strayWords = 2
)

// stray finds the sentence that gives another figure for what the claim says in other words:
// no sentence of the unit has the claim's figure, and one that counts the same thing has most
// of its words. What a claim tells as having happened is no rule, and is left alone.
func (x *comparison) stray() (differs pair, at int) {
	if narrates(x.c.text) {
		return pair{}, -1
	}
	best := 0.0
	at = -1
	for _, f := range x.counted() {
		if f.Kind == figure.Number || x.elsewhere(f) {
			continue
		}
		for k := range x.p.sents {
			law := figure.FindAll(x.p.context(k), x.loc)
			other := slices.IndexFunc(law, func(g figure.Figure) bool { return countsAlike(f, g) })
			if other < 0 {
				continue
			}
			y := &comparison{p: x.p, c: x.c, at: k, loc: x.loc}
			if y.read(); len(y.bodies) > 0 {
				continue
			}
			figures := len(strings.Fields(f.Text))
			said := y.words - figures
			found := said - y.alien
			if share := float64(found) / float64(max(1, said)); found >= strayWords && share >= strayShare && share > best {
				best, at, differs = share, k, pair{said: f.Text, law: law[other].Text}
			}
		}
	}
	return differs, at
}

// narrates says whether a text tells what has happened.
func narrates(s string) bool {
	for _, t := range text.Tokens(nil, s) {
		w := s[t.Start:t.End]
		if strings.HasSuffix(w, "ó") || strings.HasSuffix(t.Text, "aron") || strings.HasSuffix(t.Text, "ieron") || past[t.Text] {
			return true
		}
	}
	return false
}

var past = text.WordSet("fue fueron hubo habia habian era eran ha han hemos he hace tenia tenian llevaba estaba estaban")
