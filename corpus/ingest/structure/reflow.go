package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// Reflow joins physical lines into paragraphs. A heading stands alone (its
// title on the next line is structure's business), list items begin a
// paragraph, a sentence that plainly goes on is joined across a Gap too, and
// hyphens at line ends are healed. Its work grows with the text, however many
// lines a paragraph has.
func Reflow(lines []line.Line) []line.Line {
	broken := brokenLines(lines)
	out := make([]line.Line, 0, len(lines))
	var now paragraph
	for _, l := range lines {
		l.Text = glued.ReplaceAllString(line.Tidy(l.Text), "$1. $2")
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

// glued are two sentences without a blank between them, as where a rubric in italics ends. What
// begins with A or D may be a heading, which is cut off elsewhere.
var glued = lazyregexp.New(`(\p{L}{2}\p{Ll})\.([B-CE-ZÁÉÍÓÚÑ]\p{Ll})`)

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
func brokenLines(lines []line.Line) bool {
	total, cut := 0, 0
	prev := ""
	for _, l := range lines {
		if l.Text == "" || l.Table {
			continue
		}
		if prev != "" && l.Gap {
			total++
			r, _ := utf8.DecodeRuneInString(l.Text)
			if !endsSentence(prev) && unicode.IsLower(r) && !ListItem(l.Text) {
				cut++
			}
		}
		prev = l.Text
	}
	return total > 20 && cut*8 > total
}

// joins says whether a line goes on with a paragraph.
func (p *paragraph) joins(l line.Line, broken bool) bool {
	if cutLabel(l.Text) || p.Table || l.Table || p.Note != l.Note || p.History != l.History || p.Quote != l.Quote {
		return false
	}
	if broken && openNote(p.ending(longestNote)) {
		h := heading.Read(l)
		return h.Kind != heading.Article || h.Dash || h.Sep == ""
	}
	end := p.ending(endingRead)
	hangs := heading.EndsHanging(end)
	r, _ := utf8.DecodeRuneInString(l.Text)
	lower := unicode.IsLower(r) && !ListItem(l.Text)
	if l.Gap && !broken && !p.goesOver(l, end, lower) {
		return false
	}
	ph := p.readHead()
	if ph.Kind == heading.Division || ph.Kind == heading.Group || ph.Kind == heading.Annex || ph.Kind == heading.Title {
		return (lower || hangs && ph.Kind == heading.Title) && !l.Bold && (ph.Kind != heading.Division || ph.Rest != "")
	}
	if l.Level > 0 && !lower && !hangs {
		return false
	}
	h := heading.Read(l)
	if hangs && !ListItem(l.Text) {
		return h.Kind != heading.Division && !(h.Kind == heading.Article && !h.Dash && h.Sep != "" && (h.Rest != "" || l.Level > 0))
	}
	if h.Kind != heading.None && !(h.Kind == heading.Title && l.Level == 0) {
		return false
	}
	if ListItem(l.Text) {
		return false
	}
	switch {
	case lower:
		return !strings.HasSuffix(end, ":") && !strings.HasSuffix(end, ";")
	case endsSentence(end) || heading.IsUpper(l.Text) != p.upper() && len(l.Text) > 3:
		return false
	case p.Bold != l.Bold:
		return false
	}
	return p.runes >= wide
}

// goesOver says whether a sentence that is not a heading's goes on after a blank line: what is
// under a heading in small letters, or what follows in the midst of a phrase.
func (p *paragraph) goesOver(l line.Line, end string, lower bool) bool {
	switch {
	case l.Level > 0:
		return false
	case p.Level >= 4:
		return lower && !endsSentence(end)
	}
	return p.Level == 0 && heading.EndsBinding(end) && !ListItem(l.Text)
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
			return dating.InlineNote.MatchString(line.Clip(s[i:], 60))
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

// ListItem recognises "a)", "1.", "1)", "iv)", "- ", "•" at the start of a line.
func ListItem(s string) bool {
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
	digits := heading.IsDigits(s[:i])
	switch s[i] {
	case ')':
		return digits || i <= 2 || heading.RomanValue(strings.ToUpper(s[:i])) > 0
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
