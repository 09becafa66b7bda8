package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/pdf"
	"digesto/text/cite"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Add reads files and folders into the library: in parallel, only what changed,
// all or nothing. The report names every file not taken and every defect. An
// error (cancelled, disk full, another writer) leaves the library as it was.
func Add(ctx context.Context, lib *corpus.Library, paths []string, opt Options) (Report, error) {
	if len(paths) == 0 {
		return Report{}, &digesto.Error{Code: digesto.CodeUsage, Message: "No se ha indicado ningún archivo ni carpeta", Hint: "Indique al menos una ruta: digesto corpus add RUTA…"}
	}
	start := time.Now()
	files, skipped := walk(paths)
	if len(files) == 0 && len(skipped) > 0 && len(skipped) == len(paths) {
		return Report{Skipped: skipped}, &digesto.Error{Code: digesto.CodeNotFound, Message: skipped[0].File + ": " + skipped[0].Detail, Hint: "Compruebe la ruta y los permisos"}
	}
	opt.log, files = takeLogs(files)
	files, notes := histories(ctx, &opt, files)
	defer closeRepos(files)
	opt.pdf = pdf.NewReader(opt.CacheDir)
	defer opt.pdf.Close()
	r := &ingestion{opt: opt, report: Report{Files: len(files), Kinds: map[string]int{}, Skipped: skipped}, total: len(files),
		seed: maphash.MakeSeed(), hashes: map[string][]uint64{}, reading: semaphore.NewWeighted(opt.maxBytes())}
	for _, d := range notes {
		r.count(d)
	}
	hash, err := lib.Update(ctx, corpus.UpdateOptions{BeforeSwap: opt.BeforeSwap}, func(tx *corpus.Tx) error {
		return r.update(ctx, tx, files)
	})
	if err != nil {
		return r.report, err
	}
	r.behind(lib)
	r.report.Snapshot = hash
	r.report.Elapsed = time.Since(start)
	r.sort()
	return r.report, nil
}

// takeLogs reads the tables of reforms among the files, which date the texts
// beside them, and gives the other files.
func takeLogs(files []source) (*dating.Log, []source) {
	log := &dating.Log{}
	rest := make([]source, 0, len(files))
	for _, f := range files {
		if strings.HasSuffix(strings.ToLower(f.path), ".tsv") && f.size < 64<<20 {
			if data, err := os.ReadFile(f.path); err == nil && log.Read(data) {
				continue
			}
		}
		rest = append(rest, f)
	}
	return log, rest
}

// ingestion is one ingestion under way.
type ingestion struct {
	opt     Options
	mu      sync.Mutex
	report  Report
	total   int
	done    int
	docs    []corpus.Document
	seed    maphash.Seed
	hashes  map[string][]uint64        // file and id of each of docs → its articles: see articlesOf
	held    int                        // bytes of the files whose units are in memory
	reading *semaphore.Weighted        // bytes of files that are read at a time
	read    map[string]bool            // files read now
	refused map[string][]corpus.Defect // files that the library knows and did not take
}

// remember notes which files were refused before: they are as bad as they were,
// and whoever adds them again is told again.
func (r *ingestion) remember(base *corpus.Snapshot) {
	r.refused = map[string][]corpus.Defect{}
	if base == nil {
		return
	}
	for _, d := range base.Defects() {
		if d.Skipped && d.Kind != corpus.DefectSuperseded {
			r.refused[d.File] = append(r.refused[d.File], d)
		}
	}
}

