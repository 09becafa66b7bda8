package ground

// aloneMost is the most that an answer from the texts alone may claim that names no law
// and that no question of the digest led to: of 22 such on the questions of strangers of
// the development sets 8 were right.
const aloneMost = .4

// Recalibrate bounds the confidence of an answer from the texts alone; digest says that
// the digest was asked.
func (g *Grounds) Recalibrate(digest bool) {
	if !digest || g.Done != nil || len(g.Govern) == 0 || !g.Govern[0].Law || g.Evidence.Exact || g.Evidence.Named {
		return
	}
	g.Verdict.Confidence = min(g.Verdict.Confidence, aloneMost)
}
