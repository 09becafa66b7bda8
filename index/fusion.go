package index

import "digesto"

// Signal is what two lists say about one document: its lexical score (raised for a
// recognised norm) and the cosine of its vector with the question's.
type Signal struct{ Lex, Vec float64 }

// Asked is what fusion may know about the question.
type Asked struct {
	Cover float64 // best lexical score ÷ the most it could reach
	Norm  bool    // a norm was recognised
	Words int     // distinct content words
}

// The fusion rules.
const (
	FusionMeasured = "measured" // shares of the best, trusting words as far as they met; the default
	FusionStatic   = "static"   // for articles that stand by static vectors: words alone when they suffice
	FusionPassage  = "passage"  // for the first hits, which stand by vectors of their own
)

// Fuse gives each document its fused score. It is a pure function.
//
// The measured rule is (1−α) · cover · lex/max lex + α · max(0, vec)/max vec, with α
// .2 when a norm was recognised or the question has more than 8 words, else .5: when
// words hardly meet, vectors decide, and the margin of a clear lexical
// winner is kept, which ranks alone would throw away.
//
// The static rule is (1−α) · lex/max lex + α · (vec−min)/(max−min), with α 0 when a norm was
// recognised, else .3: a sum of static vectors knows what an article is about, and
// nothing of its words' order. A limit of words gained nothing on any set.
//
// The passage rule is the static one over what a first stage gave (as Lex) and the
// cosines of the articles' own vectors, with α .15 when a norm was recognised: among
// the articles of one law these know which one is meant.
func Fuse(rule string, q Asked, signals []Signal) ([]float64, error) {
	out := make([]float64, len(signals))
	var lex, vec float64
	for _, s := range signals {
		lex, vec = max(lex, s.Lex), max(vec, s.Vec)
	}
	share := func(v, most float64) float64 {
		if most <= 0 {
			return 0
		}
		return max(0, v) / most
	}
	switch rule {
	case "", FusionMeasured:
		alpha := Alpha(rule, q)
		cover := max(0, min(1, q.Cover))
		for i, s := range signals {
			out[i] = float64((1-alpha)*float64(cover*share(s.Lex, lex))) + float64(alpha*share(s.Vec, vec))
		}
	case FusionStatic, FusionPassage:
		alpha := Alpha(rule, q)
		least := vec
		for _, s := range signals {
			least = min(least, s.Vec)
		}
		for i, s := range signals {
			out[i] = float64((1-alpha)*share(s.Lex, lex)) + float64(alpha*share(s.Vec-least, vec-least))
		}
	default:
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Regla de fusión desconocida: " + rule,
			Hint: "Use measured, static o passage."}
	}
	return out, nil
}

// Alpha is the share of vectors in a fused score: 0 where words alone decide.
func Alpha(rule string, q Asked) float64 {
	switch {
	case rule == FusionStatic && q.Norm:
		return 0
	case rule == FusionPassage && q.Norm:
		return 0.15
	case rule == FusionStatic || rule == FusionPassage:
		return 0.3
	case q.Norm || q.Words > 8:
		return 0.2
	}
	return 0.5
}
