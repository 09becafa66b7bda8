package ask

import (
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/sentence"
)

// analysed is a sentence with what scoring needs. Its words are places in the words of its unit.
type analysed struct {
	sentence.Sentence
	seq  []uint32 // its words in order
	has  presence
	mark string // number or letter of the paragraph that the sentence begins, folded

	opening   []uint32 // its first content words
	caseful   bool     // it opens with a case
	caseWords []uint32 // of that case
	subject   []uint32 // words before its first verb of being, if it has one near its opening
	is, gives bool     // a verb of being, a word of definition near its opening

	headed     kinds   // kinds of thing with which its paragraph is titled
	limits     bool    // it opens as an exception to what stands before it
	note       bool    // it is no rule of its unit
	blank      bool    // it has a blank to fill in
	references float64 // share of its words that name other places of the law
}

// unitText is a unit prepared for extraction. It does not change and may be read by many.
type unitText struct {
	sents   []analysed
	leads   []int32 // of each sentence, the one that announces its list; -1 = none
	words   []word  // distinct words of the text and of the rubric
	heading string  // rubric and headings above
	rubric  []uint32
}

// newUnitText reads the words of each sentence of a unit.
func newUnitText(an *text.Analyser, rubric, body string) *unitText {
	list := sentence.Split(body)
	u := &unitText{sents: make([]analysed, len(list)), heading: rubric}
	r := unitReader{u: u, at: map[uint64]uint32{}}
	for i, s := range list {
		u.sents[i] = r.sentence(an.Terms(s.Text), s)
	}
	r.terms = an.Terms(rubric)
	for k := range r.terms {
		if r.terms[k].Stem != "" {
			u.rubric = append(u.rubric, r.word(k))
		}
	}
	r.pack()
	u.link()
	return u
}

// unitReader collects the distinct words of a unit.
type unitReader struct {
	u     *unitText
	terms []text.Term
	at    map[uint64]uint32 // key of a stem → place in words
	all   []uint32          // sequences of the sentences, one behind the other
}

// word gives the place of a term's stem among the words of the unit.
func (r *unitReader) word(k int) uint32 {
	stem := r.terms[k].Stem
	key := wordKey(stem)
	n, ok := r.at[key]
	if !ok {
		n = uint32(len(r.u.words))
		r.at[key] = n
		r.u.words = append(r.u.words, word{key, wordKey(kinOf(stem))})
	}
	return n
}

func (r *unitReader) sentence(terms []text.Term, s sentence.Sentence) analysed {
	r.terms = terms
	a := analysed{Sentence: s}
	from, refers := len(r.all), 0
	for k := range terms {
		if terms[k].Stem == "" {
			continue
		}
		r.all = append(r.all, r.word(k))
		refers += placeWord(terms[k].Stem)
	}
	a.seq = r.all[from:len(r.all):len(r.all)]
	a.references = float64(refers) / float64(max(6, len(a.seq)))
	a.has = presenceOf(terms, s.Text)
	r.open(&a)
	if s.First && s.Marker != sentence.NoMarker {
		a.mark = markerName(s.Text)
	}
	a.headed = headings(s.Text)
	a.limits, a.note, a.blank = limits(s.Text), notRule(s.Text), strings.Contains(s.Text, "____")
	return a
}

// pack lets go of the room that growing left over.
func (r *unitReader) pack() {
	r.u.words, r.u.rubric = slices.Clip(slices.Clone(r.u.words)), slices.Clip(slices.Clone(r.u.rubric))
	all := slices.Clip(slices.Clone(r.all))
	at := 0
	for i := range r.u.sents {
		n := len(r.u.sents[i].seq)
		r.u.sents[i].seq = all[at : at+n : at+n]
		at += n
	}
}

// openingWords is how many of a sentence's content words, and their families, count as its opening.
const openingWords = 8

// caseWords is how far into a sentence the case reaches with which it opens.
const caseWords = 16

