package brief

import (
	"context"
	"errors"
	"unicode/utf8"

	"digesto"
)

// Bounds of one check. What a text has beyond them is left out of the report, which says
// up to where it goes.
const (
	// MaxText bounds a text, in bytes: some 1,000 pages.
	MaxText = 4 << 20
	// MaxCitations bounds the citations of a report, and the quotations.
	MaxCitations = 5000
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

// meter counts the work of one check, and ends it when nobody waits for it.
type meter struct {
	ctx        context.Context
	done, most int // steps
}

// errSpent says that no more work may be done on a text.
var errSpent = errors.New("the work allowed for one text is done")

// spend counts work that is to be done now.
func (m *meter) spend(steps int) error {
	if err := m.ctx.Err(); err != nil {
		return cancelled(err)
	}
	if m.done += steps; m.done > m.most {
		return errSpent
	}
	return nil
}

func cancelled(err error) error {
	return &digesto.Error{Code: digesto.CodeCancelled, Message: "La comprobación se ha cancelado", Hint: "Repítala cuando quiera.", Err: err}
}

// tooMany says that a text has more citations, or quotations, than a report holds: it is
// to be read up to there.
type tooMany struct{ at int } // code points

func (tooMany) Error() string { return "more citations than a report holds" }

// upTo gives the first code points of a text.
func upTo(s string, n int) string {
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}

// Checked is the part of a text that a report is of.
type Checked struct {
	// Complete is false for a text with more citations than a report holds, or that take
	// too long to look for: nothing is said of those behind Read.
	Complete bool `json:"complete"`
	Read     int  `json:"read"` // code points
}

// whole is all of a text.
func whole(s string) Checked { return Checked{true, utf8.RuneCountInString(s)} }
