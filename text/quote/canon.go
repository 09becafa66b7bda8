package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"

	"golang.org/x/text/unicode/norm"
)

// hyphen says what stood before a unit, between two letters.
type hyphen uint8

const (
	none     hyphen = iota
	hard            // a hyphen within a line: it belongs to the word
	optional        // a hyphen at a line's end: it may belong to the word or to the line
)

// unit is one character of the canonical form, with its place in the source.
type unit struct {
	start, end int32 // code points
	hyphen     hyphen
	word       bool // letter or digit
	digit      bool
}

// form is the canonical form of a text: its characters as a string, and for each where it comes from.
type form struct {
	chars string
	units []unit
}

// canonical makes the canonical form of s, white space at both ends left out; its units only
// when they are asked for.
func canonical(s string, units bool) form {
	c := canoniser{placed: units}
	if units {
		c.units = make([]unit, 0, len(s))
	}
	c.b.Grow(len(s))
	pos := int32(0)
	for i := 0; i < len(s); {
		if kind := plain[s[i]]; kind > 0 && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			if kind == blank && !c.eat {
				c.space = c.b.Len() > 0
			} else if kind > blank {
				c.eat = false
				c.put(rune(s[i]), pos, pos+1, kind > sign, kind == digit)
			}
			i, pos = i+1, pos+1
			continue
		}
		n, k := cluster(s[i:])
		c.add(s[i:i+n], pos, pos+int32(k), s[i+n:])
		i += n
		pos += int32(k)
	}
	return form{c.b.String(), c.units}
}

// plain are the characters of ASCII that need no second look, each with what it is.
var plain = func() (out [256]uint8) {
	for b := byte('!'); b <= '~'; b++ {
		switch {
		case b >= '0' && b <= '9':
			out[b] = digit
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			out[b] = letter
		case b != '-':
			out[b] = sign
		}
	}
	out[' '], out['\n'] = blank, blank
	return out
}()

const (
	blank = 1 + iota
	sign
	letter
	digit
)

// cluster measures a character with its combining marks: bytes and code points.
func cluster(s string) (n, k int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	_, n = utf8.DecodeRuneInString(s)
	k = 1
	for n < len(s) && k < 32 {
		r, m := utf8.DecodeRuneInString(s[n:])
		if !unicode.Is(unicode.Mn, r) {
			break
		}
		n += m
		k++
	}
	return n, k
}

type canoniser struct {
	b      strings.Builder
	placed bool // units are asked for
	units  []unit
	space  bool // white space is pending
	digit  bool // the last unit is one
	wordy  bool // the last unit is a letter or digit
	before bool // and so is the one before it
	mark   bool // the last units are a number or a lone letter and its full stop
	join   hyphen
	eat    bool // white space here belongs to a hyphenated line end
}

// add takes one cluster of the source at code points start … end; rest is what follows it.
func (c *canoniser) add(cl string, start, end int32, rest string) {
	r, _ := utf8.DecodeRuneInString(cl)
	switch {
	case r == 0xAD || r == 0xFFFE:
		c.eat = true // a soft hyphen, or what PDF extraction puts for a hyphen at a line's end
		return
	case text.Invisible(r):
		return
	case unicode.IsSpace(r):
		if !c.eat {
			c.space = c.b.Len() > 0
		}
		return
	case isDash(r) && c.mark && !c.space && (rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t' || strings.HasPrefix(rest, "\u00a0")):
		if c.placed {
			c.units[len(c.units)-1].end = end // "1.- Pago": the stop says it
		}
		return
	case isDash(r) && c.wordy && !c.space && !c.eat:
		if h := hyphenKind(rest); h != none {
			c.join, c.eat = h, h == optional
			return
		}
	}
	c.eat = false
	for _, r := range fold(cl, r) {
		c.emit(r, start, end)
	}
}

func (c *canoniser) emit(r rune, start, end int32) {
	isDigit := unicode.IsDigit(r)
	c.put(r, start, end, isDigit || unicode.IsLetter(r), isDigit)
}

func (c *canoniser) put(r rune, start, end int32, wordy, digit bool) {
	// A stop ends a number, or a letter alone.
	if c.mark = r == '.' && !c.space && (c.digit || c.wordy && !c.before); c.space {
		c.b.WriteByte(' ')
		c.space, c.wordy = false, false
		if c.placed {
			c.units = append(c.units, unit{start: start, end: start})
		}
	}
	c.digit, c.wordy, c.before = digit, wordy, c.wordy
	c.b.WriteRune(r)
	if c.placed {
		c.units = append(c.units, unit{start, end, c.join, wordy, digit})
	}
	c.join = none
}

// hyphenKind says what a hyphen after a letter is, by what follows it.
func hyphenKind(rest string) hyphen {
	line := false
	for i, r := range rest {
		switch {
		case r == '\n' || r == '\r' || r == 0x2028:
			line = true
		case unicode.IsSpace(r) || text.Invisible(r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if line {
				return optional
			}
			if i == 0 {
				return hard
			}
			return none
		default:
			return none
		}
		if i > 200 {
			return none
		}
	}
	return none
}

func isDash(r rune) bool {
	return r == '-' || r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0xFE63 || r == 0xFF0D
}

// fold gives the canonical characters of a cluster that begins with r.
func fold(cl string, r rune) string {
	switch {
	case isDash(r):
		return "-"
	case r < utf8.RuneSelf && len(cl) == 1, len(cl) == 2 && r >= 'À' && r <= 'ɏ': // composed
		return cl
	}
	switch r {
	case '«', '»', '“', '”', '„', '‟', '″':
		return `"`
	case '‘', '’', '‚', '‛', '′', '´', '`':
		return "'"
	case '°', '˚':
		return "º"
	case '…':
		return "..."
	case 'ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬄ', 'ﬅ', 'ﬆ':
		return norm.NFKC.String(string(r))
	}
	return norm.NFC.String(cl)
}
