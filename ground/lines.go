package ground

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto/digest"
	"digesto/extract"
	"digesto/passage"
	"digesto/question"
	"digesto/retrieve"
	"digesto/search"
	"digesto/text/lazyregexp"
	"digesto/verify"
)

// Of the entries that led to a unit, others are told beside the first where they weigh at
// least alsoShare of it: another matter that the same unit settles; maxAlso of them.
const (
	alsoShare = .4
	maxAlso   = 2
)

// apartShare is how much the question's words that tell the entries of a unit apart count beside
// their asks: of 1,479 asks by others than the entries' writers, of places of seven entries, the
// right entry was first for .79 without them and for .82 with .1 to .4.
const apartShare = .4

// Tell finds what the entries that led to a unit say of it, the one that answers best
// first, and lets its sentence be the one that answers; ok is false where the text on the
// day asked for has none of their decisive words.
func Tell(h *retrieve.Hits, x *retrieve.Hit, of []search.Weighed) (ok bool) {
	type told struct {
		retrieve.PlainLine
		order float64
	}
	apart := apartShare
	if h.GoesOn() { // what was told before leads to the entry, and its words are not said again
		apart = 0
	}
	own := search.Apart(of)
	var list []told
	for i, e := range of {
		if k, ok := SentenceOf(x, e.Entry); ok {
			list = append(list, told{retrieve.PlainLine{Entry: e.Entry, Text: e.Text, At: []int{k}}, math.Log(e.Mean) + apart*own[i]})
		}
	}
	if len(list) == 0 {
		return false
	}
	slices.SortStableFunc(list, func(a, b told) int { return cmp.Compare(b.order, a.order) })
	least := math.Log(alsoShare) + list[0].order
	x.Plain, x.Asked, x.Cases = nil, list[0].Entry.Short(), h.GoesOn()
	for _, t := range list[:min(len(list), 1+maxAlso)] {
		if t.order >= least {
			t.At = append(t.At, extract.Supports(x.Prepared, h.Analyser(), t.Text, t.At[0])...)
			x.Plain = append(x.Plain, t.PlainLine)
		}
	}
	x.Pick = h.Focus.Score(x.Prepared, x.Plain[0].At[0])
	return true
}

// Meets says that what proves the plain lines of a unit holds the figure that is asked
// for: how much or how long is not answered by a text that says neither, and how many years
// not by what is paid "monthly".
func Meets(x *retrieve.Hit, f *extract.Focus) bool {
	want := extract.Wants[f.Kind]
	switch {
	case f.Kind == question.KindPeriod && f.Noun != "":
		want = passage.HasPeriod
	case f.Kind != question.KindAmount && f.Kind != question.KindPeriod:
		return true
	}
	for _, s := range Proof(*x, nil, nil) {
		for i := s.From; i <= s.To; i++ {
			if x.Prepared.Sentences[i].Holds&want != 0 {
				return true
			}
		}
	}
	return false
}

// shortList is how long, in code points, a list is quoted whole: one item of it alone looks like all.
const shortList = 600

// SentenceOf gives the sentence of a unit with the decisive words of an entry.
func SentenceOf(x *retrieve.Hit, of *digest.Entry) (k int, ok bool) {
	at := strings.Index(x.Version.Text, of.Words)
	if at < 0 || of.Words == "" {
		return 0, false
	}
	start := utf8.RuneCountInString(x.Version.Text[:at])
	k = slices.IndexFunc(x.Prepared.Sentences, func(s passage.Sentence) bool { return s.Start <= start && start < s.End })
	return k, k >= 0
}

// Proof puts what proves the plain lines of a unit before what else is quoted of it: each
// deciding sentence with what announces it, then what supports the lines; after the first,
// the sentences that are nearest to the question's own words (near).
func Proof(x retrieve.Hit, near []int, rest []passage.Span) (out []passage.Span) {
	add := func(s passage.Span) {
		if !passage.Covered(out, s.From) || !passage.Covered(out, s.To) {
			out = append(out, passage.Outside(s, out))
		}
	}
	stated := func(items []passage.Span) { // as many as fit, of a long one what it begins with
		for _, s := range items {
			if x.Prepared.Length(s.From, s.To) > verify.MaxQuote {
				s.To = s.From
			}
			add(s)
		}
	}
	var together [][]passage.Span // lists whose items hold together
	announced := func(at int) {
		lead := x.Prepared.LeadOf(at)
		if lead < 0 {
			return
		}
		to, items := lead, x.Prepared.Items(lead)
		short := len(items) > 0 && x.Prepared.Length(lead, items[len(items)-1].To) <= shortList
		if short {
			to = items[len(items)-1].To
		}
		add(passage.Span{From: lead, To: to})
		if !short && cumulative.MatchString(x.Prepared.Sentences[lead].Text) {
			together = append(together, items)
		}
	}
	decides := func(at int) {
		announced(at)
		add(extract.Widen(x.Prepared, at))
	}
	for k, l := range x.Plain {
		decides(l.At[0])
		for _, k := range l.At[1:] {
			announced(k)
			add(passage.Span{From: k, To: k})
		}
		if k == 0 {
			for _, n := range near {
				decides(n)
			}
		}
	}
	for _, items := range together {
		stated(items)
	}
	others := siblings(&x)
	for _, s := range rest {
		if !slices.ContainsFunc(others, func(item passage.Span) bool { return item.From <= s.From && s.To <= item.To }) {
			add(s)
		}
	}
	if len(out) > 0 && extract.Hangs(x.Prepared, out[0], out) { // what decides announces a list
		stated(x.Prepared.Items(out[0].To))
	}
	return out
}

// cumulative is how a sentence announces a list whose items hold together: one alone misleads.
var cumulative = lazyregexp.New(`(?i)\b(requisitos|condiciones)\b`)

// siblings are the other items of a list of which one decides: other cases.
func siblings(x *retrieve.Hit) (out []passage.Span) {
	if x.Cases {
		return nil
	}
	for _, l := range x.Plain {
		lead := x.Prepared.LeadOf(l.At[0])
		if lead < 0 || x.Prepared.Sentences[l.At[0]].Lead() { // the items of its own list are among those of the outer one
			continue
		}
		for _, item := range x.Prepared.Items(lead) {
			if l.At[0] < item.From || item.To < l.At[0] {
				out = append(out, item)
			}
		}
	}
	return out
}
