package sentence

import "strings"

// Asked is what of a text stands in its questions: each from its opening mark, or from the
// stop before it, to its closing mark; "" where none is closed.
func Asked(text string) string {
	var out []string
	from, open := 0, false
	for i, r := range text {
		switch {
		case r == '¿':
			from, open = i+len("¿"), true
		case r == '?':
			if s := strings.TrimSpace(text[from:i]); s != "" {
				out = append(out, s)
			}
			from, open = i+1, false
		case open:
		case r == '\n' || r == '!' || r == '.' && (i+1 == len(text) || text[i+1] == ' '):
			from = i + 1
		}
	}
	return strings.Join(out, ". ")
}
