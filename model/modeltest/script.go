// Package modeltest proves that a Generator, Embedder or Reranker keeps the
// promises of package model. It holds the conformance suites, a scripted model
// that needs no server (the honest twin the suites are tried on) and a server
// on loopback that speaks the OpenAI-compatible protocol, well or badly.
package modeltest

import (
	"context"
	"strings"
	"sync"
	"time"

	"digesto/model"
)

// Script says what the model behind an adapter does with one call.
type Script struct {
	Pieces []string     // what it writes; streamed piece by piece
	Finish model.Finish // empty = stop
	Usage  *model.Usage // nil = the server does not count
	Fault  Fault        // what goes wrong, if anything
	Status int          // of a FaultStatus
	Body   string       // of a FaultStatus; empty = an error object of the protocol
	Header map[string]string
	Pause  time.Duration // before each piece
}

// Fault is a way in which a call goes wrong.
type Fault string

// The faults.
const (
	None         Fault = ""
	FaultStatus  Fault = "status"        // an HTTP error
	FaultSlow    Fault = "slow"          // no first byte
	FaultStall   Fault = "stall"         // silence after the first piece
	FaultCut     Fault = "cut"           // connection broken after the first piece
	FaultEnd     Fault = "end"           // stream closed in order, but before its end
	FaultGarbled Fault = "garbled"       // JSON broken off in the middle
	FaultEmpty   Fault = "empty"         // no choices
	FaultHTML    Fault = "html"          // a page instead of the API
	FaultUTF8    Fault = "utf8"          // bytes that are not UTF-8 inside the text
	FaultInBand  Fault = "error_in_band" // an error object inside the stream
	FaultHuge    Fault = "huge"          // a body without end
	FaultRefused Fault = "refused"       // nobody listens
	FaultMoved   Fault = "moved"         // a redirect elsewhere
)

// Text is the whole of what a script writes.
func (s Script) Text() string { return strings.Join(s.Pieces, "") }

// Scripted is a model that plays one script after the other, the last one
// again and again. It keeps the requests it was given.
type Scripted struct {
	mu       sync.Mutex
	scripts  []Script
	requests []model.Request
}

// New makes a scripted model.
func New(scripts ...Script) *Scripted { return &Scripted{scripts: scripts} }

// Requests gives what was asked so far.
func (s *Scripted) Requests() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]model.Request(nil), s.requests...)
}

func (s *Scripted) take(req model.Request) Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	if len(s.scripts) == 0 {
		return Script{Fault: FaultEmpty}
	}
	out := s.scripts[0]
	if len(s.scripts) > 1 {
		s.scripts = s.scripts[1:]
	}
	return out
}

// kinds of model faults that the scripted ones amount to.
var kinds = map[Fault]model.Kind{
	FaultSlow: model.KindTimeout, FaultStall: model.KindTimeout, FaultCut: model.KindCut, FaultEnd: model.KindCut,
	FaultGarbled: model.KindGarbled, FaultEmpty: model.KindEmpty, FaultHTML: model.KindGarbled, FaultInBand: model.KindServer,
	FaultHuge: model.KindGarbled, FaultRefused: model.KindNetwork, FaultMoved: model.KindUnknown,
}

// KindOfStatus is the kind of fault an HTTP status means.
func KindOfStatus(status int) model.Kind {
	switch {
	case status == 401 || status == 403:
		return model.KindKey
	case status == 404 || status/100 == 3:
		return model.KindUnknown
	case status == 408 || status == 504:
		return model.KindTimeout
	case status == 413:
		return model.KindTooLong
	case status == 429:
		return model.KindLimited
	case status >= 500:
		return model.KindServer
	}
	return model.KindRequest
}

// Generate plays the next script.
func (s *Scripted) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	sc := s.take(req)
	var text strings.Builder
	for i, p := range sc.Pieces {
		if err := wait(ctx, sc.Pause); err != nil {
			return model.Response{}, model.Cancelled(ctx)
		}
		if sc.Fault == FaultStatus || sc.Fault == FaultEmpty || sc.Fault == FaultSlow || i > 0 && sc.Fault != None && sc.Fault != FaultUTF8 {
			break
		}
		text.WriteString(p)
		if emit != nil {
			if err := emit(p); err != nil {
				return model.Response{}, err
			}
		}
	}
	if ctx.Err() != nil {
		return model.Response{}, model.Cancelled(ctx)
	}
	switch {
	case sc.Fault == FaultStatus:
		return model.Response{}, model.NewError(&model.Fault{Kind: KindOfStatus(sc.Status), Status: sc.Status})
	case sc.Fault != None && sc.Fault != FaultUTF8:
		return model.Response{}, model.NewError(&model.Fault{Kind: kinds[sc.Fault]})
	case text.Len() == 0 && sc.Finish != model.FinishFilter:
		return model.Response{}, model.NewError(&model.Fault{Kind: model.KindEmpty})
	}
	out := model.Response{Text: text.String(), Finish: sc.Finish, Model: "scripted"}
	if out.Finish == "" {
		out.Finish = model.FinishStop
	}
	if sc.Usage != nil {
		out.Usage = *sc.Usage
	} else {
		out.Usage = model.EstimateUsage(req, out.Text)
	}
	return out, nil
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
