package openai

import (
	"encoding/json"
	"net/http"

	"digesto"
	"digesto/server/wire"
)

// ResponsesRequest is what POST /v1/responses takes, as far as it is text (OpenAI API
// reference, "Create a model response"). Fields that only steer a language model are
// accepted and have no effect.
type ResponsesRequest struct {
	Model        string          `json:"model" jsonschema:"«digesto», o «digesto-» y el nombre de un paquete."`
	Input        json.RawMessage `json:"input" jsonschema:"La pregunta, o los mensajes con «role» y «content»."`
	Instructions string          `json:"instructions,omitempty" jsonschema:"De ellas solo cuenta el ordenamiento que nombren."`
	Stream       bool            `json:"stream,omitempty" jsonschema:"Solo false."`
	AsOf         digesto.Date    `json:"as_of,omitempty" jsonschema:"La ley que regía ese día, AAAA-MM-DD; sin él, hoy."`
	Territory    string          `json:"territory,omitempty"`
}

// ResponsesReply is a whole answer in that form; Digesto is the one that /v1/ask gives.
type ResponsesReply struct {
	ID      string            `json:"id"`
	Object  string            `json:"object"` // "response"
	Created int64             `json:"created_at"`
	Status  string            `json:"status"` // "completed"
	Model   string            `json:"model"`
	Output  []responsesOutput `json:"output"`
	Usage   responsesUsage    `json:"usage"`
	Digesto *digesto.Answer   `json:"digesto,omitempty"`
}

type responsesOutput struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"` // "message"
	Role    string          `json:"role"`
	Status  string          `json:"status"`
	Content []responsesText `json:"content"`
}

type responsesText struct {
	Type        string          `json:"type"` // "output_text"
	Text        string          `json:"text"`
	Annotations []responsesNote `json:"annotations"`
}

type responsesNote struct {
	Type string `json:"type"` // "url_citation"
	chatURL
}

type responsesUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Total  int `json:"total_tokens"`
}

// chat is the request as that of a chat; the two forms hold the same.
func (r ResponsesRequest) chat() (ChatRequest, error) {
	out := ChatRequest{Model: r.Model, AsOf: r.AsOf, Territory: r.Territory}
	if r.Stream {
		return out, badChat("stream", "aquí no hay flujo", "quite «stream», o use «/v1/chat/completions»")
	}
	if r.Instructions != "" {
		said, _ := json.Marshal(r.Instructions) // a string: no error
		out.Messages = append(out.Messages, chatMessage{"system", said})
	}
	var text string
	if json.Unmarshal(r.Input, &text) == nil {
		out.Messages = append(out.Messages, chatMessage{"user", r.Input})
		return out, nil
	}
	var list []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(r.Input, &list) != nil {
		return out, badChat("input", "«input» no es texto ni una lista de mensajes", "escriba la pregunta, o mensajes con «role» y «content»")
	}
	for _, m := range list {
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if json.Unmarshal(m.Content, &parts) == nil {
			for i, p := range parts {
				if p.Type == "input_text" || p.Type == "output_text" {
					parts[i].Type = "text"
				}
			}
			m.Content, _ = json.Marshal(parts) // of strings: no error
		}
		out.Messages = append(out.Messages, chatMessage{m.Role, m.Content})
	}
	return out, nil
}

func (e *Endpoint) readResponses(r *http.Request) (c chat, err error) {
	var req ResponsesRequest
	if err = wire.DecodeLoosely(r, &req); err != nil {
		return c, err
	}
	if c.req, err = req.chat(); err != nil {
		return c, err
	}
	return e.chatOf(r, c.req)
}

// postResponses answers the last message of a request in that form.
func (e *Endpoint) postResponses(w http.ResponseWriter, r *http.Request) {
	c, ok := e.beginChat(w, r, e.readResponses)
	if !ok {
		return
	}
	ans, ok := e.answer(w, r, c)
	if !ok {
		return
	}
	text, notes := chatText(c.base, ans)
	t := responsesText{Type: "output_text", Text: text, Annotations: []responsesNote{}}
	for _, n := range notes {
		t.Annotations = append(t.Annotations, responsesNote{n.Type, n.URL})
	}
	u := c.usage(ans, text)
	id := wire.RequestID(r.Context())
	w.Header().Set("Cache-Control", "no-store")
	wire.Respond(w, ResponsesReply{ID: "resp_" + id, Object: "response", Created: c.at, Status: "completed", Model: c.req.Model, Digesto: &ans,
		Output: []responsesOutput{{ID: "msg_" + id, Type: "message", Role: "assistant", Status: "completed", Content: []responsesText{t}}},
		Usage:  responsesUsage{u.Prompt, u.Completion, u.Total}})
}
