package openai

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"digesto"
	"digesto/server/wire"
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

// ChatFault is the body of an error (OpenAI API reference, "Error codes").
type ChatFault struct {
	Error chatFaultBody `json:"error"`
}

type chatFaultBody struct {
	Message   string  `json:"message"`
	Type      string  `json:"type"`
	Param     *string `json:"param"`
	Code      string  `json:"code"`
	RequestID string  `json:"request_id,omitempty"`
}

// Of is a problem in OpenAI's form, for the description of the API.
func (ChatFault) Of(p wire.Problem, err error) any { return chatProblem(p, err) }

// chatProblem writes a problem in OpenAI's form.
func chatProblem(p wire.Problem, err error) ChatFault {
	f := chatFaultBody{Message: p.Detail, Code: string(p.Code), RequestID: p.RequestID}
	if p.Hint != "" {
		f.Message += ": " + p.Hint
	}
	var at *chatError
	if errors.As(err, &at) {
		f.Param, f.Code = &at.param, cmp.Or(at.code, f.Code)
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
	return ChatFault{f}
}

// Fail answers with an error in OpenAI's form; what a client got wrong is
// a 400 there.
func Fail(w http.ResponseWriter, p wire.Problem, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	status := p.Status
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(chatProblem(p, err))
}