func (r *ingestion) update(ctx context.Context, tx *corpus.Tx, files []source) error {
	r.remember(tx.Base())
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.opt.jobs())
	for _, f := range files {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() error { return r.file(gctx, tx, f) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return r.store(ctx, tx)
}

// heldBytes bounds the files whose units wait in memory until all are read; those of
// further ones are set aside on the disk. A document takes some three times its file.
const heldBytes = 32 << 20

// file reads one file, unless the library has it as it is. Together the files read at a
// time are no larger than one may be.
func (r *ingestion) file(ctx context.Context, tx *corpus.Tx, f source) error {
	defer r.progress(f)
	room := min(f.size, r.opt.maxBytes())
	if err := r.reading.Acquire(ctx, room); err != nil {
		return err
	}
	defer r.reading.Release(room)
	data, ok, err := r.load(ctx, tx, f)
	if !ok || err != nil {
		return err
	}
	opt := r.opt
	opt.on = f.state
	from := opt.fetched(data)
	hash := contentHash(data, opt)
	if !opt.Replace && tx.Unchanged(f.path, hash) { // what it was left behind is forgotten with --replace
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, d := range r.refused[f.path] {
			r.count(d)
		}
		if len(r.refused[f.path]) == 0 {
			r.report.Unchanged++
		}
		return nil
	}
	docs, defects, err := ReadFile(ctx, f.path, data, opt)
	if err != nil {
		return err
	}
	f.reformed(ctx, docs, r.opt)
	r.mu.Lock()
	r.held += len(data)
	aside := r.held > cmp.Or(r.opt.held, heldBytes)
	r.mu.Unlock()
	hashes := make([][]uint64, len(docs))
	for i := range docs {
		opt.provenance(&docs[i], from)
		hashes[i] = articlesOf(r.seed, docs[i].Units)
		if aside {
			if err := tx.SetAside(&docs[i]); err != nil {
				return err
			}
		}
	}
	r.mu.Lock()
	r.report.Changed++
	for i := range docs {
		r.hashes[copyKey(&docs[i])] = hashes[i]
	}
	if r.read == nil {
		r.read = map[string]bool{}
	}
	r.read[f.path] = true
	r.docs = append(r.docs, docs...)
	r.mu.Unlock()
	if len(docs) == 0 {
		r.skip(tx, f.path, hash, defects...)
	}
	return nil
}

// load gives the bytes of a file; false = it cannot be read, which the report tells.
func (r *ingestion) load(ctx context.Context, tx *corpus.Tx, f source) (data []byte, ok bool, err error) {
	if f.size > r.opt.maxBytes() {
		r.skip(tx, f.path, "", corpus.Defect{File: f.path, Kind: line.KindTooLarge, Detail: "Demasiado grande para leerlo de una vez: divídalo", Skipped: true})
		return nil, false, nil
	}
	data, err = f.load(ctx, r.opt.maxBytes())
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		detail := "No se puede leer: " + digesto.Told(err)
		if errors.Is(err, fs.ErrPermission) {
			detail = "Sin permiso de lectura: conceda acceso y vuelva a añadirlo"
		}
		r.skip(tx, f.path, "", corpus.Defect{File: f.path, Kind: "unreadable", Detail: detail, Skipped: true})
		return nil, false, nil
	}
	return data, true, nil
}

func (r *ingestion) skip(tx *corpus.Tx, path, hash string, defects ...corpus.Defect) {
	if hash != "" {
		tx.Skip(path, hash, defects...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range defects {
		r.count(d)
	}
}

func (r *ingestion) count(d corpus.Defect) {
	r.report.Kinds[d.Kind]++
	if d.Skipped {
		r.report.Skipped = append(r.report.Skipped, d)
	} else {
		r.report.Defects = append(r.report.Defects, d)
	}
}

func (r *ingestion) progress(f source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{Done: r.done, Total: r.total})
	}
}

// store finds references, which needs all norms known, and hands the documents
// to the library.
func (r *ingestion) store(ctx context.Context, tx *corpus.Tx) error {
	sort.Slice(r.docs, func(i, j int) bool {
		a, b := &r.docs[i], &r.docs[j]
		return a.File < b.File || a.File == b.File && a.Norm.ID < b.Norm.ID
	})
	articles := make([][]uint64, len(r.docs))
	for i := range r.docs {
		articles[i] = r.hashes[copyKey(&r.docs[i])]
	}
	findDuplicates(r.docs, articles)
	r.consented(tx)
	var norms []digesto.Norm
	if base := tx.Base(); base != nil {
		norms = base.Norms()
	}
	places := newPlacer(r.opt)
	for i := range r.docs {
		places.place(&r.docs[i].Norm)
		norms = append(norms, r.docs[i].Norm)
	}
	by := dating.NewReformers(norms)
	table := cite.NewTable(r.opt.Aliases, norms)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.opt.jobs())
	for i := range r.docs {
		g.Go(func() error {
			if err := gctx.Err(); err != nil {
				return err
			}
			return r.put(tx, table, by, &r.docs[i])
		})
	}
	return g.Wait()
}

