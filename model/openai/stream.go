package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"digesto/model"

	"github.com/go-json-experiment/json/jsontext"
	api "github.com/sashabaranov/go-openai"
)

// events reads a streamed answer. Nothing of a piece is kept but its text, and
// the buffers are the same for all pieces: a stream of any length costs the
// memory of what it says. The library's own reader makes some forty objects a piece.
type events struct {
	lines *bufio.Scanner
	src   bytes.Reader
	dec   *jsontext.Decoder
	opts  []jsontext.Options

	text    strings.Builder
	piece   []byte // of the choice being read, unquoted
	refused bool
	reason  []byte
	index   int64

	// The steps of the walk, made once: a method value made on the way costs an object.
	eachChoice                          func() error
	ofEvent, ofChoice, ofDelta, ofUsage func(name []byte) error
	in, written                         int64 // tokens of a usage being read

	out   model.Response
	stray []byte // what stood outside of events: some servers answer with a bare error
}

// maxEvent bounds one event of a stream, and what is kept of what is none.
const (
	maxEvent = 4 << 20
	maxStray = 64 << 10
)

func newEvents(r io.Reader) *events {
	e := &events{lines: bufio.NewScanner(r), opts: []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}}
	e.lines.Buffer(make([]byte, 0, 16<<10), maxEvent)
	e.dec = jsontext.NewDecoder(&e.src, e.opts...)
	e.eachChoice, e.ofEvent, e.ofChoice, e.ofDelta, e.ofUsage = e.choice, e.eventMember, e.choiceMember, e.delta, e.usageMember
	return e
}

// read hands the pieces over as they come, to the end of the stream.
func (e *events) read(emit func(string) error) error {
	for e.lines.Scan() {
		line := bytes.TrimSpace(e.lines.Bytes())
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			if len(line) > 0 && len(e.stray)+len(line) <= maxStray {
				e.stray = append(e.stray, line...)
			}
			continue
		}
		if data = bytes.TrimSpace(data); string(data) == "[DONE]" {
			return nil
		}
		if err := e.event(data); err != nil {
			return err
		}
		if err := e.hand(emit); err != nil {
			return err
		}
	}
	err := e.lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return &model.Fault{Kind: model.KindGarbled, Detail: "an event has no end"}
	case err == nil && len(e.stray) > 0 && e.stray[0] == '{':
		return errorIn(e.stray)
	}
	return err
}

// hand gives the piece just read to the caller: a view of the text so far.
func (e *events) hand(emit func(string) error) error {
	if len(e.piece) == 0 {
		return nil
	}
	at := e.text.Len()
	e.text.Write(e.piece)
	if err := emit(e.text.String()[at:]); err != nil {
		return emitError{err}
	}
	return nil
}

// errorIn reads an error object; nil if it is none.
func errorIn(data []byte) error {
	var r api.ErrorResponse
	if json.Unmarshal(data, &r) != nil || r.Error == nil {
		return nil
	}
	return r.Error
}

// event reads one event into piece, out and refused.
func (e *events) event(data []byte) error {
	e.piece = e.piece[:0]
	e.src.Reset(data)
	e.dec.Reset(&e.src, e.opts...)
	err := e.object(e.ofEvent)
	if err == nil {
		return nil
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &model.Fault{Kind: model.KindGarbled, Detail: "an event is not JSON"}
	case errors.Is(err, errInBand):
		if in := errorIn(data); in != nil {
			return in
		}
		return &model.Fault{Kind: model.KindServer, Detail: string(data[:min(len(data), 200)])}
	}
	return err
}

// errInBand says that an event is an error of the server.
var errInBand = errors.New("error in band")

func (e *events) eventMember(name []byte) error {
	switch string(name) {
	case `"choices"`:
		return e.array(e.eachChoice)
	case `"usage"`:
		return e.usage()
	case `"model"`:
		if e.out.Model == "" {
			name, err := e.str(nil)
			e.out.Model = string(name)
			return err
		}
	case `"error"`:
		if k := e.dec.PeekKind(); k == '{' || k == '"' {
			return errInBand
		}
	}
	return e.dec.SkipValue()
}

// object walks the members of an object; anything else is passed over.
func (e *events) object(member func(name []byte) error) error {
	if e.dec.PeekKind() != '{' {
		return e.dec.SkipValue()
	}
	if _, err := e.dec.ReadToken(); err != nil {
		return err
	}
	for e.dec.PeekKind() == '"' {
		name, err := e.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := e.dec.ReadToken()
	return err
}

// array walks the elements of an array; anything else is passed over.
func (e *events) array(element func() error) error {
	if e.dec.PeekKind() != '[' {
		return e.dec.SkipValue()
	}
	if _, err := e.dec.ReadToken(); err != nil {
		return err
	}
	for k := e.dec.PeekKind(); k != ']' && k != 0; k = e.dec.PeekKind() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := e.dec.ReadToken()
	return err
}

// choice reads one choice; only the first counts.
func (e *events) choice() error {
	at := len(e.piece)
	e.index, e.reason, e.refused = 0, e.reason[:0], false
	err := e.object(e.ofChoice)
	switch {
	case err != nil:
		return err
	case e.index != 0:
		e.piece = e.piece[:at]
	case e.refused:
		e.out.Finish = model.FinishFilter
	case len(e.reason) > 0 && e.out.Finish == "":
		e.out.Finish = finishOf(api.FinishReason(e.reason))
	}
	return nil
}

func (e *events) choiceMember(name []byte) (err error) {
	switch string(name) {
	case `"index"`:
		return e.number(&e.index)
	case `"delta"`:
		return e.object(e.ofDelta)
	case `"finish_reason"`:
		e.reason, err = e.str(e.reason)
		return err
	}
	return e.dec.SkipValue()
}

func (e *events) delta(name []byte) (err error) {
	switch string(name) {
	case `"content"`:
		e.piece, err = e.str(e.piece)
		return err
	case `"refusal"`:
		n := len(e.piece)
		e.piece, err = e.str(e.piece)
		e.refused, e.piece = len(e.piece) > n, e.piece[:n]
		return err
	}
	return e.dec.SkipValue()
}

func (e *events) usage() error {
	e.in, e.written = 0, 0
	found := e.dec.PeekKind() == '{'
	err := e.object(e.ofUsage)
	if found && err == nil {
		e.out.Usage = model.Usage{Prompt: int(e.in), Completion: int(e.written)}
	}
	return err
}

func (e *events) usageMember(name []byte) error {
	switch string(name) {
	case `"prompt_tokens"`:
		return e.number(&e.in)
	case `"completion_tokens"`:
		return e.number(&e.written)
	}
	return e.dec.SkipValue()
}

// str appends a string to dst; what is no string is passed over.
func (e *events) str(dst []byte) ([]byte, error) {
	if e.dec.PeekKind() != '"' {
		return dst, e.dec.SkipValue()
	}
	v, err := e.dec.ReadValue()
	if err != nil {
		return dst, err
	}
	dst, _ = jsontext.AppendUnquote(dst, v) // the value is sound: only bytes that are not UTF-8 are left to complain of, and they became U+FFFD
	return dst, nil
}

func (e *events) number(into *int64) error {
	if e.dec.PeekKind() != '0' {
		return e.dec.SkipValue()
	}
	t, err := e.dec.ReadToken()
	if err == nil {
		*into = t.Int()
	}
	return err
}
