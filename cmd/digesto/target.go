package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/eval"
	"digesto/index"
	"digesto/model/vectorfile"
	"digesto/pack"
	"digesto/text/cite"
)

// target is what `search` looks through: the installed law, the fiches, or a
// JSON Lines corpus of its own.
type target struct {
	name     string // snapshot, "embedded", or the file
	searcher digesto.Searcher
	query    func(text string) digesto.Query
	mended   func(text string) string // its spelling corrected against the words indexed
	title    func(norm string) string
	row      func(digesto.Hit) hitRow
	close    func()
	pack     *pack.Pack     // nil = any
	find     *decide.Finder // asks of the digest beside the articles; nil = articles alone
}

// search finds articles and asks together.
func (t *target) search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if t.find == nil || t.pack == nil {
		return t.searcher.Search(ctx, q)
	}
	return t.find.Search(ctx, t.searcher, t.pack.Name, q)
}

// narrow puts the pack's mandatory filter over the caller's.
func (t *target) narrow(f digesto.Filter) digesto.Filter {
	if t.pack == nil {
		return f
	}
	return t.pack.Narrow(f)
}

// target opens what the flags name.
func (c searchCmd) target(a *app) (*target, error) {
	if c.Corpus != "" {
		return a.fileTarget(c.Corpus, c.Lay == "off")
	}
	w, err := a.open(a.ctx)
	if err != nil {
		return nil, err
	}
	w.laws.words = a.noVectors
	t, err := c.targetIn(w)
	if err != nil {
		w.close()
		return nil, err
	}
	done := t.close
	t.close = func() { done(); w.close() }
	return t, nil
}

// targetIn is the law installed in a world that stays open, else its fiches.
func (c searchCmd) targetIn(w *world) (*target, error) {
	p, err := w.pack(c.Pack)
	if err != nil {
		return nil, err
	}
	v, done, err := w.installed()
	if err != nil {
		return nil, err
	}
	t := &target{name: v.Snapshot.Hash(), searcher: v.Searcher, close: done, pack: p}
	if v.Snapshot == w.embedded.Snapshot {
		t.name = "embedded"
	}
	t.query = func(text string) digesto.Query {
		q := w.query(text, v, p)
		if c.Lay != "off" {
			w.lay(&q, text, v, p)
		}
		return q
	}
	t.mended = func(text string) string { return eval.Corrected(v.Searcher, text, w.knowing(p)...) }
	t.title = func(norm string) string {
		n, _ := v.Snapshot.Norm(norm)
		return n.Title
	}
	t.row = func(h digesto.Hit) hitRow { return rowOf(v.Snapshot, h) }
	if t.name != "embedded" {
		_, t.find = w.questions(w.laws)
	}
	return t, nil
}

// fileTarget indexes a JSON Lines corpus, once for its contents.
func (a *app) fileTarget(path string, noLay bool) (*target, error) {
	c, err := eval.ReadCorpus(path)
	if err != nil {
		return nil, err
	}
	s, done, err := a.buildIndexOf(a.ctx, c.Hash, c.Chunks())
	if err != nil {
		return nil, err
	}
	all, err := a.packs()
	if err != nil {
		return nil, err
	}
	norms := c.Norms()
	table, lexicons := cite.NewTable(aliasesOf(all), norms), laysOf(all, norms)
	return &target{name: path, searcher: s, close: func() { _ = done() },
		mended: func(text string) string { return eval.Corrected(s, text, all...) },
		title: func(norm string) string {
			if i := slices.IndexFunc(norms, func(n digesto.Norm) bool { return n.ID == norm }); i >= 0 {
				return norms[i].Title
			}
			return ""
		},
		query: func(text string) digesto.Query {
			q := c.Query(table, eval.Corrected(s, text, all...))
			if !noLay {
				lexicons.add(&q, text)
			}
			return q
		},
		row: func(h digesto.Hit) hitRow {
			return hitRow{ID: h.ID, Norm: h.Norm, Unit: h.Unit, Score: h.Score, Explain: h.Explain}
		}}, nil
}

// aliases are the names of norms that all packs know.
func (a *app) aliases() ([]cite.Alias, error) {
	all, err := a.packs()
	if err != nil {
		return nil, err
	}
	return aliasesOf(all), nil
}

