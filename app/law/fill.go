package law

import (
	"context"
	"runtime"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/model"
	"digesto/model/vectorfile"
)

// saveEvery is after how many vectors the file is written: what a crash may lose.
const saveEvery = 256

// Missing gives the texts of the articles in force that have no vector yet, each
// once, and how many articles there are.
func Missing(snap *corpus.Snapshot, kept *vectorfile.File) (texts []string, total int, err error) {
	seen := map[vectorfile.Key]bool{}
	for c, err := range snap.Chunks() {
		if err != nil {
			return nil, 0, err
		}
		if !c.Current {
			continue
		}
		total++
		text := TextOf(c)
		if k := vectorfile.KeyOf(text); !kept.Has(k) && !seen[k] {
			seen[k] = true
			texts = append(texts, text)
		}
	}
	return texts, total, nil
}

// Fill makes vectors while the program serves, until ctx ends: first those that
// searches missed, then, at half the pace of one CPU, those of every article. A new
// snapshot is begun when it is seen.
func (l *Installed) Fill(ctx context.Context) {
	for ctx.Err() == nil {
		v, done, err := l.View()
		if err != nil || v.Snapshot == nil {
			done = orNothing(done)
			done()
			l.rest(ctx, time.Second, nil)
			continue
		}
		l.mu.Lock()
		li := l.indexes[v.Snapshot.Content()]
		l.mu.Unlock()
		if li != nil && l.Model != nil && li.m != l.Model {
			if err := l.Replace(ctx, v.Snapshot); err != nil && ctx.Err() == nil {
				l.Say("%s. %s Se vuelve a intentar dentro de un minuto.", digesto.Told(err), digesto.HintOf(err))
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

func (l *Installed) fillSnapshot(ctx context.Context, snap *corpus.Snapshot, li *liveIndex) {
	if li == nil || li.m == nil || li.m.Second == nil {
		l.rest(ctx, time.Second, nil)
		return
	}
	kept := l.vectors(snap.Content(), li)
	if kept == nil { // said already; nothing to do until the next snapshot
		for ctx.Err() == nil && l.Answering() == snap.Content() {
			l.rest(ctx, time.Second, nil)
		}
		return
	}
	texts, _, err := Missing(snap, kept)
	if err != nil {
		l.Say("%v", err)
	}
	put := func(text string) {
		if kept.Has(vectorfile.KeyOf(text)) {
			return
		}
		if err := EmbedInto(ctx, li.m.Second, kept, []string{text}, model.Passage); err == nil && kept.Len()%saveEvery == 0 {
			l.keep(kept)
		}
	}
	for i := 0; ctx.Err() == nil && l.Answering() == snap.Content(); {
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
func (l *Installed) keep(f *vectorfile.File) {
	if err := f.Save(); err != nil {
		l.Say("%v", err)
	}
}

// Answering is the content of the snapshot of the last question; "" = none has been asked.
func (l *Installed) Answering() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// rest waits, and meanwhile makes what searches missed.
func (l *Installed) rest(ctx context.Context, d time.Duration, put func(string)) {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			return
		case text := <-l.Wanted:
			if put != nil {
				put(text)
			}
		}
	}
}

// FillKept makes the vectors of texts until a limit of time is reached (below 0: none) or the
// caller has enough, keeps them and says how many there are; progress gets their number as it
// grows. Those of the last few stay to be saved.
func FillKept(ctx context.Context, m *Embedding, kept *vectorfile.File, texts []string, limit time.Duration, progress func(n, total int)) (made int, err error) {
	for start := time.Now(); made < len(texts) && ctx.Err() == nil && (limit < 0 || time.Since(start) < limit); {
		n := min(len(texts)-made, runtime.GOMAXPROCS(0))
		if err := EmbedInto(ctx, m.Second, kept, texts[made:made+n], model.Passage); err != nil && ctx.Err() == nil {
			return made, err
		}
		if made += n; made%saveEvery < n {
			if err := kept.Save(); err != nil {
				return made, err
			}
		}
		progress(made, len(texts))
	}
	return made, nil
}
