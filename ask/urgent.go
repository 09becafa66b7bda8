package ask

import (
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/text/sentence"
	"digesto/verify"
)

// urgent puts the official contacts first when the question tells of a need that
// cannot wait (the pack's rules say which). An ending without an answer becomes one:
// nobody in need is sent away with a refusal.
func (e *Engine) urgent(d draft) draft {
	if d.pack == nil || e.opt.Embedded.empty() || d.history() != "" {
		return d
	}
	norm, units := d.pack.Contacts(d.said)
	first := draft{grounds: d.grounds, mode: ModeExtractive, confidence: .9}
	first.govern, first.notes = nil, nil
	var body, marks []string
	var source string
	for _, u := range units {
		x, ok := d.ground(e.opt.Embedded, norm, u)
		if !ok || len(first.citations) == verify.MaxQuotes-1 {
			continue
		}
		c, ok := x.Cite(0, utf8.RuneCountInString(x.Version.Text))
		if !ok {
			continue
		}
		m := first.cite(c)
		marks, body = append(marks, m), append(body, "«"+c.Quote+"» "+m)
		first.govern = append(first.govern, x)
		source = sourceLine(x)
	}
	if len(marks) == 0 {
		return d
	}
	first.plain = strings.Join(body, "\n\n")
	first.answer = first.plain + "\n\n" + source + " " + strings.Join(marks, " ")
	switch {
	case d.end == nil:
		return first.join(d)
	case len(d.end.readings) > 0: // what is offered stays, the contacts before it
		end := *d.end
		end.text = strings.Join(append(quotesOf(first.citations), end.text), "\n\n")
		d.end = &end
		return d
	case asksMore(d):
		first.confidence = askedMore
	}
	first.notes = append(first.notes, d.end.notes...)
	if d.end.outcome != digesto.OutcomeClarification {
		first.notes = append([]string{d.end.text}, first.notes...)
	}
	return first
}

// pressing says that the question tells of a need that cannot wait.
func (i intent) pressing() bool {
	_, units := i.pack.Contacts(i.text)
	return len(units) > 0
}

// askedMore is the most that contacts may claim to answer a question that asks for more
// than help, and that nothing else answered.
const askedMore = .5

// asksMore says that what is asked in the end is another thing than the urgent need that
// is told.
func asksMore(d draft) bool {
	list := sentence.Split(d.said)
	for i := len(list) - 1; i >= 0; i-- {
		if strings.Contains(list[i].Text, "?") {
			_, units := d.pack.Contacts(list[i].Text)
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
