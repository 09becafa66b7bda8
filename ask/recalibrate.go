package ask

import "digesto/decide"

// What an answer from the texts alone is worth where the digest was asked too, measured
// on the questions of strangers of the development sets: of 22 that name no law and that
// no question of the digest led to, 8 were right; of 51 that name their norm, 46.
const (
	aloneMost  = .4 // most that one may claim that names no law and that no fiche asks
	namedLeast = .3 // what the name of the norm is worth by itself
	// A fiche whose question is nearly the same, and no more, led to the right place in
	// three of five on the development sets.
	surelySame, alikeMost = .8, .55
)

// recalibrate makes the confidence of an answer from the texts alone the probability
// that it answers; digest says that the digest was asked.
func (g *grounds) recalibrate(digest bool) {
	if !digest || g.done != nil || len(g.govern) == 0 || !g.govern[0].law || g.evidence.Exact {
		return
	}
	switch c := &g.verdict.Confidence; {
	case g.evidence.Named:
		*c = round2(namedLeast + (1-namedLeast)*(*c))
	case g.evidence.Vouched < nearlySame:
		*c = min(*c, aloneMost)
	case g.evidence.Vouched < surelySame:
		*c = min(*c, alikeMost)
	}
}

// faint says that an answer from the texts alone claims less than a reading would have to:
// on the program's own sets none of them is right.
func (g grounds) faint() bool {
	return g.done == nil && len(g.govern) > 0 && g.govern[0].law && !g.evidence.Exact && g.verdict.Confidence < decide.First
}
