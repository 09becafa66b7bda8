package law

import (
	"context"
	"sync"

	"digesto/decide"
	"digesto/digest"
	"digesto/model"
	"digesto/model/e5"
	"digesto/model/vectorfile"
	"digesto/pack"
	"digesto/packs"
	"digesto/retrieve"
	assets "digesto/third_party/e5"
)

// askedSpace is that of the questions of fiches: both sides of a comparison are
// embedded as questions.
func askedSpace() vectorfile.Space {
	return vectorfile.Space{Name: e5.PassageName + "-question", Dims: e5.Dims, Hash: assets.Sum}
}

// similarCount is how many fiches are given for a question.
const similarCount = 40

// ByQuestions compares a question with those that the fiches and the digest answer, by
// the binary's model and the vectors that the binary carries; without them the digest
// is searched by words, and fiches are not compared.
func (l *Installed) ByQuestions() (alike func(context.Context, *pack.Pack, string) ([]retrieve.Like, error), find *decide.Finder) {
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Files: func(name string) ([]digest.File, error) { return DigestOf(l.More, l.Dir, name) }}
	m := l.Model
	if m == nil || !m.Own {
		if m = OwnEmbedding(false); m == nil {
			return nil, decide.NewFinder(opt)
		}
	}
	opt.Vector = (&VectorCache{Model: m.Asks}).Vector
	if own, err := vectorfile.Open(OwnVectors(l.Dir), AskSpace()); err == nil { // none yet: it is empty
		opt.More = func(ask string) []float32 { return own.Vector(vectorfile.KeyOf(ask)) }
	}
	find = decide.NewFinder(opt)
	kept, err := vectorfile.Read(packs.Asked, "packs/asked.vec", askedSpace())
	if err != nil {
		l.Say("%v: las fichas se buscan solo por palabras.", err)
		return nil, find
	}
	return (&ficheQuestions{VectorCache: VectorCache{Model: m.First}, kept: kept}).similar, find
}

// ficheQuestions are those of the fiches.
type ficheQuestions struct {
	VectorCache
	kept  *vectorfile.File
	packs sync.Map // *pack.Pack → ficheKeys
}

// ficheKeys are the questions that the fiches of a pack answer: the keys of their
// vectors, made once, and what each leads to.
type ficheKeys struct {
	keys  []vectorfile.Key
	likes []retrieve.Like
}

func (q *ficheQuestions) of(p *pack.Pack) ficheKeys {
	if made, ok := q.packs.Load(p); ok {
		return made.(ficheKeys)
	}
	var made ficheKeys
	for _, f := range p.Fiches {
		for _, x := range f.Facts {
			made.keys, made.likes = append(made.keys, vectorfile.KeyOf(x.Ask)), append(made.likes, retrieve.Like{Norm: f.Norm.ID, Unit: x.Unit})
		}
	}
	q.packs.Store(p, made)
	return made
}

// VectorCache keeps the vectors of the latest questions, at most twice as many as
// cachedVectors: one answer may look at several packs, and people ask the same.
type VectorCache struct {
	Model model.Embedder

	mu         sync.Mutex
	young, old map[string][]float32
}

// cachedVectors is how many vectors of 1.5 KB each half holds.
const cachedVectors = 2048

// cachedBytes is the longest question whose vector is kept.
const cachedBytes = 1024

// similar gives the fiches of a pack whose questions are most like one.
func (q *ficheQuestions) similar(ctx context.Context, p *pack.Pack, question string) ([]retrieve.Like, error) {
	v, err := q.Vector(ctx, question)
	if err != nil {
		return nil, err
	}
	asks := q.of(p)
	near := q.kept.Nearest(asks.keys, v, similarCount)
	out := make([]retrieve.Like, len(near))
	for i, x := range near {
		out[i] = asks.likes[x.At]
		out[i].Cosine = x.Product
	}
	return out, nil
}

// Vector gives the vector of a question, made if it is not kept.
func (q *VectorCache) Vector(ctx context.Context, question string) ([]float32, error) {
	q.mu.Lock()
	v, ok := q.young[question]
	if !ok {
		if v, ok = q.old[question]; ok {
			q.keep(question, v)
		}
	}
	q.mu.Unlock()
	if ok {
		return v, nil
	}
	made, err := q.Model.Embed(ctx, []string{question}, model.Query)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(question) <= cachedBytes {
		q.keep(question, made[0])
	}
	return made[0], nil
}

func (q *VectorCache) keep(question string, v []float32) {
	if q.young == nil || len(q.young) >= cachedVectors {
		q.old, q.young = q.young, map[string][]float32{}
	}
	q.young[question] = v
}
