package ask

import (
	"regexp"
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/sentence"
	"digesto/verify"
)

// pick is the sentence that answers, with how well it does.
type pick struct {
	at    int     // index of the sentence
	score float64 // for ordering: coverage of the sentence, its surroundings and the asked kind
	cover float64 // share of the question's information in the sentence, its paragraph and the rubric, 0–1
	kind  bool    // the asked kind of thing is in it
}

// best finds the sentence of the unit that answers the question; ok is false
// for a unit without sentences.
func (u *unitText) best(f *focus) (pick, bool) {
	return u.bestIn(f, span{0, len(u.sents) - 1})
}

// bestIn is best among the sentences of a part.
func (u *unitText) bestIn(f *focus, part span) (pick, bool) {
	out := pick{at: -1}
	for i := part.from; i <= part.to; i++ {
		p := u.score(f, i)
		if out.at < 0 || p.score > out.score+1e-9 {
			out = p
		}
	}
	return out, out.at >= 0
}

// notRule says that a sentence is no rule of its unit: it opens with a quotation
// mark that it does not close, or is a note of the editor.
func notRule(s string) bool {
	if strings.HasPrefix(s, "«") && !strings.Contains(s, "»") {
		return true
	}
	const note = "tengase en cuenta"
	return strings.HasPrefix(text.Fold(s[:min(len(s), len(note)+8)]), note)
}

func boolOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// holds says whether the asked kind of thing stands in the sentence; for a list,
// whether the sentence announces one.
func (u *unitText) holds(f *focus, i int) bool {
	s := &u.sents[i]
	switch f.kind {
	case KindList:
		return s.Lead() && i+1 < len(u.sents)
	case KindDefinition:
		return u.defines(f, i)
	case KindOpen, KindText:
		return true
	}
	return s.has&wants[f.kind] != 0
}

// defines says that a sentence says what the matter of the question is: it
// holds a word of definition, or opens a unit whose rubric is the matter.
func (u *unitText) defines(f *focus, i int) bool {
	seen := f.on(u)
	if f.covers(seen.sent(i)) < .5 {
		return i == 0 && f.covers(seen.rubric) >= .6
	}
	return u.sents[i].has&hasDefinition != 0 || i == 0
}

// markerOf is the numbering of the paragraph of sentence i.
func (u *unitText) markerOf(i int) sentence.Marker {
	for !u.sents[i].First {
		i--
	}
	return u.sents[i].Marker
}

// span is a stretch of sentences [from, to] that is shown together.
type span struct{ from, to int }

// Bounds of what is quoted.
const (
	maxQuoted = 1500 // code points of all quotations of an answer
	maxSpans  = 5
)

// choose gives the stretches of the unit that answer, in its order: the sentence with
// its paragraph where that is short, the list that it announces or is of, and the
// exception that the unit states beside it. A sentence for a case that the question
// does not name brings the general rule along; any other, the other cases of its rule.
// Where it is known which part of the unit answers, other parts give only what
// announces that one and what limits it.
func (u *unitText) choose(f *focus, p pick, only *span) []span {
	main := u.widen(p.at)
	if only != nil && only.from <= p.at && p.at <= only.to {
		main = span{max(main.from, only.from), min(main.to, only.to)}
	} else {
		only = nil
	}
	spans := []span{main}
	if lead := u.sents[main.to]; lead.Lead() {
		spans = append(spans, u.items(main.to)...)
	}
	if l := u.leadOf(p.at); l >= 0 { // an item may announce a list of its own
		asked := f
		if only != nil && l < only.from { // which item is known
			asked = &focus{kind: KindOpen}
		}
		spans = u.listed(asked, l, p.at, spans)
	}
	special := f.foreignCase(u, p.at) > 0
	if special { // the general rule before what limits the case
		spans = append(spans, u.second(f, spans, p)...)
	}
	spans = append(spans, u.exceptions(f, spans, p.at)...)
	if !special && only == nil {
		spans = append(spans, u.variants(f, spans, p)...)
		spans = append(spans, u.second(f, spans, p)...)
	}
	return inOrder(spans)
}

