package law

import (
	"context"
	"sync"

	"digesto/decide"
	"digesto/digest"
	"digesto/model"
	"digesto/model/vectorfile"
	"digesto/packs"
)

// Questions compares a question with those that the digest answers, by the binary's model
// and the vectors that the binary carries; without them by words alone.
func (l *Installed) Questions() *decide.Finder {
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Files: func(name string) ([]digest.File, error) { return DigestOf(l.More, l.Dir, name) }}
	m := l.Model
	if m == nil || !m.Own {
		if m = OwnEmbedding(false); m == nil {
			return decide.NewFinder(opt)
		}
	}
	opt.Vector = (&VectorCache{Model: m.Asks}).Vector
	if own, err := vectorfile.Open(OwnVectors(l.Dir), AskSpace()); err == nil { // none yet: it is empty
		opt.More = func(ask string) []float32 { return own.Vector(vectorfile.KeyOf(ask)) }
	}
	return decide.NewFinder(opt)
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
