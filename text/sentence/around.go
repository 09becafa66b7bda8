package sentence

import (
	"strings"
	"unicode/utf8"
)

// Around gives the bytes of the sentence of a text in which words stand to the letter
// ("from … to" for several sentences), of at most max code points: of a longer one the
// part between its semicolons, and of that the words alone. A lead-in that ends in a
// colon takes the items after it that fit.
func Around(text, words string, max int) (from, to int, ok bool) {
	first, last, _ := strings.Cut(words, " … ")
	at := strings.Index(text, first)
	if at < 0 || first == "" {
		return 0, 0, false
	}
	end := at + len(first)
	if last != "" {
		i := strings.Index(text[end:], last)
		if i < 0 {
			return 0, 0, false
		}
		end += i + len(last)
	}
	for _, ends := range [][]string{{"\n", ". "}, {"\n", ". ", "; "}} {
		from, to = stretch(text, at, end, ends)
		to = withItems(text, from, to, max)
		if from, to = trimmed(text, from, to); utf8.RuneCountInString(text[from:to]) <= max {
			return from, to, true
		}
	}
	return at, end, true
}

// stretch widens text[at:end] to the ends given.
func stretch(text string, at, end int, ends []string) (from, to int) {
	to = len(text)
	for _, e := range ends {
		if i := strings.LastIndex(text[:at], e); i >= 0 {
			from = max(from, i+len(e))
		}
		if i := strings.Index(text[end:], e); i >= 0 {
			to = min(to, end+i+1)
		}
	}
	return from, to
}

func trimmed(text string, from, to int) (int, int) {
	to = from + len(strings.TrimRight(text[from:to], " \n"))
	return to - len(strings.TrimLeft(text[from:to], " \n")), to
}

// withItems adds to a lead-in the lines after it that fit.
func withItems(text string, from, to, max int) int {
	leads := func() bool {
		s := strings.TrimRight(text[from:to], " \n")
		return strings.HasSuffix(s, ":") || strings.HasSuffix(s, ";") && strings.Contains(s, ":\n")
	}
	for leads() && to < len(text) {
		rest := text[to:]
		skip := len(rest) - len(strings.TrimLeft(rest, "\n"))
		next := strings.Index(rest[skip:], "\n")
		if next < 0 || utf8.RuneCountInString(text[from:to+skip+next]) > max {
			break
		}
		to += skip + next
	}
	return to
}
