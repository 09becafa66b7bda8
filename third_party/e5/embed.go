//go:build !digesto_nomodel

package e5

import _ "embed"

//go:generate go run digesto/model/e5/pieces vocab.tsv normalise.tsv pieces.bin

// The files as they stand in this folder. They are strings so that the linker
// keeps them in read-only pages that are loaded only when touched.
var (
	//go:embed model.safetensors
	Model string
	//go:embed static.safetensors
	Static string
	//go:embed pieces.bin
	Pieces string
)
