package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/ask"
	"digesto/corpus"
	"digesto/disk"
	"digesto/eval"
	jury "digesto/judge"
	"digesto/model/scripted"
	"digesto/text/figure"
	"digesto/verify"
)

// The rows of models.
const (
	NoModel    = "none"
	Configured = "configured"
	Scripted   = "scripted"
)

// scriptedRight is how often the scripted model chooses rightly.
const scriptedRight = .9

// ModelsRun is how answers without a model, with the one configured and with one that is
// scripted are compared: see the command.
type ModelsRun struct {
	Sample int
	Seed   uint64
	Rows   []string
	Out    string
	Files  []string
}

// Cases reads the questions and draws the sample.
func (c ModelsRun) Cases() ([]eval.AnswerCase, error) {
	var cases []eval.AnswerCase
	for _, f := range c.Files {
		list, err := eval.ReadCases(f)
		if err != nil {
			return nil, err
		}
		cases = append(cases, list...)
	}
	return eval.Sample(cases, c.Sample, c.Seed), nil
}

// Compare asks the questions once a row. tried gets what a scripted model is worth, each
// every row as it is done.
func (c ModelsRun) Compare(a *app.App, cases []eval.AnswerCase, tried func(jury.Probe), each func(eval.ModelRow)) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	w.Anew = true
	for _, name := range c.Rows {
		opt, offered, err := c.options(a, w, name, cases)
		if errors.Is(err, jury.Unavailable) && len(c.Rows) > 1 {
			a.Say("No hay ningún modelo configurado: su fila falta.")
			continue
		}
		if err != nil {
			return err
		}
		if offered != nil {
			tried(opt.Probe)
		}
		row, err := c.row(a, w, opt, eval.ModelOptions{Name: name, Clock: a.Now, Offered: offered}, cases)
		if err != nil {
			return err
		}
		each(row)
	}
	return nil
}

// options are those of the engine of a row.
func (c ModelsRun) options(a *app.App, w *app.Workspace, name string, cases []eval.AnswerCase) (opt ask.Options, offered func(string) bool, err error) {
	if opt, err = a.AskOptions(w, w.Law, w.Embedded); err != nil {
		return opt, nil, err
	}
	switch name {
	case Configured:
		if opt.Reader == nil && opt.Writer == nil && opt.Reranker == nil {
			return opt, nil, jury.Unavailable
		}
		return opt, nil, nil
	case NoModel:
		opt.Reader, opt.Writer, opt.Reranker, opt.Probe = nil, nil, nil, jury.Probe{}
		return opt, nil, nil
	case Scripted:
		s, err := scriptFor(w, cases)
		if err != nil {
			return opt, nil, err
		}
		opt.Reader, opt.Writer, opt.Reranker, opt.Stranger = s, s, nil, false
		list, err := a.ProbeCases(w, opt, c.Seed, 0)
		if err != nil {
			return opt, nil, err
		}
		for _, x := range list {
			var k scripted.Known
			for i, right := range x.Right {
				if right {
					k.Titles = append(k.Titles, x.Candidates[i].Title)
				}
			}
			s.Learn(x.Question, k)
		}
		opt.Probe, err = a.Probed(opt, list, nil)
		return opt, s.Offered, err
	}
	return opt, nil, &digesto.Error{Code: digesto.CodeUsage, Message: "No hay ninguna fila «" + name + "»", Hint: "Las que hay: none, configured, scripted."}
}

// scriptFor makes the scripted model that knows the places of the cases.
func scriptFor(w *app.Workspace, cases []eval.AnswerCase) (*scripted.Strong, error) {
	v, done, err := w.Law.View()
	if err != nil {
		return nil, err
	}
	defer done()
	s := scripted.New(scriptedRight)
	norms := map[string]digesto.Norm{} // by any of their ids
	if v.Snapshot != nil {
		for n := range v.Snapshot.Each() {
			for _, id := range append([]string{n.ID}, n.IDs...) {
				norms[id] = n
			}
		}
	}
	for _, x := range cases {
		var k scripted.Known
		if x.Expect != nil && v.Snapshot != nil {
			k.Contains = x.Expect.Contains
			for _, place := range x.Expect.Places {
				norm, unit, _ := strings.Cut(place, "/")
				n, known := norms[norm]
				if u, ok := v.Snapshot.Unit(n.ID, unit); ok && known {
					k.Titles = append(k.Titles, u.Label+", "+corpus.NameOf(n))
				}
			}
		}
		s.Learn(x.Question, k)
	}
	return s, nil
}

// row asks the questions of an engine.
func (c ModelsRun) row(a *app.App, w *app.Workspace, opt ask.Options, o eval.ModelOptions, cases []eval.AnswerCase) (row eval.ModelRow, err error) {
	engine, err := ask.New(opt)
	if err != nil {
		return row, err
	}
	law, done, err := w.Law.View()
	if err != nil {
		return row, err
	}
	defer done()
	name := ""
	if c.Out != "" {
		name = filepath.Join(c.Out, o.Name+".jsonl")
	}
	var flush func() error
	if o.Out, flush, err = disk.Results(name); err != nil {
		return row, err
	}
	o.Ask = func(ctx context.Context, q digesto.Question) (digesto.Answer, error) { return engine.Ask(ctx, q, nil) }
	o.Text = func(r digesto.Ref) (string, error) { return StoredText(r, law, w.Embedded) }
	o.Loose = func(x digesto.Answer) ([]string, error) {
		return loose(w, x, law, opt.Probe.May == jury.Nothing && !opt.Stranger)
	}
	row, err = eval.Models(a.Context, cases, o)
	return row, errors.Join(err, flush())
}

// loose gives the sentences of an answer that the units it cites do not bear out; strict
// takes no paraphrase.
func loose(w *app.Workspace, x digesto.Answer, law ask.View, strict bool) ([]string, error) {
	p, err := w.Pack(x.Meta.Pack)
	if err != nil {
		return nil, err
	}
	g := verify.Grounds{Locale: figure.LocaleOf(p.Locale), Table: w.CitationTable(law, p), Strict: strict}
	for _, c := range x.Citations {
		for _, v := range []ask.View{law, w.Embedded} {
			if u, ver, ok := storedVersion(*c.Ref, v); ok {
				n, _ := v.Snapshot.Norm(c.Ref.Document)
				g.List = append(g.List, verify.Ground{Norm: n, Unit: u, Version: ver, Label: c.Ref.Label})
				break
			}
		}
	}
	return verify.Loose(x, g), nil
}
