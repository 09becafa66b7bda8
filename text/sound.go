package text

import "strings"

// Sound gives a key that folded Spanish words share when they sound alike to
// those who write by ear: b and v; c, s and z; g and j before e and i; ll and y; c, k
// and qu; a mute h; m before n, as n; doubled letters once. It covers seseo and yeísmo.
func Sound(folded string) string {
	s := sounds.Replace(folded)
	var b strings.Builder
	var last byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		var next byte
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case c == 'h':
			continue
		case c == 'v' || c == 'w':
			c = 'b'
		case c == 'z', c == 'x', c == 'c' && (next == 'e' || next == 'i'):
			c = 's'
		case c == 'c' || c == 'q':
			c = 'k'
		case c == 'g' && (next == 'e' || next == 'i'):
			c = 'j'
		case c == 'm' && (next == 'p' || next == 'b' || next == 'v' || next == 'n'):
			c = 'n'
		}
		if c == last {
			continue
		}
		b.WriteByte(c)
		last = c
	}
	return b.String()
}

// sounds are the pairs of letters for one sound; capitals stand for what no single
// letter writes.
var sounds = strings.NewReplacer("ch", "C", "ll", "y", "qu", "k", "gue", "Ge", "gui", "Gi", "ph", "f")
