package index

import (
	"math"

	"digesto"
)

// Scoring is what a score depends on besides the chunks. The zero value means the
// measured defaults; it is stored in the index, so that every reader scores alike.
type Scoring struct {
	K1     float64 `json:"k1"`     // 0 = 1.2
	B      float64 `json:"b"`      // 0 = 0.75
	Title  int     `json:"title"`  // how often a word of the title counts; 0 = 3
	Path   int     `json:"path"`   // 0 = 1
	Body   int     `json:"body"`   // 0 = 1
	Stem   float64 `json:"stem"`   // weight of the list of stems; 0 = 1
	Plain  float64 `json:"plain"`  // of plain words; 0 = 1, negative = not indexed
	Bigram float64 `json:"bigram"` // of bigrams of stems; 0 = 0.3, negative = not indexed
}

// WithDefaults fills the zero fields.
func (s Scoring) WithDefaults() Scoring {
	or := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	or(&s.K1, 1.2)
	or(&s.B, 0.75)
	or(&s.Stem, 1)
	or(&s.Plain, 1)
	or(&s.Bigram, 0.3)
	for _, f := range []struct {
		v *int
		d int
	}{{&s.Title, 3}, {&s.Path, 1}, {&s.Body, 1}} {
		if *f.v == 0 {
			*f.v = f.d
		}
	}
	return s
}

func (s Scoring) check() error {
	if !(s.K1 > 0 && s.K1 <= 100) || !(s.B > 0 && s.B <= 1) || s.Title < 1 || s.Path < 1 || s.Body < 1 ||
		s.Title > 100 || s.Path > 100 || s.Body > 100 || !(s.Stem > 0 && s.Stem <= 100) || !(s.Plain <= 100) || !(s.Bigram <= 100) {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Los parámetros de puntuación del índice no son válidos",
			Hint: "Use k1 > 0, 0 < b ≤ 1 y pesos positivos de hasta 100."}
	}
	return nil
}

// weight gives the weight of a list, 0 when it is not indexed.
func (s Scoring) weight(k Kind) float64 {
	switch k {
	case KindStem:
		return s.Stem
	case KindPlain:
		return max(0, s.Plain)
	}
	return max(0, s.Bigram)
}

// IDF is the inverse document frequency of a term in df of n documents, Lucene's
// form: ln(1 + (n − df + 0.5) / (df + 0.5)).
func IDF(n, df int) float64 {
	return ln(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// norm is the length part of BM25: k1 · (1 − b + b · length / average).
//
// Products are converted before they are added: without it the compiler may fuse
// the two on some CPUs, and the last bit of a score would depend on the machine. That
// holds for a product that is given back too, since calls are inlined.
func (s Scoring) norm(length, average float64) float64 {
	return float64(s.K1 * (float64(1-s.B) + float64(s.B*length)/average))
}

// Saturation is what a term frequency is worth in a document with that norm: tf ·
// (k1 + 1) / (tf + norm), below k1 + 1.
func (s Scoring) saturation(tf, norm float64) float64 {
	return float64(tf*(s.K1+1)) / (tf + norm)
}

// ln is the natural logarithm for x ≥ 1, the same to the bit on every CPU, which
// math.Log (assembly on some) does not promise. Method of FreeBSD's e_log.c: x =
// 2^k · (1+f), log(1+f) by a polynomial in s = f/(2+f).
func ln(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		l1    = 6.666666666666735130e-01
		l2    = 3.999999999940941908e-01
		l3    = 2.857142874366239149e-01
		l4    = 2.222219843214978396e-01
		l5    = 1.818357216161805012e-01
		l6    = 1.531383769920937332e-01
		l7    = 1.479819860511658591e-01
	)
	f1, ki := math.Frexp(x)
	if f1 < math.Sqrt2/2 {
		f1 *= 2
		ki--
	}
	f, k := f1-1, float64(ki)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	r := t1 + t2
	hfsq := float64(0.5 * f * f)
	return float64(k*ln2Hi) - ((hfsq - (float64(s*(hfsq+r)) + float64(k*ln2Lo))) - f)
}

// Indexed says whether terms of that kind are in the index.
func (s Scoring) Indexed(k Kind) bool { return s.weight(k) > 0 }

// TermScore is what one term gives to the score of a document: weight · idf ·
// saturation. Scores add these up in the order of QueryTerms.
func (s Scoring) TermScore(k Kind, idf float64, tf, length int, average float64) float64 {
	return float64(float64(s.weight(k)*idf) * s.saturation(float64(tf), s.norm(float64(length), average)))
}

// TermReach is the most that a term can give: weight · idf · (k1 + 1).
func (s Scoring) TermReach(k Kind, idf float64) float64 {
	return float64(float64(s.weight(k)*idf) * (s.K1 + 1))
}

// Raise gives the final score of a unit from its lexical one: half of the best
// score more for a unit of a recognised norm, and more than any other can have
// for a unit that the question names.
func Raise(score float64, res digesto.Results, norm, unit bool) float64 {
	if norm {
		score += float64(0.5 * res.Best)
	}
	if unit {
		score += 2*max(res.Best, res.Reach) + 1
	}
	return score
}
