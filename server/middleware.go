package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"digesto"
	"digesto/server/wire"
	"digesto/text"
)

// policy lets pages load only what this server gives: no inline script or
// style, no frames, no other hosts.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// disclosure says to programs, in every answer of the server, what pages and the
// envelope of answers say to people: a program wrote it (Regulation (EU) 2024/1689,
// art. 50; the field is that of draft-abaris-aicdh, as a structured dictionary).
const disclosure = "mode=machine-generated, notice=\"meta.ai_notice\""

// guard wraps every handler: id, security headers, load limit, recovery, log line.
func (s *Server) guard(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeForbidden, Message: "la petición viene de otro sitio web",
			Hint: "haga la petición desde una página de este servidor o desde un programa"})
	}))
	inner := origins.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()[:16]
		r = r.WithContext(wire.WithRequestID(r.Context(), id))
		h := w.Header()
		h.Set("X-Request-Id", id)
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("AI-Disclosure", disclosure)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		rec := &recorder{ResponseWriter: w}
		start := time.Now()
		ended := func(string, int) {}
		if s.opt.Begin != nil {
			ctx, end := s.opt.Begin(r)
			r, ended = r.WithContext(ctx), end
		}
		defer func() {
			if p := recover(); p != nil {
				s.panicked(rec, r, p)
			}
			if s.opt.Observe != nil {
				s.opt.Observe(r.Pattern, rec.status, time.Since(start))
			}
			ended(r.Pattern, rec.status)
			s.opt.Log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("id", id), slog.String("method", r.Method),
				slog.String("route", r.Pattern), slog.Int("status", rec.status), slog.Duration("took", time.Since(start)))
		}()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
			if s.opt.Visitors != nil && s.opt.Visitors(r) {
				r = welcome(rec, r)
			}
			inner.ServeHTTP(rec, r)
		default:
			rec.Header().Set("Retry-After", "1")
			s.fail(rec, r, &digesto.Error{Code: digesto.CodeUnavailable, Message: "hay demasiadas peticiones a la vez",
				Hint: "vuelva a intentarlo en un segundo"})
		}
	})
}

// panicked answers for a handler that broke. What is already sent stays sent.
func (s *Server) panicked(w *recorder, r *http.Request, p any) {
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	s.opt.Log.Error("panic", "id", wire.RequestID(r.Context()), "route", r.Pattern, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.status == 0 {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado al atender la petición",
			Hint: "vuelva a intentarlo; si se repite, avise con el número de la petición"})
	}
}

// recorder remembers the status, and lets out no character that reorders what is read,
// whoever wrote it: pages, JSON, events and messages to tools all go through here, each
// value in one write. Unwrap lets deadlines and flushes through.
type recorder struct {
	http.ResponseWriter
	status        int
	text, escapes bool // what is sent is text, in JSON
}

func (r *recorder) WriteHeader(code int) {
	if r.status == 0 {
		r.status = code
		kind, _, _ := strings.Cut(r.Header().Get("Content-Type"), ";")
		r.escapes = strings.HasSuffix(kind, "json") || kind == "text/event-stream"
		r.text = (r.escapes || strings.HasPrefix(kind, "text/")) && r.Header().Get("Content-Encoding") == ""
	}
	r.ResponseWriter.WriteHeader(code)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.text {
		b = text.Masked(b, r.escapes)
	}
	return r.ResponseWriter.Write(b)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// wantsHTML says whether a person is looking: a page rather than JSON is due.
func wantsHTML(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/v1/") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// visitorCookie names the cookie that tells visitors without a key apart.
const visitorCookie = "visitante"

// welcome gives a visitor without a cookie one, in the answer and for this request.
func welcome(w http.ResponseWriter, r *http.Request) *http.Request {
	if Visitor(r) != "" || strings.HasPrefix(r.URL.Path, "/static/") {
		return r
	}
	c := &http.Cookie{Name: visitorCookie, Value: rand.Text(), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: r.TLS != nil}
	http.SetCookie(w, c)
	r.AddCookie(c)
	return r
}

// Visitor gives what tells a visitor apart, "" for one without a cookie.
func Visitor(r *http.Request) string {
	c, err := r.Cookie(visitorCookie)
	if err != nil || len(c.Value) < 26 || len(c.Value) > 64 {
		return ""
	}
	return c.Value
}
