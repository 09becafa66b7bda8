package ask

import "context"

// Generator writes a text with a model: what the engine needs of one.
type Generator interface {
	Generate(ctx context.Context, system, user string) (string, error)
}

// modelled lets the model write; why is what made it fail, "" when it did not.
func (e *Engine) modelled(ctx context.Context, g grounds) (d draft, why string) {
	return draft{}, "writer_unavailable"
}
