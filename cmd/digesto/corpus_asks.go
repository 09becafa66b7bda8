package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/digest"
	"digesto/digest/draft"
	"digesto/eval"
	"digesto/model"
	"digesto/model/redact"
	"digesto/pack"
	"digesto/packs"
)

// corpusAsksCmd has the user's own model write the questions that lead to the units of
// installed norms.
type corpusAsksCmd struct {
	Norms     []string `arg:"" optional:"" name:"norm" placeholder:"NORMA" help:"Normas instaladas; sin ellas, dice las que ya tienen preguntas propias."`
	Units     []string `name:"unit" placeholder:"UNIDAD" help:"Solo esas unidades."`
	FromVotes bool     `name:"from-votes" help:"En lugar de escribir, propone preguntas reales que alguien valoró bien, sin sus datos personales, para que una persona las acepte."`
	Days      int      `name:"days" default:"90" placeholder:"N" help:"Con --from-votes, los días que se miran."`
}

// Examples of the command.
func (corpusAsksCmd) Examples() []string {
	return []string{"digesto corpus asks", "digesto corpus asks --from-votes > borradores.txt"}
}

// asksDir holds the entries that the user's model wrote, a folder a pack and a file a
// norm, in the form of the program's own: they are there to be read and corrected.
func asksDir(data string) string { return filepath.Join(data, "digest") }

// Run writes, unit by unit; what is done is kept, and the next run goes on from there.
func (c corpusAsksCmd) Run(a *app) error {
	if _, err := a.needData(); err != nil {
		return err
	}
	switch {
	case c.FromVotes:
		return c.votes(a)
	case len(c.Norms) == 0:
		return c.list(a)
	}
	set, err := a.models()
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }()
	g := set.Writer
	if g == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No hay ningún modelo que escriba", Hint: "Configure uno («model.writer»); «digesto config --help» dice cómo."}
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	defer w.close()
	snap, err := a.snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	var reports []asksReport
	for _, id := range c.Norms {
		r, err := c.norm(a, w, snap, g, id)
		reports = append(reports, r)
		if err != nil {
			return errors.Join(err, c.report(a, reports))
		}
	}
	if err := a.embedOwnAsks(); err != nil {
		return err
	}
	return c.report(a, reports)
}

// embedOwnAsks makes the vectors that the user's asks lack.
func (a *app) embedOwnAsks() error {
	m := ownMeaning(false)
	if m == nil { // they are found by their words
		return nil
	}
	files, _, err := userDigest(a.conf.data, "*")
	if err != nil {
		return err
	}
	all := map[string]bool{}
	for _, x := range digest.Asks(files) {
		all[x.Ask.Text] = true
	}
	_, err = a.embedAsks(m, all, ownVectors(a.conf.data))
	return err
}

// ownVectors is the file of the vectors of the user's asks.
func ownVectors(data string) string { return filepath.Join(asksDir(data), "asks.vec") }

// userDigest reads the entries that a data folder has for a pack ("*" = for all).
func userDigest(data, of string) (files []digest.File, bad []pack.Problem, err error) {
	names, err := filepath.Glob(filepath.Join(asksDir(data), of, "*.txt"))
	if data == "" || err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, fileError(err, name, "Compruebe la carpeta de datos.")
		}
		f, faults := digest.Parse(name, string(raw))
		files, bad = append(files, f), append(bad, faults...)
	}
	return files, bad, nil
}

// digestOf gives the entries of a pack: the program's, and those of the data folder.
func digestOf(data, pack string) ([]digest.File, error) {
	files, _, err := digest.Pack(packs.FS(), pack)
	if err != nil {
		return nil, err
	}
	more, _, err := userDigest(data, pack)
	return append(files, more...), err
}

// asksReport is what came of one norm.
type asksReport struct {
	Norm    string   `json:"norm"`
	Units   int      `json:"units"` // looked at now
	Left    int      `json:"left"`  // still to be looked at
	Entries int      `json:"entries"`
	Asks    int      `json:"asks"`
	Refused []string `json:"refused"` // what the model wrote that does not stand
	Prompt  int      `json:"prompt_tokens"`
	Written int      `json:"completion_tokens"`
	File    string   `json:"file"`
	Seconds float64  `json:"seconds"`
}

