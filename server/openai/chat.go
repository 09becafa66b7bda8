package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"digesto"
	"digesto/model"
	"digesto/server/wire"
)

// ChatRequest is what POST /v1/chat/completions takes (OpenAI API reference,
// "Create chat completion"). Fields that only steer a language model
// (temperature, max_tokens, tools…) are accepted and have no effect: the answer
// comes from the law. The fields after N are those of /v1/ask.
type ChatRequest struct {
	Model          string            `json:"model" jsonschema:"«digesto», o «digesto-» y el nombre de un paquete."`
	Messages       []chatMessage     `json:"messages"`
	Stream         bool              `json:"stream,omitempty"`
	StreamOptions  *streamOptions    `json:"stream_options,omitempty"`
	N              *int              `json:"n,omitempty" jsonschema:"Solo 1: hay una respuesta."`
	ResponseFormat *responseFormat   `json:"response_format,omitempty"`
	AsOf           digesto.Date      `json:"as_of,omitempty" jsonschema:"La ley que regía ese día, AAAA-MM-DD; sin él, hoy."`
	Territory      string            `json:"territory,omitempty"`
	Conversation   string            `json:"session_id,omitempty"`
	ChatType       string            `json:"chat_type,omitempty"`
	Tone           string            `json:"tone,omitempty"`
	Filters        map[string]string `json:"filters,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage,omitempty"`
}

type responseFormat struct {
	Type string `json:"type" jsonschema:"Solo «text»: el JSON de la respuesta está en /v1/ask."`
}

// chatMessage is a message of a request. Content is text, or parts of text.
type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// ChatResponse is a whole answer, or one chunk of a stream. Digesto is the same
// answer that /v1/ask gives; in a stream the last chunk with a choice has it.
type ChatResponse struct {
	ID      string          `json:"id"`
	Object  string          `json:"object"` // "chat.completion" or "chat.completion.chunk"
	Created int64           `json:"created"`
	Model   string          `json:"model"`
	Choices []chatChoice    `json:"choices"`
	Usage   *chatUsage      `json:"usage,omitempty"`
	Digesto *digesto.Answer `json:"digesto,omitempty"`
}

type chatChoice struct {
	Index   int        `json:"index"`
	Message *chatReply `json:"message,omitempty"`
	Delta   *chatReply `json:"delta,omitempty"`
	Finish  *string    `json:"finish_reason"`
}

type chatReply struct {
	Role        string           `json:"role,omitempty"`
	Content     *string          `json:"content,omitempty"`
	Annotations []chatAnnotation `json:"annotations,omitempty"`
}

// chatAnnotation ties a citation to its mark in the text.
type chatAnnotation struct {
	Type     string           `json:"type"` // "url_citation"
	URL      chatURL          `json:"url_citation"`
	Citation digesto.Citation `json:"citation"`
}

// chatURL is where a citation can be read; the indices count code points.
type chatURL struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Start int    `json:"start_index"`
	End   int    `json:"end_index"`
}

// chatUsage counts the tokens of the model that wrote; where none did, it is
// an estimate of the messages and of the answer (four bytes a token).
type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// beginChat reads what is asked and lets it in; ok is false where the reply is an error
// that has been sent.
func (e *Endpoint) beginChat(w http.ResponseWriter, r *http.Request, read func(*http.Request) (chat, error)) (c chat, ok bool) {
	r.Body = http.MaxBytesReader(w, r.Body, 4*e.opt.MaxBody) // messages that came before are in it
	c, err := read(r)
	if err == nil {
		err = e.opt.Admit(w, r, &c.q)
	}
	if err != nil {
		e.opt.Fail(w, r, err)
		return c, false
	}
	e.recall(&c.q)
	return c, true
}

// postChat answers the last message of a conversation that the caller keeps.
func (e *Endpoint) postChat(w http.ResponseWriter, r *http.Request) {
	c, ok := e.beginChat(w, r, e.readChat)
	if !ok {
		return
	}
	if c.req.Stream {
		ctx, cancel := e.opt.Working(r)
		defer cancel()
		e.streamChat(ctx, cancel, w, r, c)
		return
	}
	ans, ok := e.answer(w, r, c)
	if !ok {
		return
	}
	text, notes := chatText(c.base, ans)
	out := c.head("chat.completion")
	out.Choices = []chatChoice{{Message: &chatReply{Role: "assistant", Content: &text, Annotations: notes}, Finish: finish(ans)}}
	out.Usage, out.Digesto = c.usage(ans, text), &ans
	w.Header().Set("Cache-Control", "no-store")
	wire.Respond(w, out)
}

