package extract

import (
	"math"
	"slices"

	"digesto/passage"
	"digesto/question"
)

// listed gives what is shown of the list that sentence l announces, when the
// answering sentence, shown in have, is one of its items: the sentences that
// announce it, and the other items where one of them alone would mislead. For a
// list that is asked for, the widest one that holds the sentence.
func (f *Focus) listed(u *passage.Unit, l, at int, have []passage.Span) []passage.Span {
	var heads []passage.Span
	for outer := u.LeadOf(u.StartOf(l)); outer >= 0 && outer < l; outer = u.LeadOf(u.StartOf(l)) {
		if f.Kind == question.KindList {
			heads = nil
		} else {
			heads = append(heads, passage.Span{From: u.StartOf(l), To: l})
		}
		l = outer
		if f.Kind != question.KindList {
			break
		}
	}
	if list := u.Items(l); len(heads) == 0 && f.together(u, list, at) {
		have = list
	}
	heads = append(heads, passage.Span{From: u.StartOf(l), To: l})
	return append(heads, have...)
}

// together says that the items of a list are only right as a whole: others of
// them hold the asked kind of thing too, and no word of the question tells the
// answering one from them. Numbers do not: whether a case falls in an item
// is for the reader to judge.
func (f *Focus) together(u *passage.Unit, list []passage.Span, at int) bool {
	want := Wants[f.Kind]
	if f.Kind == question.KindList {
		return true
	}
	if f.Kind != question.KindPeriod && f.Kind != question.KindAmount && f.Kind != question.KindWho && f.Kind != question.KindDate {
		return false
	}
	var others []passage.Span
	var own passage.Span
	for _, s := range list {
		switch {
		case passage.Covered([]passage.Span{s}, at):
			own = s
		case u.SpanHas(s, want):
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return false
	}
	for _, t := range f.Terms {
		if t.Stem[0] >= '0' && t.Stem[0] <= '9' || !u.SpanHolds(own, t.Stem) {
			continue
		}
		n := 0
		for _, s := range others {
			if u.SpanHolds(s, t.Stem) {
				n++
			}
		}
		if 2*n < len(others) {
			return false
		}
	}
	return true
}

// Asked gives the items of the list that sentence at announces, or is of, that the question
// speaks of: those that hold the most of its words that fewer than half of the items have, at
// most two, by their first sentences.
func (f *Focus) Asked(u *passage.Unit, at int) []int {
	l := at
	if !u.Sentences[at].Lead() || at+1 == len(u.Sentences) {
		l = u.LeadOf(at)
	}
	if l < 0 {
		return nil
	}
	items := u.Items(l)
	told := make([]float64, len(items))
	for _, t := range f.Terms {
		var has []int
		for i, s := range items {
			if u.SpanHolds(s, t.Stem) {
				has = append(has, i)
			}
		}
		if 2*len(has) >= len(items) {
			continue
		}
		for _, i := range has {
			told[i] += t.IDF * math.Log(float64(len(items))/float64(len(has)))
		}
	}
	var out []int
	if most := slices.Max(append(told, 0)); most > 0 {
		for i, s := range items {
			if told[i] == most && len(out) < 2 {
				out = append(out, s.From)
			}
		}
	}
	return out
}
