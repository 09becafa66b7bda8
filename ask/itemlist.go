package ask

import (
	"strings"

	"digesto/text/sentence"
)

// A list of a legal text is a sentence that announces it and the paragraphs,
// numbered alike, that follow.

// leadOf gives the sentence that announces the list of which sentence i is an
// item; -1 when it is none.
func (u *unitText) leadOf(i int) int { return int(u.leads[i]) }

// link finds what announces each sentence.
func (u *unitText) link() {
	u.leads = make([]int32, len(u.sents))
	for i := range u.sents {
		if i > 0 && !u.sents[i].First { // as what begins its paragraph
			u.leads[i] = u.leads[i-1]
		} else {
			u.leads[i] = int32(u.findLead(i))
		}
	}
}

func (u *unitText) findLead(i int) int {
	first := i
	for first > 0 && !u.sents[first].First {
		first--
	}
	m := u.sents[first].Marker
	if m == sentence.NoMarker {
		return -1
	}
	for k := first - 1; k >= 0; k-- {
		s := u.sents[k]
		if s.Last && s.Lead() && u.markerOf(k) != m {
			if u.sents[k+1].Marker == m {
				return k
			}
			return -1
		}
		if s.First && s.Marker == sentence.NoMarker && !u.resumes(k, m, sentence.NoMarker) || s.First && s.Marker != sentence.NoMarker && s.Marker < m {
			return -1
		}
	}
	return -1
}

// items gives the paragraphs of the list that sentence lead announces, each a
// span: those numbered alike, with lists nested in them.
func (u *unitText) items(lead int) []span {
	own := u.markerOf(lead)
	var kind sentence.Marker
	var out []span
	for i := lead + 1; i < len(u.sents); i = u.endOf(i) + 1 {
		m := u.sents[i].Marker
		if m == sentence.NoMarker && kind == sentence.NoMarker && u.sents[i].Para == u.sents[lead].Para {
			continue
		}
		if m == sentence.NoMarker && !row(u.sents[i].Text) && !u.resumes(i, kind, own) || m == own && own != sentence.NoMarker {
			break
		}
		if kind == sentence.NoMarker {
			kind = m
		}
		out = append(out, span{i, u.endOf(i)})
	}
	return out
}

// resumes says that a list goes on behind the unnumbered paragraph of sentence
// i: the next paragraph of the list's kind has the number that follows the last
// one before it. own is the numbering of what announces the list.
func (u *unitText) resumes(i int, kind, own sentence.Marker) bool {
	if kind == sentence.NoMarker {
		return false
	}
	before := ""
	for k := i - 1; k >= 0 && before == ""; k-- {
		if u.sents[k].First && u.sents[k].Marker == kind {
			before = u.sents[k].mark
		}
	}
	for k := i + 1; k < len(u.sents) && before != ""; k++ {
		s := u.sents[k]
		if !s.First || s.Marker == sentence.NoMarker {
			continue
		}
		if s.Marker == kind {
			return follows(before, s.mark)
		}
		if s.Marker == own {
			return false
		}
	}
	return false
}

// follows says that b is the number or letter that comes next to a.
func follows(a, b string) bool {
	if allDigits(a) && allDigits(b) {
		return leadingNumber(b) == leadingNumber(a)+1
	}
	if x, more, ok := strings.Cut(a, " "); ok && more != "" { // "b bis" → "c"
		a = x
	}
	if x, more, ok := strings.Cut(b, " "); ok && more != "" { // "b" → "b bis"
		return x == a
	}
	if len(a) == 1 && len(b) == 1 {
		return b[0] == a[0]+1
	}
	return romans[a] > 0 && romans[b] == romans[a]+1
}

var romans = map[string]int{"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12}

// listed gives what is shown of the list that sentence l announces, when the
// answering sentence, shown in have, is one of its items: the sentences that
// announce it, and the other items where one of them alone would mislead. For a
// list that is asked for, the widest one that holds the sentence.
func (u *unitText) listed(f *focus, l, at int, have []span) []span {
	var heads []span
	for outer := u.leadOf(u.startOf(l)); outer >= 0 && outer < l; outer = u.leadOf(u.startOf(l)) {
		if f.kind == KindList {
			heads = nil
		} else {
			heads = append(heads, span{u.startOf(l), l})
		}
		l = outer
		if f.kind != KindList {
			break
		}
	}
	if list := u.items(l); len(heads) == 0 && u.together(f, list, at) {
		have = list
	}
	heads = append(heads, span{u.startOf(l), l})
	return append(heads, have...)
}

// otherItem says that another item of the list begins between the sentences at and i.
func (u *unitText) otherItem(at, i int) bool {
	lo, hi := min(at, i), max(at, i)
	for k := lo + 1; k <= hi; k++ {
		if u.sents[k].First && u.sents[k].Marker != sentence.NoMarker {
			return true
		}
	}
	return i < at
}

// together says that the items of a list are only right as a whole: others of
// them hold the asked kind of thing too, and no word of the question tells the
// answering one from them. Numbers do not: whether a case falls in an item
// is for the reader to judge.
func (u *unitText) together(f *focus, list []span, at int) bool {
	want := wants[f.kind]
	if f.kind == KindList {
		return true
	}
	if f.kind != KindPeriod && f.kind != KindAmount && f.kind != KindWho && f.kind != KindDate {
		return false
	}
	var others []span
	var own span
	for _, s := range list {
		switch {
		case covered([]span{s}, at):
			own = s
		case u.spanHas(s, want):
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return false
	}
	for _, t := range f.terms {
		if t.part < 1 || t.stem[0] >= '0' && t.stem[0] <= '9' || !u.spanHolds(own, t.stem) {
			continue
		}
		n := 0
		for _, s := range others {
			if u.spanHolds(s, t.stem) {
				n++
			}
		}
		if 2*n < len(others) {
			return false
		}
	}
	return true
}

func (u *unitText) spanHas(s span, want presence) bool {
	for _, x := range u.sents[s.from : s.to+1] {
		if x.has&want != 0 {
			return true
		}
	}
	return false
}

func (u *unitText) spanHolds(s span, stem string) bool {
	key := wordKey(stem)
	for i := s.from; i <= s.to; i++ {
		if u.sentHas(i, key) {
			return true
		}
	}
	return false
}

// row says that a paragraph is a row of a table as readers write them.
func row(s string) bool { return strings.Contains(s, " | ") }
