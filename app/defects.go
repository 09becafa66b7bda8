package app

import (
	"digesto/corpus"
	"digesto/text"
)

// DefectLine is a defect in one line, with the place that it is in.
func DefectLine(d corpus.Defect) string {
	place := d.File
	if d.Norm != "" {
		place += " [" + d.Norm + "]"
	}
	return text.Clean(place + ": " + d.Detail)
}
