package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/text/lazyregexp"
)

// Short is a text that somebody sent, as far as an error repeats it: 80 characters.
func Short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

// Invalid is an error of what was sent: what is wrong, and what to do, in Spanish.
func Invalid(msg, hint string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: msg, Hint: hint}
}

// BodyError says why a body could not be read.
func BodyError(err error) error {
	var big *http.MaxBytesError
	if errors.As(err, &big) {
		return &digesto.Error{Code: digesto.CodeTooLarge, Message: fmt.Sprintf("la petición pasa de %d bytes", big.Limit), Hint: "acórtela", Err: err}
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "no se ha podido leer la petición entera", Hint: "vuelva a enviarla", Err: err}
}

// CheckDate refuses what is not a day written AAAA-MM-DD; "" passes.
func CheckDate(d digesto.Date) error {
	if d == "" {
		return nil
	}
	if t, err := time.Parse(time.DateOnly, string(d)); err != nil || t.Format(time.DateOnly) != string(d) {
		return Invalid(fmt.Sprintf("«as_of» no es una fecha válida: «%.20s»", d), "escríbala como AAAA-MM-DD")
	}
	return nil
}

// IntOf reads a number of the query between two bounds; it is def when it is not there,
// or empty as forms of pages send it.
func IntOf(r *http.Request, name string, def, low, high int) (int, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return def, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return 0, Invalid(fmt.Sprintf("«%s» no es un número de %d a %d", name, low, high), "dé un solo número, o ninguno")
	}
	return n, nil
}

// BaseOf is the address that a request came to.
func BaseOf(r *http.Request) string {
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

type requestKey struct{}

// WithRequestID gives the context of a request an id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID gives the id of the request a context belongs to.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

var wholeNumber = lazyregexp.New(`^(0|-?[1-9]\d{0,17})$`)

// IsWhole says whether a text is a whole number as programs write it, of eighteen digits at most.
func IsWhole(s string) bool { return wholeNumber.MatchString(s) }

// WantsEvents says whether a request asks for a stream of events.
func WantsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}
