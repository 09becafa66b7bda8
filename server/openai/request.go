package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"digesto"
	"digesto/conversation"
	"digesto/pack"
	"digesto/server/wire"
)

const (
	maxChat    = 1000 // messages of a request
	maxHistory = 50   // of them, those that count
)

// readChat reads and checks a request.
func (e *Endpoint) readChat(r *http.Request) (chat, error) {
	var req ChatRequest
	if err := wire.DecodeLoosely(r, &req); err != nil {
		return chat{}, err
	}
	return e.chatOf(r, req)
}

// chatOf checks a request and finds its question.
func (e *Endpoint) chatOf(r *http.Request, req ChatRequest) (chat, error) {
	c := chat{req: req, id: "chatcmpl-" + wire.RequestID(r.Context()), at: e.opt.Clock().Unix(), base: wire.BaseOf(r)}
	if err := c.req.check(); err != nil {
		return c, err
	}
	m, err := e.modelOf(c.req.Model)
	if err != nil {
		return c, err
	}
	c.q = digesto.Question{Pack: strings.TrimPrefix(strings.TrimPrefix(m.ID, Model), "-"), AsOf: c.req.AsOf, Territory: c.req.Territory,
		Conversation: c.req.Conversation, ChatType: c.req.ChatType, Tone: c.req.Tone, Filters: c.req.Filters}
	if c.q.Text, c.q.History, err = c.req.question(); err == nil && c.q.Pack == "" {
		c.q.Pack = e.packTold(c.req.Messages)
	}
	return c, err
}

// toldLead is the lead of one pack's signals from which a message names it.
const toldLead = 2.0

// packTold is the pack that the messages before the question name, the newest first: a
// client says there, often to the model, which country's law is meant. The question's own
// words are for who answers it.
func (e *Endpoint) packTold(list []chatMessage) string {
	named := func(m chatMessage) string {
		t, err := contentOf(m.Content, "")
		if err != nil {
			return ""
		}
		cand := pack.Route(e.opt.Packs, t)
		if len(cand) > 0 && cand[0].Score >= toldLead && (len(cand) == 1 || cand[0].Score-cand[1].Score >= toldLead) {
			return cand[0].Pack.Name
		}
		return ""
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Role == "assistant" {
			continue
		}
		if p := named(list[i]); p != "" {
			if i == len(list)-1 {
				return ""
			}
			return p
		}
	}
	return ""
}

// check refuses what no answer could fulfil.
func (c ChatRequest) check() error {
	switch {
	case c.Model == "":
		return badChat("model", "falta el modelo", "los que hay están en «/v1/models»")
	case c.N != nil && *c.N != 1:
		return badChat("n", "se da una sola respuesta", "quite «n» o escriba 1")
	case c.ResponseFormat != nil && c.ResponseFormat.Type != "" && c.ResponseFormat.Type != "text":
		return badChat("response_format", "la respuesta es texto", "quite «response_format»; la respuesta en JSON está en el campo «digesto» y en «/v1/ask»")
	case len(c.Messages) == 0:
		return badChat("messages", "faltan los mensajes", "escriba la pregunta en «messages», con «role» «user»")
	case len(c.Messages) > maxChat:
		return badChat("messages", fmt.Sprintf("hay más de %d mensajes", maxChat), "empiece otra conversación")
	}
	return nil
}

// question takes the last message as the question and those before it as the
// history. Instructions to a model (system, developer, tool) are no part of
// it: they cannot change what the law says.
func (c ChatRequest) question() (string, []digesto.Message, error) {
	var list []digesto.Message
	for i, m := range c.Messages {
		at := fmt.Sprintf("messages[%d]", i)
		switch m.Role {
		case "user", "assistant":
			t, err := contentOf(m.Content, at+".content")
			if err != nil {
				return "", nil, err
			}
			list = append(list, digesto.Message{Role: m.Role, Text: t})
		case "system", "developer", "tool", "function":
		default:
			return "", nil, badChat(at+".role", "no existe el papel «"+wire.Short(m.Role)+"»", "use «user» o «assistant»")
		}
	}
	if len(list) == 0 || list[len(list)-1].Role != "user" || strings.TrimSpace(list[len(list)-1].Text) == "" {
		return "", nil, badChat("messages", "el último mensaje no es una pregunta", "termine «messages» con un mensaje de «role» «user» con texto")
	}
	last := len(list) - 1
	before := list[max(0, last-maxHistory):last]
	for i, m := range before {
		if m.Role == "assistant" { // sources and notes are not what was said
			before[i].Text, _, _ = strings.Cut(m.Text, foot)
		}
	}
	if len(before) == 0 {
		before = nil
	}
	return list[last].Text, before, nil
}

// contentOf reads a content: null, text, or parts of text.
func contentOf(raw json.RawMessage, at string) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", badChat(at, "el contenido de un mensaje no es texto", "escriba un texto, o partes de tipo «text»")
	}
	var out []string
	for _, p := range parts {
		if p.Type != "text" {
			return "", badChat(at, "no se leen partes de tipo «"+wire.Short(p.Type)+"»", "envíe solo texto")
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n"), nil
}

// recall fills in how earlier answers ended, which the messages of a chat do
// not say, from the answers that this process gave to the same user.
func (e *Endpoint) recall(q *digesto.Question) {
	asked := ""
	for i, m := range q.History {
		if m.Role != "assistant" {
			asked = m.Text
			continue
		}
		if a, ok := e.opt.Said(q.User, asked, m.Text); ok {
			conversation.Recall(&q.History[i], a)
		}
	}
}
