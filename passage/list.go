package passage

import (
	"strings"

	"digesto/text/sentence"
)

// A list of a legal text is a sentence that announces it and the paragraphs,
// numbered alike, that follow.

// LeadOf gives the sentence that announces the list of which sentence i is an
// item; -1 when it is none.
func (u *Unit) LeadOf(i int) int { return int(u.Leads[i]) }

// link finds what announces each sentence.
func (u *Unit) link() {
	u.Leads = make([]int32, len(u.Sentences))
	for i := range u.Sentences {
		if i > 0 && !u.Sentences[i].First { // as what begins its paragraph
			u.Leads[i] = u.Leads[i-1]
		} else {
			u.Leads[i] = int32(u.findLead(i))
		}
	}
}

func (u *Unit) findLead(i int) int {
	first := i
	for first > 0 && !u.Sentences[first].First {
		first--
	}
	m := u.Sentences[first].Marker
	if m == sentence.NoMarker {
		return -1
	}
	for k := first - 1; k >= 0; k-- {
		s := u.Sentences[k]
		if s.Last && s.Lead() && u.markerOf(k) != m {
			if u.Sentences[k+1].Marker == m {
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

// Items gives the paragraphs of the list that sentence lead announces, each a
// span: those numbered alike, with lists nested in them.
func (u *Unit) Items(lead int) []Span {
	own := u.markerOf(lead)
	var kind sentence.Marker
	var out []Span
	for i := lead + 1; i < len(u.Sentences); i = u.EndOf(i) + 1 {
		m := u.Sentences[i].Marker
		if m == sentence.NoMarker && kind == sentence.NoMarker && u.Sentences[i].Para == u.Sentences[lead].Para {
			continue
		}
		if m == sentence.NoMarker && !isRow(u.Sentences[i].Text) && !u.resumes(i, kind, own) || m == own && own != sentence.NoMarker {
			break
		}
		if kind == sentence.NoMarker {
			kind = m
		}
		out = append(out, Span{i, u.EndOf(i)})
	}
	return out
}

// resumes says that a list goes on behind the unnumbered paragraph of sentence
// i: the next paragraph of the list's kind has the number that follows the last
// one before it. own is the numbering of what announces the list.
func (u *Unit) resumes(i int, kind, own sentence.Marker) bool {
	if kind == sentence.NoMarker {
		return false
	}
	before := ""
	for k := i - 1; k >= 0 && before == ""; k-- {
		if u.Sentences[k].First && u.Sentences[k].Marker == kind {
			before = u.Sentences[k].mark
		}
	}
	for k := i + 1; k < len(u.Sentences) && before != ""; k++ {
		s := u.Sentences[k]
		if !s.First || s.Marker == sentence.NoMarker {
			continue
		}
		if s.Marker == kind {
			return Follows(before, s.mark)
		}
		if s.Marker == own {
			return false
		}
	}
	return false
}

// Follows says that b is the number or letter that comes next to a.
func Follows(a, b string) bool {
	if AllDigits(a) && AllDigits(b) {
		return LeadingNumber(b) == LeadingNumber(a)+1
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

// OtherItem says that another item of the list begins between the sentences at and i.
func (u *Unit) OtherItem(at, i int) bool {
	lo, hi := min(at, i), max(at, i)
	for k := lo + 1; k <= hi; k++ {
		if u.Sentences[k].First && u.Sentences[k].Marker != sentence.NoMarker {
			return true
		}
	}
	return i < at
}

func (u *Unit) SpanHas(s Span, want Presence) bool {
	for _, x := range u.Sentences[s.From : s.To+1] {
		if x.Holds&want != 0 {
			return true
		}
	}
	return false
}

func (u *Unit) SpanHolds(s Span, stem string) bool {
	key := Key(stem)
	for i := s.From; i <= s.To; i++ {
		if u.SentHas(i, key) {
			return true
		}
	}
	return false
}

// isRow says that a paragraph is a row of a table as readers write them.
func isRow(s string) bool { return strings.Contains(s, " | ") }

func LeadingNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1e6; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
