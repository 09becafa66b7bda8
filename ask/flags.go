package ask

import (
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

// rag says that questions are answered by searching; else by looking up the fiches.
func (t turn) rag() bool { return t.q.Flags.Enabled == nil || *t.q.Flags.Enabled }

// groundedPrompt says that the writer gets numbered passages and the rules of citing.
func (t turn) groundedPrompt() bool { return t.q.Flags.Grounded == nil || *t.q.Flags.Grounded }

// strategy is how what was found is ordered: the flag, else the pack's. stated
// says that the flag asks for it.
func (s scope) strategy() (out pack.Strategy, stated bool) {
	name := nonEmpty(s.q.Flags.Strategy, s.pack.Retrieval.Strategy)
	out, err := pack.ParseStrategy(name)
	if err != nil { // a manifest's own word
		out = pack.StrategyHeuristic
	}
	return out, s.q.Flags.Strategy != ""
}

// chunks is how many passages an answer is written from.
func (s scope) chunks() int {
	return orInt(s.q.Flags.MaxChunks, orInt(s.pack.Retrieval.Chunks, maxSources))
}

// flagged writes the flags that were set into the trace.
func (i *intent) flagged() {
	var set []string
	f := i.q.Flags
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
		i.trace = append(i.trace, digesto.TraceStep{Stage: "flags", How: "rules", Note: strings.Join(set, " ")})
	}
}
