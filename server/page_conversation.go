package server

import (
	"net/http"
	"net/url"

	"digesto"
	"digesto/server/wire"
	"digesto/store"
)

// pageConversations lists the conversations of who looks.
func (s *Server) pageConversations(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var v any
	if err == nil {
		v, err = s.listConversations(r, u.ID)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "conversations", "Conversaciones", s.site.Conversations(v.(store.Page), r.FormValue("q"), r.FormValue("state")))
}

func (s *Server) pageConversation(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var c store.Conversation
	var list []store.Message
	if err == nil {
		c, err = s.opt.Store.Get(r.Context(), u.ID, r.PathValue("id"))
	}
	if err == nil {
		list, err = s.opt.Store.Messages(r.Context(), u.ID, c.ID)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.page(w, r, http.StatusOK, "conversation", c.Title, s.site.Conversation(c, list))
}

// pageShared shows a conversation to whoever has its link, to read only.
func (s *Server) pageShared(w http.ResponseWriter, r *http.Request) {
	c, list, err := s.opt.Store.Shared(r.Context(), r.PathValue("token"))
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		err = &digesto.Error{Code: digesto.CodeNotFound, Message: "Ese enlace ya no lleva a ninguna conversación", Hint: "Pida otro a quien se lo dio: pudo dejar de compartirla, o borrarla.", Err: err}
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := s.site.Conversation(c, list)
	p.Shared = true
	for i := range p.Messages {
		p.Messages[i].URL, p.Messages[i].Options, p.Next = "", nil, nil
	}
	s.page(w, r, http.StatusOK, "conversation", c.Title, p)
}

// postConversation does what a form asks with a conversation.
func (s *Server) postConversation(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	u, err := s.opt.Who(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	id, back := r.PathValue("id"), "/conversaciones/"+url.PathEscape(r.PathValue("id"))
	yes, no, title, token, none := true, false, r.PostFormValue("title"), store.NewID(), ""
	var ch store.Change
	switch r.PostFormValue("do") {
	case "rename":
		ch.Title = &title
	case "archive":
		ch.Archived = &yes
	case "unarchive":
		ch.Archived = &no
	case "share":
		ch.Share = &token
	case "unshare":
		ch.Share = &none
	case "delete":
		ch.Deleted, back = &yes, "/conversaciones"
	case "restore":
		ch.Deleted = &no
	case "erase":
		if err = s.opt.Store.Erase(r.Context(), u.ID, id); err == nil {
			http.Redirect(w, r, "/conversaciones", http.StatusSeeOther)
			return
		}
	default:
		err = wire.Invalid("no se sabe qué hacer con la conversación", "use los botones de su página")
	}
	if err == nil {
		_, err = s.opt.Store.Change(r.Context(), u.ID, id, ch)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}
