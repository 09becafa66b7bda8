package write

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/text/sentence"
)

// PlainTone is the tone that leaves only short, plain sentences.
const PlainTone = "sencillo"

// PlainWords is the longest sentence of a plain answer, in words.
const PlainWords = 30

// Plainly leaves of an answer its plain sentences, each with the marks of the same
// verified citations; an answer that has none keeps the words of the law, because
// they cannot be made simpler without being changed, and says so. What it reads like
// is measured and stands in the trace.
func (d Draft) Plainly() Draft {
	if d.Plain != "" {
		d.Answer = d.Plain
	} else if kept := WithoutSources(d.Answer); kept != "" {
		d.Answer = kept
		d.Notes = append(d.Notes, "De esto no hay una versión sencilla comprobada: van las palabras de la ley.")
	}
	bare := strings.TrimSpace(Labelled.ReplaceAllString(d.Answer, ""))
	note := fmt.Sprintf("perspicuidad %.0f (INFLESZ)", sentence.Perspicuity(bare))
	known := sentence.Abbreviations("IPREM")
	if d.Pack != nil {
		known = append(known, d.Pack.Everyday...)
	}
	if d.Guide != nil {
		known = append(known, sentence.Abbreviations(d.Guide.Full)...)
	}
	if faults := sentence.Plain(bare, sentence.Limits{Words: PlainWords, Known: known}); len(faults) > 0 {
		note += "; " + strings.Join(faults, "; ")
	}
	d.Trace = append(d.Trace, digesto.TraceStep{Stage: "plain", How: "rules", Note: note})
	return d
}

// WithoutSources leaves out the lines that only name a source.
func WithoutSources(s string) string {
	var kept []string
	for l := range strings.SplitSeq(s, "\n\n") {
		if !strings.HasPrefix(l, "Fuente: ") && !strings.HasPrefix(l, "Fuentes: ") {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n\n")
}
