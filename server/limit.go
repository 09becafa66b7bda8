package server

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/server/wire"
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
		return p, &digesto.Error{Code: digesto.CodeInvalid, Message: "el plan «" + wire.Short(s) + "» no es válido", Hint: "escríbalo como MINUTO/HORA/DÍA, por ejemplo 20/200/1000; 0 es sin límite"}
	}
	return p, nil
}

// limiter counts what each user asked in the last day, exactly. What was asked
// before the start is read from the store when a user first comes; meanwhile only
// that user waits.
type limiter struct {
	mu    sync.Mutex // of the map alone: it is never held over the store
	users map[string]*usage
	sweep int // how many users there are when those of another day are forgotten
}

// usage is what one user asked in the last day.
type usage struct {
	users int           // requests that have it, under the mutex of the limiter
	turn  chan struct{} // whoever put something in may read and change what follows
	known bool          // what the store has is in times
	times []time.Time   // oldest first
}

// leastSwept is below how many users none is forgotten.
const leastSwept = 1 << 14

// of gives the usage of a user; done lets go of it.
func (l *limiter) of(user string, now time.Time) *usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.users[user]
	if u == nil {
		l.forget(now)
		if l.users == nil {
			l.users = map[string]*usage{}
		}
		u = &usage{turn: make(chan struct{}, 1)}
		l.users[user] = u
	}
	u.users++
	return u
}

func (l *limiter) done(u *usage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u.users--
}

// forget lets go of who asked nothing for a day and does not ask now. It runs each time
// that there are twice as many as it left, so that who invents users fills no memory.
func (l *limiter) forget(now time.Time) {
	if len(l.users) < max(l.sweep, leastSwept) {
		return
	}
	for id, u := range l.users {
		if u.users == 0 && u.idle(now) {
			delete(l.users, id)
		}
	}
	l.sweep = 2 * len(l.users)
}

// idle says that nothing was asked for a day.
func (u *usage) idle(now time.Time) bool {
	n := len(u.times)
	return n == 0 || now.Sub(u.times[n-1]) > 24*time.Hour
}

// allow counts a question, or says how long to wait for the next.
func (l *limiter) allow(ctx context.Context, s store.Journal, user string, p Plan, now time.Time) (wait time.Duration, err error) {
	if p == (Plan{}) {
		return 0, nil
	}
	u := l.of(user, now)
	defer l.done(u)
	select {
	case u.turn <- struct{}{}:
		defer func() { <-u.turn }()
	case <-ctx.Done():
		return 0, &digesto.Error{Code: digesto.CodeCancelled, Message: "la petición se ha cancelado", Err: ctx.Err()}
	}
	if !u.known {
		if u.times, err = s.Asked(ctx, user, now.Add(-24*time.Hour)); err != nil {
			return 0, err
		}
		u.known = true
	}
	return u.count(p, now), nil
}

// count adds a question of now, unless that is above the plan: then it says how long to wait.
func (u *usage) count(p Plan, now time.Time) (wait time.Duration) {
	i, _ := slices.BinarySearchFunc(u.times, now.Add(-24*time.Hour), time.Time.Compare)
	u.times = u.times[i:]
	for _, w := range []struct {
		n    int
		span time.Duration
	}{{p.Minute, time.Minute}, {p.Hour, time.Hour}, {p.Day, 24 * time.Hour}} {
		if w.n > 0 && len(u.times) >= w.n {
			wait = max(wait, u.times[len(u.times)-w.n].Add(w.span).Sub(now))
		}
	}
	if wait <= 0 {
		wait, u.times = 0, append(u.times, now)
	}
	return wait
}

// VisitorID begins the id of a user who is known by a cookie alone.
const VisitorID = "v-"

// perAddress is how many visitors' plans one address has: an office behind one is many
// people, and who throws the cookie away is still there.
const perAddress = 10

func (p Plan) times(n int) Plan { return Plan{n * p.Minute, n * p.Hour, n * p.Day} }

// limited refuses a question above the plan of its user, before any work. What visitors
// ask counts for their address too: a cookie is theirs to throw away.
func (s *Server) limited(w http.ResponseWriter, r *http.Request, u store.User) error {
	plan, now := s.opt.Plans[u.Plan], s.opt.Clock()
	var wait time.Duration
	var err error
	if at := s.addressOf(r); at != "" && strings.HasPrefix(u.ID, VisitorID) {
		wait, err = s.limits.allow(r.Context(), s.opt.Store, "@"+at, plan.times(perAddress), now)
	}
	if err == nil && wait == 0 {
		wait, err = s.limits.allow(r.Context(), s.opt.Store, u.ID, plan, now)
	}
	if err != nil || wait == 0 {
		return err
	}
	secs := int(wait/time.Second) + 1
	w.Header().Set("Retry-After", strconv.Itoa(secs))
	return &digesto.Error{Code: digesto.CodeLimited, Message: "ha llegado al límite de preguntas de su plan",
		Hint: fmt.Sprintf("vuelva a preguntar dentro de %s", spanText(secs))}
}

// counted refuses a request of who may not ask, or above the plan of its user.
func (s *Server) counted(w http.ResponseWriter, r *http.Request) error {
	if s.opt.Store == nil {
		return nil
	}
	u, err := s.opt.Who(r)
	if err != nil {
		return err
	}
	return s.limited(w, r, u)
}

// addressOf gives where a request comes from; a network of IPv6 is one place. What
// X-Forwarded-For says counts only from a proxy that is known, and then its last
// word that no such proxy is: anything before it the client may have written. "" behind
// a proxy that says nothing.
func (s *Server) addressOf(r *http.Request) string {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	at := ap.Addr().Unmap()
	said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(said) - 1; s.proxy(at); i-- {
		if i < 0 {
			return ""
		}
		if at, err = netip.ParseAddr(strings.TrimSpace(said[i])); err != nil {
			return ""
		}
		at = at.Unmap()
	}
	if at.Is6() {
		p, _ := at.WithZone("").Prefix(64) // of an address of 128 bits: no error
		return p.String()
	}
	return at.String()
}

func (s *Server) proxy(at netip.Addr) bool {
	return at.IsLoopback() || slices.ContainsFunc(s.opt.Proxies, func(p netip.Prefix) bool { return p.Contains(at) })
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
