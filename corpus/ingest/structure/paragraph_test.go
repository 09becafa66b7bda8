package structure

import (
	"strings"
	"testing"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
)

// TestParagraphIsItsLines: what a paragraph tells of itself as lines are joined is what its
// text tells.
func TestParagraphIsItsLines(t *testing.T) {
	p := begin(line.Line{Text: "ARTÍCULO 1. LUZ DE LOS FA-", Page: 1})
	for i, s := range []string{"ros y de la", "Torre, ñandú º", "FIN"} {
		p.add(line.Line{Text: s, Page: i + 2})
		text := p.text()
		if p.runes != len([]rune(text)) || p.upper() != heading.IsUpper(text) || !strings.HasSuffix(text, p.ending(7)) || len(p.ending(7)) > 7 {
			t.Errorf("%q: %d code points, upper %v, ends %q", text, p.runes, p.upper(), p.ending(7))
		}
	}
	l := p.line()
	if l.Text != "ARTÍCULO 1. LUZ DE LOS FAros y de la Torre, ñandú º FIN" || len(l.Marks) != 3 || string([]rune(l.Text)[l.Marks[1].Start:])[:5] != "Torre" {
		t.Errorf("%q %v", l.Text, l.Marks)
	}
}
