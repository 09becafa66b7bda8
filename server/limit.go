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
	sweep int                    // how many users there are when those of another day are forgotten
}

// leastSwept is below how many users none is forgotten.
const leastSwept = 1 << 14

// forget lets go of who asked nothing for a day. It runs each time that there are twice
// as many as it left, so that who invents users fills no memory.
func (l *limiter) forget(now time.Time) {
	if len(l.users) < max(l.sweep, leastSwept) {
		return
	}
	for u, list := range l.users {
		if len(list) == 0 || now.Sub(list[len(list)-1]) > 24*time.Hour {
			delete(l.users, u)
		}
	}
	l.sweep = 2 * len(l.users)
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
		l.forget(now)
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
