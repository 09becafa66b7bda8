package text

import (
	"bytes"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reorders says whether a character is one of those that only change the order in which
// others are shown (Unicode UAX #9: embeddings, overrides, isolates and marks). No text
// in a language that is written from left to right needs one, and with them what is
// read is not what is there.
func Reorders(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// InOrder takes out the characters that reorder.
func InOrder(s string) string {
	if strings.IndexFunc(s, Reorders) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if Reorders(r) {
			return -1
		}
		return r
	}, s)
}

// masks are what stands in the place of a character that reorders: the word joiner
// (U+2060) and, of two bytes, the combining grapheme joiner (U+034F). They are seen as
// little, do nothing, and have as many bytes.
var (
	mask3 = []byte("\u2060")
	mask2 = []byte("\u034f")
)

// Masked gives UTF-8 text with each character that reorders replaced by one that does
// not, so that every offset and length stays; without any, the same bytes. With escapes
// those that JSON writes as \u202e are replaced too. What it is given stays as it is.
func Masked(b []byte, escapes bool) []byte {
	out, own := b, false
	put := func(at int, mask []byte) {
		if !own {
			out, own = bytes.Clone(b), true
		}
		copy(out[at:], mask)
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == 0xE2 && i+2 < len(b):
			if Reorders(rune(c&0xF)<<12 | rune(b[i+1]&0x3F)<<6 | rune(b[i+2]&0x3F)) {
				put(i, mask3)
			}
		case c == 0xD8 && i+1 < len(b) && b[i+1] == 0x9C:
			put(i, mask2)
		case c == '\\' && escapes:
			if i+5 < len(b) && b[i+1] == 'u' && Reorders(hex4(b[i+2:i+6])) {
				put(i+2, []byte("2060"))
			}
			i++ // what is escaped begins nothing
		}
	}
	return out
}

// hex4 reads four hexadecimal digits; 0 where they are not.
func hex4(b []byte) (r rune) {
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0
		}
	}
	return r
}

// WebOnly gives an address of the web as it is and nothing of any other: documents
// bring the address of their source, and programs make a link of it.
func WebOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	return address
}

// Clean takes out of foreign text what a terminal would obey instead of show:
// control codes and marks that reorder a line. Line feeds and tabs stay.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r == utf8.RuneError, Reorders(r):
			return -1
		}
		return r
	}, s)
}
