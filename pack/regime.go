package pack

import (
	"slices"
	"strings"
)

// Regime is law for some people only: how headings name it, and how people say that
// they are of it.
type Regime struct {
	Heading Pattern
	Said    []Pattern
}

// saidMark stands in a row of regimes between its heading and each way of saying it.
const saidMark = " / "

// regimes reads special regimes: rows of patterns, "heading / as people say it / …".
func (r *reader) regimes(p *Pack, list []string) {
	for _, s := range list {
		var all []Pattern
		for _, one := range strings.Split(s, saidMark) {
			x, err := ParsePattern(one)
			if err != nil {
				r.fail("pack.yaml", 0, "régimen «%s»: %s", s, err.Error())
				break
			}
			all = append(all, x)
		}
		if len(all) > 0 {
			p.Regimes = append(p.Regimes, Regime{all[0], all[1:]})
		}
	}
}

// Special says that a heading is of a special regime and the question does not say that
// it is about its people: law for seafarers is no answer to who works in an office.
func (p *Pack) Special(heading, question string) bool {
	return Departs(p.RegimesOf(heading), p.RegimesSaid(question))
}

// RegimesOf gives the special regimes that a heading names, by their places in Regimes.
func (p *Pack) RegimesOf(heading string) []int {
	return p.regimesIn(heading, func(x Regime, words []string) bool { return x.Heading.Match(words) })
}

// RegimesSaid gives the special regimes whose people a question is about.
func (p *Pack) RegimesSaid(question string) []int {
	return p.regimesIn(question, func(x Regime, words []string) bool {
		return x.Heading.Match(words) || slices.ContainsFunc(x.Said, func(s Pattern) bool { return s.Match(words) })
	})
}

func (p *Pack) regimesIn(s string, is func(Regime, []string) bool) (out []int) {
	if len(p.Regimes) == 0 {
		return nil
	}
	words := Words(s)
	for k, x := range p.Regimes {
		if is(x, words) {
			out = append(out, k)
		}
	}
	return out
}

// Departs says that a heading is of special regimes and the question of none of them.
func Departs(heading, question []int) bool {
	return len(heading) > 0 && !slices.ContainsFunc(heading, func(k int) bool { return slices.Contains(question, k) })
}
