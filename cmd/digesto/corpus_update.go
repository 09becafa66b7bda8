package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
)

// corpusUpdateCmd brings what changed since the last time.
type corpusUpdateCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo las normas de ese paquete; la próxima vez, sin él, se mira desde el mismo día que ahora."`
	Since string `name:"since" placeholder:"AAAA-MM-DD" help:"Desde qué día se miran los cambios; sin él, desde la última actualización."`
}

// Examples of the command.
func (corpusUpdateCmd) Examples() []string {
	return []string{"digesto corpus update", "digesto corpus update --pack laboral", "digesto corpus update --since 2026-11-01 --json"}
}

// articleChange is one line of the report: what an article said and says.
type articleChange struct {
	corpus.Change
	Label  string       `json:"label,omitempty"`
	Title  string       `json:"title,omitempty"`
	Before string       `json:"before,omitempty"`
	After  string       `json:"after,omitempty"`
	Pieces []diff.Piece `json:"pieces,omitempty"`
}

// updated is the result of an update.
type updated struct {
	Since    digesto.Date    `json:"since"`
	Listed   int             `json:"listed"`  // norms that the service says have changed
	Pulled   []pulled        `json:"sources"` // those installed, and other pulled sources looked at again
	Reforms  []reform        `json:"reforms"` // of installed norms, by the journal's daily summaries
	Changes  []articleChange `json:"changes"`
	Corpus   string          `json:"corpus"`
	Previous string          `json:"previous"`
}

// Run looks for changes, brings them and prints them word by word.
func (c corpusUpdateCmd) Run(a *app) error {
	since, err := parseDate("--since", c.Since)
	if err != nil {
		return err
	}
	w, err := a.openPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.close()
	u, err := a.update(w, c.Pack, since)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(u)
	} else {
		u.print(a)
	}
	if err != nil {
		return err
	}
	for _, x := range u.Pulled {
		if x.err != nil {
			return &quietError{&digesto.Error{Code: digesto.CodeOf(x.err), Message: "hay fuentes que no se han podido mirar"}}
		}
	}
	return nil
}