// inOrder sorts stretches by place.
func inOrder(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return a.from - b.from })
	return spans
}

// secondGap is how far behind the best sentence another may stand that is shown beside it.
const secondGap = .45

// second gives the paragraph of the next best sentence when the asked kind of thing
// stands there too and the question hardly tells them apart: the reader can.
func (u *unitText) second(f *focus, have []span, p pick) []span {
	if wants[f.kind] == 0 || len(have) >= maxSpans-1 || u.leadOf(p.at) >= 0 {
		return nil
	}
	special, gap := f.foreignCase(u, p.at) > 0, secondGap
	if special { // a rule for a case comes with the general one
		gap *= 2
	}
	if at := u.referredPart(p.at); special && at >= 0 && !covered(have, at) && u.holds(f, at) {
		return []span{{at, at}}
	}
	if head := u.headOf(p.at); special && head >= 0 && !covered(have, head) && u.holds(f, head) && f.foreignCase(u, head) == 0 {
		return []span{{head, head}}
	}
	next := pick{at: -1}
	for i := range u.sents {
		if covered(have, i) {
			continue
		}
		if special && f.foreignCase(u, i) > 0 {
			continue
		}
		if q := u.score(f, i); q.kind && (next.at < 0 || q.score > next.score+1e-9) {
			next = q
		}
	}
	if next.at < 0 || p.kind && p.score-next.score > gap || u.sents[next.at].note {
		return nil
	}
	return []span{outside(u.widen(next.at), have)}
}

// outside cuts from the ends of a stretch what others have; not all of it is theirs.
func outside(s span, have []span) span {
	for covered(have, s.from) {
		s.from++
	}
	for covered(have, s.to) {
		s.to--
	}
	return s
}

// variants gives the other cases of the same rule: sentences near the answering
// one that open with a case ("tratándose de", "cuando", "en el supuesto de") and
// hold another thing of the asked kind.
func (u *unitText) variants(f *focus, have []span, p pick) []span {
	if !p.kind || f.kind != KindPeriod && f.kind != KindAmount {
		return nil
	}
	want := wants[f.kind] | hasNumber
	var out []span
	para, item := u.sents[p.at].Para, u.leadOf(p.at) >= 0
	for i := range u.sents {
		s := &u.sents[i]
		if covered(have, i) || s.Para < para-1 || s.Para > para+4 || s.has&want&^hasNumber == 0 || s.has&hasNumber == 0 || !opensCase(s.Text) {
			continue
		}
		if f.noun != "" && !u.sentHas(i, wordKey(f.noun)) {
			continue
		}
		if (item || refersBack(s.Text)) && s.Para != para && u.otherItem(p.at, i) {
			continue
		}
		if out = append(out, span{i, i}); len(out) == 2 {
			break
		}
	}
	return out
}

// refersBack says that a sentence is about the case named right before it.
func refersBack(s string) bool {
	w := text.Tokens(nil, s[:len(strings.ToValidUTF8(s[:min(len(s), 40)], ""))])
	for i, t := range w {
		if i < 3 && (t.Text == "este" || t.Text == "tal" || t.Text == "dicho" || t.Text == "estos" || t.Text == "tales" || t.Text == "dichos" || t.Text == "ese") {
			return true
		}
	}
	return false
}

// opensCase says that a sentence begins by naming the case it is for.
func opensCase(s string) bool {
	for _, w := range text.First(s, 3) {
		switch w.Text {
		case "tratandose", "cuando", "si", "supuesto", "supuestos", "caso", "casos", "para", "respecto", "quienes", "demas":
			return true
		}
	}
	return false
}

