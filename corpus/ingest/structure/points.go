package structure

import (
	"strings"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Texts without articles (instructions, circulars) are divided by numbered points: "2.
// Datos de inscripción", "2.1 Documentación. Los datos…". Each is a unit, or the whole
// instruction would be one.

var (
	pointHead = lazyregexp.New(`^\d{1,2}\.? +\p{Lu}`)
	pointLine = lazyregexp.New(`^(\d{1,2}(?:\.\d{1,2}){1,4}\.? +\p{Lu}[^.:]{3,160})[.:](?: |$)`)
)

// point opens the section of a numbered point within another section.
func (b *builder) point(i int, l line.Line) bool {
	if b.units || b.cur == nil || b.cur.annex || l.Table || b.s.inQuote[i] {
		return false
	}
	if l.Level > 0 && pointHead.MatchString(l.Text) {
		b.section(i, l)
		return true
	}
	if b.cur.unit.Kind != digesto.KindSection {
		return false
	}
	m := pointLine.FindStringSubmatch(l.Text)
	if m == nil || finiteVerb(m[1]) {
		return false
	}
	head := l
	head.Text = m[1]
	b.section(i, head)
	if l.Text = strings.TrimSpace(l.Text[len(m[0]):]); l.Text != "" {
		l.Marks = nil
		b.cur.Paras = append(b.cur.Paras, l)
	}
	return true
}

// within says that a heading without any word of division stands inside an article: text
// follows it, and the next unit is the article of the next number.
func (b *builder) within(i int) bool {
	if b.cur == nil || b.cur.unit.Kind != digesto.KindArticle {
		return false
	}
	n, _, ok := heading.ParseNumber(b.cur.unit.Number)
	if !ok || i+1 == len(b.s.Lines) || strings.HasPrefix(text.Fold(b.s.Lines[i].Text), "paragrafo") {
		return false
	}
	words := 0
	for k := i + 1; k < len(b.s.Lines); k++ {
		h := b.s.Heads[k]
		switch {
		case b.s.Drop[k] || b.s.Lines[k].Note:
		case b.s.Unit[k]:
			return words > 0 && h.Kind == heading.Article && h.Num.Main == n.Main+1
		case h.Kind == heading.Division || h.Kind == heading.Annex || h.Kind == heading.Group || h.Kind == heading.Title && b.s.Lines[k].Level > 0:
			return false
		case strings.ContainsAny(lastSign(b.s.Lines[k].Text), ".:;"): // a sentence, not the title of what follows
			words++
		}
	}
	return false
}

// lastSign is the last character of a text, as a string.
func lastSign(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	return s[len(s)-1:]
}
