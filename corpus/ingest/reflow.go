package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// reflow joins physical lines into paragraphs. A heading stands alone (its
// title on the next line is structure's business), list items begin a
// paragraph, a sentence that plainly goes on is joined across a Gap too, and
// hyphens at line ends are healed. Its work grows with the text, however many
// lines a paragraph has.
func reflow(lines []Line) []Line {
	broken := brokenLines(lines)
	out := make([]Line, 0, len(lines))
	var now paragraph
	for _, l := range lines {
		l.Text = tidy(l.Text)
		if l.Text == "" {
			continue
		}
		if now.Text != "" && (now.more == nil && cutLabel(now.Text) && l.Text[0] >= '0' && l.Text[0] <= '9' || now.joins(l, broken)) {
			now.add(l)
			continue
		}
		if now.Text != "" {
			out = append(out, now.line())
		}
		now = begin(l)
	}
	if now.Text != "" {
		out = append(out, now.line())
	}
	return out
}

// cutLabel recognises a line that is the word of a label alone ("Art.").
func cutLabel(s string) bool {
	switch s {
	case "Art.", "ART.", "Artículo", "ARTÍCULO", "ARTICULO", "Articulo":
		return true
	}
	return false
}

// brokenLines says whether the source puts every physical line in a paragraph
// of its own (broken HTML): then a Gap means nothing.
func brokenLines(lines []Line) bool {
	total, cut := 0, 0
	prev := ""
	for _, l := range lines {
		if l.Text == "" || l.Table {
			continue
		}
		if prev != "" && l.Gap {
			total++
			r, _ := utf8.DecodeRuneInString(l.Text)
			if !endsSentence(prev) && unicode.IsLower(r) && !listItem(l.Text) {
				cut++
			}
		}
		prev = l.Text
	}
	return total > 20 && cut*8 > total
}

// joins says whether a line goes on with a paragraph.
func (p *paragraph) joins(l Line, broken bool) bool {
	if cutLabel(l.Text) || p.Table || l.Table || p.Note != l.Note || p.History != l.History || p.Quote != l.Quote {
		return false
	}
	if broken && openNote(p.ending(longestNote)) {
		h := readHead(l)
		return h.kind != headArticle || h.dash || h.sep == ""
	}
	end := p.ending(endingRead)
	hangs := endsHanging(end)
	r, _ := utf8.DecodeRuneInString(l.Text)
	lower := unicode.IsLower(r) && !listItem(l.Text)
	if l.Gap && !broken && !(lower && p.Level >= 4 && l.Level == 0 && !endsSentence(end)) {
		return false
	}
	ph := p.readHead()
	if ph.kind == headPart || ph.kind == headGroup || ph.kind == headAnnex || ph.kind == headTitle {
		return (lower || hangs && ph.kind == headTitle) && !l.Bold && (ph.kind != headPart || ph.rest != "")
	}
	if l.Level > 0 && !lower && !hangs {
		return false
	}
	h := readHead(l)
	if hangs && !listItem(l.Text) {
		return h.kind != headPart && !(h.kind == headArticle && !h.dash && h.sep != "" && (h.rest != "" || l.Level > 0))
	}
	if h.kind != headNone && !(h.kind == headTitle && l.Level == 0) {
		return false
	}
	if listItem(l.Text) {
		return false
	}
	switch {
	case lower:
		return !strings.HasSuffix(end, ":") && !strings.HasSuffix(end, ";")
	case endsSentence(end) || isUpper(l.Text) != p.upper() && len(l.Text) > 3:
		return false
	case p.Bold != l.Bold:
		return false
	}
	return p.runes >= wide
}

// wide is how many code points a line has, at least, that is about full, so that a capital
// at the start of the next does not begin a paragraph.
const wide = 45

// How many bytes of the end of a paragraph are looked at: for its last word and mark, and
// for a note in it.
const (
	endingRead  = 512
	longestNote = 1199
)

// openNote says whether a text ends inside a parenthesis that tells of a reform: the note
// goes on over broken lines, whatever they begin with.
func openNote(s string) bool {
	closed := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == ')':
			closed++
		case s[i] == '(' && closed > 0:
			closed--
		case s[i] == '(':
			return inlineNote.MatchString(clip(s[i:], 60))
		}
	}
	return false
}

// endsSentence says whether a line ends with terminal punctuation.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, " )»”\"'*")
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".:;!?…", r)
}

// hanging are words after which a sentence cannot end.
var hanging = map[string]bool{"de": true, "del": true, "el": true, "la": true, "los": true, "las": true, "al": true, "a": true, "en": true, "y": true, "e": true, "o": true, "u": true,
	"por": true, "con": true, "que": true, "su": true, "sus": true, "un": true, "una": true, "para": true, "articulo": true, "articulos": true, "art": true, "ley": true, "presente": true, "segun": true, "como": true, "se": true, "no": true, "n°": true, "nº": true, "lo": true, "sin": true, "sobre": true, "entre": true, "este": true, "esta": true, "dicho": true, "dicha": true}

func endsHanging(s string) bool {
	if strings.HasSuffix(s, ",") {
		return true
	}
	i := strings.LastIndexByte(s, ' ')
	w := s[i+1:]
	if len(w) > 12 || isUpper(w) && len(w) < 3 {
		return false
	}
	return hanging[text.Fold(w)]
}

// listItem recognises "a)", "1.", "1)", "iv)", "- ", "•" at the start of a line.
func listItem(s string) bool {
	if s == "" {
		return false
	}
	switch r, w := utf8.DecodeRuneInString(s); r {
	case '-', '–', '—', '•', '·', '*', '▪', '►':
		return len(s) > w && s[w] == ' ' || r == '•' || r == '▪'
	case '«', '“', '(':
		s = s[w:]
	}
	i := 0
	for i < len(s) && i < 5 && (s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	if i == 0 {
		return strings.HasPrefix(s, "ñ)")
	}
	if i >= len(s) {
		return false
	}
	digits := isDigits(s[:i])
	switch s[i] {
	case ')':
		return digits || i <= 2 || romanValue(strings.ToUpper(s[:i])) > 0
	case '.':
		rest := s[i+1:]
		if !digits && i > 1 || rest != "" && rest[0] >= '0' && rest[0] <= '9' && !digits {
			return false
		}
		return true
	case ' ':
		return false
	}
	return digits && (strings.HasPrefix(s[i:], "º") || strings.HasPrefix(s[i:], "°") || strings.HasPrefix(s[i:], "ª"))
}

// tidy makes white space plain: one blank between words, none at the ends, no
// soft hyphens or zero-width characters.
func tidy(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case r == '\u00ad' || r == '\u200b' || r == '\ufeff' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == utf8.RuneError:
			continue
		case unicode.IsSpace(r) || unicode.IsControl(r):
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