// update brings what the services changed in the texts of a pack ("" = in all) since
// a day; "" = since the last update.
func (a *app) update(w *world, pack string, since digesto.Date) (updated, error) {
	var u updated
	p, err := a.puller(w)
	if err != nil {
		return u, err
	}
	lib, _, err := a.library()
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
	targets, listed, err := p.changed(before, since)
	if err != nil {
		return u, err
	}
	if pack != "" {
		targets = slices.DeleteFunc(targets, func(t pullTarget) bool { return t.pack != pack })
	}
	u.Listed = listed
	reforms, missed, err := p.reforms(before, since)
	if err != nil {
		return u, err
	}
	if u.Pulled, err = p.fetchAll(a.ctx, withReformed(targets, reforms, before)); err != nil {
		return u, err
	}
	u.Pulled = append(u.Pulled, missed...)
	if _, err := p.add(w, u.Pulled); err != nil {
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
func (p *puller) changed(snap *corpus.Snapshot, since digesto.Date) (out []pullTarget, listed int, err error) {
	installed := journalNorms(snap)
	if len(installed) > 0 {
		list, err := p.boe.Changed(p.a.ctx, since, p.a.today())
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
	data, err := os.ReadFile(filepath.Join(p.dir, "FUENTES.tsv"))
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
		out = append(out, pullTarget{id: strings.TrimSuffix(name, filepath.Ext(name)), url: f[1], pack: pack})
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

func refreshTarget(n digesto.Norm) pullTarget {
	return pullTarget{id: n.ID, pack: strings.Join(n.Packs[:min(1, len(n.Packs))], ""), boe: true, refresh: true}
}

// updateState is what is remembered between updates.
type updateState struct {
	Day    digesto.Date `json:"day"`
	Corpus string       `json:"corpus"`
}

func (p *puller) stateFile() string { return filepath.Join(p.dir, "update.json") }

// lastUpdate is the day of the last update; before the first one, the day of the
// newest text installed, and without any a month ago.
func (p *puller) lastUpdate(snap *corpus.Snapshot) digesto.Date {
	var s updateState
	if data, err := os.ReadFile(p.stateFile()); err == nil && json.Unmarshal(data, &s) == nil && s.Day != "" {
		return s.Day
	}
	newest := digesto.Date("")
	for _, n := range snap.Norms() {
		if n.TextAsOf <= p.a.today() {
			newest = max(newest, n.TextAsOf)
		}
	}
	if newest == "" {
		newest = digesto.Date(p.a.now().AddDate(0, -1, 0).Format(time.DateOnly))
	}
	return newest
}

// rememberUpdate notes the day, unless a source could not be looked at: then the
// next update looks at the same days again.
func (p *puller) rememberUpdate(u updated) error {
	for _, x := range u.Pulled {
		if x.err != nil {
			return nil
		}
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(updateState{p.a.today(), u.Corpus})
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

// changeWords are the kinds of change in words.
var changeWords = map[corpus.ChangeKind]string{
	corpus.NormAdded: "norma nueva", corpus.NormRemoved: "norma quitada", corpus.NormChanged: "datos de la norma",
	corpus.UnitAdded: "artículo nuevo", corpus.UnitRemoved: "artículo quitado", corpus.TextChanged: "texto cambiado", corpus.HistoryGrown: "redacción anterior conocida",
}

func (u updated) print(a *app) {
	st := a.outStyle()
	for _, x := range u.Pulled {
		if x.State == "failed" {
			fmt.Fprintf(a.out, "%s %s: %s\n", st.bad("no se ha podido mirar:"), clean(x.ID), clean(x.Error+". "+x.Hint))
		}
	}
	norm := ""
	for _, c := range u.Changes {
		if c.Norm != norm {
			norm = c.Norm
			fmt.Fprintf(a.out, "%s  %s\n", st.bold(clean(c.Norm)), clean(c.Title))
		}
		fmt.Fprintf(a.out, "  %s %s %s\n", changeWords[c.Kind], clean(c.Label), clean(strings.Join(c.Fields, ", ")))
		if len(c.Pieces) > 0 {
			fmt.Fprintln(a.out, indentAll(diffText(a, c.Pieces), a.columns(), 4))
		}
	}
	printReforms(a, u.Reforms)
	fmt.Fprintf(a.out, "Desde el %s: %d normas cambiadas en el servicio, %d de ellas instaladas o fuentes propias; %d cambios en la biblioteca\n", u.Since, u.Listed, len(u.Pulled), len(u.Changes))
	blocks := 0
	for _, x := range u.Pulled {
		blocks += x.Blocks
	}
	if blocks > 0 {
		fmt.Fprintf(a.out, "Por bloques: %d bloques descargados en vez de las normas enteras\n", blocks)
	}
	if u.Corpus != u.Previous {
		fmt.Fprintf(a.out, "Instantánea %.12s (antes %.12s; se vuelve a ella con «digesto corpus rollback»)\n", u.Corpus, u.Previous)
	}
}

// diffText marks what goes and what comes, and shortens what stays.
func diffText(a *app, pieces []diff.Piece) string {
	return strings.TrimSpace(markedPieces(a, pieces, shortened))
}

// markedPieces writes pieces with marks; same is what is shown of those that stay.
func markedPieces(a *app, pieces []diff.Piece, same func(string) string) string {
	st := a.outStyle()
	var b strings.Builder
	for _, p := range pieces {
		text := clean(p.Text)
		switch p.Op {
		case diff.Insert:
			b.WriteString(st.good("{+" + strings.TrimRight(text, " \n") + "+}"))
		case diff.Delete:
			b.WriteString(st.bad("[-" + strings.TrimRight(text, " \n") + "-]"))
		default:
			b.WriteString(same(text))
			continue
		}
		b.WriteString(text[len(strings.TrimRight(text, " \n")):])
	}
	return b.String()
}

// shortened keeps the ends of a long stretch that did not change.
func shortened(s string) string {
	const end = 120
	r := []rune(s)
	if len(r) <= 3*end {
		return s
	}
	return string(r[:end]) + " […] " + string(r[len(r)-end:])
}

// plainMessage is the Spanish message of an error of ours.
func plainMessage(err error) string {
	var e *digesto.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "ha fallado: " + digesto.Told(err)
}
