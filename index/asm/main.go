// Command asm generates the assembly of package index/kernel for amd64 with AVX2,
// and of its int8 products with AVX-512 VNNI. It is a
// module of its own, so that the program does not depend on the generator:
//
//	go run . -out ../kernel/kernels_amd64.s -stubs ../kernel/stubs_amd64.go -pkg kernel
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64")
	addDelta()
	addDense()
	atLeast()
	count()
	applyMask()
	findGap()
	dotRows()
	dotPicks()
	dotRowsVNNI()
	dotPicksVNNI()
	dotNibbles()
	scanCodes()
	reach()
	Generate()
}
