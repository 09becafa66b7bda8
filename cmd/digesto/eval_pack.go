package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/eval"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
	"digesto/store"
)

// evalPackCmd runs the cases that lie beside a pack.
type evalPackCmd struct {
	Pack     string `arg:"" optional:"" default:"all" placeholder:"PAQUETE|all" help:"Paquete, o all: todos."`
	All      bool   `name:"all" help:"Todos los paquetes; es lo mismo que all."`
	Baseline string `name:"baseline" placeholder:"FICHERO" help:"Cifras de referencia; sin él, las que trae el programa."`
	Update   bool   `name:"update" help:"Escribe las cifras de referencia (en --baseline, o en eval/golden)."`
	Set      string `name:"set" placeholder:"CARPETA" help:"Carpeta BEIR de guías: pasa por el recuperador del paquete en lugar de los casos."`
	Strategy string `name:"strategy" placeholder:"heuristic|model|cross|none" help:"Reordenación de las guías (también RAG_RERANK_STRATEGY); model y cross piden un lector o un reordenador configurados."`
	Ablation bool   `name:"ablation" help:"Quita cada etapa del buscador de guías por turno y dice qué gana o pierde."`
	Report   string `name:"report" placeholder:"FICHERO" help:"Informe: .md, .html (una página, con las trazas) o .json."`
	Misses   bool   `name:"misses" help:"Dice cada caso que falla."`
}

// Examples of the command.
func (evalPackCmd) Examples() []string {
	return []string{"digesto eval pack clara", "digesto eval pack all --report informe.html", "digesto eval pack clara --set ./guias --json", "digesto eval pack jus --update"}
}

// Run runs the cases and prints the figures; exit 7 when they are worse than the baseline.
func (c evalPackCmd) Run(a *app) error {
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	w.store = store.Memory(a.now)
	defer w.close()
	which := w.packs
	if c.All {
		c.Pack = "all"
	}
	if c.Pack != "all" {
		p, err := w.pack(c.Pack)
		if err != nil {
			return err
		}
		which = []*pack.Pack{p}
		if c.Ablation {
			return c.ablation(a, w, p)
		}
	} else if c.Baseline != "" || c.Set != "" || c.Ablation {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--baseline, --set y --ablation son de un solo paquete", Hint: "Dé el nombre del paquete en lugar de all."}
	}
	var reports []eval.PackReport
	worse := false
	for _, p := range which {
		rep, err := c.one(a, w, p)
		if err != nil {
			return err
		}
		if c.Set == "" {
			if err := c.compare(a, p, &rep); err != nil {
				return err
			}
		}
		worse = worse || rep.Compared != nil && rep.Compared.Worst
		reports = append(reports, rep)
	}
	if err := c.write(a, reports); err != nil {
		return err
	}
	if worse && !c.Update {
		return checkFailed("peor que las cifras de referencia", noWorse)
	}
	return nil
}

