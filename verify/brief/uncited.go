package brief

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/verify/read"
)

// unplaced is a quotation with a number whose norm cannot be told ("el artículo
// 5"): the words may be of any norm, but of a unit of that number.
func (j *checker) unplaced(f Finding, list []read.Mention, q read.Quotation) (Finding, bool) {
	got, ok := j.unattributed(f, q)
	if !ok {
		if got, ok := j.ofNear(f, j.sameUnit(list[0]), q); ok {
			return got, ok
		}
		got.Text, got.Start, got.End = "", q.Start, q.End
		return got, false
	}
	cited := func(r *digesto.Ref) bool {
		return slices.ContainsFunc(list, func(m read.Mention) bool { return m.Unit == r.Unit })
	}
	if list[0].Unit != "" && len(got.Where) > 0 && !slices.ContainsFunc(got.Where, cited) {
		got.say(otherUnit, got.Where[0].Title)
	}
	return got, true
}

// sameUnit gives the units of the number cited in the norms that the text names.
func (j *checker) sameUnit(m read.Mention) (out []read.Mention) {
	if m.Unit == "" || m.Name != "" {
		return nil
	}
	for _, id := range j.norms {
		if _, ok := j.Law.Unit(id, m.Unit); ok {
			c := m
			c.Norm, c.Also, c.Relative = id, nil, false
			out = append(out, c)
		}
	}
	return out
}

// leastNear is the fewest words of a quotation without a citation that count when they
// stand in the unit cited last.
const leastNear = 4

// ofNear is a quotation without a citation whose words stand in the unit cited last, as
// below a heading that names it.
func (j *checker) ofNear(f Finding, near []read.Mention, q read.Quotation) (Finding, bool) {
	want := read.Stretches(q.Words)
	if len(near) == 0 || len(text.Tokens(nil, q.Words)) < leastNear {
		return f, false
	}
	for _, p := range j.places(near) {
		if p.unit == "" {
			continue
		}
		for _, s := range j.search(p, want) {
			if s.sound() {
				f.Norm, f.Unit, f.Where = s.Norm.ID, s.Unit.ID, refs([]spot{s})
				f.say(standsNear, s.Title(), added(want)+s.goesOn())
				return f, true
			}
		}
	}
	return f, false
}

// unattributed is a quotation without a citation: it counts when its words are
// the law's, or so nearly that it seems meant as such.
func (j *checker) unattributed(f Finding, q read.Quotation) (Finding, bool) {
	if len(strings.Fields(q.Words)) < fewWords {
		return f, false
	}
	heading, parts := headless(read.Stretches(q.Words))
	found := j.elsewhere(nil, parts, q.Words)
	if own := slices.IndexFunc(found.exact, func(s spot) bool { return s.Unit.ID == heading }); own >= 0 {
		found.exact = found.exact[own : own+1]
	}
	if len(found.exact) > 0 {
		s := found.exact[0]
		f.Norm, f.Unit, f.Where = s.Norm.ID, s.Unit.ID, refs(found.exact)
		f.say(uncited, s.Title())
		if heading != "" && s.Unit.ID != heading {
			f.say(uncitedOther, s.Title())
		} else if !s.inForce {
			f.say(uncitedFormer, s.Title())
		}
		return f, true
	}
	n := j.nearest(nil, found.near, q.Words)
	if n == nil || likeness(n, q.Words) < .8 {
		return f, false
	}
	f.Norm, f.Unit, f.Nearest = n.Ref.Document, n.Ref.Unit, n
	f.say(uncitedAlike)
	return f, true
}
