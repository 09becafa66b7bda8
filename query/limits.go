package query

// Bounds of the context that a model gets.
const (
	MaxContext = 24000 // bytes of legal text; whole units only, the governing one always
	MaxSources = 8
)

// MaxParts bounds the questions that one text may ask.
const MaxParts = 4

// MaxReadings is how many readings a question may get.
const MaxReadings = 3
