package main

import (
	"context"
	"sort"
	"sync"

	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/model"
	"digesto/model/e5"
	"digesto/model/vectorfile"
	"digesto/pack"
	"digesto/packs"
	assets "digesto/third_party/e5"
)

// askedSpace is that of the questions of fiches: both sides of a comparison are
// embedded as questions.
func askedSpace() vectorfile.Space {
	return vectorfile.Space{Name: e5.PassageName + "-question", Dims: e5.Dims, Hash: assets.Sum}
}

// questions opens what compares questions, once for all laws: see byQuestions.
func (w *world) questions(l *laws) (func(context.Context, *pack.Pack, string) ([]ask.Like, error), *decide.Finder) {
	w.asked.once.Do(func() { w.asked.alike, w.asked.find = l.byQuestions() })
	return w.asked.alike, w.asked.find
}

// askedQuestions is what compares questions with those answered before.
type askedQuestions struct {
	once  sync.Once
	alike func(context.Context, *pack.Pack, string) ([]ask.Like, error)
	find  *decide.Finder
}

// likeCount is how many fiches are given for a question.
const likeCount = 40

// byQuestions compares a question with those that the fiches and the digest answer, by
// the binary's model and the vectors that the binary carries; without them the digest
// is searched by words, and fiches are not compared.
func (l *laws) byQuestions() (alike func(context.Context, *pack.Pack, string) ([]ask.Like, error), find *decide.Finder) {
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Files: func(name string) ([]digest.File, error) { return digestOf(l.dir, name) }}
	m := l.model
	if m == nil || !m.own {
		if m = ownMeaning(false); m == nil {
			return nil, decide.NewFinder(opt)
		}
	}
	opt.Vector = (&recent{model: m.asks}).vector
	if own, err := vectorfile.Open(ownVectors(l.dir), askSpace()); err == nil { // none yet: it is empty
		opt.More = func(ask string) []float32 { return own.Vector(vectorfile.KeyOf(ask)) }
	}
	find = decide.NewFinder(opt)
	kept, err := vectorfile.Read(packs.Asked, "packs/asked.vec", askedSpace())
	if err != nil {
		l.say("%v: las fichas se buscan solo por palabras.", err)
		return nil, find
	}
	return (&questions{recent: recent{model: m.first}, kept: kept}).alike, find
}

// questions are those of the fiches.
type questions struct {
	recent
	kept *vectorfile.File
}

// recent keeps the vectors of the latest questions, at most twice as many as
// recentVectors: one answer may look at several packs, and people ask the same.
type recent struct {
	model model.Embedder

	mu         sync.Mutex
	young, old map[string][]float32
}

// recentVectors is how many vectors of 1.5 KB each half holds.
const recentVectors = 2048

// recentBytes is the longest question whose vector is kept.
const recentBytes = 1024

// alike gives the fiches of a pack whose questions are most like one.
func (q *questions) alike(ctx context.Context, p *pack.Pack, question string) ([]ask.Like, error) {
	v, err := q.vector(ctx, question)
	if err != nil {
		return nil, err
	}
	var all []ask.Like
	for _, f := range p.Fiches {
		for _, x := range f.Facts {
			if c, ok := q.kept.Dot(vectorfile.KeyOf(x.Ask), v); ok {
				all = append(all, ask.Like{Norm: f.Norm.ID, Unit: x.Unit, Cosine: c})
			}
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].Cosine > all[b].Cosine })
	return all[:min(len(all), likeCount)], nil
}

func (q *recent) vector(ctx context.Context, question string) ([]float32, error) {
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
	made, err := q.model.Embed(ctx, []string{question}, model.Query)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(question) <= recentBytes {
		q.keep(question, made[0])
	}
	return made[0], nil
}

func (q *recent) keep(question string, v []float32) {
	if q.young == nil || len(q.young) >= recentVectors {
		q.old, q.young = q.young, map[string][]float32{}
	}
	q.young[question] = v
}
