package openai

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"digesto"
	"digesto/pack"
	"digesto/server/wire"
)

// Options of an endpoint: what the server around it does for every question.
type Options struct {
	Ask   func(ctx context.Context, q digesto.Question, emit func(digesto.Event)) (digesto.Answer, error)
	Packs []*pack.Pack
	// Admit checks a question and says who asks it, before any work.
	Admit func(w http.ResponseWriter, r *http.Request, q *digesto.Question) error
	// Working is the context of an answer.
	Working func(r *http.Request) (context.Context, context.CancelFunc)
	// Keep keeps an answer for its page; Said finds one that was given to a user: that
	// to the question, if there is one.
	Keep func(q digesto.Question, a digesto.Answer) (id string)
	Said func(user, question, text string) (digesto.Answer, bool)
	// Fail answers with an error.
	Fail      func(w http.ResponseWriter, r *http.Request, err error)
	Clock     func() time.Time
	Began     int64         // Unix seconds; the models date from it
	MaxBody   int64         // bytes of a question; messages that came before may take three times as many besides
	Stored    bool          // answers are finished and stored when their reader is gone
	Slow      time.Duration // a reader slower than this is let go
	KeepAlive time.Duration // between signs of life of a stream
	Log       *slog.Logger
}

// Endpoint answers requests in OpenAI's form.
type Endpoint struct{ opt Options }

// New makes an endpoint; every option must be there.
func New(opt Options) *Endpoint { return &Endpoint{opt} }

// Routes adds what the endpoint answers to a route table.
func (e *Endpoint) Routes(mux interface {
	HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request))
}) {
	mux.HandleFunc("POST /v1/chat/completions", e.postChat)
	mux.HandleFunc("POST /v1/responses", e.postResponses)
	mux.HandleFunc("GET /v1/models", e.getModels)
	mux.HandleFunc("GET /v1/models/{model}", e.getModel)
}

// Model is the model that routes each question to a pack; Model-NAME asks one pack.
const Model = "digesto"

// ChatModel is a pack as a model.
type ChatModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // "model"
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
	Name    string `json:"name"`
}

// ChatModels is the list of models.
type ChatModels struct {
	Object string      `json:"object"` // "list"
	Data   []ChatModel `json:"data"`
}

func (e *Endpoint) models() []ChatModel {
	out := []ChatModel{{Model, "model", e.opt.Began, Model, "Digesto"}}
	for _, p := range e.opt.Packs {
		out = append(out, ChatModel{Model + "-" + p.Name, "model", e.opt.Began, Model, "Digesto · " + p.Title})
	}
	return out
}

func (e *Endpoint) getModels(w http.ResponseWriter, _ *http.Request) {
	wire.Respond(w, ChatModels{"list", e.models()})
}

func (e *Endpoint) getModel(w http.ResponseWriter, r *http.Request) {
	m, err := e.modelOf(r.PathValue("model"))
	if err != nil {
		e.opt.Fail(w, r, err)
		return
	}
	wire.Respond(w, m)
}

// modelOf finds a model by its id.
func (e *Endpoint) modelOf(id string) (ChatModel, error) {
	for _, m := range e.models() {
		if m.ID == id {
			return m, nil
		}
	}
	return ChatModel{}, &chatError{"model", "model_not_found", &digesto.Error{Code: digesto.CodeNotFound,
		Message: "no hay ningún modelo «" + wire.Short(id) + "»", Hint: "los que hay están en «/v1/models»"}}
}

// Speaks says whether a request is for the OpenAI-compatible endpoint.
func Speaks(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/v1/chat/") || r.URL.Path == "/v1/responses" || r.URL.Path == "/v1/models" || strings.HasPrefix(r.URL.Path, "/v1/models/")
}
