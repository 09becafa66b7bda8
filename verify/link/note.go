package link

import (
	"sort"
	"strings"
	"unicode"

	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// Calls of notes behind a quotation ("[^1]", "¹", "(1)", "[1]", or a figure that
// touches its mark) and what a note begins with.
var (
	noteCall = lazyregexp.New(`^[.,;]?(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|\s?[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[\s.,;:)]|$)|(\*{1,3})(?:[\s.,;:)]|$))`)
	noteMark = lazyregexp.New(`^[ \t]*(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[.):]-?)?[ \t]|(\*{1,3})[ \t])`)
	raised   = strings.NewReplacer("¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁰", "0")
)

// note is a line of a text that may be a note and cites, or sends back to another: where it
// begins, in code points, and the citation in it.
type note struct{ from, group int }

// sentBack is the group of a note that cites what another does: "5. Ibíd., inc. a)".
const sentBack = -2

var sendsBack = lazyregexp.New(`(?i)^\W*\d*\W*(?:ibíd|ibid|íbid|ib|ídem|idem|íd|id|op)\b`)

// findNotes finds the notes by their mark, in order of place.
func findNotes(r []rune, groups [][]read.Mention) map[string][]note {
	out := map[string][]note{}
	for at, end := 0, 0; at < len(r); at = end + 1 {
		end = read.LineEnd(r, at)
		if c := read.FirstLetter(r[at:min(end, at+8)]); !strings.ContainsRune("[(*¹²³⁴⁵⁶⁷⁸⁹⁰", c) && !unicode.IsDigit(c) {
			continue
		}
		m := noteMark.FindStringSubmatch(string(r[at:min(end, at+24)]))
		if m == nil {
			continue
		}
		g := read.Within(groups, at, end)
		for ; g >= 0 && g < len(groups) && groups[g][0].Start <= end && groups[g][0].End > end; g++ {
		}
		if g < 0 || g == len(groups) || groups[g][0].Start > end {
			if g = sentBack; !sendsBack.MatchString(string(r[at:min(end, at+40)])) {
				continue
			}
		}
		out[mark(m)] = append(out[mark(m)], note{at, g})
	}
	return out
}

// mark gives the number or name of a note.
func mark(m []string) string { return raised.Replace(strings.Join(m[1:], "")) }

// note gives the citation in the note that a quotation calls: the first behind it with
// that mark and a citation; sentBack when it sends back to another note.
func (l *link) note() int {
	call := noteCall.FindStringSubmatch(string(l.r[l.q.To:min(len(l.r), l.q.To+20)]))
	if call == nil {
		return none
	}
	list := l.notes[mark(call)]
	k := sort.Search(len(list), func(i int) bool { return list[i].from >= l.q.To })
	if k == len(list) {
		return none
	}
	return list[k].group
}

// inTurn says that a row of quotations and a row of citations go one with one.
var inTurn = read.Compile(`(?i)\brespectivamente\b`)

// respectively gives the citation of each quotation in sentences that pair them off:
// "los artículos 5 y 6 dicen, respectivamente, «…» y «…»".
func respectively(m *read.Meter, s string, r []rune, mentions []read.Mention, quotes []read.Quotation) map[int]read.Mention {
	out := map[int]read.Mention{}
	count, done := read.CodePoints(s), 0
	for at := range inTurn.In(m, s) {
		p := count(at[0])
		if p < done {
			continue // of a sentence that was paired off
		}
		from, to := sentenceAround(r, quotes, p)
		done = max(done, to)
		var cited []read.Mention
		for k := sort.Search(len(mentions), func(i int) bool { return mentions[i].Start >= from }); k < len(mentions) && mentions[k].Start < to; k++ {
			if mentions[k].Unit != "" {
				cited = append(cited, mentions[k])
			}
		}
		first := sort.Search(len(quotes), func(i int) bool { return quotes[i].From >= from })
		last := sort.Search(len(quotes), func(i int) bool { return quotes[i].To > to })
		if len(cited) >= 2 && len(cited) == last-first {
			for i, m := range cited {
				out[first+i] = m
			}
		}
	}
	return out
}

// sentenceAround gives the sentence about a place, quotations taken as one piece each; 0, 0 when
// the place is inside a quotation.
func sentenceAround(r []rune, quotes []read.Quotation, p int) (from, to int) {
	if read.Overlaps(p, p+1, quotes) {
		return 0, 0
	}
	ends := func(i int) bool {
		return r[i] != '\n' && r[i] != ':' && r[i] != ';' && read.Stops(r, i) || read.BlankAt(r, i)
	}
	k := sort.Search(len(quotes), func(k int) bool { return quotes[k].To > p }) // the next one
	next := k
	for from = p; from > 0 && !ends(from-1); from-- {
		if k > 0 && quotes[k-1].To == from {
			k, from = k-1, quotes[k-1].From+1
		}
	}
	for to = p; to < len(r) && !ends(to); to++ {
		if next < len(quotes) && quotes[next].From == to {
			next, to = next+1, quotes[next].To-1
		}
	}
	return from, to
}
