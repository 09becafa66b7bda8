package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// Calls of notes behind a quotation ("[^1]", "¹", "(1)", "[1]", or a figure that
// touches its mark) and what a note begins with.
var (
	noteCall = regexp.MustCompile(`^[.,;]?(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|\s?[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[\s.,;:)]|$)|(\*{1,3})(?:[\s.,;:)]|$))`)
	noteMark = regexp.MustCompile(`^[ \t]*(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[.):]-?)?[ \t]|(\*{1,3})[ \t])`)
	raised   = strings.NewReplacer("¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁰", "0")
)

// notes are the lines of a text that may be notes and cite, or send back to another, by
// their mark, in order of place.
type notes struct{ by map[string][]note }

// note is such a line: where it begins, in code points, and the citation in it.
type note struct{ from, group int }

// findNotes finds them.
func findNotes(r []rune, groups [][]mention) *notes {
	out := notes{by: map[string][]note{}}
	for at := 0; at < len(r); {
		end := lineEnd(r, at)
		if within(groups, at, end) < 0 && !maySendBack(r[at:min(end, at+40)]) {
			at = end + 1
			continue
		}
		if m := noteMark.FindStringSubmatch(string(r[at:min(end, at+24)])); m != nil {
			g := within(groups, at, end)
			for ; g >= 0 && g < len(groups) && groups[g][0].Start <= end && groups[g][0].End > end; g++ {
			}
			switch {
			case g >= 0 && g < len(groups) && groups[g][0].Start <= end && groups[g][0].End <= end:
				out.by[mark(m)] = append(out.by[mark(m)], note{at, g})
			case sendsBack.MatchString(string(r[at:min(end, at+40)])):
				out.by[mark(m)] = append(out.by[mark(m)], note{at, noteBack})
			}
		}
		at = end + 1
	}
	return &out
}

// mark gives the number or name of a note.
func mark(m []string) string { return raised.Replace(strings.Join(m[1:], "")) }

// of gives the citation in the note that a quotation calls: the first behind it with
// that mark and a citation; -1 for none, noteBack when it sends back to another note.
func (n *notes) of(r []rune, q quotation) int {
	call := noteCall.FindStringSubmatch(string(r[q.to:min(len(r), q.to+20)]))
	if call == nil {
		return -1
	}
	list := n.by[mark(call)]
	k := sort.Search(len(list), func(i int) bool { return list[i].from >= q.to })
	if k == len(list) {
		return -1
	}
	return list[k].group
}

// maySendBack says whether the first letter of a line is one with which a note begins that
// sends back to another.
func maySendBack(line []rune) bool {
	k := slices.IndexFunc(line, unicode.IsLetter)
	return k >= 0 && slices.Contains([]rune("iIíÍoO"), line[k])
}

const noteBack = -2

// sendsBack is a note that cites what another does: "5. Ibíd., inc. a)".
var sendsBack = regexp.MustCompile(`(?i)^\W*\d*\W*(?:ibíd|ibid|íbid|ib|ídem|idem|íd|id|op)\b`)
