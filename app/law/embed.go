package law

import (
	"context"

	"digesto/model"
	"digesto/retrieve"
)

// EmbedQuestions makes the vectors of questions, all in one call, by what made
// those of the index; nil where words alone are wanted.
func (l *Installed) EmbedQuestions(recipe string) func(context.Context, []string) ([][]float32, error) {
	if l.Model == nil || l.WordsOnly && recipe != retrieve.RecipeCollections {
		return nil
	}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		return l.Model.First.Embed(ctx, texts, model.Query)
	}
}
