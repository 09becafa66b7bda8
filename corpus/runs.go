package corpus

import (
	"strings"

	"digesto"
)

// newTable lists units and works out to which consecutive run of articles each
// belongs.
//
// One file often holds two texts: the decree that approves and the text it
// approves, each with an article 1. Articles are dealt out to runs: an article
// continues the run whose last number is nearest below its own (the latest run
// if several are as near), and opens a new run if there is none. Dispositions
// and the rest belong to the run of the article before them. The longest run
// is the body of the norm.
func newTable(units []digesto.Unit) *unitTable {
	t := &unitTable{refs: make([]unitRef, len(units))}
	var last []articleKey // of each run
	var count []uint32
	run := make([]int, len(units))
	at := -1
	for i := range units {
		u := &units[i]
		t.refs[i] = unitRef{id: u.ID, kind: u.Kind, number: u.Number}
		if u.Kind == digesto.KindArticle {
			if k, ok := keyOf(u.ID); ok {
				at = pickRun(last, k)
				if at < 0 {
					at = len(last)
					last, count = append(last, k), append(count, 0)
				}
				last[at] = k
				count[at]++
			}
		}
		run[i] = at
	}
	for i := range t.refs {
		if run[i] >= 0 {
			t.refs[i].run = count[run[i]]
		}
	}
	return t
}

// articleKey is the place of an article in a run: its number and what follows
// that ("bis", "-A").
type articleKey struct {
	n      int
	suffix string
}

// before says whether o may follow k in one run. Suffixes of one number come in
// no order that laws agree on ("bis", "ter", "quater"…), so any new one may follow.
func (k articleKey) before(o articleKey) bool {
	return k.n < o.n || k.n == o.n && o.suffix != "" && o.suffix != k.suffix
}

// pickRun gives the run that k continues, or -1.
func pickRun(last []articleKey, k articleKey) int {
	best := -1
	for r, l := range last {
		if l.before(k) && (best < 0 || l.n >= last[best].n) {
			best = r
		}
	}
	return best
}

// keyOf reads the number out of the id of an article: "a38", "a3bis", "a62-A",
// "aunico". The mark of a repeated id ("~2") says nothing about the order.
func keyOf(id string) (articleKey, bool) {
	s := strings.TrimPrefix(id, string(digesto.KindArticle))
	s, _, _ = strings.Cut(s, "~")
	if s == "unico" || s == "única" || s == "único" || s == "unica" {
		return articleKey{1, ""}, true
	}
	n, i := 0, 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<24 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return articleKey{n, strings.ToLower(s[i:])}, i > 0
}
