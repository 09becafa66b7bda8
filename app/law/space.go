package law

import (
	"digesto/model/e5"
	"digesto/model/vectorfile"
	assets "digesto/third_party/e5"
)

// AskSpace is that of vectors of asks.
func AskSpace() vectorfile.Space {
	return vectorfile.Space{Name: e5.AskName, Dims: e5.Dims, Hash: assets.Sum}
}
