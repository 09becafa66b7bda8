package sentence

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Limits of a plain text: the length of its sentences and the abbreviations that
// it may leave unexplained. The zero value means the stated defaults.
type Limits struct {
	Words int      // most in a sentence; 0 = 30 (plain-language guides ask for 15 to 30)
	Known []string // abbreviations that need no explaining
}

const defaultWords = 30

// Plain gives what keeps a text from being plain, in Spanish; nil = nothing.
func Plain(text string, l Limits) []string {
	if l.Words == 0 {
		l.Words = defaultWords
	}
	var out []string
	for _, s := range Split(text) {
		if n := Words(s.Text); n > l.Words {
			out = append(out, fmt.Sprintf("una frase de %d palabras: como mucho %d", n, l.Words))
		}
	}
	for _, a := range Abbreviations(text) {
		if strings.Contains(text, "("+a+")") { // its words stand before it
			continue
		}
		if !slices.Contains(l.Known, a) {
			out = append(out, "la sigla o abreviatura «"+a+"» sin explicar")
		}
	}
	return out
}

// Words counts the words of a text: runs of letters and digits with what joins them.
func Words(s string) int {
	n := 0
	for _, f := range strings.Fields(s) {
		if strings.ContainsFunc(f, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// shortForms are the short forms of legal writing that no sentence of a plain text has.
var shortForms = map[string]bool{"art.": true, "arts.": true, "apdo.": true, "núm.": true, "nº": true, "n.º": true, "disp.": true, "pág.": true, "cfr.": true, "ss.": true, "párr.": true, "inc.": true, "etc.": true, "p.ej.": true, "vid.": true}

// Abbreviations gives the abbreviations of a text, each once, in order: words of two
// or more capitals ("RD", "IPREM") and the short forms of legal writing ("art.").
// Roman numerals are none.
func Abbreviations(text string) []string {
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, f := range strings.Fields(text) {
		if w := strings.ToLower(strings.Trim(f, "(),;:«»¿?¡!")); shortForms[w] {
			add(w)
			continue
		}
		w := strings.TrimFunc(f, func(r rune) bool { return !unicode.IsLetter(r) })
		up, low := 0, 0
		for _, r := range w {
			switch {
			case unicode.IsUpper(r):
				up++
			case unicode.IsLower(r):
				low++
			}
		}
		if up >= 2 && low == 0 && strings.Trim(w, "IVXLCDM") != "" {
			add(w)
		}
	}
	return out
}

// Perspicuity is the ease of reading after Szigriszt Pazos (1993):
// 206.835 − 62.3·syllables/words − words/sentences, higher is easier. INFLESZ (Barrio
// Cantalejo 2008) calls 55 to 65 normal, above 65 quite easy, above 80 very easy. 0 for a
// text without words.
func Perspicuity(text string) float64 {
	words, syllables := 0, 0
	for _, f := range strings.Fields(text) {
		if n := Syllables(f); n > 0 {
			words++
			syllables += n
		}
	}
	sentences := max(1, len(Split(text)))
	if words == 0 {
		return 0
	}
	return 206.835 - 62.3*float64(syllables)/float64(words) - float64(words)/float64(sentences)
}

// Syllables counts those of a Spanish word: groups of vowels, of which two strong
// ones, or an accented weak one beside another, make two. A word of digits counts one.
func Syllables(word string) int {
	n := 0
	var last rune
	digits := false
	for _, r := range strings.ToLower(word) {
		switch {
		case strings.ContainsRune("aeoáéó", r):
			if last == 0 || strings.ContainsRune("aeoáéóíú", last) {
				n++
			} else if !strings.ContainsRune("iuüy", last) {
				n++
			}
			last = r
		case strings.ContainsRune("iuü", r):
			if last == 0 {
				n++
			}
			last = r
		case r == 'í' || r == 'ú':
			n++
			last = r
		default:
			digits = digits || unicode.IsDigit(r)
			last = 0
		}
	}
	if n == 0 && digits {
		return 1
	}
	return n
}
