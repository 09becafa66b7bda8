package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
)

// articleChange is one line of the report: what an article said and says.
type articleChange struct {
	corpus.Change
	Label  string       `json:"label,omitempty"`
	Title  string       `json:"title,omitempty"`
	Before string       `json:"before,omitempty"`
	After  string       `json:"after,omitempty"`
	Pieces []diff.Piece `json:"pieces,omitempty"`
}

// Updated is the result of an update.
type Updated struct {
	Since    digesto.Date    `json:"since"`
	Listed   int             `json:"listed"`  // norms that the service says have changed
	Pulled   []Source        `json:"sources"` // those installed, and other pulled sources looked at again
	Reforms  []Reform        `json:"reforms"` // of installed norms, by the journal's daily summaries
	Changes  []articleChange `json:"changes"`
	Corpus   string          `json:"corpus"`
	Previous string          `json:"previous"`
}

// Update brings what the services changed in the texts of a pack ("" = in all) since
// a day; "" = since the last update.
func Update(ctx context.Context, o Options, pack string, since digesto.Date) (Updated, error) {
	var u Updated
	p, err := Open(o)
	if err != nil {
		return u, err
	}
	lib, _, err := o.Library()
	if err != nil {
		return u, err
	}
	defer lib.Close()
	before, err := lib.Current()
	if err != nil {
		return u, err
	}
	defer before.Close()
	if since == "" {
		since = p.lastUpdate(before)
	}
	u.Since, u.Previous = since, before.Hash()
	targets, listed, err := p.changed(ctx, before, since)
	if err != nil {
		return u, err
	}
	if pack != "" {
		targets = slices.DeleteFunc(targets, func(t Target) bool { return t.pack != pack })
	}
	u.Listed = listed
	reforms, missed, err := p.reforms(ctx, before, since)
	if err != nil {
		return u, err
	}
	if u.Pulled, err = p.FetchAll(ctx, withReformed(targets, reforms, before)); err != nil {
		return u, err
	}
	u.Pulled = append(u.Pulled, missed...)
	if _, err := p.Add(ctx, u.Pulled); err != nil {
		return u, err
	}
	after, err := lib.Current()
	if err != nil {
		return u, err
	}
	defer after.Close()
	u.Corpus = after.Hash()
	if u.Reforms, err = consolidated(after, reforms); err != nil {
		return u, err
	}
	if u.Changes, err = articleChanges(before, after); err != nil {
		return u, err
	}
	if pack != "" {
		return u, nil // the others were not looked at
	}
	return u, p.rememberUpdate(u)
}

