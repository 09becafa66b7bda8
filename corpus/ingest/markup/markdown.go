// Package markup reads texts with light markup into lines: HTML, Markdown with front
// matter, plain text, the JSON of a legal information system; and units as JSON Lines.
package markup

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Markdown turns Markdown into lines: markup goes, words stay. It knows
// what collections of consolidated law use of Markdown: headings, block quotes
// with small reform notes, tables, page comments, emphasis over several lines,
// raw entities and tags.
func Markdown(body string) []line.Line {
	r := mdReader{}
	body = brokenLink.ReplaceAllString(body, "$1$2")
	for len(body) > 0 {
		line, rest, _ := strings.Cut(body, "\n")
		body = rest
		r.line(strings.TrimSuffix(line, "\r"))
	}
	return r.out
}

// brokenLink is a link whose words go on over a line break.
var brokenLink = lazyregexp.New(`\[([^\[\]()]{0,200}?\n[^\[\]]{0,200}?)\]\((?:https?://|/)[^()\s]{0,300}()\)`)

type mdReader struct {
	out     []line.Line
	page    int
	gap     bool
	style   emphasis // what began on an earlier line of the block
	fence   bool
	comment bool
	past    bool // inside a block quotation that repeats a former wording
}

func (r *mdReader) line(s string) {
	t := strings.TrimSpace(strings.ReplaceAll(s, "\u00a0", " "))
	if r.comment {
		if i := strings.Index(t, "-->"); i >= 0 {
			r.comment = false
			t = t[i+3:]
		} else {
			return
		}
	}
	if t == "" {
		r.gap, r.style = true, emphasis{}
		return
	}
	if strings.HasPrefix(t, "```") {
		r.fence = !r.fence
		return
	}
	if strings.HasPrefix(t, "<!--") {
		if r.comments(&t); t == "" {
			return
		}
	}
	l := line.Line{Page: r.page, Gap: r.gap || len(r.out) == 0}
	r.gap = false
	if rule(t) {
		r.gap = true
		return
	}
	for strings.HasPrefix(t, ">") {
		l.Quote = true
		t = strings.TrimSpace(t[1:])
	}
	if strings.HasPrefix(t, "|") {
		r.table(t, l)
		return
	}
	if n := headingLevel(t); n > 0 {
		l.Level, l.Gap = n, true
		t = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(t[n:]), "#"))
	}
	if strings.Contains(t, "<small>") {
		l.Small = true
		l.Note = l.Quote
	}
	var wholly emphasis
	l.Text, wholly, r.style = inline(t, r.style)
	l.Bold, l.Italic = wholly.bold, wholly.italic
	if l.Text == "" {
		r.gap = r.gap || l.Gap
		return
	}
	r.former(&l)
	r.out = append(r.out, l)
}

// former recognises the block quotations that editors set under a new wording:
// when it comes into force, which is a note, and what stood there before, which
// is history.
func (r *mdReader) former(l *line.Line) {
	if r.past && l.Level > 0 && heading.OpenQuote(l.Text) > 0 { // the heading of what is repeated
		l.History, l.Level = true, 0
		return
	}
	if !l.Quote || l.Note {
		r.past = false
		return
	}
	switch f := text.Fold(line.Clip(l.Text, 40)); {
	case strings.HasPrefix(f, "tengase en cuenta"):
		l.Note, r.past = true, false
	case strings.HasPrefix(f, "redaccion anterior"), strings.HasPrefix(f, "redaccion vigente"): // vigente while the new one waits
		l.Note, r.past = true, true
	default:
		l.History = r.past
	}
}

// comments removes HTML comments at the start of a line and reads page marks
// ("<!-- pág. 12 -->").
func (r *mdReader) comments(t *string) {
	for strings.HasPrefix(*t, "<!--") {
		body := (*t)[4:]
		end := strings.Index(body, "-->")
		if end < 0 {
			r.comment = true
			*t = ""
			return
		}
		if n, ok := pageMark(body[:end]); ok {
			r.page = n
		}
		*t = strings.TrimSpace(body[end+3:])
	}
}

func pageMark(s string) (int, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, p := range []string{"pág. ", "pág ", "pag. ", "página ", "pagina ", "page "} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			return n, err == nil && n > 0 && n < 1e6
		}
	}
	return 0, false
}

func headingLevel(s string) int {
	n := 0
	for n < len(s) && n < 7 && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '*' {
		return 0
	}
	return n
}

