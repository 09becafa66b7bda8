package roles

import (
	"context"
	"strings"

	"digesto/model"
)

// leastKey is the shortest key that is looked for in what a model says, in bytes.
const leastKey = 8

// keyless takes the key of the connection out of what its model says: a service that
// repeats it would have it kept in traces, caches and answers.
type keyless struct {
	next model.Generator
	key  string
}

func withoutKey(g model.Generator, key string) model.Generator {
	if len(key) < leastKey {
		return g
	}
	return keyless{g, key}
}

func (k keyless) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	out, err := k.next.Generate(ctx, req, emit)
	out.Text = strings.ReplaceAll(out.Text, k.key, "[clave]")
	return out, err
}
