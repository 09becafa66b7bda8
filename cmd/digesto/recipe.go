package main

import (
	"context"

	"digesto/ask"
	"digesto/model"
)

// takeRecipe sets how questions are searched: by a recipe, if one is named, and by
// meaning too, if the caller wants it.
func (a *app) takeRecipe(w *world, name string, vectors bool) error {
	recipe, err := ask.ParseRecipe(name)
	if err != nil {
		return err
	}
	a.recipe = recipe
	w.laws.words = !vectors
	return nil
}

// embedQuestions makes the vectors of questions, all in one call, by what made
// those of the index; nil where words alone are wanted.
func (l *laws) embedQuestions(recipe string) func(context.Context, []string) ([][]float32, error) {
	if l.model == nil || l.words && recipe != ask.RecipeCollections {
		return nil
	}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		return l.model.first.Embed(ctx, texts, model.Query)
	}
}
