package dating

import (
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text/lazyregexp"
)

// Compose joins paragraphs into a text, takes inline reform notes out, and
// places the page marks.
func Compose(paras []line.Line) (body string, pages []digesto.PageMark, notes []string) {
	var b strings.Builder
	runes, page := 0, 0
	for _, p := range paras {
		t, n := cutInlineNotes(p.Text)
		t, m := CutNoteMarks(t)
		notes = append(notes, n...)
		if t == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			runes++
		}
		if p.Page > 0 && p.Page != page {
			page = p.Page
			pages = append(pages, digesto.PageMark{Start: runes, Page: page})
		}
		size := utf8.RuneCountInString(t)
		for _, mk := range p.Marks {
			at := mk.Start
			if (len(n) > 0 || m) && len(p.Marks) <= mostCleaned {
				at = cleanedOffset(p.Text, mk.Start)
			}
			if mk.Page != page {
				page = mk.Page
				pages = append(pages, digesto.PageMark{Start: runes + min(at, size), Page: page})
			}
		}
		b.WriteString(t)
		runes += size
	}
	if len(pages) > 0 {
		pages[0].Start = 0
	}
	return b.String(), pages, notes
}

// mostCleaned is how many pages a paragraph goes over at most when their marks are put where
// they belong in its cleaned form: each costs a reading of it.
const mostCleaned = 64

// cleanedOffset maps an offset of a paragraph to its cleaned form.
func cleanedOffset(s string, at int) int {
	i := 0
	for k := 0; k < at && i < len(s); k++ {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	t, _ := cutInlineNotes(s[:i])
	t, _ = CutNoteMarks(t)
	return utf8.RuneCountInString(t)
}

var noteMarks = lazyregexp.New(`\s*\((?:\*{1,4}|\d{1,3})\)`)

// CutNoteMarks drops footnote calls: "(*)" anywhere, "(12)" only where it
// cannot be a figure: at the end, or glued to a word or full stop.
func CutNoteMarks(s string) (string, bool) {
	was := s
	if strings.Contains(s, "NOTA ") || strings.Contains(s, "ERRATAS") {
		s = publisher.Calls.ReplaceAllStringFunc(s, func(m string) string {
			if next := publisher.Calls.FindStringSubmatch(m)[1]; next != "" {
				return " " + next
			}
			return ""
		})
	}
	if strings.IndexByte(s, '(') < 0 {
		return s, s != was
	}
	out := noteMarks.ReplaceAllStringFunc(s, func(m string) string {
		if strings.Contains(m, "*") {
			return ""
		}
		return m
	})
	return out, out != was
}
