package query

import (
	"cmp"
	"fmt"
	"strings"

	"digesto"
	"digesto/pack"
)

// maxChunks bounds the passages that a flag may ask for.
const maxChunks = 20

// CheckFlags refuses values that no flag has.
func CheckFlags(f digesto.Flags) error {
	if f.MaxChunks < 0 || f.MaxChunks > maxChunks {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("RAG_MAX_CHUNKS_IN_PROMPT no puede ser %d", f.MaxChunks),
			Hint: fmt.Sprintf("Use un número de 1 a %d.", maxChunks)}
	}
	_, err := pack.ParseStrategy(f.Strategy)
	return err
}

// Rag says that questions are answered by searching; else by looking up the fiches.
func (t Turn) Rag() bool { return t.Q.Flags.Enabled == nil || *t.Q.Flags.Enabled }

// GroundedPrompt says that the writer gets numbered passages and the rules of citing.
func (t Turn) GroundedPrompt() bool { return t.Q.Flags.Grounded == nil || *t.Q.Flags.Grounded }

// Strategy is how what was found is ordered: the flag, else the pack's. stated
// says that the flag asks for it.
func (s Scope) Strategy() (out pack.Strategy, stated bool) {
	name := cmp.Or(s.Q.Flags.Strategy, s.Pack.Retrieval.Strategy)
	out, err := pack.ParseStrategy(name)
	if err != nil { // a manifest's own word
		out = pack.StrategyHeuristic
	}
	return out, s.Q.Flags.Strategy != ""
}

// Chunks is how many passages an answer is written from.
func (s Scope) Chunks() int {
	return OrInt(s.Q.Flags.MaxChunks, OrInt(s.Pack.Retrieval.Chunks, MaxSources))
}

// Flagged writes the flags that were set into the trace.
func (i *Intent) Flagged() {
	var set []string
	f := i.Q.Flags
	if f.Enabled != nil {
		set = append(set, fmt.Sprintf("RAG_ENABLED=%t", *f.Enabled))
	}
	if f.Strategy != "" {
		set = append(set, "RAG_RERANK_STRATEGY="+f.Strategy)
	}
	if f.Grounded != nil {
		set = append(set, fmt.Sprintf("RAG_GROUNDED_PROMPTING=%t", *f.Grounded))
	}
	if f.MaxChunks > 0 {
		set = append(set, fmt.Sprintf("RAG_MAX_CHUNKS_IN_PROMPT=%d", f.MaxChunks))
	}
	if len(set) > 0 {
		i.Trace = append(i.Trace, digesto.TraceStep{Stage: "flags", How: "rules", Note: strings.Join(set, " ")})
	}
}
