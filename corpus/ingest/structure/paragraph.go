package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
)

// paragraph is a line to which others are joined.
type paragraph struct {
	line.Line
	more         []byte       // Text with what was joined to it; nil = nothing was
	runes        int          // code points of the text
	capital, low bool         // it has a capital, a small letter
	head         heading.Head // what it opens, as it was read
	read         int          // with so many bytes; 0 = it was not
}

func begin(l line.Line) paragraph {
	p := paragraph{Line: l}
	p.count(l.Text)
	return p
}

// count takes note of what is in a stretch of the text.
func (p *paragraph) count(s string) {
	for _, r := range s {
		p.runes++
		p.capital = p.capital || unicode.IsUpper(r)
		p.low = p.low || unicode.IsLower(r) && r != 'ª' && r != 'º'
	}
}

// upper says whether every letter is a capital, as heading.IsUpper does.
func (p *paragraph) upper() bool { return p.capital && !p.low }

// line gives the paragraph as a line.
func (p *paragraph) line() line.Line {
	p.Text = p.text()
	p.more = nil
	return p.Line
}

func (p *paragraph) text() string {
	if p.more == nil {
		return p.Text
	}
	return string(p.more)
}

// ending gives the last bytes of the text, from the beginning of a character on.
func (p *paragraph) ending(n int) string {
	if p.more == nil {
		return lastBytes(p.Text, n)
	}
	return lastBytes(string(p.more[max(0, len(p.more)-n-utf8.UTFMax):]), n)
}

func lastBytes(s string, n int) string {
	k := max(0, len(s)-n)
	for k < len(s) && !utf8.RuneStart(s[k]) {
		k++
	}
	return s[k:]
}

// headRead is up to how many bytes what a paragraph opens is read anew with each line that
// is joined to it. Beyond, what it opens is settled but for capitals all over: it is read
// each time that the paragraph has twice the length.
const headRead = 4096

// heading.Read is that of the text so far.
func (p *paragraph) readHead() heading.Head {
	n := max(len(p.Text), len(p.more))
	if p.read == 0 || n != p.read && (n <= headRead || n >= 2*p.read) {
		l := p.Line
		l.Text = p.text()
		p.head, p.read = heading.Read(l), n
	}
	return p.head
}

// add joins a line; a hyphen at the end of the text is healed.
func (p *paragraph) add(l line.Line) {
	if p.more == nil {
		p.more = []byte(p.Text)
	}
	sep := " "
	if cut, ok := strings.CutSuffix(p.ending(endingRead), "-"); ok {
		r, _ := utf8.DecodeLastRuneInString(cut)
		n, _ := utf8.DecodeRuneInString(l.Text)
		if unicode.IsLetter(r) && unicode.IsLower(n) {
			p.more, sep = p.more[:len(p.more)-1], ""
			p.runes--
		}
	}
	start := p.runes + len(sep)
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
	p.more = append(append(p.more, sep...), l.Text...)
	p.count(sep)
	p.count(l.Text)
	p.Bold = p.Bold && l.Bold
	p.Small = p.Small && l.Small
}
