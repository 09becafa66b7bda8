// Package run puts the evaluations of package eval to the program as it is installed.
package run

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/corpus"
	"digesto/disk"
	"digesto/eval"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
)

// foreign gives the retriever of a pack over the corpus of a set that is not its own.
func (c PackRun) foreign(ctx context.Context, p *pack.Pack) (*pack.Retriever, error) {
	set, err := eval.ReadCorpus(filepath.Join(c.Set, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	ix, err := index.Memory(ctx, set.Chunks(), index.BuildOptions{})
	if err != nil {
		return nil, err
	}
	return &pack.Retriever{Pack: p, Searcher: ix, Guides: set.Guides()}, nil
}

// One runs the cases of a pack, or a foreign set through its retriever.
func (c PackRun) One(a *app.App, w *app.Workspace, p *pack.Pack) (eval.PackReport, error) {
	flags, err := a.Flags()
	if err != nil {
		return eval.PackReport{}, err
	}
	strategy, err := pack.ParseStrategy(cmp.Or(c.Strategy, flags.Strategy))
	if err != nil {
		return eval.PackReport{}, err
	}
	if c.Set != "" {
		r, err := c.foreign(a.Context, p)
		if err != nil {
			return eval.PackReport{}, err
		}
		engine, err := a.Engine(w)
		if err != nil {
			return eval.PackReport{}, err
		}
		r.Strategy, r.Score = strategy, engine.Retriever(p, strategy, false).Score
		return eval.RunGuides(a.Context, c.Set, r, a.Now)
	}
	cases, err := eval.ReadPackCases(packs.FS(), p.Name)
	if err != nil {
		return eval.PackReport{}, err
	}
	opt, done, err := c.options(a, w, p, strategy)
	if err != nil {
		return eval.PackReport{}, err
	}
	defer done()
	a.Say("%s: %d casos", p.Name, len(cases))
	return eval.RunPack(a.Context, cases, opt)
}

// options are the means: the engine over what is installed, and the guides.
func (c PackRun) options(a *app.App, w *app.Workspace, p *pack.Pack, strategy pack.Strategy) (eval.PackOptions, func(), error) {
	engine, err := a.Engine(w)
	if err != nil {
		return eval.PackOptions{}, nil, err
	}
	law, done, err := w.Law.View()
	if err != nil {
		return eval.PackOptions{}, nil, err
	}
	guides := engine.Retriever(p, strategy, false)
	opt := eval.PackOptions{
		Pack: p, Clock: a.Now, Keep: strings.HasSuffix(c.Report, ".html") || strings.HasSuffix(c.Report, ".json"),
		Ask: func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
			q.User = app.LocalUser
			return engine.Ask(ctx, q, nil)
		},
		Text: func(r digesto.Ref) (string, error) { return StoredText(r, law, w.Embedded) },
		Has: func(norm, unit string) bool {
			return has(law.Snapshot, norm, unit) || has(w.Embedded.Snapshot, norm, unit)
		},
		Retrieve: func(ctx context.Context, q string) (pack.Found, error) { return guides.Retrieve(ctx, q, 10) },
		Delete: func(ctx context.Context, session string, seq int64) error {
			return w.Store.DeleteMessage(ctx, app.LocalUser, session, seq)
		},
	}
	if law.Searcher != nil {
		opt.Search = func(ctx context.Context, question string, k int) ([]string, error) {
			q := digesto.Query{Text: question, Also: append(p.Synonyms.Expand(question), p.Lay.Expand(question)...), AlsoWeight: pack.AlternativeWeight, Filter: p.Narrow(digesto.Filter{}), K: k}
			res, err := law.Searcher.Search(ctx, q)
			var out []string
			for _, h := range res.Hits {
				out = append(out, h.Unit)
			}
			return out, err
		}
	}
	if law.Snapshot != nil {
		opt.Corpus = law.Snapshot.Content()
	}
	if c.Misses {
		opt.Log = a.Say
	}
	return opt, done, nil
}

// has says whether a corpus has a norm, and the unit of it unless that is "".
func has(s *corpus.Snapshot, norm, unit string) bool {
	if s == nil {
		return false
	}
	n, ok := s.Norm(norm)
	if ok && unit != "" {
		_, ok = s.Unit(n.ID, unit)
	}
	return ok
}

// Compare holds a report against its baseline, or writes it as the new one.
func (c PackRun) Compare(a *app.App, p *pack.Pack, rep *eval.PackReport) error {
	if c.Update {
		path := cmp.Or(c.Baseline, filepath.Join("eval", "golden", "pack-"+p.Name+".tsv"))
		if err := os.WriteFile(path, rep.TSV(), 0o644); err != nil {
			return disk.Error(err, path, "Dé otro sitio con --baseline.")
		}
		a.Say("Escritas las cifras de referencia: %s", path)
		return nil
	}
	data := eval.Golden(p.Name)
	if c.Baseline != "" {
		var err error
		if data, err = os.ReadFile(c.Baseline); err != nil {
			return disk.Error(err, c.Baseline, "Escríbalas con --update.")
		}
	}
	if data == nil {
		a.Say("%s: no hay cifras de referencia; escríbalas con --update", p.Name)
		return nil
	}
	return rep.Compare(data)
}

// PackRun are the cases to run, and how: see the command.
type PackRun struct {
	Pack     string
	All      bool
	Baseline string
	Update   bool
	Set      string
	Strategy string
	Ablation bool
	Report   string
	Misses   bool
}
