package ask

import (
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/decide"
	"digesto/ground"
	"digesto/query"
	"digesto/text/sentence"
	"digesto/verify"
	"digesto/write"
)

// urgent puts the official contacts first when the question tells of a need that
// cannot wait (the pack's rules say which). An ending without an answer becomes one:
// nobody in need is sent away with a refusal.
func (e *Engine) urgent(d write.Draft) write.Draft {
	if d.Pack == nil || e.opt.Embedded.Empty() || d.History() != "" {
		return d
	}
	norm, units := d.Pack.Contacts(d.Said)
	first := write.Draft{Grounds: d.Grounds, Mode: write.ModeExtractive, Confidence: .9}
	first.Govern, first.Notes = nil, nil
	var body, marks []string
	var source string
	for _, u := range units {
		x, ok := d.Ground(e.opt.Embedded, norm, u)
		if !ok || len(first.Citations) == verify.MaxQuotes-1 {
			continue
		}
		c, ok := x.Cite(0, utf8.RuneCountInString(x.Version.Text))
		if !ok {
			continue
		}
		m := first.Cite(c)
		marks, body = append(marks, m), append(body, "«"+c.Quote+"» "+m)
		first.Govern = append(first.Govern, x)
		source = ground.SourceLine(x)
	}
	if len(marks) == 0 {
		return d
	}
	first.Plain = strings.Join(body, "\n\n")
	first.Answer = first.Plain + "\n\n" + source + " " + strings.Join(marks, " ")
	switch {
	case d.End == nil && asksMore(d) && !fits(first, d): // what is asked is answered, and the contacts stand beside it
		d.Notes = append(quotesOf(first.Citations), d.Notes...)
		return d
	case d.End == nil:
		return join(first, d)
	case len(d.End.Readings) > 0: // what is offered stays, the contacts before it
		end := *d.End
		end.Text = strings.Join(append(quotesOf(first.Citations), end.Text), "\n\n")
		d.End = &end
		return d
	case asksMore(d):
		first.Confidence = decide.Quiet
	}
	first.Notes = append(first.Notes, d.End.Notes...)
	if d.End.Outcome != digesto.OutcomeClarification {
		first.Notes = append([]string{d.End.Text}, first.Notes...)
	}
	return first
}

// pressing says that the question tells of a need that cannot wait.
func pressing(i query.Intent) bool {
	_, units := i.Pack.Contacts(i.Text)
	return len(units) > 0
}

// asksMore says that what is asked in the end is another thing than the urgent need that
// is told.
func asksMore(d write.Draft) bool {
	list := sentence.Split(d.Said)
	for i := len(list) - 1; i >= 0; i-- {
		if strings.Contains(list[i].Text, "?") {
			_, units := d.Pack.Contacts(list[i].Text)
			return len(units) == 0
		}
	}
	return false
}

// quotesOf gives what citations quote, with their source.
func quotesOf(list []digesto.Citation) (out []string) {
	for _, c := range list {
		out = append(out, "«"+c.Quote+"» ("+c.Source+")")
	}
	return out
}
