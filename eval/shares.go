package eval

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// Shares count what the expectations of many answers come to. Each pair is what
// was right of what was asked.
type Shares struct {
	Answerable    int `json:"answerable,omitempty"`     // an answer was expected
	FalseRefusals int `json:"false_refusals,omitempty"` // … and none was given
	Located       int `json:"located,omitempty"`        // answered, with places expected
	LocatedRight  int `json:"located_right,omitempty"`  // the first citation is one of them
	Holds         int `json:"holds,omitempty"`          // answered, with words expected
	HoldsRight    int `json:"holds_right,omitempty"`    // the quotations have them
	Single        int `json:"single,omitempty"`         // answerable, answered from one of the places with some of the words expected
	Offered       int `json:"offered,omitempty"`        // answerable, readings were offered
	Among         int `json:"among,omitempty"`          // … and one of them is right in that sense
	Loud          int `json:"loud,omitempty"`           // any question with places or none to give, answered at LoudFrom or more
	LoudWrong     int `json:"loud_wrong,omitempty"`     // … from another place, or where nothing answers
	Paged         int `json:"paged,omitempty"`          // quotations from places with pages expected
	PagedRight    int `json:"paged_right,omitempty"`    // they name one of the pages
	Refusable     int `json:"refusable,omitempty"`      // no answer was expected
	Declined      int `json:"declined,omitempty"`       // none was given
	AsExpected    int `json:"as_expected,omitempty"`    // … and in the way that was expected (refusal, out of scope, advice…)
	Routable      int `json:"routable,omitempty"`       // a pack was expected
	Routed        int `json:"routed,omitempty"`         // it is the one
	Asked         int `json:"asked,omitempty"`          // a clarification was given instead
	Misrouted     int `json:"misrouted,omitempty"`      // answered from another pack
}

func (s *Shares) add(d Shares) {
	s.Answerable += d.Answerable
	s.FalseRefusals += d.FalseRefusals
	s.Located += d.Located
	s.LocatedRight += d.LocatedRight
	s.Holds += d.Holds
	s.HoldsRight += d.HoldsRight
	s.Single += d.Single
	s.Offered += d.Offered
	s.Among += d.Among
	s.Loud += d.Loud
	s.LoudWrong += d.LoudWrong
	s.Paged += d.Paged
	s.PagedRight += d.PagedRight
	s.Refusable += d.Refusable
	s.Declined += d.Declined
	s.AsExpected += d.AsExpected
	s.Routable += d.Routable
	s.Routed += d.Routed
	s.Asked += d.Asked
	s.Misrouted += d.Misrouted
}

// Rates are the shares as numbers from 0 to 1, by name; a share of nothing is left out.
func (s Shares) Rates() map[string]float64 {
	out := map[string]float64{}
	put := func(name string, part, of int) {
		if of > 0 {
			out[name] = round4(float64(part) / float64(of))
		}
	}
	put("answered", s.Answerable-s.FalseRefusals, s.Answerable)
	put("first", s.LocatedRight, s.Located)
	put("holds", s.HoldsRight, s.Holds)
	put("single", s.Single, s.Answerable)
	put("single_or_among", s.Single+s.Among, s.Answerable)
	put("loud_wrong", s.LoudWrong, s.Loud)
	put("page", s.PagedRight, s.Paged)
	put("refused", s.Declined, s.Refusable)
	put("outcome", s.AsExpected, s.Refusable)
	put("routed", s.Routed, s.Routable)
	put("not_asked", s.Routable-s.Asked, s.Routable)
	put("same_law", s.Routable-s.Misrouted, s.Routable)
	return out
}