func aliasesOf(all []*pack.Pack) []cite.Alias {
	var out []cite.Alias
	for _, p := range all {
		out = append(out, p.Aliases...)
	}
	return out
}

// buildIndexOf gives a searcher over chunks that no library holds. The index
// is kept under the data folder by the hash of its source, and found there the
// next time; without a folder to write in it is built in memory.
func (a *app) buildIndexOf(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
	m, err := a.meaning()
	if err != nil {
		return nil, nil, err
	}
	p, save, err := a.passagesOf(m, hash, chunks)
	if err != nil {
		return nil, nil, err
	}
	opt, chunks := m.vectored(ctx, chunks)
	if at := a.conf.get("index"); at != "" {
		ix, err := ensure(ctx, at, nameOf(hash, m), chunks, opt, a.say)
		if err != nil {
			return nil, nil, err
		}
		return m.searcher(ix, p), func() error { return errors.Join(save(), ix.Close()) }, nil
	}
	closing := func(ix *index.Index) func() error {
		return func() error { return errors.Join(save(), ix.Close()) }
	}
	if a.conf.data != "" && hash != "" {
		name := "index-" + hash + m.suffix()
		if m != nil && m.own {
			name += "-" + opt.Model
		}
		dir := filepath.Join(a.conf.data, "cache", name)
		if ix, err := index.Open(dir, m.opened()); err == nil {
			return m.searcher(ix, p), closing(ix), nil
		}
		if os.MkdirAll(dir, 0o755) == nil {
			a.say("Construyendo el índice (una sola vez)…")
			if err := index.Build(ctx, chunks, dir, opt); err != nil {
				return nil, nil, err
			}
			ix, err := index.Open(dir, m.opened())
			if err != nil {
				return nil, nil, err
			}
			return m.searcher(ix, p), closing(ix), nil
		}
	}
	ix, err := index.Memory(ctx, chunks, opt)
	if err != nil {
		return nil, nil, err
	}
	return m.searcher(ix, p), closing(ix), nil
}

// passagesOf is the second stage over chunks that no library holds. Its vectors
// are kept beside their index; without a folder to write in, in memory.
func (a *app) passagesOf(m *meaning, hash string, chunks iter.Seq2[digesto.Chunk, error]) (*passages, func() error, error) {
	if m == nil || m.second == nil {
		return nil, func() error { return nil }, nil
	}
	path, save := "", func(*vectorfile.File) error { return nil }
	if a.conf.data != "" && hash != "" {
		path, save = filepath.Join(a.conf.data, "cache", "vectors-"+hash+".vec"), (*vectorfile.File).Save
	}
	kept, err := vectorfile.Open(path, m.space)
	if err != nil {
		return nil, nil, err
	}
	texts := sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for c, err := range chunks {
			if err == nil {
				all[c.ID] = textOf(c)
			}
		}
		return all
	})
	p := &passages{model: m.second, open: func() *vectorfile.File { return kept }, budget: a.budget, norms: a.everyNorm, text: func(h digesto.Hit) (string, bool) {
		text, ok := texts()[h.ID]
		return text, ok
	}}
	return p, func() error { return save(kept) }, nil
}

// rowOf adds to a hit what people need to recognise it.
func rowOf(snap *corpus.Snapshot, h digesto.Hit) hitRow {
	r := hitRow{ID: h.ID, Norm: h.Norm, Unit: h.Unit, Score: h.Score, Explain: h.Explain}
	if h.Via != "" {
		r.Via = &h.Via
	}
	if n, ok := snap.Norm(h.Norm); ok {
		r.Title = n.Title
	}
	if u, ok := snap.Unit(h.Norm, strings.TrimPrefix(h.Unit, h.Norm+"/")); ok {
		r.Label, r.Rubric, r.Path = u.Label, u.Rubric, u.Path
		version := h.ID[strings.LastIndex(h.ID, "/")+1:]
		if i := slices.IndexFunc(u.Versions, func(v digesto.Version) bool { return v.ID == version }); i >= 0 {
			r.Text = u.Versions[i].Text
		}
	}
	return r
}
