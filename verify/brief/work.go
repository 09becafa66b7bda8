package brief

import "digesto/verify/read"

// Bounds of one check. What a text has beyond them is left out of the report, which says
// up to where it goes.
const (
	// MaxText bounds a text, in bytes: some 1,000 pages.
	MaxText = 4 << 20
	// MaxCitations bounds the citations of a report, and the quotations.
	MaxCitations = read.MostRead
	// maxWork bounds what is read to judge them, in steps of about a nanosecond of one
	// processor: a second, in which some thousand quotations are looked for in all the law.
	maxWork = 1_200_000_000
)

// What each piece of work costs, in steps; measured by BenchmarkHostile.
const (
	searchSteps = 400_000 // a search of the index
	findingStep = 20_000  // a citation without words, with what its sentence says
	unitSteps   = 3_000   // a unit fetched
	prepareStep = 60      // a byte of law made ready for quotations
	findStep    = 1       // a byte of law looked through for words
	findLeast   = 500     // and any text
	nearStep    = 40      // a byte of law compared with words
	wordStep    = 200     // a byte of a quotation read
)

// Checked is the part of a text that a report is of.
type Checked struct {
	// Complete is false for a text with more citations than a report holds, or that take
	// too long to look for: nothing is said of those behind Read.
	Complete bool `json:"complete"`
	Read     int  `json:"read"` // code points
}
