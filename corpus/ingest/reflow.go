package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/text"
)

// reflow joins physical lines into paragraphs. A heading stands alone (its
// title on the next line is structure's business), list items begin a
// paragraph, a sentence that plainly goes on is joined across a Gap too, and
// hyphens at line ends are healed.
func reflow(lines []Line) []Line {
	broken := brokenLines(lines)
	out := make([]Line, 0, len(lines))
	for _, l := range lines {
		l.Text = tidy(l.Text)
		if l.Text == "" {
			continue
		}
		if n := len(out); n > 0 && cutLabel(out[n-1].Text) && l.Text[0] >= '0' && l.Text[0] <= '9' {
			appendLine(&out[n-1], l)
			continue
		}
		if n := len(out); n > 0 && joins(out[n-1], l, broken) {
			appendLine(&out[n-1], l)
			continue
		}
		out = append(out, l)
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

func joins(prev, l Line, broken bool) bool {
	if cutLabel(l.Text) || prev.Table || l.Table || prev.Note != l.Note || prev.History != l.History || prev.Quote != l.Quote {
		return false
	}
	if broken && openNote(prev.Text) {
		h := readHead(l)
		return h.kind != headArticle || h.dash || h.sep == ""
	}
	hangs := endsHanging(prev.Text)
	r, _ := utf8.DecodeRuneInString(l.Text)
	lower := unicode.IsLower(r) && !listItem(l.Text)
	if l.Gap && !broken && !(lower && prev.Level >= 4 && l.Level == 0 && !endsSentence(prev.Text)) {
		return false
	}
	ph := readHead(prev)
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
		return !strings.HasSuffix(prev.Text, ":") && !strings.HasSuffix(prev.Text, ";")
	case endsSentence(prev.Text) || isUpper(l.Text) != isUpper(prev.Text) && len(l.Text) > 3:
		return false
	case prev.Bold != l.Bold:
		return false
	}
	return lastLineWide(prev, l)
}

// openNote says whether a paragraph ends inside a parenthesis that tells of a
// reform: the note goes on over broken lines, whatever they begin with.
func openNote(s string) bool {
	i := strings.LastIndexByte(s, '(')
	for i > 0 && strings.IndexByte(s[i:], ')') >= 0 && balanced(s[i:]) > 0 {
		i = strings.LastIndexByte(s[:i], '(')
	}
	return i >= 0 && len(s)-i < 1200 && balanced(s[i:]) < 0 && inlineNote.MatchString(clip(s[i:], 60))
}

// lastLineWide says whether the last physical line of prev was about full, so
// that a capital at the start of the next does not begin a paragraph.
func lastLineWide(prev, l Line) bool {
	return utf8.RuneCountInString(prev.Text) >= 45
}

func appendLine(p *Line, l Line) {
	sep := " "
	if cut, ok := strings.CutSuffix(p.Text, "-"); ok {
		r, _ := utf8.DecodeLastRuneInString(cut)
		n, _ := utf8.DecodeRuneInString(l.Text)
		if unicode.IsLetter(r) && unicode.IsLower(n) {
			p.Text, sep = cut, ""
		}
	}
	start := utf8.RuneCountInString(p.Text) + len(sep)
	last := p.Page
	if n := len(p.Marks); n > 0 {
		last = p.Marks[n-1].Page
	}
	if l.Page > last {
		p.Marks = append(p.Marks, digesto.PageMark{Start: start, Page: l.Page})
	}
	for _, m := range l.Marks {
		p.Marks = append(p.Marks, digesto.PageMark{Start: start + m.Start, Page: m.Page})
	}
	p.Text += sep + l.Text
	p.Bold = p.Bold && l.Bold
	p.Small = p.Small && l.Small
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
