package ground

// What an answer from the texts alone is worth where the digest was asked too, measured
// on the questions of strangers of the development sets: of 22 that name no law and that
// no question of the digest led to, 8 were right; of 51 that name their norm, 46.
const (
	aloneMost  = .4 // most that one may claim that names no law
	namedLeast = .3 // what the name of the norm is worth by itself
)

// Recalibrate makes the confidence of an answer from the texts alone the probability
// that it answers; digest says that the digest was asked.
func (g *Grounds) Recalibrate(digest bool) {
	if !digest || g.Done != nil || len(g.Govern) == 0 || !g.Govern[0].Law || g.Evidence.Exact {
		return
	}
	if c := &g.Verdict.Confidence; g.Evidence.Named {
		*c = Round2(namedLeast + (1-namedLeast)*(*c))
	} else {
		*c = min(*c, aloneMost)
	}
}
