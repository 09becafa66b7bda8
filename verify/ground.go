package verify

import (
	"cmp"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

// Ground is one version of one unit that an answer may stand on.
type Ground struct {
	Norm    digesto.Norm
	Unit    digesto.Unit
	Version digesto.Version
	Label   string // mark in the answer: "C1"; "" = none
}

// Cite makes the citation of code points [start, end) of the ground's text.
// ok is false when the span is not within the text.
func (g Ground) Cite(start, end int) (c digesto.Citation, ok bool) {
	q, ok := Slice(g.Version.Text, start, end)
	if !ok || q == "" {
		return digesto.Citation{}, false
	}
	return digesto.Citation{Quote: q, Source: g.Source(), Page: g.Page(start), Ref: g.Ref(start, end)}, true
}

// Source is the registered name of the document: the file whose pages are cited, else
// the norm as people call it.
func (g Ground) Source() string {
	if len(g.Version.Pages) > 0 || g.Norm.PageCount > 0 || g.Norm.Format == "pdf" || !g.law() {
		return g.Norm.Source
	}
	return corpus.NameOf(g.Norm)
}

func (g Ground) law() bool { return g.Norm.Official || g.Norm.Supplied }

// Ref names the place of code points [start, end) of the ground's text.
func (g Ground) Ref(start, end int) *digesto.Ref {
	sum := g.Version.SHA256
	if sum == "" {
		sum = Sum(g.Version.Text)
	}
	r := &digesto.Ref{
		Document: g.Norm.ID, IDs: g.Norm.IDs, Unit: g.Unit.ID, Label: g.Label, Title: g.Title(), Path: g.Unit.Path,
		Version: g.Version.ID, ValidFrom: day(g.Version.ValidFrom), ValidTo: day(g.Version.ValidTo),
		Start: start, End: end, SHA256: sum, Official: g.Norm.Official, Supplied: g.Norm.Supplied,
	}
	if !g.law() {
		r.URL = text.WebOnly(g.Norm.URL)
		return r
	}
	r.Place = corpus.PlaceOf(g.Norm, g.Unit)
	if g.Norm.Official {
		r.URL = text.WebOnly(corpus.LinkTo(g.Norm, g.Unit))
	} else {
		r.CheckURL = text.WebOnly(corpus.PageOf(g.Norm, g.Unit))
	}
	return r
}

// Title is the formal name of the place: label, rubric, norm.
func (g Ground) Title() string {
	s := g.Unit.Label
	if g.Unit.Rubric != "" {
		if s != "" {
			s += ". "
		}
		s += g.Unit.Rubric
	}
	name := g.Norm.Title
	if g.law() {
		name = corpus.NameOf(g.Norm)
	}
	if s == "" {
		return name
	}
	return s + " — " + name
}

// Page is the physical page on which code point at of the text stands; nil
// where the source has no pages.
func (g Ground) Page(at int) *int {
	page := 0
	for _, m := range g.Version.Pages {
		if m.Start > at {
			break
		}
		page = m.Page
	}
	if page == 0 {
		return nil
	}
	return &page
}

// Citable says whether the version may be quoted as law in force: the current
// one, and as of an earlier day also a version whose dates prove that it held. A
// row of a table of ours is no law: it says its own days, and may be quoted on any.
func (g Ground) Citable(asOf digesto.Date) bool {
	n := g.Norm
	if n.Format == digesto.FormatTable {
		return true
	}
	if Repealed(n, asOf) {
		return false
	}
	if v := g.Version; n.Status == digesto.StatusRepealed && v.ValidTo == n.RepealedFrom {
		v.Current = true // it was the text in force until the repeal
		return Citable(v, asOf)
	}
	return Citable(g.Version, asOf)
}

// Repealed says whether a norm has no force as a whole on a day (today with asOf
// empty); a repeal without a day counts on every day.
func Repealed(n digesto.Norm, asOf digesto.Date) bool {
	if n.Status == digesto.StatusPartial || asOf == "" || n.RepealedFrom == "" {
		return n.Status == digesto.StatusRepealed
	}
	return asOf >= n.RepealedFrom
}

// Citable is the rule of time: with asOf empty only a current version may be
// quoted; with a day also a past one whose known interval has that day in it: from
// the day it took effect, or was published, to the day it ceased, or the text
// after it was published. A version whose beginning or end is unknown is never
// taken for past law in force.
func Citable(v digesto.Version, asOf digesto.Date) bool {
	if asOf == "" {
		return v.Current
	}
	from, to := cmp.Or(v.ValidFrom, v.Published), cmp.Or(v.ValidTo, v.Replaced)
	if from != "" && from > asOf || to != "" && to <= asOf {
		return false
	}
	return v.Current || from != "" && to != ""
}

func day(d digesto.Date) *digesto.Date {
	if d == "" {
		return nil
	}
	return &d
}
