package ground

import (
	"digesto/pack"
	"digesto/retrieve"
)

// Guide is what a guide answers: its facts, each with the official unit that it
// restates, where that is installed.
type Guide struct {
	Title string // of the procedure
	Full  string // … with what explains it in brackets
	Items []GuideItem
	// unsaid says that the question says something that no passage does: it is about
	// the matter of the guide, and of 37 such questions of strangers a guide answered 5.
	// It answers only where there are neither law nor digest to ask, and where a need presses.
	Unsaid bool
}

type GuideItem struct {
	Fact    pack.Fact
	Own     retrieve.Hit
	Law     retrieve.Hit // zero when its place is not installed
	Has     bool
	Section string
	Score   float64
}
