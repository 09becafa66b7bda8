package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"digesto"
	"digesto/query"
	"digesto/verify"
)

// inParts answers each part of a mixed question on its own and joins what was
// answered, in order; a part that was not is named in the notes with its reason.
func (e *Engine) inParts(ctx context.Context, t query.Turn, i query.Intent) (draft, error) {
	var out draft
	var failed []draft
	var asked []string
	for _, text := range i.Parts {
		p := t
		p.Q.Text, p.Q.Pack, p.Branches = text, i.Pack.Name, nil
		d, err := e.work(ctx, p, func(digesto.Event) {})
		if err != nil {
			return draft{}, err
		}
		if d.end != nil {
			failed, asked = append(failed, d), append(asked, text)
			continue
		}
		out = out.join(d)
	}
	if out.answer == "" {
		out = failed[0]
		failed, asked = failed[1:], asked[1:]
	}
	for k, d := range failed {
		out.Notes = append(out.Notes, fmt.Sprintf("A «%s»: %s", asked[k], d.end.Text))
		out.Notes = append(out.Notes, d.end.Notes...)
		out.missing = append(out.missing, d.end.Missing...)
		if out.end != nil {
			out.end.Notes = out.Notes
		}
	}
	out.Q, out.Text, out.Classes = t.Q, i.Text, i.Classes
	out.Notes = append(out.Notes, i.Remarks...)
	return out, nil
}

var labelled = regexp.MustCompile(`\[C(\d+)\]`)

// join puts another part's draft behind this one, its citations numbered on. The
// confidence is the least of both.
func (d draft) join(next draft) draft {
	if d.answer == "" {
		return next
	}
	if len(d.citations)+len(next.citations) > verify.MaxQuotes || utf8.RuneCountInString(d.answer)+utf8.RuneCountInString(next.answer)+2 > verify.MaxAnswer {
		d.Notes = append(d.Notes, fmt.Sprintf("La respuesta a «%s» no cabe en esta: pregúntelo por separado.", next.Text))
		return d
	}
	shift := len(d.citations)
	on := func(text string) string {
		return labelled.ReplaceAllStringFunc(text, func(s string) string {
			n, _ := strconv.Atoi(labelled.FindStringSubmatch(s)[1])
			return fmt.Sprintf("[C%d]", n+shift)
		})
	}
	text := on(next.answer)
	if d.plain != "" && next.plain != "" {
		d.plain += "\n\n" + on(next.plain)
	} else {
		d.plain = ""
	}
	for _, c := range next.citations {
		c.Ref.Label = fmt.Sprintf("C%d", len(d.citations)+1)
		d.citations = append(d.citations, c)
	}
	d.answer += "\n\n" + text
	d.confidence = min(d.confidence, next.confidence)
	d.Govern = append(slices.Clone(d.Govern), next.Govern...)
	d.steps = append(slices.Clone(d.steps), next.steps...)
	d.Notes, d.last = append(d.Notes, next.Notes...), append(d.last, next.last...)
	d.missing, d.degraded = append(d.missing, next.missing...), append(d.degraded, next.degraded...)
	d.Failed = append(slices.Clone(d.Failed), next.Failed...)
	d.prompt = query.NonEmpty(d.prompt, next.prompt)
	if d.mode != next.mode {
		d.mode = ModeExtractive
	}
	if d.Guide == nil {
		d.Guide = next.Guide
	}
	if d.Focus == nil {
		d.Focus, d.Evidence, d.Verdict = next.Focus, next.Evidence, next.Verdict
	}
	return d
}