// one runs the cases of a pack, or a foreign set through its retriever.
func (c evalPackCmd) one(a *app, w *world, p *pack.Pack) (eval.PackReport, error) {
	flags, err := a.flags()
	if err != nil {
		return eval.PackReport{}, err
	}
	strategy, err := pack.ParseStrategy(cmp.Or(c.Strategy, flags.Strategy))
	if err != nil {
		return eval.PackReport{}, err
	}
	if c.Set != "" {
		set, err := eval.ReadCorpus(filepath.Join(c.Set, "corpus.jsonl"))
		if err != nil {
			return eval.PackReport{}, err
		}
		ix, err := index.Memory(a.ctx, set.Chunks(), index.BuildOptions{})
		if err != nil {
			return eval.PackReport{}, err
		}
		engine, err := a.engine(w)
		if err != nil {
			return eval.PackReport{}, err
		}
		own := engine.Retriever(p, strategy, false)
		return eval.RunGuides(a.ctx, c.Set, &pack.Retriever{Pack: p, Searcher: ix, Guides: set.Guides(), Strategy: strategy, Score: own.Score}, a.now)
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
	a.say("%s: %d casos", p.Name, len(cases))
	return eval.RunPack(a.ctx, cases, opt)
}

// options are the means: the engine over what is installed, and the guides.
func (c evalPackCmd) options(a *app, w *world, p *pack.Pack, strategy pack.Strategy) (eval.PackOptions, func(), error) {
	engine, err := a.engine(w)
	if err != nil {
		return eval.PackOptions{}, nil, err
	}
	law, done, err := w.laws.view()
	if err != nil {
		return eval.PackOptions{}, nil, err
	}
	guides := engine.Retriever(p, strategy, false)
	opt := eval.PackOptions{
		Pack: p, Clock: a.now, Keep: strings.HasSuffix(c.Report, ".html") || strings.HasSuffix(c.Report, ".json"),
		Ask: func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
			q.User = localUser
			return engine.Ask(ctx, q, nil)
		},
		Text: func(r digesto.Ref) (string, error) { return storedText(r, law, w.embedded) },
		Has: func(norm, unit string) bool {
			for _, s := range []*corpus.Snapshot{law.Snapshot, w.embedded.Snapshot} {
				if s == nil {
					continue
				}
				if n, ok := s.Norm(norm); ok {
					if unit == "" {
						return true
					}
					if _, ok := s.Unit(n.ID, unit); ok {
						return true
					}
				}
			}
			return false
		},
		Retrieve: func(ctx context.Context, q string) (pack.Found, error) { return guides.Retrieve(ctx, q, 10) },
		Delete: func(ctx context.Context, session string, seq int64) error {
			return w.store.DeleteMessage(ctx, localUser, session, seq)
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
		opt.Log = a.say
	}
	return opt, done, nil
}

// compare holds a report against its baseline, or writes it as the new one.
func (c evalPackCmd) compare(a *app, p *pack.Pack, rep *eval.PackReport) error {
	if c.Update {
		path := cmp.Or(c.Baseline, filepath.Join("eval", "golden", "pack-"+p.Name+".tsv"))
		if err := os.WriteFile(path, rep.TSV(), 0o644); err != nil {
			return fileError(err, path, "Dé otro sitio con --baseline.")
		}
		a.say("Escritas las cifras de referencia: %s", path)
		return nil
	}
	data := eval.Golden(p.Name)
	if c.Baseline != "" {
		var err error
		if data, err = os.ReadFile(c.Baseline); err != nil {
			return fileError(err, c.Baseline, "Escríbalas con --update.")
		}
	}
	if data == nil {
		a.say("%s: no hay cifras de referencia; escríbalas con --update", p.Name)
		return nil
	}
	return rep.Compare(data)
}

// write prints the figures and the report asked for.
func (c evalPackCmd) write(a *app, list []eval.PackReport) error {
	if c.Report != "" {
		var data []byte
		switch filepath.Ext(c.Report) {
		case ".md":
			data = eval.Markdown(list)
		case ".html":
			data = eval.Page(list)
		case ".json":
			data = eval.JSON(list)
		default:
			return &digesto.Error{Code: digesto.CodeUsage, Message: "no se sabe en qué forma escribir " + c.Report, Hint: "Dele un nombre que acabe en .md, .html o .json."}
		}
		if err := os.WriteFile(c.Report, data, 0o644); err != nil {
			return fileError(err, c.Report, "")
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"packs": list, "metrics": eval.Flat(list)})
	}
	for _, p := range list {
		printPackReport(a, p)
	}
	return nil
}

func printPackReport(a *app, p eval.PackReport) {
	st := a.outStyle()
	fmt.Fprintln(a.out, st.bold(p.Pack))
	for _, g := range p.Groups {
		name := string(g.Kind)
		if g.Category != "" {
			name = "  " + g.Category
		}
		fmt.Fprintf(a.out, "%-22s %4d  %.3f  [%.3f, %.3f]  p50 %.1f ms, p95 %.1f ms, %d llamadas\n", name, g.N, g.Score, g.CI.Low, g.CI.High, g.P50, g.P95, g.Calls)
		if g.Category == "" && len(g.Metrics) > 0 {
			fmt.Fprintln(a.out, "    "+g.Metrics.String())
		}
	}
	fmt.Fprintln(a.out, p.Line())
	if x := p.Compared; x != nil {
		fmt.Fprintf(a.out, "Frente a la referencia: %d casos comunes, %d nuevos, %d que ya no se ejecutan\n", x.Cases, x.New, x.Gone)
		if x.Other != "" {
			fmt.Fprintln(a.out, "  "+x.Other)
		}
		for _, d := range x.Kinds {
			note := ""
			if d.Is < d.Was {
				note = " · peor"
			}
			if d.Significant {
				note += " · significativo"
			}
			fmt.Fprintf(a.out, "  %-12s %.4f → %.4f (p = %.3f)%s\n", d.Kind, d.Was, d.Is, d.P, note)
		}
		if len(x.Worse) > 0 {
			fmt.Fprintln(a.out, "  peores:", strings.Join(x.Worse, " "))
		}
	}
}
