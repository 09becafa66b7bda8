package openai

import (
	"context"
	"encoding/json"
	"errors"
	"math"

	"digesto"
	"digesto/model"
	"digesto/model/wire"

	api "github.com/sashabaranov/go-openai"
)

// Generate implements [model.Generator]. A server that refuses a parameter by
// its name gets the request again without it; the client remembers.
func (c *Client) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	if err := c.validate(req); err != nil {
		return model.Response{}, err
	}
	for {
		c.mu.Lock()
		caps := c.caps
		c.mu.Unlock()
		out, err := c.once(ctx, req, caps, emit)
		f := model.FaultOf(err)
		if f == nil {
			return out, err
		}
		if f.Kind == wire.KindFiltered {
			return model.Response{Finish: model.FinishFilter, Model: c.opt.Model, Usage: model.EstimateUsage(req, "")}, nil
		}
		if f.Kind != model.KindRequest && f.Status != 500 { // some fail with 500 on what they do not know
			return model.Response{}, err
		}
		less, ok := caps.without(f)
		if !ok {
			return model.Response{}, err
		}
		c.mu.Lock()
		c.caps = less
		c.mu.Unlock()
	}
}

func (c *Client) validate(req model.Request) error {
	if len(req.Messages) == 0 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "La petición al modelo no tiene mensajes"}
	}
	if len(req.Schema) > 0 && !json.Valid(req.Schema) {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "El esquema que se pide al modelo no es JSON"}
	}
	return nil
}

func (c *Client) once(ctx context.Context, req model.Request, caps Caps, emit func(string) error) (model.Response, error) {
	x, err := c.exchange(ctx)
	if err != nil {
		return model.Response{}, err
	}
	defer x.done()
	body := c.wire(req, caps)
	var out model.Response
	if emit == nil {
		out, err = whole(x.ctx, x.client, body)
	} else {
		body.Stream = true
		if caps.StreamUsage {
			body.StreamOptions = &api.StreamOptions{IncludeUsage: true}
		}
		out, err = stream(x, body, emit)
	}
	var own emitError
	switch {
	case errors.As(err, &own):
		return model.Response{}, own.error
	case err != nil && ctx.Err() != nil:
		return model.Response{}, model.Cancelled(ctx)
	case err != nil:
		return model.Response{}, x.fail(err)
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

// wire makes the request as the protocol has it, with what the model takes.
func (c *Client) wire(req model.Request, caps Caps) api.ChatCompletionRequest {
	w := api.ChatCompletionRequest{Model: c.opt.Model}
	for _, m := range req.Messages {
		w.Messages = append(w.Messages, api.ChatCompletionMessage{Role: string(m.Role), Content: m.Text})
	}
	if req.Temperature != nil && caps.Temperature {
		w.Temperature = float32(*req.Temperature)
		if w.Temperature == 0 {
			w.Temperature = math.SmallestNonzeroFloat32 // a plain 0 would not be sent
		}
	}
	switch caps.TokenField {
	case "max_tokens":
		w.MaxTokens = req.MaxTokens //nolint:staticcheck // the field that all servers but the newest models take
	case "max_completion_tokens":
		w.MaxCompletionTokens = req.MaxTokens
	}
	w.LogProbs, w.TopLogProbs = req.Likely > 0 && caps.Likely, 0
	if w.LogProbs {
		w.TopLogProbs = req.Likely
	}
	if len(req.Schema) > 0 {
		structured(&w, req, caps.Structured)
	}
	return w
}

func structured(w *api.ChatCompletionRequest, req model.Request, how Structured) {
	name := req.SchemaName
	if name == "" {
		name = "respuesta"
	}
	switch how {
	case StructuredSchema:
		w.ResponseFormat = &api.ChatCompletionResponseFormat{Type: api.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &api.ChatCompletionResponseFormatJSONSchema{Name: name, Schema: req.Schema, Strict: true}}
		return
	case StructuredObject:
		w.ResponseFormat = &api.ChatCompletionResponseFormat{Type: api.ChatCompletionResponseFormatTypeJSONObject}
	}
	rule := "Responde solo con un objeto JSON que cumpla este esquema, sin nada más:\n" + string(req.Schema)
	if w.Messages[0].Role == string(model.System) {
		w.Messages[0].Content += "\n\n" + rule
		return
	}
	w.Messages = append([]api.ChatCompletionMessage{{Role: string(model.System), Content: rule}}, w.Messages...)
}

func whole(ctx context.Context, client *api.Client, wire api.ChatCompletionRequest) (model.Response, error) {
	resp, err := client.CreateChatCompletion(ctx, wire)
	if err != nil {
		return model.Response{}, err
	}
	if len(resp.Choices) == 0 {
		return model.Response{}, &model.Fault{Kind: model.KindEmpty}
	}
	ch := resp.Choices[0]
	out := model.Response{Text: ch.Message.Content, Finish: finishOf(ch.FinishReason), Model: resp.Model, Usage: usageOf(&resp.Usage)}
	if ch.Message.Refusal != "" {
		out.Finish = model.FinishFilter
	}
	if ch.LogProbs != nil {
		for _, t := range ch.LogProbs.Content {
			one := model.Token{Text: t.Token}
			for _, l := range t.TopLogProbs {
				one.Likely = append(one.Likely, model.Likely{Text: l.Token, Log: l.LogProb})
			}
			out.Tokens = append(out.Tokens, one)
		}
	}
	return settle(out)
}

func stream(x exchange, body api.ChatCompletionRequest, emit func(string) error) (model.Response, error) {
	s, err := x.client.CreateChatCompletionStream(x.ctx, body)
	if err != nil {
		return model.Response{}, err
	}
	defer func() { _ = s.Close() }()
	e := newEvents(x.sent.body)
	err = e.read(emit)
	var own emitError
	if err != nil && (e.out.Finish == "" || errors.As(err, &own)) { // after a finish only what follows the text is lost
		return model.Response{}, err
	}
	if err := x.ctx.Err(); err != nil {
		return model.Response{}, err
	}
	e.out.Text = e.text.String()
	if e.out.Finish == "" && e.out.Text != "" {
		return model.Response{}, &model.Fault{Kind: model.KindCut, Detail: "the stream ended without a finish_reason"}
	}
	return settle(e.out)
}

// settle refuses an answer without a word, unless a filter took them.
func settle(out model.Response) (model.Response, error) {
	if out.Text == "" && out.Finish != model.FinishFilter {
		return model.Response{}, &model.Fault{Kind: model.KindEmpty}
	}
	return out, nil
}

func finishOf(r api.FinishReason) model.Finish {
	switch r {
	case api.FinishReasonLength:
		return model.FinishLength
	case api.FinishReasonContentFilter:
		return model.FinishFilter
	}
	return model.FinishStop
}

func usageOf(u *api.Usage) model.Usage {
	return model.Usage{Prompt: u.PromptTokens, Completion: u.CompletionTokens}
}
