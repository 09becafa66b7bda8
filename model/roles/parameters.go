package roles

import (
	"context"

	"digesto/model"
)

// parameters puts the configured parameters into requests that set none.
type parameters struct {
	next        model.Generator
	temperature *float64
	maxTokens   int
}

func (p *parameters) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	if req.Temperature == nil {
		req.Temperature = p.temperature
	}
	if req.MaxTokens == 0 {
		req.MaxTokens = p.maxTokens
	}
	return p.next.Generate(ctx, req, emit)
}
