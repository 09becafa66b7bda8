// Package model says what the program asks of language models, and nothing
// about who serves them: a [Generator] writes, an [Embedder] turns texts into
// vectors, a [Reranker] orders texts by a question. Every role may be absent;
// the program then takes its deterministic path.
//
// Adapters stand below (openai…) and are held to the suite in modeltest.
// Decorators ([Retry], [Timeout], [Record]…) take one of these and give the same.
package model

import (
	"context"
	"encoding/json"
)

// Role of a message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a prompt.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Request is one call of a Generator.
type Request struct {
	Messages []Message `json:"messages"`
	// Schema asks for one JSON value of this JSON Schema; empty = free text. Where
	// the server cannot hold a model to a schema the prompt asks for it, so the
	// text that comes back is still to be read with tolerance (text/jsonx).
	Schema     json.RawMessage `json:"schema,omitempty"`
	SchemaName string          `json:"schema_name,omitempty"` // [a-zA-Z0-9_-]; empty = "respuesta"
	MaxTokens  int             `json:"max_tokens,omitempty"`  // of the output; 0 = the server's own limit
	// Temperature is sent only if set, and only to models that take it.
	Temperature *float64 `json:"temperature,omitempty"`
	// Likely asks for the logarithms of the probabilities of so many likeliest tokens at
	// each place (0 = none). Servers that give none are left in peace.
	Likely int `json:"likely,omitempty"`
	// Corpus is the version of the texts that the messages quote; a cached answer
	// counts for that version only. It is not sent.
	Corpus string `json:"-"`
}

// Finish says why a text ended.
type Finish string

// The reasons.
const (
	FinishStop   Finish = "stop"
	FinishLength Finish = "length"         // the token limit cut it
	FinishFilter Finish = "content_filter" // the provider withheld it, wholly or from here on
)

// Usage counts tokens.
type Usage struct {
	Prompt     int  `json:"prompt"`
	Completion int  `json:"completion"`
	Estimated  bool `json:"estimated,omitempty"` // the server did not say: bytes / 4
}

// Response is the whole of what a Generator wrote.
type Response struct {
	Text   string `json:"text"`
	Finish Finish `json:"finish"`
	Usage  Usage  `json:"usage"`
	Model  string `json:"model,omitempty"` // as the server names it
	// Tokens are those of Text with what else could have stood there, where asked for and
	// given; a streamed answer has none.
	Tokens []Token `json:"tokens,omitempty"`
	Cached bool    `json:"-"` // no server was asked
}

// Token is a piece of a text with the likeliest ones at its place, it among them.
type Token struct {
	Text   string   `json:"text"`
	Likely []Likely `json:"likely,omitempty"`
}

// Likely is a token with the natural logarithm of its probability.
type Likely struct {
	Text string  `json:"text"`
	Log  float64 `json:"log"`
}

// Generator writes text. It is safe for any number of goroutines.
//
// With emit the text is also handed over in pieces as it arrives, in the
// calling goroutine; their concatenation is Response.Text, and an error of emit
// ends the call and is returned. An error after pieces were handed over means
// that they are worth nothing. Errors are *digesto.Error with a [Fault]
// inside; when ctx ends, the call ends within 100 ms with CodeCancelled.
type Generator interface {
	Generate(ctx context.Context, req Request, emit func(string) error) (Response, error)
}

// Mode says what a text is embedded as: some models tell the two apart.
type Mode string

// The modes.
const (
	Query   Mode = "query"
	Passage Mode = "passage"
)

// Embedder turns texts into vectors, one each, in order, all of Dims numbers.
// It is safe for any number of goroutines.
type Embedder interface {
	Embed(ctx context.Context, texts []string, mode Mode) ([][]float32, error)
	// Name identifies the vector space: vectors of different names are never compared.
	Name() string
	// Dims is the length of every vector; 0 = not known before the first call.
	Dims() int
}

// Ranked is a document in the order a Reranker gives.
type Ranked struct {
	Index int     `json:"index"` // in the documents given
	Score float64 `json:"score"` // higher is better; no scale
}

// Reranker orders documents by how well they answer a query, best first, each
// at most once, at most top of them (0 = all).
type Reranker interface {
	Rerank(ctx context.Context, query string, docs []string, top int) ([]Ranked, error)
}

// Estimate counts tokens where the server does not: bytes / 4.
func Estimate(s string) int { return (len(s) + 3) / 4 }

// EstimateUsage is the usage of a call that the server did not count.
func EstimateUsage(req Request, out string) Usage {
	u := Usage{Completion: Estimate(out), Estimated: true}
	for _, m := range req.Messages {
		u.Prompt += Estimate(m.Text)
	}
	return u
}
