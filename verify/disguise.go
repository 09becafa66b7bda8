package verify

import (
	"unicode"

	"golang.org/x/text/unicode/norm"

	"digesto/text/lazyregexp"
)

// Disguises gives what in words is written so that a reader sees something else than
// a check does: invisible and direction characters, letters and digits of other
// scripts or forms that look like ours, marks struck through a letter, letters set
// apart, and coded text. Spanish prose has none of them.
func Disguises(words string) []string {
	var out []string
	prev := rune(0)
	for _, r := range norm.NFC.String(words) {
		if disguises(r, prev) {
			out = append(out, string(r))
		}
		prev = r
	}
	for _, s := range append(apart.FindAllString(words, -1), coded.FindAllString(words, -1)...) {
		if !apart.MatchString(s) && !mixed(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// apart finds a word whose letters are set apart ("n-o-v-e-n-t-a"); coded, what may be
// base64 or hexadecimal.
var (
	apart = lazyregexp.New(`(?:^|[^\pL\d])\pL(?:[-·*_ ]\pL){5,}(?:[^\pL\d]|$)`)
	coded = lazyregexp.New(`[A-Za-z0-9+/_=-]{20,}`)
)

// mixed says that small and capital letters and digits stand together in a word, as in
// no word and no identifier of a norm.
func mixed(s string) bool {
	small, capital, digit := 0, 0, 0
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			small++
		case 'A' <= r && r <= 'Z':
			capital++
		case '0' <= r && r <= '9':
			digit++
		}
	}
	return small > 3 && capital > 3 && digit > 0
}

// variation is the selector that makes a sign an emoji: it hides nothing.
const variation = '\ufe0f'

// disguises says that a character, behind another, stands for what it is not.
func disguises(r, prev rune) bool {
	switch {
	case r < 0x80:
		return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
	case r == variation, r == 'º', r == 'ª', r == 'µ', (r == '²' || r == '³') && prev == 'm':
		return false
	case unicode.IsLetter(r):
		return !unicode.Is(unicode.Latin, r) || r >= 0x250 && (r < 0x1e00 || r > 0x1eff)
	}
	return unicode.In(r, unicode.N, unicode.M, unicode.C)
}
