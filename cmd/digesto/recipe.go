package main

import (
	"context"

	"digesto/ask"
	"digesto/model"
)

// takeRecipe sets how questions are searched. A recipe that asks for the two lists
// apart gets the index without its own mixing of words and vectors.
func (a *app) takeRecipe(w *world, name string, vectors bool) error {
	recipe, err := ask.ParseRecipe(name)
	if err != nil {
		return err
	}
	a.recipe = recipe
	w.laws.words = !vectors || recipe == ask.RecipeCollections
	return nil
}

// embedQuestions makes the vectors of questions, all in one call, by what made
// those of the index; nil without vectors.
func (l *laws) embedQuestions() func(context.Context, []string) ([][]float32, error) {
	if l.model == nil {
		return nil
	}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		return l.model.first.Embed(ctx, texts, model.Query)
	}
}
