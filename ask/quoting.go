package ask

import (
	"strings"
	"unicode/utf8"

	"digesto/corpus"
	"digesto/text"
	"digesto/text/sentence"
	"digesto/verify"
)

// stretch is a part of a text to be quoted, in code points.
type stretch struct{ start, end int }

// stretches turns spans of sentences into quotations of 20 to 500 characters:
// neighbours are joined while they fit, a longer sentence is divided at a
// clause. more says that something did not fit the limits of an answer.
func (u *unitText) stretches(spans []span, budget, most int) (out []stretch, more bool) {
	for n, s := range spans {
		next, left, ok := u.add(out, s, budget, most)
		if !ok {
			if n == 0 || n == 1 && u.sents[spans[0].to].Lead() {
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
func (u *unitText) add(have []stretch, s span, budget, most int) (out []stretch, left int, ok bool) {
	out = append(make([]stretch, 0, len(have)+4), have...)
	for i := s.from; i <= s.to; i++ {
		for _, p := range divide(u.sents[i].Sentence) {
			last := len(out) - 1
			if last >= 0 && p.start-out[last].end <= 3 && p.end-out[last].start <= verify.MaxQuote {
				if budget -= p.end - out[last].end; budget < 0 {
					return out, 0, false
				}
				out[last].end = p.end
				continue
			}
			if len(out) == most || budget < p.end-p.start {
				return out, 0, false
			}
			budget -= p.end - p.start
			out = append(out, p)
		}
	}
	return out, budget, true
}

// trimShort drops quotations below the least length: a lone "a) No." proves nothing.
func trimShort(list []stretch) []stretch {
	out := list[:0]
	for _, s := range list {
		if s.end-s.start >= verify.MinQuote {
			out = append(out, s)
		}
	}
	return out
}

// divide cuts a sentence longer than a quotation may be at its clauses: after a
// semicolon or colon if there is one, otherwise after a comma, otherwise at a space.
func divide(s sentence.Sentence) []stretch {
	rs := []rune(s.Text)
	var out []stretch
	at := 0
	for len(rs)-at > verify.MaxQuote {
		cut := cutAt(rs[at : at+verify.MaxQuote])
		if rest := len(rs) - at - cut; rest < verify.MinQuote+1 {
			cut -= verify.MinQuote + 1
		}
		end := at + cut
		out = append(out, stretch{s.Start + at, s.Start + trimRight(rs, at, end)})
		for at = end; at < len(rs) && rs[at] == ' '; at++ {
		}
	}
	return append(out, stretch{s.Start + at, s.End})
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

// missingNumbers gives the numbers of a text that a set of stems lacks.
func missingNumbers(terms []text.Term, have map[string]bool) []string {
	var out []string
	for _, t := range terms {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' && !t.Part && !have[t.Stem] {
			out = append(out, t.Stem)
		}
	}
	return out
}

// analyser lends one for a second use while terms of the first are held.
func (h hits) analyser() *text.Analyser {
	if h.spare != nil {
		return h.spare
	}
	return &text.Analyser{}
}

// sourceLine says where quotations come from: unit, norm, date of the text, page.
func sourceLine(x hit) string {
	if !x.law {
		return "Fuente: " + strings.TrimSuffix(x.Norm.Source, ".") + "."
	}
	s := "Fuente: " + corpus.PlaceOf(x.Norm, x.Unit)
	if x.Norm.Supplied {
		s += " (" + corpus.SuppliedMark + ")"
	}
	if d := textDate(x); d != "" {
		s += ". " + d
	}
	return strings.TrimSuffix(s, ".") + "."
}

// textDate says of which day the wording is: when the version was published, else up
// to when the norm's text has reforms; "" when neither is known.
func textDate(x hit) string {
	switch {
	case foreign(x) || len(x.Version.Unseen) > 0 && x.Version.Published == "":
		return "" // see cautions
	case x.Version.Published != "":
		return "Texto publicado el " + day(x.Version.Published)
	case x.Norm.TextAsOf != "" && x.Norm.TextAsOf != x.Norm.Published:
		return "Texto con reformas hasta el " + day(x.Norm.TextAsOf)
	case x.Norm.Published != "":
		return "Texto publicado el " + day(x.Norm.Published)
	}
	return ""
}

// cut shortens a text to n code points at a space, with an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	rs := []rune(s)[:n-1]
	if i := strings.LastIndexByte(string(rs), ' '); i > 0 {
		return string(rs)[:i] + "…"
	}
	return string(rs) + "…"
}
