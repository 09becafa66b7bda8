package extract

import (
	"strings"

	"digesto/passage"
	"digesto/question"
	"digesto/text"
	"digesto/text/sentence"
	"digesto/verify"
)

// Pick is the sentence that answers, with how well it does.
type Pick struct {
	At    int     // index of the sentence
	Score float64 // for ordering: coverage of the sentence, its surroundings and the asked kind
	Cover float64 // share of the question's information in the sentence, its paragraph and the rubric, 0–1
	Kind  bool    // the asked kind of thing is in it
}

// Best finds the sentence of the unit that answers the question; ok is false
// for a unit without sentences.
func (f *Focus) Best(u *passage.Unit) (Pick, bool) {
	return f.bestIn(u, passage.Span{From: 0, To: len(u.Sentences) - 1})
}

// bestIn is best among the sentences of a part.
func (f *Focus) bestIn(u *passage.Unit, part passage.Span) (Pick, bool) {
	out := Pick{At: -1}
	for i := part.From; i <= part.To; i++ {
		p := f.Score(u, i)
		if out.At < 0 || p.Score > out.Score+1e-9 {
			out = p
		}
	}
	return out, out.At >= 0
}

// holds says whether the asked kind of thing stands in the sentence; for a list,
// whether the sentence announces one.
func (f *Focus) holds(u *passage.Unit, i int) bool {
	s := &u.Sentences[i]
	switch f.Kind {
	case question.KindList:
		return s.Lead() && i+1 < len(u.Sentences)
	case question.KindDefinition:
		return f.defines(u, i)
	case question.KindOpen, question.KindText:
		return true
	}
	return s.Holds&Wants[f.Kind] != 0
}

// Most is the share from which a text holds most of the information of what is asked: it is
// about that. NearlyAll is asked of what answers without the law's own words, or is to be the
// very place of a matter.
const Most, NearlyAll = .5, .7

// defines says that a sentence says what the matter of the question is: it
// holds a word of definition, or opens a unit whose rubric is the matter.
func (f *Focus) defines(u *passage.Unit, i int) bool {
	seen := f.Over(u)
	if f.Covers(seen.Sent(i)) < Most {
		return i == 0 && f.Covers(seen.rubric) >= Most
	}
	return u.Sentences[i].Holds&passage.HasDefinition != 0 || i == 0
}

// Bounds of what is quoted.
const (
	MaxQuoted = 1500 // code points of all quotations of an answer
	maxSpans  = 5
)

// Choose gives the stretches of the unit that answer, in its order: the sentence with
// its paragraph where that is short, the list that it announces or is of, and the
// exception that the unit states beside it. A sentence for a case that the question
// does not name brings the general rule along; any other, the other cases of its rule.
func (f *Focus) Choose(u *passage.Unit, p Pick) []passage.Span {
	main := Widen(u, p.At)
	spans := []passage.Span{main}
	if lead := u.Sentences[main.To]; lead.Lead() {
		spans = append(spans, u.Items(main.To)...)
	}
	if l := u.LeadOf(p.At); l >= 0 { // an item may announce a list of its own
		spans = f.listed(u, l, p.At, spans)
	}
	special := f.foreignCase(u, p.At) > 0
	if special { // the general rule before what limits the case
		spans = append(spans, f.second(u, spans, p)...)
	}
	spans = append(spans, f.exceptions(u, spans, p.At)...)
	if !special {
		spans = append(spans, f.variants(u, spans, p)...)
		spans = append(spans, f.second(u, spans, p)...)
	}
	return passage.InOrder(spans)
}

// secondGap is how far behind the best sentence another may stand that is shown beside it.
const secondGap = .45

// second gives the paragraph of the next best sentence when the asked kind of thing
// stands there too and the question hardly tells them apart: the reader can.
func (f *Focus) second(u *passage.Unit, have []passage.Span, p Pick) []passage.Span {
	if Wants[f.Kind] == 0 || len(have) >= maxSpans-1 || u.LeadOf(p.At) >= 0 {
		return nil
	}
	special, gap := f.foreignCase(u, p.At) > 0, secondGap
	if special { // a rule for a case comes with the general one
		gap *= 2
	}
	if at := u.ReferredPart(p.At); special && at >= 0 && !passage.Covered(have, at) && f.holds(u, at) {
		return []passage.Span{{From: at, To: at}}
	}
	if head := u.HeadOf(p.At); special && head >= 0 && !passage.Covered(have, head) && f.holds(u, head) && f.foreignCase(u, head) == 0 {
		return []passage.Span{{From: head, To: head}}
	}
	next := Pick{At: -1}
	for i := range u.Sentences {
		if passage.Covered(have, i) {
			continue
		}
		if special && f.foreignCase(u, i) > 0 {
			continue
		}
		if q := f.Score(u, i); q.Kind && (next.At < 0 || q.Score > next.Score+1e-9) {
			next = q
		}
	}
	if next.At < 0 || p.Kind && p.Score-next.Score > gap || u.Sentences[next.At].Note {
		return nil
	}
	return []passage.Span{passage.Outside(Widen(u, next.At), have)}
}

