// Package gemini speaks to Google's Gemini API in its documented REST form
// (generateContent, streamGenerateContent, batchEmbedContents). It takes the few
// fields that it needs instead of the official client, whose dependencies weigh
// more than the rest of the program.
package gemini

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"digesto"
	"digesto/model"
	"digesto/model/wire"
)

// Options of a client. BaseURL, Key and Model are needed, the rest has defaults.
type Options struct {
	BaseURL string // "https://generativelanguage.googleapis.com/v1beta"
	Key     string // goes in the header x-goog-api-key, never in the address
	Model   string // "gemini-2.5-flash"

	FirstByte, Stall time.Duration // as in package openai
	MaxBytes         int64
	LocalOnly        bool
	Proxy            func(*http.Request) (*url.URL, error)
	Roots            *x509.CertPool

	NoTemperature bool // the model takes none

	// Of embeddings:
	Dims                       int  // expected length of the vectors; 0 = as the first answer says
	SendDims                   bool // ask for vectors of that length
	Batch                      int  // texts a request; 0 = 64
	QueryPrefix, PassagePrefix string
}

// Client implements [model.Generator] and [model.Embedder]. It is safe for any
// number of goroutines. Close lets go of idle connections.
type Client struct {
	opt  Options
	wire wire.Options
	http *http.Client
	*wire.Space
}

// New checks the options and makes a client. It does not connect.
func New(opt Options) (*Client, error) {
	base, err := wire.CheckURL(opt.BaseURL, "https://generativelanguage.googleapis.com/v1beta")
	if err != nil {
		return nil, err
	}
	if err := wire.CheckKey(opt.Key); err != nil {
		return nil, err
	}
	opt.BaseURL, opt.Model = base, strings.TrimPrefix(strings.TrimSpace(opt.Model), "models/")
	if opt.Model == "" {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta el nombre del modelo", Hint: "Indíquelo en la configuración."}
	}
	w := wire.Options{Key: opt.Key, FirstByte: opt.FirstByte, Stall: opt.Stall, MaxBytes: opt.MaxBytes, LocalOnly: opt.LocalOnly, Proxy: opt.Proxy, Roots: opt.Roots}.WithDefaults()
	return &Client{opt: opt, wire: w, http: wire.Client(w), Space: wire.NewSpace(wire.SpaceOptions{
		Model: opt.Model, Dims: opt.Dims, SendDims: opt.SendDims, Batch: opt.Batch, QueryPrefix: opt.QueryPrefix, PassagePrefix: opt.PassagePrefix})}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"` // what the model thinks aloud is no answer
}

type content struct {
	Role  string `json:"role,omitempty"` // "user", "model"
	Parts []part `json:"parts"`
}

type generation struct {
	Temperature        *float64        `json:"temperature,omitempty"`
	MaxOutputTokens    int             `json:"maxOutputTokens,omitempty"`
	ResponseMIMEType   string          `json:"responseMimeType,omitempty"`
	ResponseJSONSchema json.RawMessage `json:"responseJsonSchema,omitempty"`
}

type request struct {
	System   *content    `json:"systemInstruction,omitempty"`
	Contents []content   `json:"contents"`
	Config   *generation `json:"generationConfig,omitempty"`
}

type answer struct {
	Candidates []struct {
		Content      content `json:"content"`
		FinishReason string  `json:"finishReason"`
		Index        int     `json:"index"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt   int `json:"promptTokenCount"`
		Output   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Model string `json:"modelVersion"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Generate implements [model.Generator].
func (c *Client) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	if len(req.Messages) == 0 {
		return model.Response{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "La petición al modelo no tiene mensajes"}
	}
	if len(req.Schema) > 0 && !json.Valid(req.Schema) {
		return model.Response{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "El esquema que se pide al modelo no es JSON"}
	}
	inner, call, done := wire.New(ctx, c.wire, c.http)
	defer done()
	out, err := c.generate(inner, call, req, emit)
	var own emitError
	switch {
	case errors.As(err, &own):
		return model.Response{}, own.error
	case err != nil && ctx.Err() != nil:
		return model.Response{}, model.Cancelled(ctx)
	case err != nil:
		return model.Response{}, c.wire.Fail(inner, err)
	}
	if out.Usage == (model.Usage{}) {
		out.Usage = model.EstimateUsage(req, out.Text)
	}
	if out.Model == "" {
		out.Model = c.opt.Model
	}
	return out, nil
}

// emitError tells the caller's own error from those of the wire.
type emitError struct{ error }

func (c *Client) generate(ctx context.Context, call *wire.Call, req model.Request, emit func(string) error) (model.Response, error) {
	method := ":generateContent"
	if emit != nil {
		method = ":streamGenerateContent?alt=sse"
	}
	resp, err := c.post(ctx, call, method, c.form(req))
	if err != nil {
		return model.Response{}, err
	}
	defer resp.Body.Close()
	s := &sum{emit: emit}
	if emit == nil {
		err = s.whole(resp.Body)
	} else {
		err = s.stream(resp.Body)
	}
	if err != nil {
		return model.Response{}, err
	}
	return s.settle()
}

// form makes the request as the protocol has it: system messages are one
// instruction, the rest alternates between user and model.
func (c *Client) form(req model.Request) request {
	var out request
	var rules []part
	for _, m := range req.Messages {
		switch m.Role {
		case model.System:
			rules = append(rules, part{Text: m.Text})
		case model.Assistant:
			out.Contents = append(out.Contents, content{"model", []part{{Text: m.Text}}})
		default:
			out.Contents = append(out.Contents, content{"user", []part{{Text: m.Text}}})
		}
	}
	if len(rules) > 0 && len(out.Contents) > 0 {
		out.System = &content{Parts: rules}
	} else if len(rules) > 0 {
		out.Contents = []content{{"user", rules}}
	}
	g := generation{MaxOutputTokens: req.MaxTokens, Temperature: req.Temperature}
	if c.opt.NoTemperature {
		g.Temperature = nil
	}
	if len(req.Schema) > 0 {
		g.ResponseMIMEType, g.ResponseJSONSchema = "application/json", req.Schema
	}
	if g.MaxOutputTokens > 0 || g.Temperature != nil || g.ResponseMIMEType != "" {
		out.Config = &g
	}
	return out
}

func (c *Client) post(ctx context.Context, call *wire.Call, method string, body any) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.BaseURL+"/models/"+url.PathEscape(c.opt.Model)+method, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.opt.Key != "" {
		req.Header.Set("x-goog-api-key", c.opt.Key)
	}
	return call.Do(req)
}

