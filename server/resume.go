package server

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/server/wire"
)

// maxLogs is how many streams are kept to be resumed.
const maxLogs = 64

// eventLog holds the events of one stream, so that a reader whose connection
// broke gets those it has not seen (WHATWG HTML, section 9.2.4).
type eventLog struct {
	user, text string // whose, and the question
	mu         sync.Mutex
	events     []logged
	done       bool
	more       chan struct{} // closed when something was added
}

type logged struct {
	n    int
	text string
}

func (l *eventLog) add(n int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, logged{n, text})
	l.wake()
}

func (l *eventLog) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = true
	l.wake()
}

// wake tells those who wait; the caller holds the lock.
func (l *eventLog) wake() {
	close(l.more)
	l.more = make(chan struct{})
}

// after gives the events after the n-th, whether they are the last, and what
// to wait for otherwise.
func (l *eventLog) after(n int) ([]logged, bool, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := 0
	for i < len(l.events) && l.events[i].n <= n {
		i++
	}
	return l.events[i:len(l.events):len(l.events)], l.done, l.more
}

// whole says whether the stream is going on or ended with an answer; after an
// error the question is better asked anew.
func (l *eventLog) whole() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.done || slices.ContainsFunc(l.events, func(e logged) bool { return strings.Contains(e.text, "\nevent: answer\n") })
}

// eventLogs are the last streams, by the id of their request.
type eventLogs struct {
	mu    sync.Mutex
	byID  map[string]*eventLog
	order []string
}

// open begins the log of a stream; the oldest is forgotten.
func (ls *eventLogs) open(id string, q digesto.Question) *eventLog {
	l := &eventLog{user: q.User, text: q.Text, more: make(chan struct{})}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.byID == nil {
		ls.byID = map[string]*eventLog{}
	}
	ls.byID[id], ls.order = l, append(ls.order, id)
	if len(ls.order) > maxLogs {
		delete(ls.byID, ls.order[0])
		ls.order = ls.order[1:]
	}
	return l
}

// find gives the stream that an event id belongs to, and the event's number:
// only to the same user with the same question.
func (ls *eventLogs) find(last string, q digesto.Question) (*eventLog, int, bool) {
	id, num, ok := strings.Cut(last, "-")
	n, err := strconv.Atoi(num)
	if !ok || err != nil {
		return nil, 0, false
	}
	ls.mu.Lock()
	l := ls.byID[id]
	ls.mu.Unlock()
	if l == nil || l.user != q.User || l.text != q.Text || !l.whole() {
		return nil, 0, false
	}
	return l, n, true
}

// resume sends what a reader has not seen of a stream and what is still to
// come. It says no when the stream is not known: then the question is asked anew.
func (s *Server) resume(ctx context.Context, w http.ResponseWriter, r *http.Request, q digesto.Question) bool {
	l, n, ok := s.logs.find(r.Header.Get("Last-Event-ID"), q)
	if !ok {
		return false
	}
	st := wire.NewStream(w, r, s.opt.Slow)
	id, _, _ := strings.Cut(r.Header.Get("Last-Event-ID"), "-")
	tick := time.NewTicker(s.opt.KeepAlive)
	defer tick.Stop()
	for {
		events, done, more := l.after(n)
		for _, e := range events {
			if st.Write(e.text) != nil {
				return true
			}
			n = e.n
		}
		if done {
			return true
		}
		select {
		case <-ctx.Done():
			return true
		case <-r.Context().Done():
			return true
		case <-more:
		case <-tick.C: // with the id of the last event: the reader goes on from there
			if st.Write("id: "+id+"-"+strconv.Itoa(n)+"\nevent: keepalive\ndata: {}\n\n") != nil {
				return true
			}
		}
	}
}
