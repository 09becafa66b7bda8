package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/conversation"
	"digesto/pack"
)

const (
	maxChat    = 1000 // messages of a request
	maxHistory = 50   // of them, those that count
)

// chatError is an error that says which field is at fault, as OpenAI's form does.
type chatError struct {
	param, code string
	err         *digesto.Error
}

func (e *chatError) Error() string { return e.err.Error() }
func (e *chatError) Unwrap() error { return e.err }

func badChat(param, msg, hint string) error {
	return &chatError{param: param, err: &digesto.Error{Code: digesto.CodeInvalid, Message: msg, Hint: hint}}
}

// chatFault is the body of an error (OpenAI API reference, "Error codes").
type chatFault struct {
	Error chatFaultBody `json:"error"`
}

type chatFaultBody struct {
	Message   string  `json:"message"`
	Type      string  `json:"type"`
	Param     *string `json:"param"`
	Code      string  `json:"code"`
	RequestID string  `json:"request_id,omitempty"`
}

// chatProblem writes a problem in OpenAI's form.
func chatProblem(p Problem, err error) chatFault {
	f := chatFaultBody{Message: p.Detail, Code: string(p.Code), RequestID: p.RequestID}
	if p.Hint != "" {
		f.Message += ": " + p.Hint
	}
	var at *chatError
	if errors.As(err, &at) {
		f.Param, f.Code = &at.param, or(at.code == "", f.Code, at.code)
	}
	switch {
	case p.Status == http.StatusTooManyRequests:
		f.Type = "rate_limit_error"
	case p.Status == http.StatusForbidden:
		f.Type = "permission_error"
	case p.Status < 500:
		f.Type = "invalid_request_error"
	default:
		f.Type = "server_error"
	}
	return chatFault{f}
}

// SpeaksOpenAI says whether a request is for the OpenAI-compatible endpoint.
func SpeaksOpenAI(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/v1/chat/") || r.URL.Path == "/v1/responses" || r.URL.Path == "/v1/models" || strings.HasPrefix(r.URL.Path, "/v1/models/")
}

// failOpenAI answers with an error in OpenAI's form; what a client got wrong is
// a 400 there.
func failOpenAI(w http.ResponseWriter, p Problem, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(or(p.Status == http.StatusUnprocessableEntity, http.StatusBadRequest, p.Status))
	_ = json.NewEncoder(w).Encode(chatProblem(p, err))
}

// readChat reads and checks a request.
func (s *Server) readChat(r *http.Request) (chat, error) {
	var req chatRequest
	if err := decodeLoosely(r, &req); err != nil {
		return chat{}, err
	}
	return s.chatOf(r, req)
}

// chatOf checks a request and finds its question.
func (s *Server) chatOf(r *http.Request, req chatRequest) (chat, error) {
	c := chat{req: req, id: "chatcmpl-" + requestID(r.Context()), at: s.opt.Clock().Unix(), base: baseOf(r)}
	if err := c.req.check(); err != nil {
		return c, err
	}
	m, err := s.modelOf(c.req.Model)
	if err != nil {
		return c, err
	}
	c.q = digesto.Question{Pack: strings.TrimPrefix(strings.TrimPrefix(m.ID, modelAny), "-"), AsOf: c.req.AsOf, Territory: c.req.Territory,
		Conversation: c.req.Conversation, ChatType: c.req.ChatType, Tone: c.req.Tone, Filters: c.req.Filters}
	if c.q.Text, c.q.History, err = c.req.question(); err == nil && c.q.Pack == "" {
		c.q.Pack = s.packTold(c.req.Messages)
	}
	return c, err
}

// toldLead is the lead of one pack's signals from which a message names it.
const toldLead = 2.0

// packTold is the pack that the messages before the question name, the newest first: a
// client says there, often to the model, which country's law is meant. The question's own
// words are for who answers it.
func (s *Server) packTold(list []chatMessage) string {
	named := func(m chatMessage) string {
		t, err := contentOf(m.Content, "")
		if err != nil {
			return ""
		}
		cand := pack.Route(s.opt.Packs, t)
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
			return or(i == len(list)-1, "", p)
		}
	}
	return ""
}

// decodeLoosely is [Decode] but for fields that are not known: clients send
// many that steer a language model.
func decodeLoosely(r *http.Request, v any) error {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return invalid("el cuerpo de la petición no se anuncia como JSON", "envíe la cabecera «Content-Type: application/json»")
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return bodyError(err)
	}
	if !utf8.Valid(data) {
		return invalid("el cuerpo de la petición no es UTF-8 válido", "envíe el texto codificado en UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(v); err != nil {
		return jsonError(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return invalid("el cuerpo de la petición trae más de un valor JSON", "envíe un solo objeto")
	}
	return nil
}

// check refuses what no answer could fulfil.
func (c chatRequest) check() error {
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
func (c chatRequest) question() (string, []digesto.Message, error) {
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
			return "", nil, badChat(at+".role", "no existe el papel «"+short(m.Role)+"»", "use «user» o «assistant»")
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
			return "", badChat(at, "no se leen partes de tipo «"+short(p.Type)+"»", "envíe solo texto")
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n"), nil
}

// recall fills in how earlier answers ended, which the messages of a chat do
// not say, from the answers that this process gave to the same user.
func (s *Server) recall(q *digesto.Question) {
	asked := ""
	for i, m := range q.History {
		if m.Role != "assistant" {
			asked = m.Text
			continue
		}
		if a, ok := s.recent.said(q.User, asked, m.Text); ok {
			conversation.Recall(&q.History[i], a)
		}
	}
}

// said finds the newest answer of that text to a user: to that question, if there is one.
func (r *recent) said(user, question, text string) (a digesto.Answer, ok bool) {
	question, text = strings.TrimSpace(question), strings.TrimSpace(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	for e := r.order.Front(); e != nil; e = e.Next() {
		k := e.Value.(kept)
		if k.question.User != user || strings.TrimSpace(k.answer.Answer) != text {
			continue
		}
		if strings.TrimSpace(k.question.Text) == question {
			return k.answer, true
		}
		if !ok {
			a, ok = k.answer, true
		}
	}
	return a, ok
}

// baseOf is the address that a request came to.
func baseOf(r *http.Request) string {
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