func rule(s string) bool {
	if len(s) < 3 {
		return false
	}
	for _, c := range s {
		if c != '-' && c != '*' && c != '_' && c != ' ' && c != '=' {
			return false
		}
	}
	return true
}

// table reads one row: cells joined by " | "; the row of dashes is dropped.
func (r *mdReader) table(s string, l line.Line) {
	s = strings.Trim(strings.TrimSpace(s), "|")
	var cells []string
	for _, c := range strings.Split(s, "|") {
		c, _, _ = inline(strings.TrimSpace(c), emphasis{})
		cells = append(cells, c)
	}
	joined := strings.Join(cells, " | ")
	if strings.Trim(joined, " |:-") == "" {
		return
	}
	l.Text, l.Table = joined, true
	r.out = append(r.out, l)
}

// emphasis is what runs of asterisks and underscores switch.
type emphasis struct{ bold, italic bool }

// flip is the emphasis after a run of n marks.
func (e emphasis) flip(n int) emphasis {
	if n >= 4 {
		return e
	}
	return emphasis{e.bold != (n >= 2), e.italic != (n%2 == 1)}
}

// inline removes emphasis, links, images, tags and entities from one line. e is
// the state the line begins in; wholly says what held for every letter.
func inline(s string, e emphasis) (out string, wholly, after emphasis) {
	if strings.Contains(s, "](") {
		s = unlink(s)
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = untag(s)
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	wholly = emphasis{true, true}
	var prev rune
	words := false
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '(' && heading.NoteMark(s[i:]) > 0: // a call is of no style
			n := heading.NoteMark(s[i:])
			b.WriteString(s[i : i+n])
			prev = ')'
			i += n
			continue
		case r == '\\' && i+1 < len(s) && s[i+1] < utf8.RuneSelf && unicode.IsPunct(rune(s[i+1])) || r == '\\' && i+1 < len(s) && strings.IndexByte("|~`^+=<>$", s[i+1]) >= 0:
			b.WriteByte(s[i+1])
			prev = rune(s[i+1])
			i += 2
			continue
		case r == '*':
			n := run(s[i:], '*')
			if prev == '(' && i+n < len(s) && s[i+n] == ')' { // "(*)" is a note mark
				b.WriteString(s[i : i+n])
			} else {
				e = e.flip(n)
			}
			i += n
			continue
		case r == '_':
			n := run(s[i:], '_')
			next, _ := utf8.DecodeRuneInString(s[i+n:])
			if n > 3 || wordRune(prev) && wordRune(next) {
				b.WriteString(s[i : i+n])
			} else {
				e = e.flip(n)
			}
			i += n
			continue
		case r == '`' || r == '~' && run(s[i:], '~') == 2:
			i += run(s[i:], byte(r))
			continue
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			words = true
			wholly.bold = wholly.bold && e.bold
			wholly.italic = wholly.italic && e.italic
		}
		b.WriteRune(r)
		prev = r
		i += w
	}
	if !words {
		wholly = emphasis{}
	}
	return line.Tidy(b.String()), wholly, e
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// unlink replaces [words](address) with its words and drops images.
func unlink(s string) string {
	var b strings.Builder
	for {
		mid := strings.Index(s, "](")
		if mid < 0 {
			b.WriteString(s)
			return b.String()
		}
		open := strings.LastIndexByte(s[:mid], '[')
		end := strings.IndexByte(s[mid:], ')')
		if end < 0 { // nor has any of those that follow one
			b.WriteString(s)
			return b.String()
		}
		if open < 0 {
			b.WriteString(s[:mid+2])
			s = s[mid+2:]
			continue
		}
		if open > 0 && s[open-1] == '!' {
			b.WriteString(s[:open-1])
		} else {
			b.WriteString(s[:open])
			b.WriteString(s[open+1 : mid])
		}
		s = s[mid+end+1:]
	}
}

// untag drops HTML tags; what is no tag ("a < b") stays.
func untag(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		if c := s[i+1]; !(c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 { // nor do those that follow end
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		tag := strings.ToLower(s[i+1 : i+end])
		if strings.HasPrefix(tag, "br") || strings.HasPrefix(tag, "/p") || strings.HasPrefix(tag, "/td") {
			b.WriteByte(' ')
		}
		s = s[i+end+1:]
	}
}
