package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/fetch"
)

// reform is what a norm published since the last update does to an installed one.
type reform struct {
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

// givesUpAfter is how many days may fail one after another before the service is
// taken to be down.
const givesUpAfter = 3

// reforms reads the summaries of the official journal since a day, and what each
// general disposition of them does to the norms installed. What could not be
// looked at is given apart; the rest counts all the same.
func (p *puller) reforms(snap *corpus.Snapshot, since digesto.Date) (out []reform, missed []pulled, err error) {
	installed := journalNorms(snap)
	if len(installed) == 0 || p.boe.Daily == "" {
		return nil, nil, nil
	}
	since = max(since, digesto.Date(p.a.now().AddDate(0, 0, -summaryDays).Format("2006-01-02")))
	days := fetch.Days(since, p.a.today())
	show, done := p.a.progress("Mirando sumarios")
	defer done()
	failed := 0
	for i, day := range days {
		list, bad := p.reformsOf(day, installed)
		if err := p.a.ctx.Err(); err != nil {
			return nil, nil, err
		}
		out = append(out, list...)
		missed = append(missed, bad...)
		if failed++; len(bad) == 0 {
			failed = 0
		}
		if failed == givesUpAfter {
			break
		}
		show(i+1, len(days))
	}
	return out, missed, nil
}

// reformsOf reads the summary of one day and the dispositions that may reform.
func (p *puller) reformsOf(day digesto.Date, installed map[string]digesto.Norm) (out []reform, missed []pulled) {
	list, err := p.boe.Summary(p.a.ctx, day)
	if err != nil {
		return nil, []pulled{failedSource("sumario del "+string(day), err)}
	}
	for _, e := range list {
		if !reformsLaw(e) {
			continue
		}
		touches, err := p.boe.Touches(p.a.ctx, e.ID)
		if err != nil {
			missed = append(missed, failedSource(e.ID, err))
			continue
		}
		for _, t := range touches {
			if _, ok := installed[t.Norm]; ok && t.Act != digesto.ActCites && t.Norm != e.ID {
				out = append(out, reform{Norm: t.Norm, By: e.ID, Title: e.Title, Day: day, Act: t.Act, Words: t.Word + " " + t.Text})
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

func failedSource(id string, err error) pulled {
	x := pulled{ID: id, State: "failed", Error: plainMessage(err), err: err}
	var e *digesto.Error
	if errors.As(err, &e) {
		x.Hint = e.Hint
	}
	return x
}

// withReformed adds the norms that reforms touch to those to be fetched, each once.
func withReformed(targets []pullTarget, list []reform, snap *corpus.Snapshot) []pullTarget {
	for _, r := range list {
		if n, ok := snap.Norm(r.Norm); ok && !slices.ContainsFunc(targets, func(t pullTarget) bool { return t.id == n.ID }) {
			targets = append(targets, refreshTarget(n))
		}
	}
	return targets
}

// consolidated says of each reform whether the installed text has it: a wording or
// a note names the norm that made it, or the norm is marked as repealed. They come
// by norm, then by day.
func consolidated(snap *corpus.Snapshot, list []reform) ([]reform, error) {
	list = append([]reform{}, list...)
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
	slices.SortStableFunc(list, func(x, y reform) int { return cmp.Or(cmp.Compare(x.Norm, y.Norm), cmp.Compare(x.Day, y.Day)) })
	return list, nil
}

func printReforms(a *app, list []reform) {
	st := a.outStyle()
	for _, r := range list {
		state := "recogida en el texto instalado"
		if !r.Consolidated {
			state = st.bad("todavía no está en el texto consolidado: lo instalado puede no valer")
		}
		fmt.Fprintf(a.out, "%s, %s: %s (%s)\n  %s\n  %s\n", st.bold(clean(r.Norm)), r.Day, clean(r.Title), clean(r.By), clean(r.Words), state)
	}
}