// widen takes with a sentence what it is read with, as far as one quotation
// reaches: its paragraph, or of a long one the sentences before and after it,
// and the beginning of the numbered part that the paragraph belongs to.
func (u *unitText) widen(i int) span {
	s := span{i, i}
	for from := u.startOf(i); s.from > from && u.length(s.from-1, s.to) <= verify.MaxQuote; {
		s.from--
	}
	for to := u.endOf(i); s.to < to && u.length(s.from, s.to+1) <= verify.MaxQuote; {
		s.to++
	}
	if head := u.partOf(s.from); s.from == u.startOf(i) && u.length(head, s.to) <= verify.MaxQuote {
		s.from = head
	}
	return s
}

// partOf gives the first sentence of the numbered part in which sentence i
// stands: the nearest numbered paragraph before it, if nothing announces a list
// in between; i itself when there is none.
func (u *unitText) partOf(i int) int {
	if u.sents[i].Marker != sentence.NoMarker {
		return i
	}
	for k := i - 1; k >= 0; k-- {
		s := u.sents[k]
		if s.Last && s.Lead() {
			return i
		}
		if s.First && s.Marker != sentence.NoMarker {
			if s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker {
				return k
			}
			return i
		}
	}
	return i
}

// partRef is a reference to another numbered paragraph of the same unit.
var partRef = regexp.MustCompile(`(?i)\b(?:apartados?|numerales|numeral|incisos?|párrafos?)\s+(\d{1,2})\b`)

// referredPart gives the first sentence of the numbered paragraph that sentence i
// takes up ("… a que se refiere el apartado 4"); -1 without one.
func (u *unitText) referredPart(i int) int {
	m := partRef.FindStringSubmatch(u.sents[i].Text)
	if m == nil {
		return -1
	}
	for k, s := range u.sents {
		if s.First && s.mark == m[1] {
			return k
		}
	}
	return -1
}

// headOf gives the first sentence of the numbered paragraph that governs sentence i; -1 without one.
func (u *unitText) headOf(i int) int {
	for k := u.startOf(i); k >= 0; k-- {
		if s := u.sents[k]; s.First && (s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker) {
			return k
		}
	}
	return -1
}

func (u *unitText) startOf(i int) int {
	for !u.sents[i].First {
		i--
	}
	return i
}

func (u *unitText) endOf(i int) int {
	for !u.sents[i].Last {
		i++
	}
	return i
}

func (u *unitText) length(from, to int) int { return u.sents[to].End - u.sents[from].Start }

// exceptions gives the sentences that limit what was chosen: those that begin
// with or hold a word of exception, in the paragraph and in the next two, and
// share a content word with the question or with the answering sentence.
func (u *unitText) exceptions(f *focus, have []span, at int) []span {
	var out []span
	para := u.sents[at].Para
	last := para
	for _, s := range have {
		last = max(last, u.sents[s.to].Para)
	}
	numbered := false
	for i, s := range u.sents {
		if s.First && s.Para > last && (s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker) {
			numbered = true // the next numbered part is another rule
		}
		if numbered || covered(have, i) || s.Para < para || s.Para > last+2 || s.has&hasException == 0 {
			continue
		}
		if !s.limits && f.covers(f.on(u).sent(i)) < .3 {
			continue
		}
		if s.Para != para && !s.limits {
			continue
		}
		out = append(out, span{i, i})
		if len(out) == 2 {
			break
		}
	}
	return out
}

func covered(spans []span, i int) bool {
	for _, s := range spans {
		if i >= s.from && i <= s.to {
			return true
		}
	}
	return false
}

// limits says that a sentence opens as an exception to what stands before it.
func limits(s string) bool {
	for _, w := range text.First(s, 4) {
		switch w.Text {
		case "salvo", "excepto", "obstante", "embargo", "exceptua", "exceptuan", "perjuicio", "excepcionalmente", "excepcion", "exceptuase", "exceptuanse":
			return true
		}
	}
	return false
}
