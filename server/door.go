package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"digesto"
	"digesto/server/wire"
)

// maxToolCall bounds a message to the tools, in bytes.
const maxToolCall = 1 << 20

// door lets to the tools who may ask, and counts the questions put through them as
// those of any other way in.
func (s *Server) door(tools http.Handler) http.Handler {
	tools = s.inOurWords(tools)
	if s.opt.Store == nil {
		return tools
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, err := s.opt.Who(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxToolCall))
			if err != nil {
				s.fail(w, r, wire.BodyError(err))
				return
			}
			for range questionsIn(body) {
				if err := s.limited(w, r, u); err != nil {
					s.fail(w, r, err)
					return
				}
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		tools.ServeHTTP(w, r)
	})
}

// inOurWords gives what a library refuses with a line of text the form of all errors.
func (s *Server) inOurWords(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&translator{ResponseWriter: w, refuse: func(status int) { s.refuseTool(w, r, status) }}, r)
	})
}

// refuseTool says what is wrong with a message to the tools, by the status it was refused with.
func (s *Server) refuseTool(w http.ResponseWriter, r *http.Request, status int) {
	e := &digesto.Error{Code: digesto.CodeUsage, Message: "el mensaje no es una petición JSON-RPC 2.0 de MCP",
		Hint: "envíe por POST un objeto con «jsonrpc», «id», «method» y «params», y la cabecera «Accept: application/json, text/event-stream»"}
	switch status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
		e.Message = "esta dirección no admite el método «" + wire.Short(r.Method) + "»; admite POST"
	case http.StatusUnsupportedMediaType:
		e.Code, e.Message, e.Hint = digesto.CodeInvalid, "el cuerpo de la petición no se anuncia como JSON", "envíe la cabecera «Content-Type: application/json»"
	case http.StatusForbidden:
		e.Code, e.Message, e.Hint = digesto.CodeForbidden, "la petición no nombra a este servidor", "use la dirección en la que escucha"
	case http.StatusRequestEntityTooLarge:
		e.Code, e.Message, e.Hint = digesto.CodeTooLarge, "la petición es demasiado grande", "acórtela"
	}
	p := wire.ProblemOf(r.Context(), e)
	p.Status = status
	w.Header().Del("Content-Length")
	s.failAs(w, r, p, e)
}

// translator holds back a refusal that is a line of text.
type translator struct {
	http.ResponseWriter
	refuse func(status int)
	held   bool
}

// WriteHeader lets through what is no such refusal.
func (t *translator) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(t.Header().Get("Content-Type"), "text/plain") {
		t.held = true
		t.refuse(status)
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *translator) Write(b []byte) (int, error) {
	if t.held {
		return len(b), nil
	}
	return t.ResponseWriter.Write(b)
}

// Unwrap lets deadlines and flushes through.
func (t *translator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// working are the tools whose calls are work like that of a question.
var working = map[string]bool{"ask": true, "verify": true}

// questionsIn counts the questions of a message of JSON-RPC, or of a list of them. Names
// count as they are written: to the tools "Method" is not "method".
func questionsIn(body []byte) int {
	var list []map[string]json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		list = make([]map[string]json.RawMessage, 1)
		_ = json.Unmarshal(body, &list[0]) // what is no message the tools refuse
	}
	n := 0
	for _, m := range list {
		var method, tool string
		var params map[string]json.RawMessage
		_ = json.Unmarshal(m["method"], &method)
		_ = json.Unmarshal(m["params"], &params)
		_ = json.Unmarshal(params["name"], &tool)
		if method == "tools/call" && working[tool] {
			n++
		}
	}
	return n
}
