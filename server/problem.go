package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"digesto"
	"digesto/server/openai"
	"digesto/server/view"
	"digesto/server/wire"
	"digesto/text/lazyregexp"
)

// fail answers with a problem: a page for people, JSON for programs.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	s.failAs(w, r, wire.ProblemOf(r.Context(), err), err)
}

// failAs answers with a problem that is ready.
func (s *Server) failAs(w http.ResponseWriter, r *http.Request, p wire.Problem, err error) {
	switch {
	case r.Pattern == "GET /readyz" && p.Status == http.StatusServiceUnavailable: // at every start and end too: no error of ours
		s.opt.Log.Warn("not ready", "id", p.RequestID, "route", r.Pattern, "error", err)
	case p.Status >= 500:
		s.opt.Log.Error("request failed", "id", p.RequestID, "route", r.Pattern, "error", err)
	}
	if openai.Speaks(r) {
		openai.Fail(w, p, err)
		return
	}
	if wantsHTML(r) {
		s.page(w, r, p.Status, "error", p.Title, forPeople(p))
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// forMachines is what a person who reads a page cannot use: addresses of the API, fields of
// a request, commands of the program.
var forMachines = lazyregexp.New(`/v1/|/openapi|«digesto |digesto [a-z]+ |--\w|campo «|«[a-z]+_[a-z_]+»|«(?:days|all|limit|state|archived|deleted|from|to|form|q)»|AAAA|[Cc]ursor|cabecera`)

var (
	dayWritten  = lazyregexp.New(`\b\d{4}-\d{2}-\d{2}\b`)
	unitMissing = lazyregexp.New(`^\S+ no tiene la unidad «.*»$`)
)

// hints say what a person may do, by what went wrong.
var hints = map[digesto.Code]string{
	digesto.CodeNotFound: "Vuelva al inicio, o busque la ley por su nombre o su número.", digesto.CodeInvalid: "Vuelva atrás y corríjalo.",
	digesto.CodeUnavailable: "Espere un momento y vuelva a intentarlo.", digesto.CodeInternal: "Vuelva a intentarlo; si se repite, avise a quien lleva el servicio.",
}

// forPeople is a problem in the words of a page.
func forPeople(p wire.Problem) wire.Problem {
	if forMachines.MatchString(p.Hint) {
		p.Hint = hints[p.Code]
	}
	switch {
	case unitMissing.MatchString(p.Detail):
		p.Detail = "Esa ley no tiene ese artículo"
	case forMachines.MatchString(p.Detail):
		p.Detail = p.Title
	}
	p.Detail = written(p.Detail)
	if p.Hint = written(p.Hint); p.Hint != "" {
		p.Hint += "."
	}
	return p
}

// written is a text of a mistake as a page says it, its days as people write them.
func written(s string) string {
	s = dayWritten.ReplaceAllStringFunc(s, func(day string) string { return view.DateShort(digesto.Date(day)) })
	return view.UpperFirst(strings.TrimRight(strings.TrimSpace(s), "."))
}
