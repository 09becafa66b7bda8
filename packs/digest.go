package packs

import (
	"embed"
	"io/fs"
)

//go:embed all:*/digest
var digests embed.FS

// Digest gives the embedded entries of the digest: PACK/digest/NORM.txt.
func Digest() fs.FS { return digests }
