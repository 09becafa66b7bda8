package app

import (
	"digesto/app/law"
	"digesto/index"
	"digesto/model"
)

// Meaning gives the vectors that the settings ask for. The binary's model is
// read when first needed; articles stand in the index by their static vectors:
// those cost their tokens, where the transformer costs thirty times the rest of indexing.
func (a *App) Meaning() (*law.Embedding, error) {
	if a.NoVectors {
		return nil, nil
	}
	e, err := a.externalEmbedder()
	if err != nil || e != nil {
		return &law.Embedding{First: e, Rule: index.FusionMeasured}, err
	}
	return law.OwnEmbedding(!a.OneStage), nil
}

// externalEmbedder is the embedding service of the settings; nil without one.
func (a *App) externalEmbedder() (model.Embedder, error) {
	if a.Settings.k == nil || a.Settings.Get("model.embedder.url")+a.Settings.Get("model.embedder.provider") == "" {
		return nil, nil
	}
	set, err := a.Models()
	if err != nil {
		return nil, err
	}
	return set.Embedder, nil
}
