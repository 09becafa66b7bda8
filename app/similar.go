package app

import (
	"context"
	"sync"

	"digesto/app/law"
	"digesto/decide"
	"digesto/pack"
	"digesto/retrieve"
)

// Questions opens what compares questions, once for all laws: see ByQuestions.
func (w *Workspace) questions(l *law.Installed) (func(context.Context, *pack.Pack, string) ([]retrieve.Like, error), *decide.Finder) {
	w.asked.once.Do(func() { w.asked.alike, w.asked.find = l.ByQuestions() })
	return w.asked.alike, w.asked.find
}

// similarQuestions is what compares questions with those answered before.
type similarQuestions struct {
	once  sync.Once
	alike func(context.Context, *pack.Pack, string) ([]retrieve.Like, error)
	find  *decide.Finder
}