// norm writes the entries of one norm.
func (c corpusAsksCmd) norm(a *app, w *world, snap *corpus.Snapshot, g model.Generator, id string) (asksReport, error) {
	r := asksReport{Norm: id, Refused: []string{}}
	n, ok := snap.Norm(id)
	if !ok {
		return r, &digesto.Error{Code: digesto.CodeNotFound, Message: "La norma «" + id + "» no está instalada", Hint: "«digesto corpus list» dice cuáles lo están."}
	}
	p, err := packOf(w, n)
	if err != nil {
		return r, err
	}
	r.File = filepath.Join(asksDir(a.conf.data), p.Name, strings.ReplaceAll(id, "/", "_")+".txt")
	done, err := c.begun(p.Name, id, r.File)
	if err != nil {
		return r, err
	}
	var units []digesto.Unit
	for u := range snap.Units(id) {
		if !u.Amending && !done[u.ID] && (len(c.Units) == 0 || slices.Contains(c.Units, u.ID)) {
			units = append(units, u)
		}
	}
	began := time.Now()
	show, end := a.progress(id)
	defer end()
	for i, u := range units {
		r.Left = len(units) - i
		v, err := snap.Text(id, u.ID, "")
		if err != nil { // not in force today
			continue
		}
		got, err := draft.Write(a.ctx, g, draft.Unit{Norm: id, ID: u.ID, Title: n.Title, Label: u.Label, Text: v.Text, Where: draft.OfCountry(n, p)})
		if err != nil {
			return r, err
		}
		if err := appendEntries(r.File, id, u.ID, got.Entries); err != nil {
			return r, fileError(err, r.File, "Compruebe que la carpeta de datos se puede escribir.")
		}
		r.add(got, time.Since(began))
		r.Left--
		show(i+1, len(units))
	}
	return r, nil
}

func (r *asksReport) add(got draft.Written, took time.Duration) {
	r.Units++
	r.Entries += len(got.Entries)
	for _, e := range got.Entries {
		r.Asks += len(e.Asks)
	}
	r.Refused = append(r.Refused, texts(got.Refused)...)
	r.Prompt, r.Written, r.Seconds = r.Prompt+got.Usage.Prompt, r.Written+got.Usage.Completion, took.Seconds()
}

// packOf is the pack that a norm was added to.
func packOf(w *world, n digesto.Norm) (*pack.Pack, error) {
	for _, p := range w.packs {
		if slices.Contains(n.Packs, p.Name) || len(n.Packs) == 0 && p.Jurisdiction() == n.Jurisdiction {
			return p, nil
		}
	}
	return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "La norma «" + n.ID + "» no es de ningún paquete", Hint: "Añádala otra vez con «digesto corpus add CARPETA --pack PAQUETE»."}
}

// begun gives the units of a norm that have entries already, of the program or of this
// file, or that a run before this one found nothing for.
func (c corpusAsksCmd) begun(pack, norm, file string) (map[string]bool, error) {
	files, _, err := digest.Pack(packs.FS(), pack)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return nil, fileError(err, file, "Compruebe la carpeta de datos.")
	}
	f, bad := digest.Parse(file, string(raw))
	if len(bad) > 0 && len(raw) > 0 {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: bad[0].String(), Hint: "Corrija esa línea del fichero, o bórrelo para empezar de nuevo."}
	}
	done := map[string]bool{}
	for _, x := range append(files, f) {
		if x.Norm != norm {
			continue
		}
		for _, e := range x.Entries {
			done[e.Unit] = true
		}
		for _, s := range x.Skipped {
			for _, u := range s.Units {
				done[u] = true
			}
		}
	}
	return done, nil
}

