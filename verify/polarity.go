package verify

import (
	"strings"

	"digesto/text"
)

// pair is two wordings that differ: the claim's and the passage's. unsure says that
// they may differ.
type pair struct {
	said, law string
	unsure    bool
}

// polarWord is a word of substance and whether its clause denies it: surely, right
// behind the negation, or perhaps.
type polarWord struct {
	stem          string
	start, end    int // bytes
	sure, perhaps bool
	via           string // stem between the negation and the word
}

// deniedWords is how far behind a negation the words stand that it surely denies.
const deniedWords = 2

// polarity reads which words a text denies. A clause ends at a mark.
func polarity(s string) []polarWord {
	var out []polarWord
	clause, left, denied, last, via := 0, 0, false, 0, ""
	shut := func() {
		for k := clause; k < len(out); k++ {
			out[k].perhaps = denied
		}
		clause, left, denied = len(out), 0, false
	}
	toks := text.Tokens(nil, s)
	for i, t := range toks {
		if strings.ContainsAny(s[last:t.Start], ".,;:()") {
			shut()
		}
		last = t.End
		switch {
		case denying[t.Text] && !(t.Text == "no" && i+1 < len(toks) && toks[i+1].Text == "solo"):
			left, denied, via = deniedWords, true, ""
		case turning[t.Text] || strings.HasPrefix(t.Text, "prohib") || strings.HasPrefix(t.Text, "imped"):
			denied = true
		}
		if text.IsStop(t.Text) || denying[t.Text] {
			continue
		}
		out = append(out, polarWord{stem: text.Stem(t.Text), start: t.Start, end: t.End, sure: left > 0, via: via})
		left, via = max(0, left-1), out[len(out)-1].stem
	}
	shut()
	return out
}

// polarity finds a word that one side surely denies and the other does not touch.
func (x *comparison) polarity() (d pair) {
	said := polarity(x.c.text)
	x.law = polarity(x.context)
	agreed, doubt := false, false
	for _, a := range said {
		met, same := false, false
		var other polarWord
		for _, b := range x.law {
			if b.stem == a.stem {
				met, other = true, b
				same = same || a.sure == b.sure && a.perhaps == b.perhaps
				agreed = agreed || a.sure && b.sure
			}
		}
		switch {
		case !met || same || !a.perhaps && !other.perhaps:
		case a.sure && !other.perhaps && x.through(a, x.law), other.sure && !a.perhaps && x.through(other, said):
			d.said, d.law = around(x.c.text, a), around(x.context, other)
		default:
			doubt = true
		}
	}
	denies, law := anySure(said), anySure(x.law)
	d.unsure = doubt && !agreed || denies && !agreed || law && !denies && x.within() || denials(x.c.text) != denials(x.span())
	if agreed && d.said != "" {
		d = pair{unsure: true}
	}
	return d
}

// through says that what stands between a negation and a word that it denies is
// on the other side too, or is said of any rule ("no podrá …"): "no inferior a
// treinta" does not deny thirty.
func (x *comparison) through(w polarWord, other []polarWord) bool {
	if w.via == "" || light[w.via] {
		return !strings.ContainsAny(w.stem[:1], "0123456789")
	}
	for _, o := range other {
		if o.stem == w.via {
			return true
		}
	}
	return false
}

// denials counts the negations of a text; two may undo each other.
func denials(s string) int {
	n := 0
	for _, t := range text.Tokens(nil, s) {
		if denying[t.Text] {
			n++
		}
	}
	return n
}

func anySure(list []polarWord) bool {
	for _, w := range list {
		if w.sure {
			return true
		}
	}
	return false
}

// within says that a negation of the passage stands among the words of the claim.
func (x *comparison) within() bool {
	first, last := x.met()
	for k := max(first, 0); k <= last; k++ {
		if x.law[k].sure {
			return true
		}
	}
	return false
}

// met gives the first and the last word of the passage that the claim has; -1 without any.
func (x *comparison) met() (first, last int) {
	first, last = -1, -1
	for k, w := range x.law {
		if x.c.says(w.stem) {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	return first, last
}

// span is the stretch of the passage that the claim tells, with what stands before
// it in its clause, where a negation may be.
func (x *comparison) span() string {
	first, last := x.met()
	if first < 0 {
		return ""
	}
	from := 0
	if k := strings.LastIndexAny(x.context[:x.law[first].start], ".,;:()"); k >= 0 {
		from = k
	}
	return x.context[from:x.law[last].end]
}

// around gives a word with what stands before it in its clause, where a negation is seen.
func around(s string, w polarWord) string {
	from := w.start
	for n := 0; n < 4; n++ {
		k := strings.LastIndexAny(strings.TrimRight(s[:from], " "), " \n(")
		if k < 0 {
			from = 0
			break
		}
		if from > w.start-60 {
			from = k + 1
		}
	}
	part := s[from:w.end]
	if k := strings.LastIndexAny(part, ".,;:"); k >= 0 {
		part = part[k+1:]
	}
	return strings.TrimSpace(part)
}

// limits finds a bound of the claim that the sentence turns round.
func (x *comparison) limits() pair {
	mine, law := wordsOf(x.c.text), wordsOf(x.context)
	for _, p := range opposites {
		for k, w := range p {
			o := p[1-k]
			if mine[w] && !mine[o] && law[o] && !law[w] {
				return pair{said: w, law: o}
			}
		}
	}
	return pair{}
}

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(nil, s) {
		out[t.Text] = true
	}
	return out
}
