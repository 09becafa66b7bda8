package passage

import "slices"

// Span is a stretch of sentences [from, to] that is shown together.
type Span struct{ From, To int }

// InOrder sorts stretches by place.
func InOrder(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return a.From - b.From })
	return spans
}

// Outside cuts from the ends of a stretch what others have; not all of it is theirs.
func Outside(s Span, have []Span) Span {
	for Covered(have, s.From) {
		s.From++
	}
	for Covered(have, s.To) {
		s.To--
	}
	return s
}

func Covered(spans []Span, i int) bool {
	for _, s := range spans {
		if i >= s.From && i <= s.To {
			return true
		}
	}
	return false
}