// open reads how a sentence opens: its first content words, and the case it is for.
func (r *unitReader) open(s *analysed) {
	raw := s.Text
	start, _ := markEnd(raw)
	s.caseful = opensCase(raw[start:])
	subject := subjectEnd(raw[start:])
	s.is = subject > 0
	s.gives = gives(raw[start:min(len(raw), start+240)])
	inCase := s.caseful
	words, opened := 0, 0 // opened counts families too
	for k := range r.terms {
		t := &r.terms[k]
		if t.Start < start {
			continue
		}
		if inCase && words > 0 && strings.Contains(raw[start:t.Start], ",") || words >= caseWords {
			inCase = false
		}
		if !inCase && opened >= openingWords && t.Start-start >= subject {
			break
		}
		words++
		if t.Stem == "" || t.Part {
			continue
		}
		w := r.word(k)
		if t.Start-start < subject && !lightWords[t.Plain] {
			s.subject = append(s.subject, w)
		}
		if opened < openingWords && !slices.Contains(s.opening, w) {
			if opened++; r.u.words[w].kin != 0 && !r.u.among(s.opening, r.u.words[w].kin) {
				opened++
			}
			s.opening = append(s.opening, w)
		}
		if inCase && !lightWords[t.Plain] && !caseWord(t.Plain) && t.Stem[0] > '9' {
			s.caseWords = append(s.caseWords, w)
		}
	}
}

// size is about how many bytes a unit takes.
func (u *unitText) size() int {
	n := 200 + len(u.heading) + 16*len(u.words) + 4*len(u.rubric)
	for i := range u.sents {
		s := &u.sents[i]
		n += 240 + len(s.Text) + 4*(len(s.seq)+len(s.opening)+len(s.caseWords)+len(s.subject))
	}
	return n
}

// has says that a word stands in the unit or its headings.
func (u *unitText) has(stem string) bool {
	key := wordKey(stem)
	return slices.ContainsFunc(u.words, func(w word) bool { return w.is(key) })
}

func (u *unitText) rubricHas(stem string) bool { return u.among(u.rubric, wordKey(stem)) }

func (u *unitText) sentHas(i int, key uint64) bool { return u.among(u.sents[i].seq, key) }

func (u *unitText) among(list []uint32, key uint64) bool {
	for _, k := range list {
		if u.words[k].is(key) {
			return true
		}
	}
	return false
}

// inParagraph says that a word stands in the paragraph of sentence i, or in what
// announces the list of which it is an item.
func (u *unitText) inParagraph(i int, stem string) bool {
	key := wordKey(stem)
	for k := i; k >= 0 && u.sents[k].Para == u.sents[i].Para; k-- {
		if u.sentHas(k, key) {
			return true
		}
	}
	for k := i + 1; k < len(u.sents) && u.sents[k].Para == u.sents[i].Para; k++ {
		if u.sentHas(k, key) {
			return true
		}
	}
	lead := u.leadOf(i)
	return lead >= 0 && u.sentHas(lead, key)
}

// markRunes is more than any numbering of a paragraph takes.
const markRunes = 64

// markEnd gives the bytes that the numbering at the start of a text takes, and its kind.
func markEnd(s string) (int, sentence.Marker) {
	var room [markRunes]rune
	rs := room[:0]
	for _, r := range s {
		if len(rs) == cap(rs) {
			break
		}
		rs = append(rs, r)
	}
	n, m := sentence.Mark(rs)
	return len(string(rs[:n])), m
}

// kinds is a set of kinds of question.
type kinds uint16

func (k Kind) bit() kinds {
	switch k {
	case KindPeriod:
		return 1
	case KindAmount:
		return 2
	case KindWho:
		return 4
	case KindList:
		return 8
	case KindDefinition:
		return 16
	case KindHow:
		return 32
	case KindYesNo:
		return 64
	case KindDate:
		return 128
	}
	return 0
}

// askedKinds are the kinds of question that a rubric answers by its words.
func askedKinds(rubric string) (out kinds) {
	for _, t := range text.Tokens(nil, rubric) {
		for k, list := range askedRubrics {
			if slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(t.Text, w) }) {
				out |= k.bit()
			}
		}
	}
	return out
}

// headings gives the kinds of thing with which a numbered paragraph is titled: "2. Plazo: …".
func headings(s string) kinds {
	n, m := markEnd(s)
	if m == sentence.NoMarker {
		return 0
	}
	head, at := s[n:], 0
	for k := range head {
		if at == 60 {
			head = head[:k]
			break
		}
		at++
	}
	head, _, ok := strings.Cut(head, ":")
	if !ok {
		return 0
	}
	return askedKinds(head)
}

// placeWord is 1 for the stem of a word that names other places of the law.
func placeWord(stem string) int {
	switch stem {
	case "articul", "apart", "apartad", "parraf", "letr", "numeral", "incis", "refier", "referid", "previst", "establec", "dispuest", "anterior", "present", "capitul", "titul":
		return 1
	}
	return 0
}

// gives says that a text gives a word its meaning for the law: see definesWord.
func gives(s string) bool { return definesWord.MatchString(text.Fold(strings.ToValidUTF8(s, ""))) }
