package app

import (
	"digesto/corpus"
)

// EffectsOf gives the effects of a library, never null in JSON.
func EffectsOf(snap *corpus.Snapshot) []corpus.Effect {
	return append([]corpus.Effect{}, snap.Effects()...)
}
