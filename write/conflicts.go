package write

import (
	"fmt"
	"slices"

	"digesto"
	"digesto/extract"
	"digesto/ground"
	"digesto/passage"
	"digesto/verify"
)

// quoteConflicts quotes the other side of each conflict and says which prevails.
// It gives the lines of the answer; the note stands among the notes too.
func (d *Draft) quoteConflicts(most int) []string {
	var out []string
	for _, c := range d.Conflicting {
		parts, _ := extract.Stretches(c.Low.Prepared, []passage.Span{{From: c.At, To: c.At}}, extract.MaxQuoted, 1)
		if len(parts) == 0 || most < 1 || len(d.Citations) == 0 {
			continue
		}
		q, ok := c.Low.Cite(parts[0].Start, parts[0].End)
		if !ok {
			continue
		}
		q.Ref.Label = fmt.Sprintf("C%d", len(d.Citations)+1)
		mark := ""
		for _, o := range d.Citations {
			if mark == "" && o.Ref.Document == c.Top.Norm.ID && o.Ref.Unit == c.Top.Unit.ID {
				mark = "[" + o.Ref.Label + "]"
			}
		}
		note := d.ConflictNote(c, mark, "["+q.Ref.Label+"]")
		d.Citations = append(d.Citations, q)
		most--
		out = append(out, note, "«"+q.Quote+"» ["+q.Ref.Label+"]", ground.SourceLine(c.Low))
		d.Notes = append(d.Notes, note)
	}
	return out
}

// addConflicts puts the conflicts that code found behind what a model wrote,
// unless it has cited both sides.
func (d *Draft) addConflicts() {
	if d.End != nil || len(d.Conflicting) == 0 || len(d.Govern) == 0 {
		return
	}
	top := d.Conflicting[0].Top
	if !slices.ContainsFunc(d.Citations, func(c digesto.Citation) bool { return c.Ref.Document == top.Norm.ID && c.Ref.Unit == top.Unit.ID }) {
		return
	}
	for _, line := range d.quoteConflicts(verify.MaxQuotes - len(d.Citations)) {
		if len([]rune(d.Answer))+len([]rune(line)) < verify.MaxAnswer-2 {
			d.Answer += "\n\n" + line
		}
	}
}
