//go:build !digesto_nomodel

package e5

import _ "embed"

// The files as they stand in this folder. They are strings so that the linker
// keeps them in read-only pages that are loaded only when touched.
var (
	//go:embed model.safetensors
	Model string
	//go:embed asks.safetensors
	Asks string
	//go:embed static.safetensors
	Static string
	//go:embed vocab.tsv
	Vocabulary string
	//go:embed normalise.tsv
	Normalise string
)
