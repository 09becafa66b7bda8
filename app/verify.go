package app

import (
	"context"
	"os"
	"path/filepath"

	"digesto"
	"digesto/pack"
	"digesto/verify/brief"
)

// PdfCache is where the compiled PDF engine is kept; "" without a data folder.
func (a *App) PdfCache() string {
	dir := a.Settings.Data
	if _, err := os.Stat(dir); dir == "" || err != nil {
		return ""
	}
	return filepath.Join(dir, "cache", "pdf")
}

// VerifyText checks a text against the law installed; p nil means all packs.
func (w *Workspace) VerifyText(ctx context.Context, text string, p *pack.Pack, at, today digesto.Date) (brief.Report, error) {
	v, done, err := w.installed()
	if err != nil {
		return brief.Report{}, err
	}
	defer done()
	o := brief.Options{Law: v.Snapshot, Search: v.Searcher, Table: w.CitationTable(v, p), AsOf: at, Today: today, Install: w.installs(p), Places: map[string]string{}}
	for _, x := range w.Packs {
		if p == nil || p == x {
			o.Rulings, o.Courts = append(o.Rulings, x.Rulings...), append(o.Courts, x.Courts...)
		}
		for code, name := range x.Places {
			o.Places[code] = name
		}
	}
	return brief.Check(ctx, text, o)
}

// installs gives the command that installs a norm that a pack expects.
func (w *Workspace) installs(p *pack.Pack) func(norm, name string) string {
	return func(norm, _ string) string {
		for _, x := range w.Packs {
			if p != nil && p != x {
				continue
			}
			for _, s := range x.Sources {
				if s.ID == norm {
					return x.Install.Command()
				}
			}
		}
		return "digesto corpus add FICHERO"
	}
}
