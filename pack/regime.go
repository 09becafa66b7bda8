package pack

import "slices"

// regimes reads the words of special regimes: rows of patterns.
func (r *reader) regimes(p *Pack, list []string) {
	for _, s := range list {
		x, err := ParsePattern(s)
		if err != nil {
			r.fail("pack.yaml", 0, "régimen «%s»: %s", s, err.Error())
			continue
		}
		p.Regimes = append(p.Regimes, x)
	}
}

// Special says that a heading is of a special regime which the question does
// not name: law for seafarers is no answer to who works in an office.
func (p *Pack) Special(heading, question string) bool {
	head := p.RegimesOf(heading)
	return len(head) > 0 && Departs(head, p.RegimesOf(question))
}

// RegimesOf gives the special regimes that a text names, by their places in Regimes.
func (p *Pack) RegimesOf(s string) []int {
	if len(p.Regimes) == 0 {
		return nil
	}
	var out []int
	words := Words(s)
	for k, x := range p.Regimes {
		if x.Match(words) {
			out = append(out, k)
		}
	}
	return out
}

// Departs says that a heading's regimes hold one that the question's do not.
func Departs(heading, question []int) bool {
	return slices.ContainsFunc(heading, func(k int) bool { return !slices.Contains(question, k) })
}
