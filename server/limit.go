package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"digesto"
	"digesto/store"
)

// Plan is how many questions a user may ask; 0 = as many as they like.
type Plan struct {
	Minute, Hour, Day int
}

// ParsePlan reads "MINUTE/HOUR/DAY".
func ParsePlan(s string) (p Plan, err error) {
	var rest string
	if n, _ := fmt.Sscanf(s+" .", "%d/%d/%d %s", &p.Minute, &p.Hour, &p.Day, &rest); n != 4 || rest != "." || min(p.Minute, p.Hour, p.Day) < 0 {
		return p, &digesto.Error{Code: digesto.CodeInvalid, Message: "el plan «" + short(s) + "» no es válido", Hint: "escríbalo como MINUTO/HORA/DÍA, por ejemplo 20/200/1000; 0 es sin límite"}
	}
	return p, nil
}

// limiter counts what each user asked in the last day, exactly. What was asked
// before the start is read from the store when a user first comes.
type limiter struct {
	mu    sync.Mutex
	users map[string][]time.Time // oldest first
}

// allow counts a question, or says how long to wait for the next.
func (l *limiter) allow(ctx context.Context, s store.Journal, user string, p Plan, now time.Time) (wait time.Duration, err error) {
	if p == (Plan{}) {
		return 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	list, known := l.users[user]
	if !known {
		if list, err = s.Asked(ctx, user, now.Add(-24*time.Hour)); err != nil {
			return 0, err
		}
	}
	i, _ := slices.BinarySearchFunc(list, now.Add(-24*time.Hour), time.Time.Compare)
	list = list[i:]
	for _, w := range []struct {
		n    int
		span time.Duration
	}{{p.Minute, time.Minute}, {p.Hour, time.Hour}, {p.Day, 24 * time.Hour}} {
		if w.n > 0 && len(list) >= w.n {
			wait = max(wait, list[len(list)-w.n].Add(w.span).Sub(now))
		}
	}
	if l.users == nil {
		l.users = map[string][]time.Time{}
	}
	if wait <= 0 {
		wait, list = 0, append(list, now)
	}
	l.users[user] = list
	return wait, nil
}

// limited refuses a question above the plan of its user, before any work.
func (s *Server) limited(w http.ResponseWriter, r *http.Request, u store.User) error {
	plan := s.opt.Plans[u.Plan]
	wait, err := s.limits.allow(r.Context(), s.opt.Store, u.ID, plan, s.opt.Clock())
	if err != nil || wait == 0 {
		return err
	}
	secs := int(wait/time.Second) + 1
	w.Header().Set("Retry-After", strconv.Itoa(secs))
	return &digesto.Error{Code: digesto.CodeLimited, Message: "ha llegado al límite de preguntas de su plan",
		Hint: fmt.Sprintf("vuelva a preguntar dentro de %s", spanText(secs))}
}

func spanText(secs int) string {
	switch {
	case secs < 120:
		return strconv.Itoa(secs) + " segundos"
	case secs < 2*3600:
		return strconv.Itoa((secs+59)/60) + " minutos"
	}
	return strconv.Itoa((secs+3599)/3600) + " horas"
}
