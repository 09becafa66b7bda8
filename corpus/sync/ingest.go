package sync

import (
	"context"
	"os/exec"
	"path/filepath"

	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/cite"
)

// Ingest reads paths into a library, with progress on stderr.
func (o Options) Ingest(ctx context.Context, lib *corpus.Library, data string, paths []string, opt ingest.Options) (ingest.Report, error) {
	var aliases []cite.Alias
	for _, p := range o.Packs {
		aliases = append(aliases, p.Aliases...)
	}
	show, done := o.Progress("Leyendo")
	defer done()
	opt.Aliases, opt.Known = aliases, pack.Expected(o.Packs)
	if p, err := packs.Named(o.Packs, opt.Pack); err == nil && p != nil && opt.Jurisdiction == "" {
		opt.Jurisdiction = p.Jurisdiction() // of files that do not say theirs
	}
	opt.Fetched = o.fetched()
	opt.CacheDir = filepath.Join(data, "cache", "pdf") // the compiled PDF engine: seconds less on the next run
	if program, err := exec.LookPath("tesseract"); err == nil {
		opt.OCR = program // scanned PDFs
	}
	if program, err := exec.LookPath("git"); err == nil {
		opt.Git = program // earlier states of texts kept in a repository
	}
	opt.Progress = func(p ingest.Progress) { show(p.Done, p.Total) }
	opt.BeforeSwap = func(s *corpus.Snapshot) error {
		done()
		if o.Watch != nil {
			o.Watch("Construyendo el índice", 0, 0)
		}
		o.Say("Construyendo el índice de %d normas…", len(s.Norms()))
		return o.BeforeSwap(data)(s)
	}
	rep, err := ingest.Add(ctx, lib, paths, opt)
	if s, now := lib.Current(); err == nil && now == nil {
		keepOriginals(s, data, paths)
		s.Close()
	}
	return rep, err
}
