// Package read gives what a text holds before anybody looks into the law: the text as a reader
// sees it, with what is hidden or struck out gone; its quotations, with their marks, gaps and
// what their author puts in; the levels that a citation names below its unit; cells, emphasis,
// sentences and paragraphs. Places are code points. Its patterns pass over a text of megabytes at
// the speed of a table, and a check is halted from wherever it is ([Meter]).
package read

import (
	"slices"
	"strings"
	"unicode/utf8"

	"digesto/text"
	"digesto/text/lazyregexp"
)

// Reading is a text as a reader sees it: what is hidden or struck out is gone, and signs that
// look alike are one. Each of its code points knows where it stands in the text given.
type Reading struct {
	Text  string
	spans []span // in order
	Whole string // the text given
}

// span says that behind a code point of the reading so many of the text given, in all, were
// left out before it.
type span struct{ at, out int }

// Given turns a place of the reading into one of the text given: where something was left
// out, the place before it with before, else the one behind.
func (r *Reading) Given(at int, before bool) int {
	k, _ := slices.BinarySearchFunc(r.spans, at, func(s span, at int) int {
		if s.at < at || s.at == at && !before {
			return -1
		}
		return 1
	})
	if k == 0 {
		return at
	}
	return at + r.spans[k-1].out
}

// signs of one look, each with the one that is read.
var signs = map[rune]rune{0xA0: ' ', 0x202F: ' ', 0x205F: ' ', 0x3000: ' ', '＂': '"', '❝': '“', '〝': '“', '‟': '“', '❞': '”', '〞': '”', '『': '「', '』': '」', '❮': '‹', '❯': '›'}

// sameSign gives signs of one look one form, and blanks that of a blank. No place moves.
func sameSign(r rune) rune {
	switch {
	case r < 0x80 || 0xA0 < r && r < 0x2000:
	case 0x2000 <= r && r <= 0x200A:
		return ' '
	case signs[r] != 0:
		return signs[r]
	case r >= 0xFF01 && r <= 0xFF5E: // the wide forms
		return r - 0xFEE0
	}
	return r
}

// edit puts other words in the place of bytes from … to.
type edit struct {
	from, to int
	put      string
}

// Bounds of what is hidden or struck out, in bytes.
const (
	maxTag    = 300
	maxHidden = 4000
)

var (
	hides = lazyregexp.New(`(?i)(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|\shidden\b)`)
	// lineBreak parts a word at the end of a line.
	lineBreak = Compile(`-[ \t\r]*\n[ \t]*`)
	// glued is the word for an article that touches its number, and stressedNumber one whose
	// number stands between marks.
	glued          = Compile(`(?i)\b(?:art[íi]culos?|arts?)(\d)`)
	gluedName      = Compile(`\b(?:[Aa]rt[íi]culos?|[Aa]rts?\.?)\s?\d{1,4}(\p{Lu}{2})`)
	stressedNumber = Compile(`(?i)\b(?:art[íi]culos?|arts?\.?)\s{1,3}(\*{1,3}|_{1,3}|[(\[])\d{1,4}(?:\.\d{1,2}){0,2}(\*{1,3}|_{1,3}|[)\]])`)
	italics        = Compile(`</?(?:i|em)>`)
	ticked         = Compile("`[^`\n]{3,900}\\s[^`\n]{3,900}`")
)

// citingWord is a word of citations, folded, which are read across the end of a line.
var citingWord = lazyregexp.New(`^(?:articulos?|arts|apartados?|parrafos?|incisos?|numeral(?:es)?|disposicion(?:es)?|letras?|ley(?:es)?|codigo|estatuto|reglamento|decreto)$`)

const maxWord = 20 // bytes

func letterByte(b byte) bool { return b >= 0x80 || b|0x20 >= 'a' && b|0x20 <= 'z' }

