package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/server/wire"
	"digesto/store"
)

func TestLimiter(t *testing.T) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	s := store.Memory(func() time.Time { return now.Add(-30 * time.Minute) })
	if _, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "antes"}); err != nil {
		t.Fatal(err)
	}
	var l limiter
	plan := Plan{Minute: 2, Hour: 4}
	ask := func(user string, at time.Duration, want time.Duration) {
		t.Helper()
		if got, err := l.allow(t.Context(), s, user, plan, now.Add(at)); err != nil || got != want {
			t.Errorf("%s at %s: wait %s, want %s (%v)", user, at, got, want, err)
		}
	}
	ask("ana", 0, 0)
	ask("ana", time.Second, 0)
	ask("ana", 2*time.Second, 58*time.Second) // two in this minute
	ask("berta", 2*time.Second, 0)            // another user
	ask("ana", 61*time.Second, 0)             // the fourth in this hour, with the one of the store
	ask("ana", 3*time.Minute, 27*time.Minute)
	ask("ana", 31*time.Minute, 0)
	if w, _ := l.allow(t.Context(), s, "ana", Plan{}, now); w != 0 {
		t.Error("a plan without limits limits")
	}
}

func TestParsePlan(t *testing.T) {
	if p, err := ParsePlan("1/20/300"); err != nil || p != (Plan{1, 20, 300}) {
		t.Errorf("%v %v", p, err)
	}
	for _, bad := range []string{"", "1", "1/2", "1/2/x", "-1/2/3", "1/2/3/4"} {
		if _, err := ParsePlan(bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

// TestLimitByAddress: a visitor without a cookie, or with a new one each time, is
// limited by address; who claims to be forwarded is believed only from a proxy.
func TestLimitByAddress(t *testing.T) {
	s := &Server{opt: Options{Store: store.Memory(nil), Clock: time.Now, Plans: map[string]Plan{"libre": {Hour: 1}}, Proxies: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}}
	n := 0
	ask := func(remote string, forwarded ...string) bool {
		t.Helper()
		n++
		r := httptest.NewRequest("POST", "/v1/ask", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = remote, forwarded
		err := s.limited(httptest.NewRecorder(), r, store.User{ID: VisitorID + strconv.Itoa(n), Plan: "libre"})
		if err != nil && digesto.CodeOf(err) != digesto.CodeLimited {
			t.Fatal(err)
		}
		return err == nil
	}
	for i := range perAddress {
		if !ask("8.8.8.8:"+strconv.Itoa(1000+i), "1.2.3."+strconv.Itoa(i)) {
			t.Fatalf("question %d of an address is refused", i)
		}
	}
	if ask("8.8.8.8:9", "1.2.3.99") || ask("10.1.2.3:9", "8.8.4.4, 8.8.8.8") || ask("127.0.0.1:9", "8.8.8.8, 10.1.0.7") || ask("[::ffff:8.8.8.8]:9") {
		t.Error("the address is told by what the client says")
	}
	if !ask("10.1.2.3:9", "8.8.8.8, 8.8.4.4") || !ask("8.8.4.5:1") || !ask("127.0.0.1:9") || !ask("10.1.2.3:9", "no es una") {
		t.Error("another address is refused")
	}
	for i := range perAddress {
		ask("[2001:db8::"+strconv.Itoa(i)+"]:1", "")
	}
	if ask("[2001:db8::ffff:1]:1") {
		t.Error("a network of IPv6 is many addresses")
	}
	for range 2 {
		if err := s.limited(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/ask", nil), store.User{ID: "ana", Plan: "otro"}); err != nil {
			t.Error("a plan without limits limits by address")
		}
	}
}

// TestLimiterForgets: users of another day take no memory.
func TestLimiterForgets(t *testing.T) {
	var l limiter
	now, s := time.Now(), store.Memory(nil)
	for i := range 3 * leastSwept {
		if _, err := l.allow(t.Context(), s, strconv.Itoa(i), Plan{Day: 1}, now.Add(time.Duration(i/leastSwept)*25*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.users) > 2*leastSwept {
		t.Errorf("%d users are kept", len(l.users))
	}
}

// TestDoor: the tools answer who may ask, and their questions count.
func TestDoor(t *testing.T) {
	s := &Server{opt: Options{Store: store.Memory(nil), Clock: time.Now, Log: slog.New(slog.DiscardHandler), Plans: map[string]Plan{"libre": {Day: 3}}, Who: func(r *http.Request) (store.User, error) {
		if r.Header.Get("Authorization") != "" {
			return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no es válida", Hint: "pida otra"}
		}
		return store.User{ID: "ana", Plan: "libre"}, nil
	}}}
	h := s.door(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	}))
	send := func(body, key string) (int, string) {
		r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
		if key != "" {
			r.Header.Set("Authorization", key)
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	const ask = `{"method":"tools/call","METHOD":"ping","params":{"name":"ask","Name":"search"}}`
	for i, c := range []struct {
		body, key string
		status    int
	}{{ask, "Bearer x", 403}, {ask, "", 200}, {`{"method":"tools/list"}`, "", 200}, {"[" + ask + "," + ask + "]", "", 200}, {ask, "", 429}, {`{"method":"tools/call","params":{"name":"verify"}}`, "", 429}, {`{"method":"tools/call","params":{"name":"search"}}`, "", 200}, {strings.Repeat(" ", maxToolCall+1), "", 413}, {"{", "", 200}} {
		if got, body := send(c.body, c.key); got != c.status || got == 200 && body != c.body {
			t.Errorf("%d: %d %.200s", i, got, body)
		}
	}
}

// TestDoorInOurWords: what the library of the tools refuses has the form of all errors.
func TestDoorInOurWords(t *testing.T) {
	s := &Server{opt: Options{Clock: time.Now, Log: slog.New(slog.DiscardHandler)}}
	for status, code := range map[int]digesto.Code{400: digesto.CodeUsage, 403: digesto.CodeForbidden, 405: digesto.CodeUsage, 413: digesto.CodeTooLarge, 415: digesto.CodeInvalid} {
		rec := httptest.NewRecorder()
		s.door(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Accept must contain both", status)
		})).ServeHTTP(rec, httptest.NewRequest("PUT", "/mcp", nil))
		var p wire.Problem
		err := json.Unmarshal(rec.Body.Bytes(), &p)
		if err != nil || rec.Code != status || p.Status != status || p.Code != code || p.Hint == "" || strings.Contains(rec.Body.String(), "must") ||
			rec.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%d: %d %s %v", status, rec.Code, rec.Body, err)
		}
	}
	rec := httptest.NewRecorder()
	s.door(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		_, _ = w.Write([]byte("{}"))
	})).ServeHTTP(rec, httptest.NewRequest("POST", "/mcp", nil))
	if rec.Code != 400 || rec.Body.String() != "{}" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// slowJournal is a store that answers for one user only when it is let.
type slowJournal struct {
	store.Journal
	user  string
	asked chan struct{} // closed when the store is asked for that user
	let   chan struct{}
}

func (s slowJournal) Asked(ctx context.Context, user string, since time.Time) ([]time.Time, error) {
	if user != s.user {
		return nil, nil
	}
	close(s.asked)
	select {
	case <-s.let:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestLimiterWaitsForNobody: while the store is slow for one user the others are let in, and
// who waits for it leaves when the request ends.
func TestLimiterWaitsForNobody(t *testing.T) {
	var l limiter
	s := slowJournal{user: "lenta", asked: make(chan struct{}), let: make(chan struct{})}
	now, plan := time.Now(), Plan{Day: 1}
	first := make(chan error, 1)
	go func() {
		_, err := l.allow(t.Context(), s, "lenta", plan, now)
		first <- err
	}()
	<-s.asked
	if wait, err := l.allow(t.Context(), s, "otra", plan, now); wait != 0 || err != nil {
		t.Errorf("another user: %s %v", wait, err)
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.allow(left, s, "lenta", plan, now); digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("who left waits: %v", err)
	}
	close(s.let)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if wait, err := l.allow(t.Context(), s, "lenta", plan, now); wait == 0 || err != nil {
		t.Errorf("the question let in does not count: %v", err)
	}
}

// TestRouteCounts: work that the wiring adds counts as questions do, before its body is read.
func TestRouteCounts(t *testing.T) {
	opt := Options{Store: store.Memory(nil), Clock: time.Now, Log: slog.New(slog.DiscardHandler), Plans: map[string]Plan{"libre": {Day: 2}}, Who: func(r *http.Request) (store.User, error) {
		if r.Header.Get("Authorization") != "" {
			return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no es válida", Hint: "pida otra"}
		}
		return store.User{ID: "ana", Plan: "libre"}, nil
	}}
	s := &Server{opt: opt}
	h := s.extra(Route{Counts: true, MaxBody: 1 << 20, Handle: func(r *http.Request) (any, error) {
		_, err := io.ReadAll(r.Body)
		return map[string]bool{"ok": err == nil}, err
	}})
	for i, c := range []struct {
		method, key string
		status      int
		read        bool
	}{{"POST", "Bearer x", 403, false}, {"GET", "", 200, true}, {"POST", "", 200, true}, {"POST", "", 200, true}, {"POST", "", 429, false}, {"GET", "", 200, true}} {
		body := strings.NewReader("texto")
		r := httptest.NewRequest(c.method, "/v1/verify", body)
		if c.key != "" {
			r.Header.Set("Authorization", c.key)
		}
		rec := httptest.NewRecorder()
		h(rec, r)
		if rec.Code != c.status || (body.Len() == 0) != c.read || (rec.Code == 429) != (rec.Header().Get("Retry-After") != "") {
			t.Errorf("%d: %d, %d bytes left %s", i, rec.Code, body.Len(), rec.Body)
		}
	}
}
