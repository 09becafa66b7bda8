package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/model"
	"digesto/model/vectorfile"
)

// corpusVectorsCmd makes the vectors of the articles installed.
type corpusVectorsCmd struct {
	For string `name:"for" placeholder:"TIEMPO" help:"Se para pasado ese tiempo (10m, 1h); lo hecho queda guardado."`
	New bool   `name:"new" help:"Tira los que haya y empieza de nuevo: de otro modelo, o dañados."`
}

// Examples of the command.
func (corpusVectorsCmd) Examples() []string {
	return []string{"digesto corpus vectors", "digesto corpus vectors --for 10m", "digesto corpus vectors --new"}
}

// saveEvery is after how many vectors the file is written: what a crash may lose.
const saveEvery = 256

// Run makes those that are missing.
func (c corpusVectorsCmd) Run(a *app) error {
	limit := time.Duration(-1)
	if c.For != "" {
		var err error
		if limit, err = time.ParseDuration(c.For); err != nil || limit <= 0 {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "El tiempo «" + c.For + "» no vale", Hint: "Escríbalo como 30s, 10m o 1h."}
		}
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return err
	}
	defer w.close()
	m := w.laws.model
	if m == nil || m.second == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No hay vectores que calcular aparte: este programa no lleva modelo, o la configuración nombra un servicio, que los da al indexar",
			Hint: "«digesto config» dice qué modelo de vectores se usa."}
	}
	snap, err := a.snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	if len(snap.Norms()) == 0 {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna ley instalada", Hint: "Instale textos con: digesto corpus add CARPETA --pack PAQUETE"}
	}
	if c.New {
		if err := os.Remove(keptPath(a.conf.data, snap.Content())); err != nil && !os.IsNotExist(err) {
			return fileError(err, keptPath(a.conf.data, snap.Content()), "revise los permisos de la carpeta de datos")
		}
	}
	kept, err := openKept(a.conf.data, snap.Content(), m.space)
	if err != nil {
		return err
	}
	return c.fill(a, m, snap, kept, limit)
}

func (c corpusVectorsCmd) fill(a *app, m *meaning, snap *corpus.Snapshot, kept *vectorfile.File, limit time.Duration) error {
	texts, total, err := missing(snap, kept)
	if err != nil {
		return err
	}
	show, done := a.progress("Vectores")
	start, made := time.Now(), 0
	for made < len(texts) && a.ctx.Err() == nil && (limit < 0 || time.Since(start) < limit) {
		n := min(len(texts)-made, runtime.GOMAXPROCS(0))
		if err := embedInto(a.ctx, m.second, kept, texts[made:made+n], model.Passage); err != nil && a.ctx.Err() == nil {
			return err
		}
		if made += n; made%saveEvery < n {
			if err := kept.Save(); err != nil {
				return err
			}
		}
		show(made, len(texts))
	}
	done()
	if err := kept.Save(); err != nil {
		return err
	}
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if a.json {
		return a.printJSON(map[string]any{"articles": total, "made": made, "missing": len(texts) - made, "file": kept.Path()})
	}
	fmt.Fprintf(a.out, "%d artículos vigentes: %d vectores calculados ahora en %s, faltan %d.\n", total, made, time.Since(start).Round(time.Second), len(texts)-made)
	return nil
}

// missing gives the texts of the articles in force that have no vector yet, each
// once, and how many articles there are.
func missing(snap *corpus.Snapshot, kept *vectorfile.File) (texts []string, total int, err error) {
	seen := map[vectorfile.Key]bool{}
	for c, err := range snap.Chunks() {
		if err != nil {
			return nil, 0, err
		}
		if !c.Current {
			continue
		}
		total++
		text := textOf(c)
		if k := vectorfile.KeyOf(text); !kept.Has(k) && !seen[k] {
			seen[k] = true
			texts = append(texts, text)
		}
	}
	return texts, total, nil
}

// fill makes vectors while the program serves, until ctx ends: first those that
// searches missed, then, at half the pace of one CPU, those of every article. A new
// snapshot is begun when it is seen.
func (l *laws) fill(ctx context.Context) {
	for ctx.Err() == nil {
		v, done, err := l.view()
		if err != nil || v.Snapshot == nil {
			done = orNothing(done)
			done()
			l.rest(ctx, time.Second, nil)
			continue
		}
		l.mu.Lock()
		li := l.open[v.Snapshot.Content()]
		l.mu.Unlock()
		if li != nil && l.model != nil && li.m != l.model {
			if err := l.replace(ctx, v.Snapshot); err != nil && ctx.Err() == nil {
				l.say("%s. %s Se vuelve a intentar dentro de un minuto.", digesto.Told(err), hintOf(err))
				l.rest(ctx, time.Minute, nil)
			}
		} else {
			l.fillSnapshot(ctx, v.Snapshot, li)
		}
		done()
	}
}

func orNothing(f func()) func() {
	if f == nil {
		return func() {}
	}
	return f
}

func (l *laws) fillSnapshot(ctx context.Context, snap *corpus.Snapshot, li *lawIndex) {
	if li == nil || li.m == nil || li.m.second == nil {
		l.rest(ctx, time.Second, nil)
		return
	}
	kept := l.vectors(snap.Content(), li)
	if kept == nil { // said already; nothing to do until the next snapshot
		for ctx.Err() == nil && l.current() == snap.Content() {
			l.rest(ctx, time.Second, nil)
		}
		return
	}
	texts, _, err := missing(snap, kept)
	if err != nil {
		l.say("%v", err)
	}
	put := func(text string) {
		if kept.Has(vectorfile.KeyOf(text)) {
			return
		}
		if err := embedInto(ctx, li.m.second, kept, []string{text}, model.Passage); err == nil && kept.Len()%saveEvery == 0 {
			l.keep(kept)
		}
	}
	for i := 0; ctx.Err() == nil && l.current() == snap.Content(); {
		pause := time.Second
		if i < len(texts) {
			start := time.Now()
			put(texts[i])
			pause = time.Since(start)
			i++
		} else {
			l.keep(kept)
		}
		l.rest(ctx, pause, put)
	}
	l.keep(kept)
}

// keep writes a file of vectors; that it cannot be is said once for each time.
func (l *laws) keep(f *vectorfile.File) {
	if err := f.Save(); err != nil {
		l.say("%v", err)
	}
}

// current is the snapshot of the last question.
func (l *laws) current() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// rest waits, and meanwhile makes what searches missed.
func (l *laws) rest(ctx context.Context, d time.Duration, put func(string)) {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			return
		case text := <-l.wanted:
			if put != nil {
				put(text)
			}
		}
	}
}
