package ingest

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Some codes print the rubric of an article on the line above it ("Nulidad" /
// "Art. 99. - Será nula…"). Left alone it would end the text of the article
// before, words that are not its law.

// wordOfTitle is the least that a title has.
var wordOfTitle = regexp.MustCompile(`\pL{3}`)

// leadingRubrics finds those lines and keeps them for the unit below. One short
// line may be law; that a norm prints its rubrics so is learnt from all of it.
func (s *scan) leadingRubrics() {
	s.lead = map[int][2]int{}
	articles, hits := 0, 0
	for i := range s.unit {
		if !s.unit[i] || s.heads[i].kind != headArticle {
			continue
		}
		articles++
		if from := s.titleAbove(i); from < i {
			s.lead[i] = [2]int{from, s.above(i) + 1}
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
		p := s.above(lead[0])
		if !r.known || p < 0 || s.heads[p].kind != headPart || s.heads[p].rest != "" {
			continue
		}
		if own, _ := r.split(s, i, s.heads[i], s.lines[i]); own != "" {
			delete(s.lead, i)
		}
	}
}

// above gives the nearest line before i that is no note and is not dropped.
func (s *scan) above(i int) int {
	for k := i - 1; k >= 0; k-- {
		if !s.lines[k].Note && !s.drop[k] {
			return k
		}
	}
	return -1
}

// titleAbove gives the first of the one or two lines above i that are a title,
// or i if there are none.
func (s *scan) titleAbove(i int) int {
	k := s.above(i)
	if k < 0 || !s.titleLine(k) || utf8.RuneCountInString(s.lines[k].Text) > 120 {
		return i
	}
	if j := k - 1; j > 0 && !s.lines[j].Note && isUpper(s.lines[k].Text) && isUpper(s.lines[j].Text) && s.titleLine(j) {
		return j // a long title in capitals goes over two lines
	}
	return k
}

func (s *scan) titleLine(k int) bool {
	l := s.lines[k]
	if s.unit[k] || s.heads[k].kind != headNone || l.Table || l.History || l.Quote || listItem(l.Text) {
		return false
	}
	t := strings.TrimRight(l.Text, " ")
	r, _ := utf8.DecodeRuneInString(t)
	last, _ := utf8.DecodeLastRuneInString(t)
	if !unicode.IsUpper(r) || strings.ContainsRune(":;,", last) || s.inQuote[k] {
		return false
	}
	if last == '.' && !l.Bold && !isUpper(t) {
		return false
	}
	if !wordOfTitle.MatchString(t) {
		return false // the end of a sentence: "Nº 843/00."
	}
	p := s.above(k) // the line before must have ended, or be a heading itself
	return looksRubric(t, 120) && (p < 0 || s.unit[p] && s.heads[p].rest != "" || endsSentence(s.lines[p].Text) || s.heads[p].kind != headNone || isUpper(t) || l.Bold)
}
