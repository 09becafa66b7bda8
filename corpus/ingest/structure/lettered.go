package structure

import (
	"slices"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// letteredHead is a line that may head a group of articles: "B) Del puerto viejo".
var letteredHead = lazyregexp.New(`^([A-Z])\) \p{Lu}[^.;:,]{5,90}$`)

// LetteredHeads marks the headings with a letter that a source prints as plain
// paragraphs: they stand right before an article, A first and then each letter after
// the one before, in no list of the article above.
func LetteredHeads(lines []line.Line) {
	if !slices.ContainsFunc(lines, func(l line.Line) bool { return letteredHead.MatchString(l.Text) }) {
		return
	}
	last := byte('A' - 1) // letter of the heading before
	listed := false       // the article being read has an item of that form
	for i := range lines {
		l := &lines[i]
		switch h := heading.Read(*l); h.Kind {
		case heading.Division:
			last, listed = 'A'-1, false
		case heading.Article:
			listed = false
		}
		if len(l.Text) < 2 || l.Text[1] != ')' || l.Text[0] < 'A' || l.Text[0] > 'Z' || l.Level > 0 {
			continue
		}
		if !listed && l.Text[0] == last+1 && letteredHead.MatchString(l.Text) && i+1 < len(lines) && heading.Read(lines[i+1]).Kind == heading.Article {
			l.Level, last = 6, l.Text[0]
			continue
		}
		listed = true
	}
}
