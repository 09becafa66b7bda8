package read

import (
	"context"
	"errors"

	"digesto"
)

// Meter counts the work of one check, and halts it when nobody waits for it.
type Meter struct {
	Ctx        context.Context
	Done, Most int // steps
	Tried      int // places at which a pattern was tried
}

// halt leaves a check from wherever it is, for a reason; see halted.
type halt struct{ why error }

// Halted works until it is done, or halted: that is its error.
func Halted(work func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case halt:
			err = x.why
		default:
			panic(x)
		}
	}()
	work()
	return nil
}

// Must halts a check for an error.
func Must(err error) {
	if err != nil {
		panic(halt{err})
	}
}

// ErrSpent says that no more work may be done on a text.
var ErrSpent = errors.New("the work allowed for one text is done")

// Spend counts work that is to be done now.
func (m *Meter) Spend(steps int) {
	m.Alive()
	if m.Done += steps; m.Done > m.Most {
		panic(halt{ErrSpent})
	}
}

// Alive halts the work when nobody waits for it.
func (m *Meter) Alive() {
	if m != nil && m.Ctx.Err() != nil {
		panic(halt{&digesto.Error{Code: digesto.CodeCancelled, Message: "La comprobación se ha cancelado", Hint: "Repítala cuando quiera.", Err: m.Ctx.Err()}})
	}
}

// TooMany says that a text has more citations, or quotations, than a report holds: it is
// to be read up to there.
type TooMany struct{ At int } // code points

func (TooMany) Error() string { return "more citations than a report holds" }

// MostRead bounds the citations of a report, and the quotations.
const MostRead = 5000

// Bounded halts the reading of a list, in the order of the text, that no report holds.
func Bounded[T any](list []T, at func(T) int) []T {
	if len(list) > MostRead {
		panic(halt{TooMany{at(list[MostRead])}})
	}
	return list
}

// UpTo gives the first code points of a text.
func UpTo(s string, n int) string {
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}