func copyKey(d *corpus.Document) string { return d.File + "\x00" + d.Norm.ID }

func (r *ingestion) put(tx *corpus.Tx, table *cite.Table, by dating.Reformers, d *corpus.Document) error {
	if err := tx.TakeBack(d); err != nil {
		return err
	}
	by.Complete(d)
	refs, resolved, versions := dating.Refer(table, d, r.opt.Known)
	d.Says = dating.Sayings(d.Units)
	if err := tx.Put(*d); err != nil {
		if digesto.CodeOf(err) != digesto.CodeInvalid {
			return err
		}
		r.skip(tx, d.File, d.ContentHash, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: line.KindDamaged, Detail: err.Error(), Skipped: true})
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Norms++
	r.report.Units += len(d.Units)
	r.report.Versions += versions
	r.report.References += refs
	r.report.Resolved += resolved
	for _, x := range d.Defects {
		r.count(x)
	}
	d.Units = nil // free: the library has it
	return nil
}

func (r *ingestion) sort() {
	less := func(d []corpus.Defect) func(i, j int) bool {
		return func(i, j int) bool {
			if d[i].File != d[j].File {
				return d[i].File < d[j].File
			}
			return d[i].Kind+d[i].Detail < d[j].Kind+d[j].Detail
		}
	}
	sort.Slice(r.report.Skipped, less(r.report.Skipped))
	sort.Slice(r.report.Defects, less(r.report.Defects))
}

// consented leaves out the supplied texts that would take the place of an installed copy
// of their norm when nobody asked for that, for then another of the files may be the one;
// and it tells of those that take it.
func (r *ingestion) consented(tx *corpus.Tx) {
	for {
		displaced, refused := tx.Displaced(r.docs), map[int]bool{}
		for i, old := range displaced {
			if d := &r.docs[i]; d.Norm.Supplied && !d.Chosen {
				refused[i] = true
				r.skip(tx, d.File, d.ContentHash, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: line.KindReplaces, Skipped: true,
					Detail: fmt.Sprintf("Ya está instalada esa norma: %s (%s%s). El texto de este fichero%s ocuparía su lugar, y no se ha tocado nada: si es lo que quiere, repita la orden con --replace",
						old.ID, old.Source, ofDay(old), ofDay(d.Norm))})
			}
		}
		if len(refused) == 0 {
			for i, old := range displaced {
				d := &r.docs[i]
				d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: line.KindReplaced,
					Detail: fmt.Sprintf("Ocupa el lugar de %s (%s%s)", old.ID, old.Source, ofDay(old))})
			}
			return
		}
		at := -1
		r.docs = slices.DeleteFunc(r.docs, func(corpus.Document) bool { at++; return refused[at] })
	}
}

// behind tells of the files read now that stand behind another copy of their norm, which
// answers in their place.
func (r *ingestion) behind(lib *corpus.Library) {
	s, err := lib.Current()
	if err != nil {
		return // whoever reads it next is told
	}
	defer s.Close()
	for _, d := range s.Defects() {
		if d.Kind == corpus.DefectSuperseded && r.read[d.File] {
			d.Skipped = false // it is kept, and may lead when the other is gone
			r.count(d)
		}
	}
}

func ofDay(n digesto.Norm) string {
	if n.TextAsOf == "" {
		return ", sin fecha de su texto"
	}
	return ", texto hasta el " + string(n.TextAsOf)
}