// rewrites are what is read in another way than it is written.
var rewrites = []struct {
	*Pattern
	edits func(s string, m []int) []edit
}{
	{lineBreak, func(s string, m []int) []edit {
		from, to := m[0], m[1]
		for ; from > max(0, m[0]-maxWord) && letterByte(s[from-1]); from-- {
		}
		for ; to < min(len(s), m[1]+maxWord) && letterByte(s[to]); to++ {
		}
		if !citingWord.MatchString(text.Fold(s[from:m[0]] + s[m[1]:to])) {
			return nil
		}
		return []edit{{from: m[0], to: m[1]}}
	}},
	{glued, func(_ string, m []int) []edit { return []edit{{m[2], m[2], " "}} }},
	{gluedName, func(_ string, m []int) []edit { return []edit{{m[2], m[2], " "}} }},
	{stressedNumber, func(_ string, m []int) []edit { return []edit{{from: m[2], to: m[3]}, {from: m[4], to: m[5]}} }},
	{italics, func(_ string, m []int) []edit { return []edit{{m[0], m[1], "*"}} }},
	{ticked, func(_ string, m []int) []edit { return []edit{{m[0], m[0] + 1, "“"}, {m[1] - 1, m[1], "”"}} }},
}

// ReadingOf makes the reading of a text.
func ReadingOf(m *Meter, s string) *Reading {
	edits := unseen(s)
	for _, w := range rewrites {
		for at := range w.In(m, s) {
			edits = append(edits, w.edits(s, at)...)
		}
	}
	r := &Reading{Text: s, Whole: s}
	if len(edits) > 0 {
		slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
		r.apply(s, edits)
	}
	r.Text = strings.Map(sameSign, r.Text)
	return r
}

// unseen finds what a reader does not see, or sees struck out.
func unseen(s string) (out []edit) {
	comments := true // some may end
	for i := 0; i < len(s); i++ {
		to := 0
		switch c := s[i]; {
		case c == '<' && strings.HasPrefix(s[i:], "<!--") && comments:
			if k := strings.Index(s[i:], "-->"); k >= 0 {
				to = i + k + 3
			} else {
				comments = false
			}
		case c == '<':
			to = hiddenTag(s, i)
		case c == '~' && strings.HasPrefix(s[i:], "~~"):
			line := s[i+2 : min(len(s), i+maxHidden)]
			if k := strings.Index(line, "~~"); k > 0 && strings.IndexByte(line[:k], '\n') < 0 {
				to = i + 2 + k + 2
			}
		case c == 0xC2 || c >= 0xE2:
			r, n := utf8.DecodeRuneInString(s[i:])
			if text.Invisible(r) && r != 0xFFFE || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
				to = i + n
			}
		}
		if to > i {
			out = append(out, edit{from: i, to: to})
			i = to - 1
		}
	}
	return out
}

// hiddenTag gives the end of an element of HTML that is not shown, or struck out; 0 = it is none.
func hiddenTag(s string, i int) int {
	end := strings.IndexByte(s[i:min(len(s), i+maxTag)], '>')
	if end < 3 && end != 2 {
		return 0
	}
	tag := s[i+1 : i+end]
	name, _, _ := strings.Cut(strings.ToLower(tag), " ")
	switch name {
	case "del", "s", "strike":
	default:
		if name == "" || name[0] < 'a' || name[0] > 'z' || !hides.MatchString(tag) {
			return 0
		}
	}
	rest := s[i+end : min(len(s), i+end+maxHidden)]
	k := strings.Index(strings.ToLower(rest), "</"+name)
	if k < 0 {
		return 0
	}
	shut := strings.IndexByte(rest[k:], '>')
	if shut < 0 {
		return 0
	}
	return i + end + k + shut + 1
}

// apply makes the text with its edits, which are in order.
func (r *Reading) apply(s string, edits []edit) {
	var b strings.Builder
	b.Grow(len(s))
	at, points, out := 0, 0, 0 // bytes of s, and code points of the reading
	for _, e := range edits {
		if e.from < at {
			continue // within another
		}
		b.WriteString(s[at:e.from])
		points += utf8.RuneCountInString(s[at:e.from])
		if lost := utf8.RuneCountInString(s[e.from:e.to]) - utf8.RuneCountInString(e.put); lost != 0 {
			out += lost
			r.spans = append(r.spans, span{points, out})
		}
		b.WriteString(e.put)
		points += utf8.RuneCountInString(e.put)
		at = e.to
	}
	b.WriteString(s[at:])
	r.Text = b.String()
}
