package server

import (
	"bytes"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"digesto"
	"digesto/server/view"
	"digesto/store"
)

// pageStored shows an answer of a conversation with its sources, however long ago it was given.
func (s *Server) pageStored(w http.ResponseWriter, r *http.Request) {
	u, err := s.opt.Who(r)
	var list []store.Message
	if err == nil {
		list, err = s.opt.Store.Messages(r.Context(), u.ID, r.PathValue("id"))
	}
	seq, _ := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	i := slices.IndexFunc(list, func(m store.Message) bool { return m.Seq == seq })
	var k kept
	found := false
	if err == nil && i > 0 {
		k.answer, found = view.AnswerIn(list[i])
		k.question.Text, k.at = list[i-1].Content, list[i].Created
	}
	if err == nil && !found {
		err = store.NoMessage(seq)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.showAnswer(w, r, k)
}

// remember fills what an answer's page shows of its conversation: the questions
// before it, and the form to judge it. Whoever is not its owner sees none of it.
func (s *Server) remember(r *http.Request, p *view.Answer, m *digesto.Meta) {
	if s.opt.Store == nil || m.SessionID == "" {
		return
	}
	u, err := s.opt.Who(r)
	if err != nil {
		return
	}
	list, err := s.opt.Store.Messages(r.Context(), u.ID, m.SessionID)
	if err != nil {
		p.Session, p.Again.Session = "", "" // another's: what is asked next begins anew
		return
	}
	p.InConversation(list, m, r.FormValue("gracias") != "")
}

// postVote keeps what someone thinks of an answer and goes back to it.
func (s *Server) postVote(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	u, err := s.opt.Who(r)
	var seq int64
	if err == nil {
		seq, err = seqOf(r)
	}
	rating, _ := strconv.Atoi(r.PostFormValue("rating"))
	if err == nil {
		err = s.opt.Store.Rate(r.Context(), u.ID, store.Feedback{Conversation: r.PathValue("id"), Seq: seq, Rating: rating, Comment: r.PostFormValue("comment")})
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, view.StoredURL(r.PathValue("id"), seq)+"?gracias=1#voto", http.StatusSeeOther)
}

// filePage is a conversation as a file that needs nothing else.
type filePage struct {
	Style template.CSS
	Day   string
	view.Conversation
	Answers []view.Answer
}

// exportHTML gives a conversation as one file to read: its questions, answers and
// sources, with the style within it and no script.
func (s *Server) exportHTML(w http.ResponseWriter, r *http.Request, c store.Conversation, list []store.Message, name string) {
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := filePage{Style: template.CSS(s.static.files["style.css"]), Day: view.DateLong(s.opt.Clock()), Conversation: s.site.Conversation(c, list)} //nolint:gosec // our own style
	for i, m := range list {
		if a, ok := view.AnswerIn(m); ok && i > 0 {
			p.Answers = append(p.Answers, s.site.Answer(law.Snapshot, digesto.Question{Text: list[i-1].Content}, a, m.Created))
		}
	}
	var buf bytes.Buffer
	if err := s.tpl["file"].ExecuteTemplate(&buf, "file", p); err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.html"`)
	_, _ = w.Write(buf.Bytes())
}

// pageHelp says how to ask, what the seals mean, which keys there are and where programs ask.
func (s *Server) pageHelp(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, http.StatusOK, "help", "Ayuda y atajos", struct{ MCP bool }{s.opt.MCP != nil})
}
