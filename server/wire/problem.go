package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"digesto"
)

// Problem is the body of an error (RFC 9457), with a closed code.
type Problem struct {
	Type      string       `json:"type"`
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Code      digesto.Code `json:"code"`
	Hint      string       `json:"hint,omitempty"`
	RequestID string       `json:"request_id,omitempty"`
}

// ProblemOf translates an error. Causes stay in the log: they may name paths.
func ProblemOf(ctx context.Context, err error) Problem {
	if errors.Is(err, context.Canceled) {
		err = &digesto.Error{Code: digesto.CodeCancelled, Message: "la petición se ha cancelado"}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "la respuesta ha tardado demasiado", Hint: "vuelva a intentarlo"}
	}
	var e *digesto.Error
	if !errors.As(err, &e) {
		e = &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado", Hint: "vuelva a intentarlo; si se repite, avise con el número de la petición"}
	}
	info, ok := digesto.Codes[e.Code]
	if !ok {
		info = digesto.Codes[digesto.CodeInternal]
	}
	return Problem{Type: "about:blank", Title: info.Title, Status: info.Status, Detail: e.Message, Code: e.Code, Hint: e.Next(), RequestID: RequestID(ctx)}
}

// Respond writes a JSON body.
func Respond(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}
