package server

import (
	"context"
	"net/http"
	"strings"

	"digesto"
	"digesto/server/wire"
	"digesto/store"
)

// postAsk answers a question: as JSON, or as events when the caller accepts them.
func (s *Server) postAsk(w http.ResponseWriter, r *http.Request) {
	var q digesto.Question
	if err := s.decode(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	if err := s.admit(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	ctx, cancel := s.working(r)
	defer cancel()
	if wire.WantsEvents(r) {
		s.streamAnswer(ctx, cancel, w, r, q)
		return
	}
	ans, err := s.opt.Engine.Ask(ctx, q, func(digesto.Event) {})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.recent.put(q, ans)
	w.Header().Set("Cache-Control", "no-store")
	wire.Respond(w, ans)
}

// maxChoice bounds the number of a reading, as the description of [digesto.Question] says.
const maxChoice = 100

// checkQuestion refuses what no engine needs to see.
func (s *Server) checkQuestion(q digesto.Question) error {
	if strings.TrimSpace(q.Text) == "" && q.Choice == 0 {
		return wire.Invalid("falta la pregunta", "escriba la pregunta en el campo «question»")
	}
	if q.Choice < 0 || q.Choice > maxChoice || strings.TrimSpace(q.Text) == "" && (q.Conversation == "" || q.Conversation == "new") {
		return wire.Invalid("no hay lecturas entre las que escoger con «choice»", "mande el número de una con el «session_id» de la respuesta que las ofreció")
	}
	if s.opt.Store == nil && q.Conversation != "" && q.Conversation != "new" {
		return store.NotFound(q.Conversation) // none are kept: every id is an unknown one
	}
	return wire.CheckDate(q.AsOf)
}

// streamAnswer is the same answer as events. Errors before the first event are
// plain problems; later ones are events.
func (s *Server) streamAnswer(ctx context.Context, cancel context.CancelFunc, w http.ResponseWriter, r *http.Request, q digesto.Question) {
	if s.resume(ctx, w, r, q) {
		return
	}
	st := wire.NewStream(w, r, s.opt.Slow)
	log := s.logs.open(wire.RequestID(r.Context()), q)
	st.Sent = log.add
	defer log.finish()
	gone := cancel
	if s.opt.Store != nil {
		gone = func() {} // the answer is finished and stored for when the reader is back
	}
	stop := st.KeepAlive(ctx, s.opt.KeepAlive, gone)
	defer stop()
	ans, err := s.opt.Engine.Ask(ctx, q, func(e digesto.Event) {
		if s.forward(st, e) != nil && s.opt.Store == nil {
			cancel()
		}
	})
	stop()
	if err != nil {
		p := wire.ProblemOf(r.Context(), err)
		if p.Status >= 500 {
			s.opt.Log.Error("stream failed", "id", p.RequestID, "error", err)
		}
		_ = st.Send("error", p)
	} else {
		s.recent.put(q, ans)
		_ = st.Send("answer", ans)
	}
	_ = st.Send("done", struct{}{})
}

// forward passes the engine's progress on. The answer itself is sent once,
// from the value that Ask returns: what a stream shows and what JSON gives
// cannot differ.
func (s *Server) forward(st *wire.Stream, e digesto.Event) error {
	switch e.Kind {
	case "session":
		return st.Send("session", map[string]string{"session_id": e.ID})
	case "stage":
		return st.Send("stage", map[string]string{"stage": e.Stage, "title": StageTitle(e.Stage)})
	case "delta":
		return st.Send("delta", map[string]string{"text": e.Text})
	}
	return nil
}

// stageTitles say to people what a stage does.
var stageTitles = map[string]string{
	"open": "Abriendo la conversación", "route": "Viendo de qué país y materia es", "classify": "Leyendo su pregunta", "decompose": "Separando lo que pregunta", "read": "Leyendo su pregunta",
	"retrieve": "Buscando en la ley instalada", "rerank": "Ordenando lo encontrado", "decide": "Viendo qué artículo responde", "expand": "Siguiendo las remisiones",
	"evaluate": "Viendo si basta con lo encontrado", "ground": "Eligiendo el artículo que manda", "conflict": "Viendo si otra norma dice otra cosa", "write": "Escribiendo la respuesta",
	"verify": "Comprobando cada cita letra por letra", "close": "Guardando la respuesta",
}

// StageTitle says in Spanish what a stage does.
func StageTitle(stage string) string {
	return or(stageTitles[stage] == "", "Trabajando en su pregunta", stageTitles[stage])
}

// decode reads a bounded JSON body into v.
func (s *Server) decode(w http.ResponseWriter, r *http.Request, v any) error {
	r.Body = http.MaxBytesReader(w, r.Body, s.opt.MaxBody)
	return wire.Decode(r, v)
}
