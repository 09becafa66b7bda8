package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"digesto"
	"digesto/verify"
)

// maxParts bounds the questions that one text may ask.
const maxParts = 4

// inParts answers each part of a mixed question on its own and joins what was
// answered, in order; a part that was not is named in the notes with its reason.
func (e *Engine) inParts(ctx context.Context, t turn, i intent) (draft, error) {
	var out draft
	var failed []draft
	var asked []string
	for _, text := range i.parts {
		p := t
		p.q.Text, p.q.Pack, p.branches = text, i.pack.Name, nil
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
		out.notes = append(out.notes, fmt.Sprintf("A «%s»: %s", asked[k], d.end.text))
		out.notes = append(out.notes, d.end.notes...)
		out.missing = append(out.missing, d.end.missing...)
		if out.end != nil {
			out.end.notes = out.notes
		}
	}
	out.q, out.text, out.classes = t.q, i.text, i.classes
	out.notes = append(out.notes, i.remarks...)
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
		d.notes = append(d.notes, fmt.Sprintf("La respuesta a «%s» no cabe en esta: pregúntelo por separado.", next.text))
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
	d.govern = append(slices.Clone(d.govern), next.govern...)
	d.steps = append(slices.Clone(d.steps), next.steps...)
	d.notes, d.last = append(d.notes, next.notes...), append(d.last, next.last...)
	d.missing, d.degraded = append(d.missing, next.missing...), append(d.degraded, next.degraded...)
	d.failed = append(slices.Clone(d.failed), next.failed...)
	d.prompt = nonEmpty(d.prompt, next.prompt)
	if d.mode != next.mode {
		d.mode = ModeExtractive
	}
	if d.guide == nil {
		d.guide = next.guide
	}
	if d.focus == nil {
		d.focus, d.evidence, d.verdict = next.focus, next.evidence, next.verdict
	}
	return d
}
