package ground

import (
	"context"
	"runtime"

	"digesto"
	"digesto/retrieve"
)

// Proven adds what stands beside a place that was found: what refers to it, and what
// contradicts it.
func (e *Weigher) Proven(ctx context.Context, g Grounds, err error) (Grounds, error) {
	if err != nil || g.Done != nil {
		return g, err
	}
	if g.Insisted {
		g.Notes = append(g.Notes, Insisted)
	}
	g.expand()
	return g, e.conflicts(ctx, &g)
}

// Stage also lets others run that are ready: a question that comes in is stored
// between two stages of another, not after it.
func Stage(name string) digesto.Event {
	runtime.Gosched()
	return digesto.Event{Kind: "stage", Stage: name}
}

// Insisted is what an answer says to a correction that the law does not bear out
// or contradicts: the question is answered again from the text, whatever was said.
const Insisted = "Lo que se afirma en la pregunta no cambia lo que dice la norma: compruébelo en la cita."

// Weigher tells whether what was found answers.
type Weigher struct {
	*retrieve.Retriever
	// Embedding says how questions are compared by meaning: "built-in", "model"; "" = by words alone.
	Embedding string
}
