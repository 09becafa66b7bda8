package app

import (
	"digesto/retrieve"
)

// TakeRecipe sets how questions are searched: by a recipe, if one is named, and by
// meaning too, if the caller wants it.
func (a *App) TakeRecipe(w *Workspace, name string, vectors bool) error {
	recipe, err := retrieve.ParseRecipe(name)
	if err != nil {
		return err
	}
	a.recipe = recipe
	w.Law.WordsOnly = !vectors
	return nil
}
