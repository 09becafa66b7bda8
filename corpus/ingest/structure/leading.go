package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/corpus/ingest/heading"
	"digesto/text/lazyregexp"
)

// Some codes print the rubric of an article on the line above it ("Nulidad" /
// "Art. 99. - Será nula…"). Left alone it would end the text of the article
// before, words that are not its law.

// wordOfTitle is the least that a title has.
var wordOfTitle = lazyregexp.New(`\pL{3}`)

// leadingRubrics finds those lines and keeps them for the unit below. One short
// line may be law; that a norm prints its rubrics so is learnt from all of it.
func (s *scan) leadingRubrics() {
	s.lead = map[int][2]int{}
	articles, hits := 0, 0
	for i := range s.Unit {
		if !s.Unit[i] || s.Heads[i].Kind != heading.Article {
			continue
		}
		articles++
		if from := s.titleAbove(i); from < i {
			s.lead[i] = [2]int{from, s.Above(i) + 1}
			hits++
		}
	}
	if hits < 3 || hits*5 < articles {
		s.lead = nil
	}
}

// partTitles gives back the lines under a bare heading of division ("Capítulo I" /
// "Disposiciones generales" / "Artículo 1. Objeto."): where the articles have rubrics
// beside their numbers, such a line is the title of the division.
func (s *scan) partTitles(r rubricStyle) {
	for i, lead := range s.lead {
		p := s.Above(lead[0])
		if !r.known || p < 0 || s.Heads[p].Kind != heading.Division || s.Heads[p].Rest != "" {
			continue
		}
		if own, _ := r.split(s, i, s.Heads[i], s.Lines[i]); own != "" {
			delete(s.lead, i)
		}
	}
}

// titleAbove gives the first of the one or two lines above i that are a title,
// or i if there are none.
func (s *scan) titleAbove(i int) int {
	k := s.Above(i)
	if k < 0 || !s.titleLine(k) || utf8.RuneCountInString(s.Lines[k].Text) > 120 {
		return i
	}
	if j := k - 1; j > 0 && !s.Lines[j].Note && heading.IsUpper(s.Lines[k].Text) && heading.IsUpper(s.Lines[j].Text) && s.titleLine(j) {
		return j // a long title in capitals goes over two lines
	}
	return k
}

func (s *scan) titleLine(k int) bool {
	l := s.Lines[k]
	if s.Unit[k] || s.Heads[k].Kind != heading.None || l.Table || l.History || l.Quote || ListItem(l.Text) {
		return false
	}
	t := strings.TrimRight(l.Text, " ")
	r, _ := utf8.DecodeRuneInString(t)
	last, _ := utf8.DecodeLastRuneInString(t)
	if !unicode.IsUpper(r) || strings.ContainsRune(":;,", last) || s.inQuote[k] {
		return false
	}
	if last == '.' && !l.Bold && !heading.IsUpper(t) {
		return false
	}
	if !wordOfTitle.MatchString(t) {
		return false // the end of a sentence: "Nº 843/00."
	}
	p := s.Above(k) // the line before must have ended, or be a heading itself
	return looksRubric(t, 120) && (p < 0 || s.Unit[p] && s.Heads[p].Rest != "" || endsSentence(s.Lines[p].Text) || s.Heads[p].Kind != heading.None || heading.IsUpper(t) || l.Bold)
}
