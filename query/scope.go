package query

import (
	"digesto"
	"digesto/pack"
	"digesto/text/cite"
)

// Ending is an outcome that needs no law.
type Ending struct {
	Outcome digesto.Outcome
	Text    string
	Notes   []string
	Classes []string
	Options []string
	Missing []string
	// readings are what a clarification offers to choose from, with their proof.
	Readings []digesto.Reading
}

// Scope is a turn whose pack is settled.
type Scope struct {
	Turn
	Pack  *pack.Pack // nil only when done
	Table *cite.Table
	Why   []pack.Evidence
	Done  *Ending

	Abroad Abroad
	Packs  []*pack.Pack // all that there are
}
