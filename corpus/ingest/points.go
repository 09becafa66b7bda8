package ingest

import (
	"regexp"
	"strings"

	"digesto"
	"digesto/text"
)

// Texts without articles (instructions, circulars) are divided by numbered points: "2.
// Datos de inscripción", "2.1 Documentación. Los datos…". Each is a unit, or the whole
// instruction would be one.

var (
	pointHead = regexp.MustCompile(`^\d{1,2}\.? +\p{Lu}`)
	pointLine = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){1,4}\.? +\p{Lu}[^.:]{3,160})[.:](?: |$)`)
)

// point opens the section of a numbered point within another section.
func (b *builder) point(i int, l Line) bool {
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
		b.cur.paras = append(b.cur.paras, l)
	}
	return true
}

// within says that a heading without any word of division stands inside an article: text
// follows it, and the next unit is the article of the next number.
func (b *builder) within(i int) bool {
	if b.cur == nil || b.cur.unit.Kind != digesto.KindArticle {
		return false
	}
	n, _, ok := parseNumber(b.cur.unit.Number)
	if !ok || i+1 == len(b.s.lines) || strings.HasPrefix(text.Fold(b.s.lines[i].Text), "paragrafo") {
		return false
	}
	words := 0
	for k := i + 1; k < len(b.s.lines); k++ {
		h := b.s.heads[k]
		switch {
		case b.s.drop[k] || b.s.lines[k].Note:
		case b.s.unit[k]:
			return words > 0 && h.kind == headArticle && h.num.Main == n.Main+1
		case h.kind == headPart || h.kind == headAnnex || h.kind == headGroup || h.kind == headTitle && b.s.lines[k].Level > 0:
			return false
		case strings.ContainsAny(lastSign(b.s.lines[k].Text), ".:;"): // a sentence, not the title of what follows
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
