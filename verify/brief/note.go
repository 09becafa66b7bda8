package brief

import (
	"regexp"
	"slices"
	"strings"
)

// Calls of notes behind a quotation ("[^1]", "¹", "(1)", "[1]", or a figure that
// touches its mark) and what a note begins with.
var (
	noteCall = regexp.MustCompile(`^[.,;]?(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|\s?[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[\s.,;:)]|$))`)
	noteMark = regexp.MustCompile(`^[ \t]*(?:\[\^([\w-]{1,12})\]|([¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3})|[(\[](\d{1,3})[)\]]|(\d{1,3})(?:[.):]-?)?[ \t])`)
	raised   = strings.NewReplacer("¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁰", "0")
)

// notes are the lines of a text that may be notes, by their mark, in order of place.
type notes map[string][]span

type span struct{ from, to int } // code points

// findNotes finds them.
func findNotes(r []rune) notes {
	out := notes{}
	for at := 0; at < len(r); {
		end := lineEnd(r, at)
		if m := noteMark.FindStringSubmatch(string(r[at:min(end, at+24)])); m != nil {
			out[mark(m)] = append(out[mark(m)], span{at, end})
		}
		at = end + 1
	}
	return out
}

// mark gives the number or name of a note.
func mark(m []string) string { return raised.Replace(strings.Join(m[1:], "")) }

// of gives the citation in the note that a quotation calls: the first behind it with
// that mark and a citation; -1 for none, noteBack when it sends back to another note.
func (n notes) of(r []rune, groups [][]mention, q quotation) int {
	call := noteCall.FindStringSubmatch(string(r[q.to:min(len(r), q.to+20)]))
	if call == nil {
		return -1
	}
	for _, line := range n[mark(call)] {
		if line.from < q.to {
			continue
		}
		if g := slices.IndexFunc(groups, func(list []mention) bool { return list[0].Start >= line.from && list[0].End <= line.to }); g >= 0 {
			return g
		}
		if sendsBack.MatchString(string(r[line.from:min(line.to, line.from+40)])) {
			return noteBack
		}
	}
	return -1
}

const noteBack = -2

// sendsBack is a note that cites what another does: "5. Ibíd., inc. a)".
var sendsBack = regexp.MustCompile(`(?i)^\W*\d*\W*(?:ibíd|ibid|íbid|ib|ídem|idem|íd|id|op)\b`)