// answer gives the whole answer; ok is false where the reply is an error that has been sent.
func (e *Endpoint) answer(w http.ResponseWriter, r *http.Request, c chat) (digesto.Answer, bool) {
	ctx, cancel := e.opt.Working(r)
	defer cancel()
	ans, err := e.opt.Ask(ctx, c.q, func(digesto.Event) {})
	if err != nil {
		e.opt.Fail(w, r, err)
		return ans, false
	}
	e.opt.Keep(c.q, ans)
	return ans, true
}

// chat is one request on its way to an answer.
type chat struct {
	req  ChatRequest
	q    digesto.Question
	id   string
	at   int64
	base string // this server, for citations without an address of their own
}

func (c chat) head(object string) ChatResponse {
	return ChatResponse{ID: c.id, Object: object, Created: c.at, Model: c.req.Model, Choices: []chatChoice{}}
}

func finish(a digesto.Answer) *string {
	f := "stop"
	if a.Meta != nil && digesto.Outcomes[a.Meta.Outcome] != "" {
		f = digesto.Outcomes[a.Meta.Outcome]
	}
	return &f
}

// usage adds up what the models of the answer took.
func (c chat) usage(a digesto.Answer, text string) *chatUsage {
	var u chatUsage
	if a.Meta != nil {
		for _, m := range a.Meta.Models {
			u.Prompt, u.Completion = u.Prompt+m.In, u.Completion+m.Out
		}
	}
	if u.Prompt == 0 {
		u.Prompt, u.Completion = model.Estimate(c.q.Text), model.Estimate(text)
		for _, m := range c.q.History {
			u.Prompt += model.Estimate(m.Text)
		}
	}
	u.Total = u.Prompt + u.Completion
	return &u
}

// streamChat sends the answer in chunks; only verified sentences are in them.
// Errors before the first chunk are plain ones.
func (e *Endpoint) streamChat(ctx context.Context, cancel context.CancelFunc, w http.ResponseWriter, r *http.Request, c chat) {
	st := wire.NewStream(w, r, e.opt.Slow)
	gone := cancel
	if e.opt.Stored {
		gone = func() {}
	}
	chunk := func(d chatReply) error {
		out := c.head("chat.completion.chunk")
		out.Choices = []chatChoice{{Delta: &d}}
		return st.Data(out)
	}
	// A sign of life is an empty chunk: clients stumble over comments and over chunks without a choice.
	stop := st.Beat(ctx, e.opt.KeepAlive, gone, func() error { return chunk(chatReply{Content: new("")}) })
	defer stop()
	var sent strings.Builder
	send := func(d chatReply) {
		if chunk(d) != nil {
			gone()
		}
	}
	ans, err := e.opt.Ask(ctx, c.q, func(ev digesto.Event) {
		switch {
		case ev.Kind == "session":
			send(chatReply{Role: "assistant", Content: new("")})
		case ev.Kind == "delta" && ev.Text != "":
			sent.WriteString(ev.Text)
			send(chatReply{Content: &ev.Text})
		}
	})
	stop()
	if err != nil {
		e.failChat(w, r, st, err)
		return
	}
	e.opt.Keep(c.q, ans)
	text, notes := chatText(c.base, ans)
	rest, ok := strings.CutPrefix(text, sent.String())
	if !ok { // what was shown stays; the answer is the truth
		rest = foot + text
	}
	if rest != "" {
		send(chatReply{Content: &rest})
	}
	e.endChat(st, c, ans, text, notes)
}

// endChat sends what closes a stream.
func (e *Endpoint) endChat(st *wire.Stream, c chat, ans digesto.Answer, text string, notes []chatAnnotation) {
	last := c.head("chat.completion.chunk")
	last.Choices, last.Digesto = []chatChoice{{Delta: &chatReply{Annotations: notes}, Finish: finish(ans)}}, &ans
	_ = st.Data(last)
	if c.req.StreamOptions != nil && c.req.StreamOptions.IncludeUsage {
		u := c.head("chat.completion.chunk")
		u.Usage = c.usage(ans, text)
		_ = st.Data(u)
	}
	_ = st.Write("data: [DONE]\n\n")
}

func (e *Endpoint) failChat(w http.ResponseWriter, r *http.Request, st *wire.Stream, err error) {
	if !st.Begun() {
		e.opt.Fail(w, r, err)
		return
	}
	p := wire.ProblemOf(r.Context(), err)
	if p.Status >= 500 {
		e.opt.Log.Error("stream failed", "id", p.RequestID, "error", err)
	}
	_ = st.Data(chatProblem(p, err))
}
