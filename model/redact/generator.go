package redact

import (
	"context"

	"digesto/model"
)

// Generator hides personal data in the messages that go to a model and shows
// them again in what comes back, also piece by piece. System messages are the
// program's own and go as they are.
func (r *Redactor) Generator(g model.Generator) model.Generator { return &generator{g, r} }

type generator struct {
	next model.Generator
	r    *Redactor
}

func (g *generator) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	v := g.r.NewVault()
	hidden := req
	hidden.Messages = make([]model.Message, len(req.Messages))
	for i, m := range req.Messages {
		if m.Role != model.System {
			m.Text = v.Hide(m.Text)
		}
		hidden.Messages[i] = m
	}
	if len(v.data) == 0 {
		return g.next.Generate(ctx, req, emit)
	}
	held := ""
	show := emit
	if emit != nil {
		show = func(s string) error {
			held += s
			n := split(held)
			if n == 0 {
				return nil
			}
			out := v.Show(held[:n])
			held = held[n:]
			return emit(out)
		}
	}
	out, err := g.next.Generate(ctx, hidden, show)
	if err != nil {
		return model.Response{}, err
	}
	if held != "" {
		if err := emit(v.Show(held)); err != nil {
			return model.Response{}, err
		}
	}
	out.Text = v.Show(out.Text)
	return out, nil
}

// Embedder takes personal data out of questions before they become vectors;
// articles are official text and go as they are.
func (r *Redactor) Embedder(e model.Embedder) model.Embedder { return &embedder{e, r} }

type embedder struct {
	model.Embedder
	r *Redactor
}

func (e *embedder) Embed(ctx context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	if mode == model.Query {
		hidden := make([]string, len(texts))
		for i, t := range texts {
			hidden[i] = e.r.Text(t)
		}
		texts = hidden
	}
	return e.Embedder.Embed(ctx, texts, mode)
}

// Reranker takes personal data out of the question.
func (r *Redactor) Reranker(next model.Reranker) model.Reranker { return &reranker{next, r} }

type reranker struct {
	next model.Reranker
	r    *Redactor
}

func (x *reranker) Rerank(ctx context.Context, query string, docs []string, top int) ([]model.Ranked, error) {
	return x.next.Rerank(ctx, x.r.Text(query), docs, top)
}
