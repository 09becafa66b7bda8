package server

import (
	"context"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/ask"
	"digesto/server/wire"
	"digesto/store"
)

// conversationRoutes are the routes of conversations.
func (s *Server) conversationRoutes(mux *table) {
	if s.opt.Store == nil {
		return
	}
	mux.HandleFunc("GET /v1/analytics", s.owned(s.getAnalytics))
	mux.HandleFunc("GET /analitica", s.pageAnalytics)
	mux.HandleFunc("GET /conversaciones", s.pageConversations)
	mux.HandleFunc("GET /conversaciones/{id}", s.pageConversation)
	mux.HandleFunc("POST /conversaciones/{id}", s.postConversation)
	mux.HandleFunc("GET /conversaciones/{id}/{seq}", s.pageStored)
	mux.HandleFunc("POST /conversaciones/{id}/{seq}", s.postVote)
	mux.HandleFunc("GET /compartida/{token}", s.pageShared)
	mux.HandleFunc("GET /v1/conversations", s.owned(s.listConversations))
	mux.HandleFunc("GET /v1/conversations/{id}", s.owned(s.getConversation))
	mux.HandleFunc("PATCH /v1/conversations/{id}", s.owned(s.changeConversation))
	mux.HandleFunc("DELETE /v1/conversations/{id}", s.owned(s.deleteConversation))
	mux.HandleFunc("POST /v1/conversations/{id}/restore", s.owned(s.restoreConversation))
	mux.HandleFunc("GET /v1/conversations/{id}/messages", s.owned(s.getMessages))
	mux.HandleFunc("DELETE /v1/conversations/{id}/messages/{seq}", s.owned(s.deleteMessage))
	mux.HandleFunc("POST /v1/conversations/{id}/messages/{seq}/feedback", s.owned(s.postFeedback))
	mux.HandleFunc("GET /v1/conversations/{id}/export", s.exportConversation)
}

// admit checks a question before any work: who asks, what, and whether they may.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, q *digesto.Question) error {
	if err := s.checkQuestion(*q); err != nil {
		return err
	}
	if s.opt.Store == nil {
		return nil
	}
	u, err := s.opt.Who(r)
	if err != nil {
		return err
	}
	q.User, q.Key = u.ID, r.Header.Get("Idempotency-Key")
	if len(q.Key) > 200 || !utf8.ValidString(q.Key) {
		return wire.Invalid("la clave de idempotencia no es válida", "use en «Idempotency-Key» hasta 200 caracteres, distintos para cada pregunta")
	}
	return s.limited(w, r, u)
}

// working is the context of an answer. Where conversations are kept it outlives
// the connection: a reader who leaves finds the answer stored.
func (s *Server) working(r *http.Request) (context.Context, context.CancelFunc) {
	ctx := r.Context()
	if s.opt.Store != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return context.WithTimeout(ctx, s.opt.Timeout)
}

// owned answers a request of a known user with a value, or with nothing.
func (s *Server) owned(handle func(r *http.Request, user string) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
		u, err := s.opt.Who(r)
		var v any
		if err == nil {
			v, err = handle(r, u.ID)
		}
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case err != nil:
			s.fail(w, r, err)
		case v == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			wire.Respond(w, v)
		}
	}
}

func (s *Server) listConversations(r *http.Request, user string) (any, error) {
	q := store.ListQuery{Search: r.FormValue("q"), Cursor: r.FormValue("cursor"), State: store.State(r.FormValue("state"))}
	if q.State != store.Active && q.State != store.Archived && q.State != store.Deleted {
		return nil, wire.Invalid("no existe el estado «"+wire.Short(string(q.State))+"»", "use «archived», «deleted» o ninguno")
	}
	var err error
	if q.Limit, err = wire.IntOf(r, "limit", 0, 1, 100); err != nil {
		return nil, err
	}
	return s.opt.Store.List(r.Context(), user, q)
}

func (s *Server) getConversation(r *http.Request, user string) (any, error) {
	return s.opt.Store.Get(r.Context(), user, r.PathValue("id"))
}

