package index

import (
	"cmp"
	"slices"

	"digesto"
	"digesto/text"
)

// What follows is for indexes that live outside this process: the terms of a
// chunk and of a query as the embedded index has them, and the order of hits by
// the same rules, so that a Searcher over a server gives the same answers.

// Posting is one term of a chunk and how often it is there, by the weights of its fields.
type Posting struct {
	Term int64 // Term.Hash, as servers keep it: with a sign
	Kind Kind
	TF   int
}

// Postings gives the terms of a chunk, sorted by hash, and its length as BM25 counts it: in stems.
func Postings(a *text.Analyser, s Scoring, c digesto.Chunk) (list []Posting, length int) {
	for _, f := range []struct {
		text   string
		weight int
	}{{c.Title, s.Title}, {c.Path, s.Path}, {c.Body, s.Body}} {
		EachTerm(a.Terms(f.text), func(k Kind, first, second text.Term) {
			if k == KindStem {
				length += f.weight
			}
			if s.Indexed(k) {
				list = append(list, Posting{int64(hashTerm(k, first, second)), k, f.weight})
			}
		})
	}
	slices.SortFunc(list, func(a, b Posting) int { return cmp.Compare(a.Term, b.Term) })
	n := 0
	for _, p := range list {
		if n > 0 && list[n-1].Term == p.Term {
			list[n-1].TF += p.TF
			continue
		}
		list[n] = p
		n++
	}
	return list[:n], length
}

// Saturation is what a term frequency is worth in a chunk of that length.
func (s Scoring) Saturation(tf, length int, average float64) float64 {
	return s.saturation(float64(tf), s.norm(float64(length), average))
}

// Hash names a term by 64 bits (FNV-1a): among ten million terms two share a name
// with a chance of one in a hundred thousand.
func (t Term) Hash() uint64 { return fnv1a(fnv1a(fnvBasis, string(rune(t.Kind))), t.Text) }

// hashTerm is the Hash of the term that these words make, without writing it out.
func hashTerm(k Kind, first, second text.Term) uint64 {
	h := Term{Kind: k}.Hash()
	switch k {
	case KindStem:
		return fnv1a(h, first.Stem)
	case KindPlain:
		return fnv1a(h, first.Plain)
	}
	return fnv1a(fnv1a(fnv1a(h, first.Stem), " "), second.Stem)
}

// The start of FNV-1a of 64 bits, and a step of it for each byte.
const fnvBasis = 14695981039346656037

