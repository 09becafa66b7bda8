package openai

import (
	"context"

	"digesto/model"
	"digesto/model/wire"

	api "github.com/sashabaranov/go-openai"
)

// Embed implements [model.Embedder], in batches.
func (c *Client) Embed(ctx context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	return c.Batches(texts, mode, func(input []string) ([][]float32, error) { return c.embedBatch(ctx, input) })
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
			return nil, wire.Garbled("vector %d out of place", d.Index)
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}
