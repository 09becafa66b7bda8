package text

import "strings"

// live is what a program that shows Markdown would fetch or make a link of: an image,
// a link, a definition of one, an element of HTML.
var live = []string{"![", "](", "]:", "<"}

// Inert puts a backslash before the last sign of what is live in Markdown, where none
// stands already that escapes it: a quotation may hold one, if its document does, and
// is read but does nothing.
func Inert(s string) string {
	var b strings.Builder
	escaped := false
	for i := range len(s) {
		for _, l := range live {
			if k := i - len(l) + 1; k >= 0 && s[k:i+1] == l && !escaped {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
		escaped = s[i] == '\\' && !escaped
	}
	return b.String()
}
