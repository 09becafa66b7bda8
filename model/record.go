package model

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"digesto"
)

// entry is one recorded call: a line of JSON.
type entry struct {
	Key      string    `json:"key"`
	Request  Request   `json:"request"`
	Response *Response `json:"response,omitempty"`
	Fault    *Fault    `json:"fault,omitempty"`
}

// KeyOf is the hash of a request: what caches and recordings go by.
func KeyOf(req Request) string {
	data, err := json.Marshal(req)
	if err != nil { // a schema that is not JSON
		data = fmt.Appendf(nil, "%+v", req)
	}
	return keyOf(data)
}

func keyOf(request []byte) string {
	sum := sha256.Sum256(request)
	return hex.EncodeToString(sum[:])
}

// line is the JSON of an entry. The request, most of it the texts of the law, is
// written once, for the key and for the line.
func (e entry) line() ([]byte, error) {
	request, err := json.Marshal(e.Request)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(request)+1024), `{"key":"`+keyOf(request)+`","request":`...)
	out = append(out, request...)
	for _, part := range []struct {
		name string
		v    any
		has  bool
	}{{"response", e.Response, e.Response != nil}, {"fault", e.Fault, e.Fault != nil}} {
		if !part.has {
			continue
		}
		data, err := json.Marshal(part.v)
		if err != nil {
			return nil, err
		}
		out = append(append(out, `,"`+part.name+`":`...), data...)
	}
	return append(out, '}'), nil
}

// Record writes every call that goes through it to w, one JSON line each, and
// fails a call that it cannot write. Cancelled calls are not recorded.
func Record(g Generator, w io.Writer) Generator { return &recorder{next: g, w: w} }

// Recording makes every call that goes through g under a context of
// [WithRecording] recorded there. A metered model stays so: what is recorded is
// what the meter counts.
func Recording(g Generator) Generator {
	if m, ok := g.(*meteredGenerator); ok {
		return &meteredGenerator{Recording(m.next), m.role, m.price}
	}
	if g == nil {
		return nil
	}
	return contextRecorder{g}
}

type recordingKey struct{}

// WithRecording gives a context whose model calls are recorded in w, which has
// to be safe for any number of goroutines.
func WithRecording(ctx context.Context, w io.Writer) context.Context {
	return context.WithValue(ctx, recordingKey{}, w)
}

type contextRecorder struct{ next Generator }

func (r contextRecorder) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	if w, ok := ctx.Value(recordingKey{}).(io.Writer); ok {
		return Record(r.next, w).Generate(ctx, req, emit)
	}
	return r.next.Generate(ctx, req, emit)
}

type recorder struct {
	next Generator
	mu   sync.Mutex
	w    io.Writer
}

func (r *recorder) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	out, err := r.next.Generate(ctx, req, emit)
	e := entry{Request: req}
	switch f := FaultOf(err); {
	case err == nil:
		e.Response = &out
	case f != nil:
		e.Fault = f
	default:
		return out, err
	}
	line, merr := e.line()
	if merr == nil {
		r.mu.Lock()
		_, merr = r.w.Write(append(line, '\n'))
		r.mu.Unlock()
	}
	if merr != nil {
		return Response{}, &digesto.Error{Code: digesto.CodeInternal, Message: "No se pudo grabar la llamada al modelo", Err: merr}
	}
	return out, err
}

// maxLine bounds a line of a recording.
const maxLine = 8 << 20

// Replay answers from a recording, by the hash of the request; the calls of
// one request come back in their order, the last one again and again. A request
// that was not recorded is not_found.
func Replay(r io.Reader) (Generator, error) {
	p := &player{calls: map[string][]entry{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		var e entry
		err := json.Unmarshal(lines.Bytes(), &e)
		if err == nil && (e.Key == "" || e.Response == nil && e.Fault == nil) {
			err = errors.New("no key, or neither response nor fault")
		}
		if err != nil {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La línea %d de la grabación no vale", n), Err: err,
				Hint: "Grabe las llamadas de nuevo."}
		}
		p.calls[e.Key] = append(p.calls[e.Key], e)
	}
	if err := lines.Err(); err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede leer la grabación", Err: err}
	}
	return p, nil
}

type player struct {
	mu    sync.Mutex
	calls map[string][]entry
}

func (p *player) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, Cancelled(ctx)
	}
	e, ok := p.next(KeyOf(req))
	if !ok {
		return Response{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "La grabación no tiene esta llamada al modelo",
			Hint: "El texto que se envía al modelo ha cambiado: grabe de nuevo."}
	}
	if e.Fault != nil {
		return Response{}, NewError(e.Fault)
	}
	if emit != nil {
		if err := emit(e.Response.Text); err != nil {
			return Response{}, err
		}
	}
	return *e.Response, nil
}

func (p *player) next(key string) (entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.calls[key]
	if len(list) == 0 {
		return entry{}, false
	}
	if len(list) > 1 {
		p.calls[key] = list[1:]
	}
	return list[0], true
}
