package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"digesto"
	"digesto/server/wire"
)

// pageHome is the question box and the index of packs.
func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) { s.home(w, r, "") }

// home shows the question box, with what is wrong with the question.
func (s *Server) home(w http.ResponseWriter, r *http.Request, wrong string) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	h := s.site.Home(law.Snapshot, r.FormValue("pack"))
	h.Error, h.Question, h.Territory = wrong, r.FormValue("question"), r.FormValue("territory")
	if d := digesto.Date(r.FormValue("as_of")); d != "" && wire.CheckDate(d) == nil {
		h.AsOf = d
	}
	h.Boss = h.Empty && s.opt.Jobs != nil && s.admin(r) == nil
	s.page(w, r, or(wrong == "", http.StatusOK, http.StatusUnprocessableEntity), "home", "Preguntas a la ley, respuestas que se pueden comprobar", h)
}

// pageAsk answers a form and goes to the page of the answer.
func (s *Server) pageAsk(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	if err := wire.Form(r); err != nil {
		s.fail(w, r, err)
		return
	}
	f := func(k string) string { return strings.TrimSpace(r.PostForm.Get(k)) }
	q := digesto.Question{Text: strings.ToValidUTF8(f("question"), ""), Pack: f("pack"), AsOf: digesto.Date(f("as_of")), Territory: f("territory")}
	q.Conversation, q.Tone = f("session_id"), f("tone")
	if q.Text == "" {
		s.home(w, r, "Escriba primero su pregunta.")
		return
	}
	if err := s.admit(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	if about := f("about"); about != "" && q.Text != "" {
		q.Text = s.site.Resolve(q.Pack, about, q.Text)
	}
	ctx, cancel := s.working(r)
	defer cancel()
	ans, err := s.opt.Engine.Ask(ctx, q, func(digesto.Event) {})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if id := s.recent.put(q, ans); id != "" {
		http.Redirect(w, r, "/respuestas/"+url.PathEscape(id), http.StatusSeeOther)
		return
	}
	s.showAnswer(w, r, kept{question: q, answer: ans})
}

// pageAnswer shows an answer that was given a while ago, to who asked or to who runs the
// server; to anyone else there is none.
func (s *Server) pageAnswer(w http.ResponseWriter, r *http.Request) {
	k, ok := s.recent.get(r.PathValue("id"))
	if ok && s.opt.Store != nil {
		u, err := s.opt.Who(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		ok = u.ID == k.question.User || s.admin(r) == nil
	}
	if !ok {
		k, ok = s.traced(r, r.PathValue("id"))
	}
	if !ok {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeNotFound, Message: "esa respuesta ya no está guardada",
			Hint: "las respuestas se guardan el tiempo que diga quien lleva el servicio, y cada una es de quien preguntó; vuelva a hacer la pregunta"})
		return
	}
	s.showAnswer(w, r, k)
}

// traced gives an answer from its trace: its address outlives the process.
func (s *Server) traced(r *http.Request, id string) (k kept, ok bool) {
	if s.opt.Traces == nil {
		return k, false
	}
	user := ""
	if s.opt.Store != nil {
		u, err := s.opt.Who(r)
		if err != nil {
			return k, false
		}
		user = u.ID
	}
	v, err := s.opt.Traces(r.Context(), user, s.admin(r) == nil, id)
	if err != nil {
		return k, false
	}
	var t struct {
		Session  string           `json:"session_id"`
		At       time.Time        `json:"at"`
		Question digesto.Question `json:"question"`
		Answer   digesto.Answer   `json:"answer"`
	}
	raw, err := json.Marshal(v)
	if err != nil || json.Unmarshal(raw, &t) != nil || t.Answer.Meta == nil {
		return k, false
	}
	t.Answer.Meta.TraceID, t.Answer.Meta.SessionID = id, t.Session
	return kept{id: id, question: t.Question, answer: t.Answer, at: t.At}, true
}

// showAnswer chooses the page by the outcome.
func (s *Server) showAnswer(w http.ResponseWriter, r *http.Request, k kept) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.site.Answer(law.Snapshot, k.question, k.answer, k.at)
	if m := k.answer.Meta; m != nil && m.TraceID != "" {
		p.Address = wire.BaseOf(r) + "/respuestas/" + url.PathEscape(m.TraceID)
	}
	if p.Boss = s.opt.Jobs != nil && s.admin(r) == nil; p.Boss {
		p.Minor = append(p.Minor, p.Orders...)
	}
	if k.answer.Meta != nil {
		s.remember(r, &p, k.answer.Meta)
	}
	name, title := "refusal", "No se puede contestar"
	switch {
	case k.answer.Meta != nil && k.answer.Meta.Outcome == digesto.OutcomeAnswer || len(k.answer.Citations) > 0:
		name, title = "answer", k.question.Text
	case k.answer.Meta != nil && k.answer.Meta.Outcome == digesto.OutcomeClarification:
		name, title = "clarify", "Una aclaración antes de buscar"
	case k.answer.Meta != nil && k.answer.Meta.Outcome != digesto.OutcomeRefusal:
		title = "Sin respuesta legal"
	}
	s.page(w, r, http.StatusOK, name, title, p)
}
