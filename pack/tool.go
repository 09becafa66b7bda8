package pack

import (
	"context"

	"digesto"
)

// Tool is a calculator of a pack: the only domain code there is. It reads a
// question without a model and calculates in decimals; a model never does.
// Implementations are safe for any number of goroutines.
type Tool interface {
	Name() string
	// Detect reads a calculation from a question. ok is false when the question
	// does not ask for one; a call with Missing asks for a datum instead.
	Detect(q ToolQuestion) (call ToolCall, ok bool)
	// Calculate does what a call says. Errors are *digesto.Error with
	// CodeInvalid for arguments that cannot be.
	Calculate(ctx context.Context, call ToolCall) (ToolResult, error)
}

// ToolQuestion is what a tool and a classifier may know.
type ToolQuestion struct {
	Text  string
	Today digesto.Date // by the engine's clock, or the date asked for
}

// ToolCall is a calculation to do: the same form from rules, models and MCP.
type ToolCall struct {
	Tool     string            `json:"tool"`
	Function string            `json:"function"`
	Args     map[string]string `json:"args"`
	Items    []string          `json:"items,omitempty"` // CODE or CODE=QUANTITY, in order
	Today    digesto.Date      `json:"today"`
	Question string            `json:"question,omitempty"`
}

// ToolResult is what a calculation gives: text that is ready to show, and all
// that proves it.
type ToolResult struct {
	Outcome  digesto.Outcome // answer, refusal, clarification
	Text     string          // answer in Spanish, all parts that the pack asks for
	Steps    []digesto.Step
	Sources  []ToolSource // units that stand under it, in order of use
	Warnings []string
	Missing  []string // what would be needed
	Options  []string // of a clarification
	Doubtful bool     // what was asked is not all read: the answer claims less
	Data     any      // the JSON form of the calculator
}

// ToolSource is a unit whose text supports a result. Quote is verbatim in it.
// Without one the engine quotes the sentence of the unit that says About, to the letter
// where it does, if the unit is installed.
type ToolSource struct {
	Norm  string `json:"norm"`
	Unit  string `json:"unit"`
	Quote string `json:"quote"`
	About string `json:"about,omitempty"`
	// Rather is quoted in its place where it is installed: the law before a table of ours.
	Rather *ToolSource `json:"rather,omitempty"`
}

// Classifier gives the classes of a question by rules, before any search.
type Classifier interface {
	Classify(q ToolQuestion) Classification
}

// Classification is what the rules say about a question.
type Classification struct {
	Classes []string        // in the order of the manifest; empty = none applies
	Outcome digesto.Outcome // "" = go on; otherwise the question ends with Reply
	Reply   string          // fixed sentence of Outcome
	Notes   []string        // fixed sentences of refused parts of a question that goes on
	Rest    string          // the question without its refused parts
	Parts   []string        // of Rest, when it asks several things that need answers of their own; else nil
}