// changeBody are the fields of a change; those left out stay.
type changeBody struct {
	Title    *string `json:"title,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
	Shared   *bool   `json:"shared,omitempty"`
}

func (s *Server) changeConversation(r *http.Request, user string) (any, error) {
	var b changeBody
	if err := wire.Decode(r, &b); err != nil {
		return nil, err
	}
	ch := store.Change{Title: b.Title, Archived: b.Archived}
	if b.Shared != nil {
		token := ""
		if *b.Shared {
			token = store.NewID()
		}
		ch.Share = &token
	}
	return s.opt.Store.Change(r.Context(), user, r.PathValue("id"), ch)
}

// deleteConversation deletes softly; with ?forever=true it erases.
func (s *Server) deleteConversation(r *http.Request, user string) (any, error) {
	if r.FormValue("forever") == "true" {
		return nil, s.opt.Store.Erase(r.Context(), user, r.PathValue("id"))
	}
	yes := true
	_, err := s.opt.Store.Change(r.Context(), user, r.PathValue("id"), store.Change{Deleted: &yes})
	return nil, err
}

func (s *Server) restoreConversation(r *http.Request, user string) (any, error) {
	no := false
	return s.opt.Store.Change(r.Context(), user, r.PathValue("id"), store.Change{Deleted: &no})
}

// messageList are the messages of a conversation, oldest first.
type messageList struct {
	Conversation string          `json:"session_id"`
	Messages     []store.Message `json:"messages"`
}

func (s *Server) getMessages(r *http.Request, user string) (any, error) {
	list, err := s.opt.Store.Messages(r.Context(), user, r.PathValue("id"))
	if list == nil {
		list = []store.Message{}
	}
	return messageList{r.PathValue("id"), list}, err
}

func seqOf(r *http.Request) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil || n < 1 || !wire.IsWhole(r.PathValue("seq")) {
		return 0, wire.Invalid("el número del mensaje no es válido", "use el «seq» que dan los mensajes de la conversación")
	}
	return n, nil
}

func (s *Server) deleteMessage(r *http.Request, user string) (any, error) {
	seq, err := seqOf(r)
	if err != nil {
		return nil, err
	}
	return nil, s.opt.Store.DeleteMessage(r.Context(), user, r.PathValue("id"), seq)
}

// feedbackBody is what someone thinks of an answer.
type feedbackBody struct {
	Rating  int    `json:"rating" jsonschema:"De -1 a 1; 1, sirve; -1, algo está mal; 0, nada."`
	Comment string `json:"comment,omitempty"`
}

func (s *Server) postFeedback(r *http.Request, user string) (any, error) {
	seq, err := seqOf(r)
	if err != nil {
		return nil, err
	}
	var b feedbackBody
	if err := wire.Decode(r, &b); err != nil {
		return nil, err
	}
	return nil, s.opt.Store.Rate(r.Context(), user, store.Feedback{Conversation: r.PathValue("id"), Seq: seq, Rating: b.Rating, Comment: b.Comment})
}

// exportConversation gives a conversation as a file: JSON, with ?format=md Markdown, with ?format=html a page to read.
func (s *Server) exportConversation(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var c store.Conversation
	var list []store.Message
	if err == nil {
		c, err = s.opt.Store.Get(r.Context(), u.ID, r.PathValue("id"))
	}
	if err == nil {
		list, err = s.opt.Store.Messages(r.Context(), u.ID, r.PathValue("id"))
	}
	format := r.FormValue("format")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	name := "conversacion-" + time.Time.Format(c.Created, "2006-01-02") + "-" + c.ID[:min(6, len(c.ID))]
	w.Header().Set("Cache-Control", "no-store")
	if format == "html" {
		s.exportHTML(w, r, c, list, name)
		return
	}
	if format == "md" {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.md"`)
		_, _ = w.Write(append(store.Markdown(c, list), "\n---\n\n"+ask.Notice+"\n"...))
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.json"`)
	wire.Respond(w, store.Export{Conversation: c, Messages: list})
}