// changed gives the installed norms that the service lists as changed, and the
// other sources pulled before, which are asked whether they did.
func (p *Client) changed(ctx context.Context, snap *corpus.Snapshot, since digesto.Date) (out []Target, listed int, err error) {
	installed := journalNorms(snap)
	if len(installed) > 0 {
		list, err := p.boe.Changed(ctx, since, p.o.Today())
		if err != nil {
			return nil, 0, err
		}
		listed = len(list)
		for _, e := range list {
			if n, ok := installed[e.ID]; ok {
				out = append(out, refreshTarget(n))
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(p.Dir, "FUENTES.tsv"))
	if err != nil {
		return out, listed, nil // nothing was pulled before
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 2 || !strings.Contains(f[1], "://") || strings.Contains(f[1], "/legislacion-consolidada/") || strings.Contains(f[1], "/diario_boe/") {
			continue
		}
		dir, name := filepath.Split(f[0])
		pack := strings.TrimSuffix(dir, string(filepath.Separator))
		if pack == "varios" {
			pack = ""
		}
		out = append(out, Target{id: strings.TrimSuffix(name, filepath.Ext(name)), url: f[1], pack: pack})
	}
	return out, listed, nil
}

// journalNorms gives the installed norms that have an id of the official journal.
func journalNorms(snap *corpus.Snapshot) map[string]digesto.Norm {
	out := map[string]digesto.Norm{}
	for _, n := range snap.Norms() {
		if boeID.MatchString(n.ID) {
			out[n.ID] = n
		}
	}
	return out
}

func refreshTarget(n digesto.Norm) Target {
	return Target{id: n.ID, pack: strings.Join(n.Packs[:min(1, len(n.Packs))], ""), boe: true, refresh: true}
}

// updateState is what is remembered between updates.
type updateState struct {
	Day    digesto.Date `json:"day"`
	Corpus string       `json:"corpus"`
}

func (p *Client) stateFile() string { return filepath.Join(p.Dir, "update.json") }

// lastUpdate is the day of the last update; before the first one, the day of the
// newest text installed, and without any a month ago.
func (p *Client) lastUpdate(snap *corpus.Snapshot) digesto.Date {
	var s updateState
	if data, err := os.ReadFile(p.stateFile()); err == nil && json.Unmarshal(data, &s) == nil && s.Day != "" {
		return s.Day
	}
	newest := digesto.Date("")
	for _, n := range snap.Norms() {
		if n.TextAsOf <= p.o.Today() {
			newest = max(newest, n.TextAsOf)
		}
	}
	if newest == "" {
		newest = digesto.Date(p.o.Clock().AddDate(0, -1, 0).Format(time.DateOnly))
	}
	return newest
}

// rememberUpdate notes the day, unless a source could not be looked at: then the
// next update looks at the same days again.
func (p *Client) rememberUpdate(u Updated) error {
	for _, x := range u.Pulled {
		if x.Err != nil {
			return nil
		}
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(updateState{p.o.Today(), u.Corpus})
	if err != nil {
		return err
	}
	return os.WriteFile(p.stateFile(), data, 0o644)
}

// articleChanges puts the differences of two snapshots into words.
func articleChanges(before, after *corpus.Snapshot) ([]articleChange, error) {
	list, err := corpus.Changes(before, after)
	if err != nil {
		return nil, err
	}
	out := make([]articleChange, 0, len(list))
	for _, c := range list {
		x := articleChange{Change: c}
		if n, ok := after.Norm(c.Norm); ok {
			x.Title = n.Title
		} else if n, ok := before.Norm(c.Norm); ok {
			x.Title = n.Title
		}
		old, now := wordingOf(before, c.Norm, c.Unit), wordingOf(after, c.Norm, c.Unit)
		x.Label = cmp.Or(now.label, old.label)
		switch c.Kind {
		case corpus.TextChanged:
			x.Before, x.After, x.Pieces = old.text, now.text, diff.Words(old.text, now.text)
		case corpus.UnitAdded:
			x.After = now.text
		case corpus.UnitRemoved:
			x.Before = old.text
		}
		out = append(out, x)
	}
	return out, nil
}

type wording struct{ label, text string }

func wordingOf(s *corpus.Snapshot, norm, unit string) wording {
	u, ok := s.Unit(norm, unit)
	if unit == "" || !ok || len(u.Versions) == 0 {
		return wording{}
	}
	v := u.Versions[len(u.Versions)-1]
	for _, x := range u.Versions {
		if x.Current {
			v = x
		}
	}
	return wording{strings.TrimSpace(u.Label + ". " + u.Rubric), v.Text}
}

// ChangeWords are the kinds of change in words.
var ChangeWords = map[corpus.ChangeKind]string{
	corpus.NormAdded: "norma nueva", corpus.NormRemoved: "norma quitada", corpus.NormChanged: "datos de la norma",
	corpus.UnitAdded: "artículo nuevo", corpus.UnitRemoved: "artículo quitado", corpus.TextChanged: "texto cambiado", corpus.HistoryGrown: "redacción anterior conocida",
}

// Message is the Spanish message of an error of ours.
func Message(err error) string {
	var e *digesto.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "ha fallado: " + digesto.Told(err)
}
