package passage

import (
	"slices"
	"strings"

	"digesto/question"
	"digesto/text"
	"digesto/text/sentence"
)

// Sentence is a sentence with what scoring needs. Its words are places in the words of its unit.
type Sentence struct {
	sentence.Sentence
	Words []uint32 // its words in order
	Holds Presence
	mark  string // number or letter of the paragraph that the sentence begins, folded

	Opening       []uint32 // its first content words
	Caseful       bool     // it opens with a case
	CaseWords     []uint32 // of that case
	Subject       []uint32 // words before its first verb of being, if it has one near its opening
	IsVerb, Gives bool     // a verb of being, a word of definition near its opening

	Headed question.Kinds // kinds of thing with which its paragraph is titled
	Limits bool           // it opens as an exception to what stands before it
	Note   bool           // it is no rule of its unit
	Blank  bool           // it has a blank to fill in
}

// Unit is a unit prepared for extraction. It does not change and may be read by many.
type Unit struct {
	Sentences []Sentence
	Leads     []int32 // of each sentence, the one that announces its list; -1 = none
	Words     []Word  // distinct words of the text and of the rubric
	Title     string  // rubric and headings above
	Rubric    []uint32
}

// New reads the words of each sentence of a unit.
func New(an *text.Analyser, rubric, body string) *Unit {
	list := sentence.Split(body)
	u := &Unit{Sentences: make([]Sentence, len(list)), Title: rubric}
	r := reader{u: u, at: map[uint64]uint32{}}
	for i, s := range list {
		u.Sentences[i] = r.sentence(an.Terms(s.Text), s)
	}
	r.terms = an.Terms(rubric)
	for k := range r.terms {
		if r.terms[k].Stem != "" {
			u.Rubric = append(u.Rubric, r.word(k))
		}
	}
	r.clip()
	u.link()
	return u
}

// reader collects the distinct words of a unit.
type reader struct {
	u     *Unit
	terms []text.Term
	at    map[uint64]uint32 // key of a stem → place in words
	all   []uint32          // sequences of the sentences, one behind the other
}

// word gives the place of a term's stem among the words of the unit.
func (r *reader) word(k int) uint32 {
	stem := r.terms[k].Stem
	key := Key(stem)
	n, ok := r.at[key]
	if !ok {
		n = uint32(len(r.u.Words))
		r.at[key] = n
		r.u.Words = append(r.u.Words, Word{key, Key(FamilyOf(stem))})
	}
	return n
}

func (r *reader) sentence(terms []text.Term, s sentence.Sentence) Sentence {
	r.terms = terms
	a := Sentence{Sentence: s}
	from := len(r.all)
	for k := range terms {
		if terms[k].Stem == "" {
			continue
		}
		r.all = append(r.all, r.word(k))
	}
	a.Words = r.all[from:len(r.all):len(r.all)]
	a.Holds = presenceOf(terms, s.Text)
	r.open(&a)
	if s.First && s.Marker != sentence.NoMarker {
		a.mark = markerName(s.Text)
	}
	a.Headed = headings(s.Text)
	a.Limits, a.Note, a.Blank = limits(s.Text), NotRule(s.Text), strings.Contains(s.Text, "____")
	return a
}

// clip lets go of the room that growing left over.
func (r *reader) clip() {
	r.u.Words, r.u.Rubric = slices.Clip(slices.Clone(r.u.Words)), slices.Clip(slices.Clone(r.u.Rubric))
	all := slices.Clip(slices.Clone(r.all))
	at := 0
	for i := range r.u.Sentences {
		n := len(r.u.Sentences[i].Words)
		r.u.Sentences[i].Words = all[at : at+n : at+n]
		at += n
	}
}

// openingWords is how many of a sentence's content words, and their families, count as its opening.
const openingWords = 8

// caseWords is how far into a sentence the case reaches with which it opens.
const caseWords = 16

// open reads how a sentence opens: its first content words, and the case it is for.
func (r *reader) open(s *Sentence) {
	raw := s.Text
	start, _ := markEnd(raw)
	s.Caseful = OpensCase(raw[start:])
	subject := subjectEnd(raw[start:])
	s.IsVerb = subject > 0
	s.Gives = givesMeaning(raw[start:min(len(raw), start+240)])
	inCase := s.Caseful
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
		if t.Start-start < subject && !question.LightWords[t.Plain] {
			s.Subject = append(s.Subject, w)
		}
		if opened < openingWords && !slices.Contains(s.Opening, w) {
			if opened++; r.u.Words[w].Family != 0 && !r.u.among(s.Opening, r.u.Words[w].Family) {
				opened++
			}
			s.Opening = append(s.Opening, w)
		}
		if inCase && !question.LightWords[t.Plain] && !caseWord(t.Plain) && t.Stem[0] > '9' {
			s.CaseWords = append(s.CaseWords, w)
		}
	}
}

// Size is about how many bytes a unit takes.
func (u *Unit) Size() int {
	n := 200 + len(u.Title) + 16*len(u.Words) + 4*len(u.Rubric)
	for i := range u.Sentences {
		s := &u.Sentences[i]
		n += 240 + len(s.Text) + 4*(len(s.Words)+len(s.Opening)+len(s.CaseWords)+len(s.Subject))
	}
	return n
}

// Has says that a word stands in the unit or its headings.
func (u *Unit) Has(stem string) bool {
	key := Key(stem)
	return slices.ContainsFunc(u.Words, func(w Word) bool { return w.is(key) })
}

func (u *Unit) RubricHas(stem string) bool { return u.among(u.Rubric, Key(stem)) }

func (u *Unit) SentHas(i int, key uint64) bool { return u.among(u.Sentences[i].Words, key) }

func (u *Unit) among(list []uint32, key uint64) bool {
	for _, k := range list {
		if u.Words[k].is(key) {
			return true
		}
	}
	return false
}

// InParagraph says that a word stands in the paragraph of sentence i, or in what
// announces the list of which it is an item.
func (u *Unit) InParagraph(i int, stem string) bool {
	key := Key(stem)
	for k := i; k >= 0 && u.Sentences[k].Para == u.Sentences[i].Para; k-- {
		if u.SentHas(k, key) {
			return true
		}
	}
	for k := i + 1; k < len(u.Sentences) && u.Sentences[k].Para == u.Sentences[i].Para; k++ {
		if u.SentHas(k, key) {
			return true
		}
	}
	lead := u.LeadOf(i)
	return lead >= 0 && u.SentHas(lead, key)
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

// headings gives the kinds of thing with which a numbered paragraph is titled: "2. Plazo: …".
func headings(s string) question.Kinds {
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
	return question.HeadingKinds(head)
}