// shares measures one answer against what is expected of it.
func (e *Expect) shares(a digesto.Answer) (s Shares) {
	got := outcomeOf(a)
	answered := got == digesto.OutcomeAnswer
	if e.Pack != "" && a.Meta != nil {
		s.Routable = 1
		s.Routed = count(a.Meta.Pack == e.Pack)
		s.Asked = count(got == digesto.OutcomeClarification && a.Meta.Pack == "")
		s.Misrouted = count(answered && a.Meta.Pack != "" && a.Meta.Pack != e.Pack)
	}
	if e.Outcome == "" && len(e.Places) == 0 {
		return s
	}
	if e.Outcome != "" && e.Outcome != digesto.OutcomeAnswer {
		s.Refusable, s.Declined, s.AsExpected = 1, count(!answered), count(got == e.Outcome)
		s.Loud = count(answered && a.Confidence >= LoudFrom)
		s.LoudWrong = s.Loud
		return s
	}
	s.Answerable, s.FalseRefusals = 1, count(!answered)
	if a.Meta != nil && len(a.Meta.Readings) > 0 {
		s.Offered, s.Among = 1, count(slices.ContainsFunc(a.Meta.Readings, func(r digesto.Reading) bool { return e.right(r.Citations) }))
	}
	if !answered {
		return s
	}
	if len(e.Places) > 0 {
		s.Single, s.Loud = count(e.right(a.Citations)), count(a.Confidence >= LoudFrom)
		s.LoudWrong = count(s.Loud == 1 && (len(a.Citations) == 0 || !e.isPlace(a.Citations[0])))
	}
	if len(e.Places) > 0 {
		s.Located, s.LocatedRight = 1, count(len(a.Citations) > 0 && e.isPlace(a.Citations[0]))
	}
	if len(e.Contains) > 0 {
		s.Holds, s.HoldsRight = 1, count(e.held(a))
	}
	for _, c := range a.Citations {
		if len(e.Pages) > 0 && e.isPlace(c) {
			s.Paged++
			s.PagedRight += count(c.Page != nil && slices.Contains(e.Pages, *c.Page))
		}
	}
	return s
}

// LoudFrom is the confidence from which an answer is said without a warning.
const LoudFrom = .6

// right says that citations begin at an expected place and hold some of the words expected.
func (e *Expect) right(list []digesto.Citation) bool {
	if len(list) == 0 || !e.isPlace(list[0]) {
		return false
	}
	all := text.Fold(quotesOf(list))
	return len(e.Contains) == 0 || slices.ContainsFunc(e.Contains, func(w string) bool { return strings.Contains(all, text.Fold(w)) })
}

func quotesOf(list []digesto.Citation) string {
	all := ""
	for _, c := range list {
		all += strings.Join(strings.Fields(c.Quote), " ") + "\n"
	}
	return all
}

// isPlace says that a citation is of an expected place; norms go by any of their ids.
func (e *Expect) isPlace(c digesto.Citation) bool {
	if c.Ref == nil {
		return false
	}
	return slices.ContainsFunc(e.Places, func(p string) bool {
		norm, unit, _ := strings.Cut(p, "/")
		return (norm == c.Ref.Document || slices.Contains(c.Ref.IDs, norm)) && (unit == "*" || unit == c.Ref.Unit)
	})
}

// held says that the quotations have all expected words.
func (e *Expect) held(a digesto.Answer) bool {
	all := text.Fold(quotesOf(a.Citations))
	for _, w := range e.Contains {
		if !strings.Contains(all, text.Fold(w)) {
			return false
		}
	}
	return true
}

// misplaced gives the demands on places and pages that an answer does not meet.
func (e *Expect) misplaced(a digesto.Answer) (faults []string) {
	if e.Pack != "" && a.Meta != nil && a.Meta.Pack != e.Pack {
		faults = append(faults, fmt.Sprintf("paquete «%s»; se esperaba «%s»", a.Meta.Pack, e.Pack))
	}
	if outcomeOf(a) != digesto.OutcomeAnswer {
		return faults
	}
	s := e.shares(a)
	if s.Paged > s.PagedRight {
		faults = append(faults, fmt.Sprintf("página: se esperaba una de %v", e.Pages))
	}
	return faults
}
