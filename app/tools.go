package app

import (
	"digesto/pack"
)

// WithoutTools gives the packs without their calculators: their tables are no
// part of the source that is asked.
func WithoutTools(all []*pack.Pack) []*pack.Pack {
	var out []*pack.Pack
	for _, p := range all {
		bare := *p
		bare.Tools, bare.Classifier = nil, nil
		out = append(out, &bare)
	}
	return out
}
