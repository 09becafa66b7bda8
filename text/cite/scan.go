package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// tok is a word of the text being read.
type tok struct {
	start, end int    // bytes
	w          string // folded
	sep        byte   // strongest mark between the token before and this one; 0 = white space alone
	caps       bool   // written in capitals (and digits) throughout
	capital    bool   // begins with a capital
	opening
}

// opening is what begins with a word: the ranks of norms that it names, and the node to which
// it leads in the names of a table; 0 = no name begins so.
type opening struct {
	ranks []rankPhrase
	node  int32
}

// openings are those of words without a table.
var openings = func() map[string]opening {
	m := map[string]opening{}
	for w, ranks := range rankPhrases {
		m[w] = opening{ranks: ranks}
	}
	return m
}()

// words cuts s into words, as scan does.
func words(dst []tok, raw []text.Token, s string) []tok {
	dst, _ = scan(dst, raw, s, 0, len(s), openings)
	return dst
}

// scan cuts the bytes from … to of s into words. Acronyms with stops ("L.C.T.") become one word. opens says
// what words begin.
func scan(dst []tok, raw []text.Token, s string, from, to int, opens map[string]opening) ([]tok, []text.Token) {
	raw = text.Tokens(raw[:0], s[from:to])
	for i := range raw {
		raw[i].Start += from
		raw[i].End += from
	}
	prev := from
	for i := 0; i < len(raw); i++ {
		r := raw[i]
		if cut := glued(r, s); cut > 0 { // "delDecreto": a source that lost the space before a link
			dst = append(dst, tok{r.Start, r.Start + cut, r.Text[:cut], strongest(s[prev:r.Start]), false, false, opens[r.Text[:cut]]})
			r.Text, r.Start, prev = r.Text[cut:], r.Start+cut, r.Start+cut
		}
		t := tok{r.Start, r.End, r.Text, strongest(s[prev:r.Start]), allCaps(s[r.Start:r.End]), capital(s[r.Start:]), opening{}}
		if t.w == "cod" && strings.HasPrefix(s[t.end:], ".") {
			t.w = "codigo"
		}
		if single(r, s) {
			j := i
			for j+1 < len(raw) && j < i+9 && single(raw[j+1], s) && s[raw[j].End:raw[j+1].Start] == "." {
				j++
				t.w += raw[j].Text
			}
			t.end, i = raw[j].End, j
		}
		if n := t.end - t.start; n == len(t.w) && n > 3 && isDigits(t.w) && s[t.end-1] == 'B' && strings.HasPrefix(s[t.end:], ".O") { // "25.013B.O."
			t.end, t.w = t.end-1, t.w[:n-1]
		}
		t.opening = opens[t.w]
		prev = t.end
		dst = append(dst, t)
	}
	return dst, raw
}

// glued gives where a small word ends that stands without a space before a word with a capital; 0 = none.
func glued(r text.Token, s string) int {
	if r.End-r.Start == 2 && s[r.Start] == 'y' && s[r.Start+1] >= 'A' && s[r.Start+1] <= 'Z' && r.Start > 0 && s[r.Start-1] == '.' {
		return 1 // "C.C.yC.N."
	}
	for _, w := range [...]string{"del", "la", "el", "al"} {
		if k := len(w); len(r.Text) > k+2 && r.End-r.Start > k+2 && r.Text[:k] == w && s[r.Start:r.Start+k] == w && s[r.Start+k] >= 'A' && s[r.Start+k] <= 'Z' {
			return k
		}
	}
	return 0
}

// single reports a capital letter that stands alone.
func single(r text.Token, s string) bool {
	return r.End-r.Start == 1 && s[r.Start] >= 'A' && s[r.Start] <= 'Z'
}

func allCaps(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return true
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// strongest gives the mark that separates most in the gap between two words.
func strongest(gap string) byte {
	best, rank := byte(0), 0
	for i := 0; i < len(gap); i++ {
		r := 0
		switch gap[i] {
		case '\n':
			r = 1
			if i+1 < len(gap) && gap[i+1] == '\n' {
				r = 6
			}
		case '-', '/', '"', '\'':
			r = 2
		case '.', ')':
			r = 3
		case ',':
			r = 4
		case '(', ':':
			r = 5
		case ';', '?', '!':
			r = 6
		}
		if r > rank {
			best, rank = gap[i], r
		}
	}
	return best
}

// runes converts byte offsets to code points for calls in ascending order.
type runes struct {
	s        string
	at, done int
}

func (c *runes) count(b int) int {
	if b < c.at {
		c.at, c.done = 0, 0
	}
	c.done += utf8.RuneCountInString(c.s[c.at:b])
	c.at = b
	return c.done
}

// connectors may stand between the words of a name without changing it.
func connector(w string) bool {
	switch w {
	case "de", "del", "la", "el", "los", "las", "y", "e", "en", "a", "al":
		return true
	}
	return false
}