func fnv1a(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Asking is a query as an index outside looks it up.
type Asking struct {
	Query    digesto.Query
	Scoring  Scoring
	K        int // units wanted
	Depth    int // chunks to fetch of each list: more than K when two are fused
	Terms    []AskedTerm
	Required []Term
	In       Counts // to be filled in before anything is scored
}

// AskedTerm is one term of a query. Scores add up in their order.
type AskedTerm struct {
	Term
	Own   bool    // from the question itself, not a synonym
	Share float64 // what it weighs beside a term of the question itself
}

// Counts is what holds of all chunks in force of an index outside.
type Counts struct {
	Current int     // how many there are
	Average float64 // their length, in stems
	DF      []int   // how many have each of Asking.Terms
}

// Ask reads a query.
func Ask(q digesto.Query, s Scoring) Asking {
	s = s.WithDefaults()
	var an text.Analyser
	a := Asking{Query: q, Scoring: s, K: min(maxK, cmp.Or(max(0, q.K), defaultK)), Required: RequiredTerms(&an, q)}
	terms, own := QueryTerms(&an, q)
	for k := range terms {
		if !s.Indexed(Kind(k)) {
			continue
		}
		for i, t := range terms[k][:min(len(terms[k]), maxTerms)] {
			at := AskedTerm{Term{Kind(k), t}, i < own[k], 1}
			if !at.Own {
				at.Share = AlsoShare(&q)
			}
			a.Terms = append(a.Terms, at)
		}
	}
	a.Depth = a.K
	if len(q.Vector) > 0 && len(a.Terms) > 0 {
		a.Depth = max(a.K, hybridDepth)
	}
	return a
}

// IDF is that of the i-th term.
func (a *Asking) IDF(i int) float64 { return IDF(a.In.Current, a.In.DF[i]) }

// Weight is what the saturation of the i-th term is multiplied by.
func (a *Asking) Weight(i int) float64 {
	return float64(a.Scoring.weight(a.Terms[i].Kind) * float64(a.IDF(i)*a.Terms[i].Share))
}

// reach is the most that the question could score.
func (a *Asking) reach() (reach float64) {
	for i, t := range a.Terms {
		if t.Own && (a.In.DF[i] > 0 || t.Kind != KindBigram) {
			reach += a.Scoring.TermReach(t.Kind, a.IDF(i))
		}
	}
	return reach
}

// Found is a chunk that an index outside came up with.
type Found struct {
	ID, Norm, Unit string
	Length         int     // in stems
	TF             []int   // of each of Asking.Terms; nil = it has none of them
	Vec            float64 // cosine with the question's vector
}

// Score is the score of a chunk by words, to the bit that of the embedded index.
func (a *Asking) Score(f Found) (sum float64) {
	a.eachPart(f, func(_ int, part float64) { sum += part })
	return sum
}

func (a *Asking) eachPart(f Found, each func(term int, part float64)) {
	norm := a.Scoring.norm(float64(f.Length), a.In.Average)
	for i, tf := range f.TF {
		if tf > 0 {
			each(i, float64(a.Weight(i)*a.Scoring.saturation(float64(tf), norm)))
		}
	}
}

// Results makes hits of all that may be among the best, as the embedded index does: scored,
// recognised norms and named units raised, vectors joined by the rule when the query has one and
// the index has a model, one hit a unit, ties by id, explained if asked for. Total is left to who counts.
func (a *Asking) Results(found []Found, rule, model string) (digesto.Results, error) {
	slices.SortFunc(found, func(x, y Found) int { return cmp.Compare(x.ID, y.ID) })
	found = slices.CompactFunc(found, func(x, y Found) bool { return x.ID == y.ID })
	res := digesto.Results{Reach: a.reach()}
	signals := make([]Signal, len(found))
	for i, f := range found {
		signals[i] = Signal{Lex: a.Score(f), Vec: f.Vec}
		res.Best = max(res.Best, signals[i].Lex)
	}
	q := a.Query
	hits := make([]digesto.Hit, len(found))
	for i, f := range found {
		norm, unit := f.Norm != "" && slices.Contains(q.Norms, f.Norm), f.Unit != "" && slices.Contains(q.Units, f.Unit)
		hits[i] = digesto.Hit{ID: f.ID, Norm: f.Norm, Unit: f.Unit, Score: Raise(signals[i].Lex, res, norm, unit)}
		signals[i].Lex = Raise(signals[i].Lex, res, norm, false)
	}
	if len(q.Vector) > 0 && model != "" {
		if err := a.fuse(hits, signals, &res, rule, model); err != nil {
			return res, err
		}
	}
	slices.SortFunc(hits, func(x, y digesto.Hit) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID)) })
	res.Hits = collapse(hits, a.K)
	if q.Explain {
		a.explain(found, res.Hits)
	}
	return res, nil
}

// explain says what every term gave to a hit; found is sorted by id.
func (a *Asking) explain(found []Found, hits []digesto.Hit) {
	for i := range hits {
		at, _ := slices.BinarySearchFunc(found, hits[i].ID, func(f Found, id string) int { return cmp.Compare(f.ID, id) })
		f, e := found[at], &digesto.Explain{}
		a.eachPart(f, func(term int, part float64) {
			t := a.Terms[term]
			e.Terms = append(e.Terms, digesto.TermShare{Term: t.Text, Field: t.Kind.String(), TF: f.TF[term], IDF: a.IDF(term), Score: part})
		})
		hits[i].Explain = e
	}
}

// fuse replaces the scores of hits by fused ones.
func (a *Asking) fuse(hits []digesto.Hit, signals []Signal, res *digesto.Results, rule, model string) error {
	asked := a.Asked(*res)
	scores, err := Fuse(rule, asked, signals)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].Score = scores[i]
		if hits[i].Unit != "" && slices.Contains(a.Query.Units, hits[i].Unit) {
			hits[i].Score += namedBonus
		}
	}
	res.Means = digesto.Means{Fusion: cmp.Or(rule, FusionMeasured), Vectors: model, Alpha: Alpha(rule, asked)}
	return nil
}

// Asked is what fusion may know about the question.
func (a *Asking) Asked(res digesto.Results) Asked {
	k := Asked{Norm: len(a.Query.Norms) > 0}
	if res.Reach > 0 {
		k.Cover = res.Best / res.Reach
	}
	for _, t := range a.Terms {
		if t.Own && t.Kind == KindStem {
			k.Words++
		}
	}
	return k
}

// Row is a chunk as an index outside keeps it: what one is moved by.
type Row struct {
	Chunk  digesto.Chunk
	Vector []float32 // nil = none
}
