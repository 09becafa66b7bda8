package openai

import (
	"context"
	"fmt"
	"math"

	"digesto/model"

	api "github.com/sashabaranov/go-openai"
)

// Name implements [model.Embedder]: the model, its prefixes and dimensions make
// the vector space.
func (c *Client) Name() string {
	name := c.opt.Model
	if c.opt.QueryPrefix != "" || c.opt.PassagePrefix != "" {
		name += fmt.Sprintf("|%s|%s", c.opt.QueryPrefix, c.opt.PassagePrefix)
	}
	if c.opt.SendDims {
		name += fmt.Sprintf("|%d", c.opt.Dims)
	}
	return name
}

// Dims implements [model.Embedder].
func (c *Client) Dims() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dims
}

// Embed implements [model.Embedder], in batches.
func (c *Client) Embed(ctx context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	prefix := c.opt.PassagePrefix
	if mode == model.Query {
		prefix = c.opt.QueryPrefix
	}
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), c.opt.Batch)
		input := make([]string, n)
		for i, t := range texts[:n] {
			input[i] = prefix + t
		}
		vectors, err := c.embedBatch(ctx, input)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
		texts = texts[n:]
	}
	return out, nil
}

func (c *Client) embedBatch(ctx context.Context, input []string) ([][]float32, error) {
	x, err := c.exchange(ctx)
	if err != nil {
		return nil, err
	}
	defer x.done()
	req := api.EmbeddingRequestStrings{Input: input, Model: api.EmbeddingModel(c.opt.Model)}
	if c.opt.SendDims {
		req.Dimensions = c.opt.Dims
	}
	resp, err := x.client.CreateEmbeddings(x.ctx, req)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, model.Cancelled(ctx)
	case err != nil:
		return nil, x.fail(err)
	}
	out := make([][]float32, len(input))
	for _, d := range resp.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil {
			return nil, garbled("vector %d out of place", d.Index)
		}
		out[d.Index] = d.Embedding
	}
	for i, v := range out {
		if err := c.checkVector(i, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func garbled(format string, args ...any) error {
	return model.NewError(&model.Fault{Kind: model.KindGarbled, Detail: fmt.Sprintf(format, args...)})
}

// checkVector holds every vector to one length and to numbers that can be compared.
func (c *Client) checkVector(i int, v []float32) error {
	if len(v) == 0 {
		return garbled("vector %d is missing", i)
	}
	c.mu.Lock()
	if c.dims == 0 {
		c.dims = len(v)
	}
	dims := c.dims
	c.mu.Unlock()
	if len(v) != dims {
		return model.WrongDims(len(v), dims)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return garbled("vector %d holds what is no number", i)
		}
	}
	return nil
}
