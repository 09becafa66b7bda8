package server

import (
	"container/list"
	"strings"
	"sync"
	"time"

	"digesto"
)

// recent keeps the last answers so that their pages have an address. It is
// bounded and in memory: nothing about a question outlives the process.
type recent struct {
	mu    sync.Mutex
	max   int
	order *list.List // of kept, newest first
	byID  map[string]*list.Element
	now   func() time.Time
}

type kept struct {
	id       string
	question digesto.Question
	answer   digesto.Answer
	at       time.Time // when it was given; zero = not known
}

func newRecent(max int, now func() time.Time) *recent {
	return &recent{max: max, now: now, order: list.New(), byID: map[string]*list.Element{}}
}

// put keeps an answer under its trace id; one without is not kept.
func (r *recent) put(q digesto.Question, a digesto.Answer) (id string) {
	if a.Meta == nil || a.Meta.TraceID == "" {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id = a.Meta.TraceID
	if old, ok := r.byID[id]; ok {
		r.order.Remove(old)
	}
	r.byID[id] = r.order.PushFront(kept{id, q, a, r.now()})
	for r.order.Len() > r.max {
		last := r.order.Back()
		delete(r.byID, last.Value.(kept).id)
		r.order.Remove(last)
	}
	return id
}

func (r *recent) get(id string) (kept, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byID[id]
	if !ok {
		return kept{}, false
	}
	return e.Value.(kept), true
}

// said finds the newest answer of that text to a user: to that question, if there is one.
func (r *recent) said(user, question, text string) (a digesto.Answer, ok bool) {
	question, text = strings.TrimSpace(question), strings.TrimSpace(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	for e := r.order.Front(); e != nil; e = e.Next() {
		k := e.Value.(kept)
		if k.question.User != user || strings.TrimSpace(k.answer.Answer) != text {
			continue
		}
		if strings.TrimSpace(k.question.Text) == question {
			return k.answer, true
		}
		if !ok {
			a, ok = k.answer, true
		}
	}
	return a, ok
}
