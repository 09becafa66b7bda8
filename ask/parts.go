package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"digesto"
	"digesto/query"
	"digesto/verify"
	"digesto/write"
)

// inParts answers each part of a mixed question on its own and joins what was
// answered, in order; a part that was not is named in the notes with its reason.
func (e *Engine) inParts(ctx context.Context, t query.Turn, i query.Intent) (write.Draft, error) {
	var out write.Draft
	var failed []write.Draft
	var asked []string
	for _, text := range i.Parts {
		p := t
		p.Q.Text, p.Q.Pack, p.Branches = text, i.Pack.Name, nil
		d, err := e.work(ctx, p, func(digesto.Event) {})
		if err != nil {
			return write.Draft{}, err
		}
		if d.End != nil {
			failed, asked = append(failed, d), append(asked, text)
			continue
		}
		out = join(out, d)
	}
	if out.Answer == "" {
		out = failed[0]
		failed, asked = failed[1:], asked[1:]
	}
	for k, d := range failed {
		out.Notes = append(out.Notes, fmt.Sprintf("A «%s»: %s", asked[k], d.End.Text))
		out.Notes = append(out.Notes, d.End.Notes...)
		out.Missing = append(out.Missing, d.End.Missing...)
		if out.End != nil {
			out.End.Notes = out.Notes
		}
	}
	out.Q, out.Text, out.Classes = t.Q, i.Text, i.Classes
	out.Notes = append(out.Notes, i.Remarks...)
	return out, nil
}

// join puts another part's draft behind this one, its citations numbered on. The
// confidence is the least of both.
func join(d write.Draft, next write.Draft) write.Draft {
	if d.Answer == "" {
		return next
	}
	if !fits(d, next) {
		d.Notes = append(d.Notes, fmt.Sprintf("La respuesta a «%s» no cabe en esta: pregúntelo por separado.", next.Text))
		return d
	}
	shift := len(d.Citations)
	on := func(text string) string {
		return write.Labelled.ReplaceAllStringFunc(text, func(s string) string {
			n, _ := strconv.Atoi(write.Labelled.FindStringSubmatch(s)[1])
			return fmt.Sprintf("[C%d]", n+shift)
		})
	}
	text := on(next.Answer)
	if d.Plain != "" && next.Plain != "" {
		d.Plain += "\n\n" + on(next.Plain)
	} else {
		d.Plain = ""
	}
	for _, c := range next.Citations {
		c.Ref.Label = fmt.Sprintf("C%d", len(d.Citations)+1)
		d.Citations = append(d.Citations, c)
	}
	d.Answer += "\n\n" + text
	d.Confidence = min(d.Confidence, next.Confidence)
	d.Govern = append(slices.Clone(d.Govern), next.Govern...)
	d.Steps = append(slices.Clone(d.Steps), next.Steps...)
	d.Notes, d.Last = append(d.Notes, next.Notes...), append(d.Last, next.Last...)
	d.Missing, d.Degraded = append(d.Missing, next.Missing...), append(d.Degraded, next.Degraded...)
	d.Failed = append(slices.Clone(d.Failed), next.Failed...)
	d.Prompt = cmp.Or(d.Prompt, next.Prompt)
	if d.Mode != next.Mode {
		d.Mode = write.ModeExtractive
	}
	if d.Guide == nil {
		d.Guide = next.Guide
	}
	if d.Focus == nil {
		d.Focus, d.Evidence, d.Verdict = next.Focus, next.Evidence, next.Verdict
	}
	return d
}

// fits says that one answer can hold two.
func fits(d, next write.Draft) bool {
	return len(d.Citations)+len(next.Citations) <= verify.MaxQuotes && utf8.RuneCountInString(d.Answer)+utf8.RuneCountInString(next.Answer)+2 <= verify.MaxAnswer
}
