package extract

import (
	"strings"
	"unicode/utf8"

	"digesto/passage"
	"digesto/text/sentence"
	"digesto/verify"
)

// Stretch is a part of a text to be quoted, in code points.
type Stretch struct{ Start, End int }

// Stretches turns spans of sentences into quotations of 20 to 500 characters:
// neighbours are joined while they fit, a longer sentence is divided at a
// clause. more says that something did not fit the limits of an answer.
func Stretches(u *passage.Unit, spans []passage.Span, budget, most int) (out []Stretch, more bool) {
	for n, s := range spans {
		next, left, ok := add(u, out, s, budget, most)
		if !ok {
			if n == 0 || n == 1 && u.Sentences[spans[0].To].Lead() {
				return trimShort(next), true
			}
			return trimShort(out), true
		}
		out, budget = next, left
	}
	return trimShort(out), false
}

// add quotes one more span, with what stands right before it if that fits in a
// quotation. ok is false when not all of it fits: an item is not cut if
// anything stands before it.
func add(u *passage.Unit, have []Stretch, s passage.Span, budget, most int) (out []Stretch, left int, ok bool) {
	out = append(make([]Stretch, 0, len(have)+4), have...)
	for i := s.From; i <= s.To; i++ {
		for _, p := range divide(u.Sentences[i].Sentence) {
			last := len(out) - 1
			if last >= 0 && p.Start-out[last].End <= 3 && p.End-out[last].Start <= verify.MaxQuote {
				if budget -= p.End - out[last].End; budget < 0 {
					return out, 0, false
				}
				out[last].End = p.End
				continue
			}
			if len(out) == most || budget < p.End-p.Start {
				return out, 0, false
			}
			budget -= p.End - p.Start
			out = append(out, p)
		}
	}
	return out, budget, true
}

// trimShort drops quotations below the least length: a lone "a) No." proves nothing.
func trimShort(list []Stretch) []Stretch {
	out := list[:0]
	for _, s := range list {
		if s.End-s.Start >= verify.MinQuote {
			out = append(out, s)
		}
	}
	return out
}

// divide cuts a sentence longer than a quotation may be at its clauses: after a
// semicolon or colon if there is one, otherwise after a comma, otherwise at a space.
func divide(s sentence.Sentence) []Stretch {
	rs := []rune(s.Text)
	var out []Stretch
	at := 0
	for len(rs)-at > verify.MaxQuote {
		cut := cutAt(rs[at : at+verify.MaxQuote])
		if rest := len(rs) - at - cut; rest < verify.MinQuote+1 {
			cut -= verify.MinQuote + 1
		}
		end := at + cut
		out = append(out, Stretch{s.Start + at, s.Start + trimRight(rs, at, end)})
		for at = end; at < len(rs) && rs[at] == ' '; at++ {
		}
	}
	return append(out, Stretch{s.Start + at, s.End})
}

func trimRight(rs []rune, from, end int) int {
	for end > from && (rs[end-1] == ' ' || rs[end-1] == '\n') {
		end--
	}
	return end
}

func cutAt(rs []rune) int {
	for _, marks := range []string{";:", ",", " "} {
		for i := len(rs) - 1; i > len(rs)/3; i-- {
			if strings.ContainsRune(marks, rs[i-1]) && (marks == " " || rs[i] == ' ' || rs[i] == '\n') {
				return i
			}
		}
	}
	return len(rs)
}

// Cut shortens a text to n code points at a space, with an ellipsis.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	rs := []rune(s)[:n-1]
	if i := strings.LastIndexByte(string(rs), ' '); i > 0 {
		return string(rs)[:i] + "…"
	}
	return string(rs) + "…"
}

// Opening is the beginning of a unit, as much as fits in whole sentences.
func Opening(u *passage.Unit, budget, most int) ([]Stretch, bool) {
	return Stretches(u, []passage.Span{{From: 0, To: len(u.Sentences) - 1}}, min(budget, 1200), most)
}
