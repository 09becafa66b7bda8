package query

import (
	"context"
	"log/slog"

	"digesto/decide"
	"digesto/model"
	"digesto/text"
)

// Analysers gives two that know words already, if there are any idle, and the function
// that gives them back.
func (e *Reader) Analysers() (an, spare *text.Analyser, done func()) {
	take := func() *text.Analyser {
		select {
		case a := <-e.Idle:
			return a
		default:
			return &text.Analyser{MaxWords: 1 << 15}
		}
	}
	an, spare = take(), take()
	return an, spare, func() {
		for _, a := range []*text.Analyser{an, spare} {
			select {
			case e.Idle <- a:
			default: // as many as are needed are kept
			}
		}
	}
}

// Reader reads questions. It is safe for any number of goroutines.
type Reader struct {
	// Embedded is what the packs carry: fiches and tables, held in memory.
	Embedded View
	// Model does the small tasks of reading; nil = by rules.
	Model model.Generator
	// Places gives the places of a pack's law that may answer a question; nil = none are known.
	Places func(context.Context, decide.Query) ([]decide.Judged, error)
	// Log gets a line for each prompt type chosen.
	Log *slog.Logger

	Idle chan *text.Analyser
}