// variants gives the other cases of the same rule: sentences near the answering
// one that open with a case ("tratándose de", "cuando", "en el supuesto de") and
// hold another thing of the asked kind.
func (f *Focus) variants(u *passage.Unit, have []passage.Span, p Pick) []passage.Span {
	if !p.Kind || f.Kind != question.KindPeriod && f.Kind != question.KindAmount {
		return nil
	}
	want := Wants[f.Kind] | passage.HasNumber
	var out []passage.Span
	para, item := u.Sentences[p.At].Para, u.LeadOf(p.At) >= 0
	for i := range u.Sentences {
		s := &u.Sentences[i]
		if passage.Covered(have, i) || s.Para < para-1 || s.Para > para+4 || s.Holds&want&^passage.HasNumber == 0 || s.Holds&passage.HasNumber == 0 || !passage.OpensCase(s.Text) {
			continue
		}
		if f.Noun != "" && !u.SentHas(i, passage.Key(f.Noun)) {
			continue
		}
		if (item || refersBack(s.Text)) && s.Para != para && u.OtherItem(p.At, i) {
			continue
		}
		if out = append(out, passage.Span{From: i, To: i}); len(out) == 2 {
			break
		}
	}
	return out
}

// refersBack says that a sentence is about what was named right before it: it has one of
// these words among its first three ("En este caso", "A los anteriores efectos"), and not of
// the norm itself ("este artículo").
func refersBack(s string) bool {
	w := text.Tokens(nil, s[:len(strings.ToValidUTF8(s[:min(len(s), 60)], ""))])
	for i, t := range w[:min(3, len(w))] {
		if backWords[t.Text] && (i+1 == len(w) || !ownWords[text.Fold(w[i+1].Text)]) {
			return true
		}
	}
	return false
}

var (
	backWords = set("este esta estos estas ese esa tal tales dicho dicha dichos dichas citado citada citados citadas anterior anteriores")
	ownWords  = set("articulo ley decreto real norma reglamento titulo capitulo codigo seccion disposicion orden estatuto parrafo apartado numeral inciso letra")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// WithAntecedents begins a span that refers back ("En este caso…") with the sentence that it
// refers to, where one quotation holds both.
func WithAntecedents(u *passage.Unit, spans []passage.Span) []passage.Span {
	out := make([]passage.Span, len(spans))
	for k, s := range spans {
		if before := s.From - 1; before >= 0 && refersBack(u.Sentences[s.From].Text) && !passage.Covered(spans, before) && u.Length(before, s.From) <= verify.MaxQuote {
			s.From = before
		}
		out[k] = s
	}
	return out
}

// Widen takes with a sentence what it is read with, as far as one quotation
// reaches: its paragraph, or of a long one the sentences before and after it,
// and the beginning of the numbered part that the paragraph belongs to.
func Widen(u *passage.Unit, i int) passage.Span {
	s := passage.Span{From: i, To: i}
	for from := u.StartOf(i); s.From > from && u.Length(s.From-1, s.To) <= verify.MaxQuote; {
		s.From--
	}
	for to := u.EndOf(i); s.To < to && u.Length(s.From, s.To+1) <= verify.MaxQuote; {
		s.To++
	}
	if head := u.PartOf(s.From); s.From == u.StartOf(i) && u.Length(head, s.To) <= verify.MaxQuote {
		s.From = head
	}
	return s
}

// exceptions gives the sentences that limit what was chosen: those that begin
// with or hold a word of exception, in the paragraph and in the next two, and
// share a content word with the question or with the answering sentence.
func (f *Focus) exceptions(u *passage.Unit, have []passage.Span, at int) []passage.Span {
	var out []passage.Span
	para := u.Sentences[at].Para
	last := para
	for _, s := range have {
		last = max(last, u.Sentences[s.To].Para)
	}
	numbered := false
	for i, s := range u.Sentences {
		if s.First && s.Para > last && (s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker) {
			numbered = true // the next numbered part is another rule
		}
		if numbered || passage.Covered(have, i) || s.Para < para || s.Para > last+2 || s.Holds&passage.HasException == 0 {
			continue
		}
		if !s.Limits && f.Covers(f.Over(u).Sent(i)) < .3 {
			continue
		}
		if s.Para != para && !s.Limits {
			continue
		}
		out = append(out, passage.Span{From: i, To: i})
		if len(out) == 2 {
			break
		}
	}
	return out
}
