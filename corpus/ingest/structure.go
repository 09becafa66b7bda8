package ingest

import (
	"digesto"
	"digesto/corpus"
)

// structOptions steer the recogniser.
type structOptions struct {
	File string // named in defects
}

// structure makes the units of a norm out of its paragraphs. It never fails:
// what it cannot make sense of becomes a preamble or sections, and is named in
// the defects.
func structure(norm digesto.Norm, lines []Line, opt structOptions) ([]digesto.Unit, []corpus.Defect) {
	return nil, nil
}

// reflow joins physical lines into paragraphs: headings and lines after a Gap
// stand alone unless the sentence plainly goes on; line-end hyphens are healed.
func reflow(lines []Line) []Line { return lines }
