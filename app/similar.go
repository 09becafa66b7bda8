package app

import (
	"sync"

	"digesto/app/law"
	"digesto/decide"
)

// questions opens what compares questions, once for all laws: see Questions.
func (w *Workspace) questions(l *law.Installed) *decide.Finder {
	w.asked.once.Do(func() { w.asked.find = l.Questions() })
	return w.asked.find
}

// similarQuestions is what compares questions with those answered before.
type similarQuestions struct {
	once sync.Once
	find *decide.Finder
}
