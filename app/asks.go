package app

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/digest"
	"digesto/digest/draft"
	"digesto/disk"
	"digesto/eval"
	"digesto/model"
	"digesto/pack"
)

// AsksReport is what came of one norm.
type AsksReport struct {
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

// WriteAsks has a model write the entries of one norm, or of some of its units.
func (a *App) WriteAsks(w *Workspace, snap *corpus.Snapshot, g model.Generator, id string, only []string) (AsksReport, error) {
	r := AsksReport{Norm: id, Refused: []string{}}
	n, ok := snap.Norm(id)
	if !ok {
		return r, &digesto.Error{Code: digesto.CodeNotFound, Message: "La norma «" + id + "» no está instalada", Hint: "«digesto corpus list» dice cuáles lo están."}
	}
	p, err := packOf(w, n)
	if err != nil {
		return r, err
	}
	r.File = filepath.Join(law.AsksDir(a.Settings.Data), p.Name, strings.ReplaceAll(id, "/", "_")+".txt")
	done, err := a.unitsBegun(p.Name, id, r.File)
	if err != nil {
		return r, err
	}
	var units []digesto.Unit
	for u := range snap.Units(id) {
		if !u.Amending && !done[u.ID] && (len(only) == 0 || slices.Contains(only, u.ID)) {
			units = append(units, u)
		}
	}
	began := time.Now()
	show, end := a.Progress(id)
	defer end()
	for i, u := range units {
		r.Left = len(units) - i
		v, err := snap.Text(id, u.ID, "")
		if err != nil { // not in force today
			continue
		}
		got, err := draft.Write(a.Context, g, draft.Unit{Norm: id, ID: u.ID, Title: n.Title, Label: u.Label, Text: v.Text, Where: draft.OfCountry(n, p)})
		if err != nil {
			return r, err
		}
		if err := appendEntries(r.File, id, u.ID, got.Entries); err != nil {
			return r, disk.Error(err, r.File, "Compruebe que la carpeta de datos se puede escribir.")
		}
		r.add(got, time.Since(began))
		r.Left--
		show(i+1, len(units))
	}
	return r, nil
}

func (r *AsksReport) add(got draft.Written, took time.Duration) {
	r.Units++
	r.Entries += len(got.Entries)
	for _, e := range got.Entries {
		r.Asks += len(e.Asks)
	}
	r.Refused = append(r.Refused, Lines(got.Refused)...)
	r.Prompt, r.Written, r.Seconds = r.Prompt+got.Usage.Prompt, r.Written+got.Usage.Completion, took.Seconds()
}

// packOf is the pack that a norm was added to.
func packOf(w *Workspace, n digesto.Norm) (*pack.Pack, error) {
	for _, p := range w.Packs {
		if slices.Contains(n.Packs, p.Name) || len(n.Packs) == 0 && p.Jurisdiction() == n.Jurisdiction {
			return p, nil
		}
	}
	return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "La norma «" + n.ID + "» no es de ningún paquete", Hint: "Añádala otra vez con «digesto corpus add CARPETA --pack PAQUETE»."}
}

// unitsBegun gives the units of a norm that have entries already, of the program or of this
// file, or that a run before this one found nothing for.
func (a *App) unitsBegun(pack, norm, file string) (map[string]bool, error) {
	more, err := a.morePacks()
	if err != nil {
		return nil, err
	}
	files, err := law.DigestOf(more, "", pack)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return nil, disk.Error(err, file, "Compruebe la carpeta de datos.")
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
	return disk.WriteWhole(file, 0o644, true, func(w io.Writer) error {
		_, err := io.WriteString(w, body)
		return err
	})
}

// EmbedOwnAsks makes the vectors that the user's asks and those of packs beside the
// program's lack.
func (a *App) EmbedOwnAsks() error {
	m := law.OwnEmbedding(false)
	if m == nil { // they are found by their words
		return nil
	}
	files, _, err := law.UserDigest(a.Settings.Data, "*")
	if err != nil {
		return err
	}
	more, err := a.morePacks()
	if err != nil {
		return err
	}
	if more != nil {
		of, _, err := digest.Load(more)
		if err != nil {
			return err
		}
		files = append(files, of...)
	}
	all := map[string]bool{}
	for _, t := range digest.Leads(files) {
		all[t] = true
	}
	_, err = a.embedAsks(m, all, law.OwnVectors(a.Settings.Data))
	return err
}

// Rated gives drafts of the answers of so many days that were rated so.
func (a *App) Rated(days, rating int) ([]eval.Draft, int, error) {
	kept, done, err := a.tracesKept()
	if err != nil {
		return nil, 0, err
	}
	defer done()
	s, err := a.OpenDatabase()
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	from := a.Now().AddDate(0, 0, -days)
	ratings, err1 := s.Ratings(a.Context, from, time.Time{})
	runs, err2 := s.Runs(a.Context, from, time.Time{})
	if err := errors.Join(err1, err2); err != nil {
		return nil, 0, err
	}
	drafts, missing := eval.Drafts(ratings, rating, runs, func(id string) (eval.Kept, error) {
		r, err := kept.Get(id)
		return eval.Kept{ID: r.ID, Pack: r.Pack, Question: r.Question, Answer: r.Answer}, err
	})
	return drafts, missing, nil
}