// sum is what has come of an answer so far.
type sum struct {
	emit func(string) error
	text strings.Builder
	out  model.Response
	seen bool // a candidate came
}

func (s *sum) whole(r io.Reader) error {
	var a answer
	if err := json.NewDecoder(r).Decode(&a); err != nil {
		return err
	}
	return s.add(a)
}

// maxEvent bounds one event of a stream.
const maxEvent = 4 << 20

// stream reads server-sent events; the end of the body is the end of the answer.
func (s *sum) stream(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 16<<10), maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok {
			continue
		}
		var a answer
		if err := json.Unmarshal(data, &a); err != nil {
			return err
		}
		if err := s.add(a); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return &model.Fault{Kind: model.KindGarbled, Detail: "an event has no end"}
	}
	return lines.Err()
}

func (s *sum) add(a answer) error {
	if a.Error != nil {
		f := &model.Fault{Kind: model.KindServer, Detail: a.Error.Message}
		if wire.KindOfStatus(400, "", a.Error.Message) == model.KindTooLong {
			f.Kind = model.KindTooLong
		}
		return f
	}
	if a.Model != "" {
		s.out.Model = a.Model
	}
	if u := a.Usage; u != nil {
		s.out.Usage = model.Usage{Prompt: u.Prompt, Completion: u.Output + u.Thoughts}
	}
	if a.PromptFeedback.BlockReason != "" {
		s.out.Finish, s.seen = model.FinishFilter, true
	}
	for _, cand := range a.Candidates {
		if cand.Index != 0 {
			continue
		}
		s.seen = true
		for _, p := range cand.Content.Parts {
			if p.Thought || p.Text == "" {
				continue
			}
			s.text.WriteString(p.Text)
			if s.emit != nil {
				if err := s.emit(p.Text); err != nil {
					return emitError{err}
				}
			}
		}
		if f := finishOf(cand.FinishReason); f != "" {
			s.out.Finish = f
		}
	}
	return nil
}

// finishOf reads the documented reasons; those that only a filter gives end in one.
func finishOf(reason string) model.Finish {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
		return ""
	case "MAX_TOKENS":
		return model.FinishLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY":
		return model.FinishFilter
	}
	return model.FinishStop
}

func (s *sum) settle() (model.Response, error) {
	s.out.Text = s.text.String()
	switch {
	case s.out.Finish == model.FinishFilter:
	case s.out.Text == "":
		return model.Response{}, &model.Fault{Kind: model.KindEmpty}
	case s.out.Finish == "":
		return model.Response{}, &model.Fault{Kind: model.KindCut, Detail: "the answer ended without a finishReason"}
	}
	return s.out, nil
}

type embedOne struct {
	Model   string  `json:"model"`
	Content content `json:"content"`
	Task    string  `json:"taskType"`
	Dims    int     `json:"outputDimensionality,omitempty"`
}

// Embed implements [model.Embedder], in batches.
func (c *Client) Embed(ctx context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	task := "RETRIEVAL_DOCUMENT"
	if mode == model.Query {
		task = "RETRIEVAL_QUERY"
	}
	return c.Batches(texts, mode, func(input []string) ([][]float32, error) { return c.embedBatch(ctx, input, task) })
}

func (c *Client) embedBatch(ctx context.Context, texts []string, task string) ([][]float32, error) {
	list := make([]embedOne, len(texts))
	for i, t := range texts {
		list[i] = embedOne{Model: "models/" + c.opt.Model, Content: content{Parts: []part{{Text: t}}}, Task: task}
		if c.opt.SendDims {
			list[i].Dims = c.opt.Dims
		}
	}
	inner, call, done := wire.New(ctx, c.wire, c.http)
	defer done()
	var got struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	resp, err := c.post(inner, call, ":batchEmbedContents", map[string]any{"requests": list})
	if err == nil {
		defer resp.Body.Close()
		err = json.NewDecoder(resp.Body).Decode(&got)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, model.Cancelled(ctx)
	case err != nil:
		return nil, c.wire.Fail(inner, err)
	case len(got.Embeddings) != len(texts):
		return nil, wire.Garbled("%d vectors for %d texts", len(got.Embeddings), len(texts))
	}
	out := make([][]float32, len(texts))
	for i, e := range got.Embeddings {
		out[i] = e.Values
	}
	return out, nil
}
