package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"digesto/ask"
	"digesto/disk"
	"digesto/eval"
	jury "digesto/judge"
	"digesto/model"
	"digesto/model/roles"
)

// Judging names the section whose model judges candidates: the reader, else the writer,
// else the reranker; "" = there is none.
func Judging(c roles.Config) string {
	for _, section := range []string{model.Reader, model.Writer, model.Ranking} {
		if _, ok := c.Sections[section]; ok {
			return section
		}
	}
	return ""
}

// judgeName tells a model apart from others in its place: what is known of one is not
// known of the next.
func judgeName(c roles.Config) string {
	section := Judging(c)
	if section == "" {
		return ""
	}
	return section + " " + modelName(c.Sections[section])
}

func modelName(s roles.Section) string { return s.Provider.ID + " " + s.URL + " " + s.Name }

// stranger says that the writer is another model than the one that judges, of whose probe
// nothing follows for it.
func (a *App) stranger() (bool, error) {
	c, err := a.ModelConfig()
	if err != nil {
		return false, err
	}
	w, ok := c.Sections[model.Writer]
	return ok && modelName(w) != modelName(c.Sections[Judging(c)]), nil
}

// judgeFile is where it is kept what a model may decide.
func judgeFile(data string) string { return filepath.Join(data, "models", "judge.json") }

// Probe gives what is known of the configured model; of one that was never tried, or not
// this one, nothing is.
func (a *App) Probe() (jury.Probe, error) {
	c, err := a.ModelConfig()
	name := judgeName(c)
	if err != nil || name == "" || a.Settings.Data == "" {
		return jury.Probe{}, err
	}
	raw, err := os.ReadFile(judgeFile(a.Settings.Data))
	if errors.Is(err, fs.ErrNotExist) {
		return jury.Probe{}, nil
	}
	if err != nil {
		return jury.Probe{}, disk.Error(err, judgeFile(a.Settings.Data), "Pruebe el modelo otra vez: digesto doctor --judge")
	}
	p, err := jury.ReadProbe(raw)
	if err != nil || p.Model != name {
		return jury.Probe{}, err
	}
	return p, nil
}

// KeepProbe keeps what the configured model was found to be worth.
func (a *App) KeepProbe(p *jury.Probe) error {
	c, err := a.ModelConfig()
	if err != nil {
		return err
	}
	p.Model = judgeName(c)
	path := judgeFile(a.Settings.Data)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return disk.Error(err, path, "Compruebe que la carpeta de datos se puede escribir.")
	}
	return disk.WriteWhole(path, 0o644, true, func(w io.Writer) error { return p.Write(w) })
}

// ProbeCases draws the questions of a probe.
func (a *App) ProbeCases(w *Workspace, opt ask.Options, seed uint64, n int) ([]jury.Case, error) {
	opt.Reader, opt.Writer, opt.Reranker = nil, nil, nil
	engine, err := ask.New(opt)
	if err != nil {
		return nil, err
	}
	find := w.questions(w.Law)
	var names []string
	for _, p := range w.Packs {
		names = append(names, p.Name)
	}
	return eval.ProbeCases(a.Context, eval.ProbeOptions{Engine: engine, Packs: names, Files: find.Files, Asks: find.Asks, Seed: seed, N: n})
}

// Probed asks the judge that options make the questions of a probe.
func (a *App) Probed(opt ask.Options, cases []jury.Case, show func(done int)) (jury.Probe, error) {
	return jury.Try(a.Context, cases, jury.TryOptions{
		Judges: func(s jury.Size) jury.Judge {
			return jury.Of(model.Metered(model.Reader, opt.Reader, model.Price{}), model.Metered(model.Writer, opt.Writer, model.Price{}), opt.Reranker, s)
		}, Clock: a.Now, Each: show,
	})
}
