package write

import (
	"sync"

	"digesto/ground"
	"digesto/judge"
)

// Composer writes answers from what they stand on. It is safe for any number of goroutines.
type Composer struct {
	*ground.Weigher
	// Probe says what the models proved to be able to do; Stranger, that the writer is
	// another than the one that was probed.
	Probe    judge.Probe
	Stranger bool

	prompts sync.Map // text → *model.Prompt, of the writer
}