// appendEntries adds a unit's entries to a file, or, where there are none, that there
// are not; a file is whole after each unit.
func appendEntries(file, norm, unit string, entries []digest.Entry) error {
	raw, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	body := string(raw)
	if body == "" {
		body = "# Escritas por un modelo y comprobadas con el texto: léalas y corrija lo que haga falta.\nnorm: " + norm + "\n"
	}
	if len(entries) == 0 {
		head := "norm: " + norm + "\n"
		body = strings.Replace(body, head, head+"skip: "+unit+" | el modelo no ha escrito nada que se sostenga\n", 1)
	}
	for _, e := range entries {
		body += "\n" + e.Format()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return writeWhole(file, 0o644, true, func(w io.Writer) error {
		_, err := io.WriteString(w, body)
		return err
	})
}

// report prints what was done; entries take part from the next question on.
func (c corpusAsksCmd) report(a *app, list []asksReport) error {
	if a.json {
		return a.printJSON(map[string]any{"norms": list})
	}
	for _, r := range list {
		for _, x := range r.Refused {
			fmt.Fprintln(a.out, "no aceptada:", clean(x))
		}
		fmt.Fprintf(a.out, "%s: %d unidades leídas, %d entradas con %d preguntas, %d no aceptadas, faltan %d unidades; %d + %d tokens en %.0f s\n", r.Norm, r.Units, r.Entries, r.Asks, len(r.Refused), r.Left, r.Prompt, r.Written, r.Seconds)
		if r.Entries > 0 {
			fmt.Fprintln(a.out, "Léalas y corríjalas en", r.File+"; un servidor en marcha las usa cuando vuelve a arrancar.")
		}
	}
	return nil
}

// list says which norms have entries of the user's.
func (c corpusAsksCmd) list(a *app) error {
	files, bad, err := userDigest(a.conf.data, "*")
	if err != nil {
		return err
	}
	type row struct {
		Norm    string `json:"norm"`
		Entries int    `json:"entries"`
		File    string `json:"file"`
	}
	rows := []row{}
	for _, f := range files {
		rows = append(rows, row{f.Norm, len(f.Entries), f.Name})
	}
	if a.json {
		return a.printJSON(map[string]any{"norms": rows, "problems": nonNil(texts(bad))})
	}
	for _, p := range bad {
		fmt.Fprintln(a.out, clean(p.String()))
	}
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s: %d entradas en %s\n", r.Norm, r.Entries, r.File)
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.out, "Ninguna norma tiene preguntas propias. Escríbalas con: digesto corpus asks NORMA")
	}
	return nil
}

// votes prints drafts of entries from questions whose answers were voted right, what
// tells who asked taken out.
func (c corpusAsksCmd) votes(a *app) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	drafts, missing, err := a.rated(c.Days, 1)
	if err != nil {
		return err
	}
	hide := redact.New(redact.Options{})
	n := 0
	for _, d := range drafts {
		if len(d.Places) == 0 || len(d.History) > 0 { // without its conversation a turn says little
			continue
		}
		norm, unit, _ := strings.Cut(d.Places[0], "/")
		n++
		fmt.Fprintf(a.out, "# %s · %s\nnorm: %s\n== %s\nstreet: %s\n\n", d.Pack, d.Trace, norm, unit, strings.Join(strings.Fields(hide.Text(d.Question)), " "))
	}
	a.say("%d borradores; %d valoraciones sin traza guardada. Léalos, complete cada entrada y guárdela en %s.", n, missing, filepath.Join(asksDir(a.conf.data), "PAQUETE", "NORMA.txt"))
	return nil
}

// rated gives drafts of the answers of so many days that were rated so.
func (a *app) rated(days, rating int) ([]eval.Draft, int, error) {
	kept, done, err := a.tracesKept()
	if err != nil {
		return nil, 0, err
	}
	defer done()
	s, err := a.openDatabase()
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	from := a.now().AddDate(0, 0, -days)
	ratings, err1 := s.Ratings(a.ctx, from, time.Time{})
	runs, err2 := s.Runs(a.ctx, from, time.Time{})
	if err := errors.Join(err1, err2); err != nil {
		return nil, 0, err
	}
	drafts, missing := eval.Drafts(ratings, rating, runs, func(id string) (eval.Kept, error) {
		r, err := kept.Get(id)
		return eval.Kept{ID: r.ID, Pack: r.Pack, Question: r.Question, Answer: r.Answer}, err
	})
	return drafts, missing, nil
}
