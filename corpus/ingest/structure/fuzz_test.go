package structure_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/structure"
	"digesto/internal/ingesttest"
)

// FuzzStructure drives the recogniser with lines of every flag.
func FuzzStructure(f *testing.F) {
	for i, s := range ingesttest.Seeds {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, flags uint8) {
		if len(s) > 32<<10 || !utf8.ValidString(s) {
			return
		}
		var lines []line.Line
		for i, p := range strings.Split(s, "\n") {
			if p = line.Tidy(p); p == "" {
				continue
			}
			k := (uint(flags) + uint(i)) % 11
			lines = append(lines, line.Line{Text: p, Page: int(flags % 3), Gap: k != 1, Bold: k == 2, Italic: k == 3, History: k == 4, Note: k == 5, Table: k == 6, Level: int(k) % 7})
		}
		units, _ := structure.Units(digesto.Norm{ID: "N"}, lines, structure.Options{})
		ingesttest.Sound(t, units)
	})
}
