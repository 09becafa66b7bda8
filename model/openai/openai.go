// Package openai speaks to any server with an OpenAI-compatible API: OpenAI,
// Azure OpenAI, vLLM, llama.cpp, Ollama, LM Studio, Groq, Mistral and others. The wire types
// and the stream's framing are those of sashabaranov/go-openai; what this
// package adds is bounds on bytes and silence, errors in words for people that
// never hold the key, and parameters sent only where the model takes them.
package openai

import (
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/wire"

	api "github.com/sashabaranov/go-openai"
)

// Options of a client. BaseURL and Model are needed, the rest has defaults.
type Options struct {
	BaseURL string // "https://host/v1"; without "/v1" only if the server has none
	Key     string // bearer token; empty = none is sent
	// Token gives the key anew for every call, where it does not stay the same
	// (Microsoft Entra); nil = Key.
	Token func() (string, error)
	Model string

	FirstByte time.Duration // longest wait for the answer to begin; 0 = 2 min
	Stall     time.Duration // longest silence after that; 0 = 30 s
	MaxBytes  int64         // of one answer; 0 = 8 MiB
	LocalOnly bool          // refuse every address that is not loopback

	// AzureVersion makes it an Azure OpenAI deployment: the api-version to send
	// ("2024-10-21"). BaseURL is then the resource's address and Model the name
	// of the deployment.
	AzureVersion string
	// EntraToken says that Key is a Microsoft Entra token, not a key of Azure's.
	EntraToken bool

	// Caps says what the model takes; nil = by its name, see CapsOf.
	Caps *Caps
	// Proxy chooses the proxy of a request; nil = none.
	Proxy func(*http.Request) (*url.URL, error)
	Roots *x509.CertPool // certificates trusted; nil = the system's

	wire wire.Options

	// Of embeddings:
	Dims          int    // expected length of the vectors; 0 = as the first answer says
	SendDims      bool   // ask the server for vectors of that length
	Batch         int    // texts a request; 0 = 64
	QueryPrefix   string // put before a question ("query: ")
	PassagePrefix string // put before a text ("passage: ")
}

// Client implements [model.Generator] and [model.Embedder]. It is safe for any
// number of goroutines. Close lets go of idle connections.
type Client struct {
	*wire.Space
	opt  Options
	http *http.Client

	mu   sync.Mutex
	caps Caps // grows smaller as the server refuses parameters
}

// New checks the options and makes a client. It does not connect.
func New(opt Options) (*Client, error) {
	base, err := wire.CheckURL(opt.BaseURL, "http://127.0.0.1:11434/v1")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(opt.Model) == "" {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta el nombre del modelo", Hint: "Indíquelo en la configuración."}
	}
	if err := wire.CheckKey(opt.Key); err != nil {
		return nil, err
	}
	opt.BaseURL = base
	opt.wire = wire.Options{Key: opt.Key, FirstByte: opt.FirstByte, Stall: opt.Stall, MaxBytes: opt.MaxBytes, LocalOnly: opt.LocalOnly, Proxy: opt.Proxy, Roots: opt.Roots}.WithDefaults()
	c := &Client{opt: opt, caps: CapsOf(opt.Model), http: wire.Client(opt.wire), Space: wire.NewSpace(wire.SpaceOptions{
		Model: opt.Model, Dims: opt.Dims, SendDims: opt.SendDims, Batch: opt.Batch, QueryPrefix: opt.QueryPrefix, PassagePrefix: opt.PassagePrefix})}
	if opt.Caps != nil {
		c.caps = *opt.Caps
	}
	return c, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// exchange is one call: a client of the API whose transport watches this call's
// bytes and time. done must be called at its end.
type exchange struct {
	ctx    context.Context
	client *api.Client
	wire   wire.Options
	sent   *sender
	done   func()
}

// sender sends for the library and keeps the body of the answer, which streams
// are read from without the library.
type sender struct {
	*wire.Call
	body io.Reader
}

// Do sends the request.
func (s *sender) Do(r *http.Request) (*http.Response, error) {
	resp, err := s.Call.Do(r)
	if err == nil {
		s.body = resp.Body
	}
	return resp, err
}

func (c *Client) exchange(ctx context.Context) (exchange, error) {
	o := c.opt.wire
	if c.opt.Token != nil {
		key, err := c.opt.Token()
		if err != nil {
			return exchange{}, model.NewError(&model.Fault{Kind: model.KindKey, Detail: "the token cannot be read"})
		}
		o.Key = key
	}
	ctx, w, done := wire.New(ctx, o, c.http)
	cfg := api.DefaultConfig(o.Key)
	cfg.BaseURL = c.opt.BaseURL
	sent := &sender{Call: w}
	cfg.HTTPClient = sent
	if c.opt.AzureVersion != "" {
		cfg.APIType, cfg.APIVersion = api.APITypeAzure, c.opt.AzureVersion
		if c.opt.EntraToken {
			cfg.APIType = api.APITypeAzureAD
		}
		cfg.AzureModelMapperFunc = url.PathEscape // names of deployments may hold dots
	}
	return exchange{ctx, api.NewClientWithConfig(cfg), o, sent, done}, nil
}
