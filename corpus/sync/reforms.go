package sync

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/fetch"
)

// Reform is what a norm published since the last update does to an installed one.
type Reform struct {
	Norm         string       `json:"norm"`
	By           string       `json:"by"`
	Title        string       `json:"title"` // of the norm that reforms
	Day          digesto.Date `json:"day"`
	Act          digesto.Act  `json:"act"`
	Words        string       `json:"words"`        // the journal's own: "MODIFICA", the articles
	Consolidated bool         `json:"consolidated"` // the installed text has it
}

// summaryDays is how far back summaries are read: what was published before is in
// the consolidated text by now, and so in the list of what changed.
const summaryDays = 120

// GivesUpAfter is how many days may fail one after another before the service is
// taken to be down.
const GivesUpAfter = 3

// reforms reads the summaries of the official journal since a day, and what each
// general disposition of them does to the norms installed. What could not be
// looked at is given apart; the rest counts all the same.
func (p *Client) reforms(ctx context.Context, snap *corpus.Snapshot, since digesto.Date) (out []Reform, missed []Source, err error) {
	installed := journalNorms(snap)
	if len(installed) == 0 || p.boe.Daily == "" {
		return nil, nil, nil
	}
	since = max(since, digesto.Date(p.o.Clock().AddDate(0, 0, -summaryDays).Format("2006-01-02")))
	days := fetch.Days(since, p.o.Today())
	show, done := p.o.Progress("Mirando sumarios")
	defer done()
	failed := 0
	for i, day := range days {
		list, bad := p.reformsOf(ctx, day, installed)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		out = append(out, list...)
		missed = append(missed, bad...)
		if failed++; len(bad) == 0 {
			failed = 0
		}
		if failed == GivesUpAfter {
			break
		}
		show(i+1, len(days))
	}
	return out, missed, nil
}

// reformsOf reads the summary of one day and the dispositions that may reform.
func (p *Client) reformsOf(ctx context.Context, day digesto.Date, installed map[string]digesto.Norm) (out []Reform, missed []Source) {
	list, err := p.boe.Summary(ctx, day)
	if err != nil {
		return nil, []Source{failedSource("sumario del "+string(day), err)}
	}
	for _, e := range list {
		if !reformsLaw(e) {
			continue
		}
		touches, err := p.boe.Touches(ctx, e.ID)
		if err != nil {
			missed = append(missed, failedSource(e.ID, err))
			continue
		}
		for _, t := range touches {
			if _, ok := installed[t.Norm]; ok && t.Act != digesto.ActCites && t.Norm != e.ID {
				out = append(out, Reform{Norm: t.Norm, By: e.ID, Title: e.Title, Day: day, Act: t.Act, Words: t.Word + " " + t.Text})
			}
		}
	}
	return out, missed
}

// reformsLaw says whether a disposition of a summary may change a norm: general
// dispositions and rulings of the constitutional court may; appointments, calls and
// announcements do not.
func reformsLaw(e fetch.Entry) bool {
	return e.Section == "" || e.Section[0] == '1' || e.Section[0] == 'T'
}

func failedSource(id string, err error) Source {
	x := Source{ID: id, State: "failed", Error: Message(err), Err: err}
	var e *digesto.Error
	if errors.As(err, &e) {
		x.Hint = e.Hint
	}
	return x
}

// withReformed adds the norms that reforms touch to those to be fetched, each once.
func withReformed(targets []Target, list []Reform, snap *corpus.Snapshot) []Target {
	for _, r := range list {
		if n, ok := snap.Norm(r.Norm); ok && !slices.ContainsFunc(targets, func(t Target) bool { return t.id == n.ID }) {
			targets = append(targets, refreshTarget(n))
		}
	}
	return targets
}

// consolidated says of each reform whether the installed text has it: a wording or
// a note names the norm that made it, or the norm is marked as repealed. They come
// by norm, then by day.
func consolidated(snap *corpus.Snapshot, list []Reform) ([]Reform, error) {
	list = append([]Reform{}, list...)
	known := map[string]corpus.Amendments{}
	for i, r := range list {
		a, ok := known[r.Norm]
		if !ok {
			var err error
			if a, err = snap.Amendments(r.Norm); err != nil {
				return nil, err
			}
			known[r.Norm] = a
		}
		n, _ := snap.Norm(r.Norm)
		list[i].Consolidated = r.Act == digesto.ActRepeals && n.Status != digesto.StatusInForce && n.Status != digesto.StatusUnknown ||
			slices.ContainsFunc(a.AmendedBy, func(x corpus.Amendment) bool { return x.Norm == r.By })
	}
	slices.SortStableFunc(list, func(x, y Reform) int { return cmp.Or(cmp.Compare(x.Norm, y.Norm), cmp.Compare(x.Day, y.Day)) })
	return list, nil
}
