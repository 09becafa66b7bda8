package pack

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
	if len(p.Regimes) == 0 {
		return false
	}
	head, asked := Words(heading), Words(question)
	for _, x := range p.Regimes {
		if x.Match(head) && !x.Match(asked) {
			return true
		}
	}
	return false
}
