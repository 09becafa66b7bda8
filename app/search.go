package app

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
	"digesto/app/law"
	"digesto/corpus"
	"digesto/decide"
	"digesto/eval"
	"digesto/index"
	"digesto/model/vectorfile"
	"digesto/pack"
	"digesto/text/cite"
)

// Searched is what `search` looks through: the installed law, the fiches, or a
// JSON Lines corpus of its own.
type Searched struct {
	name     string // snapshot, "embedded", or the file
	Searcher digesto.Searcher
	Query    func(text string) digesto.Query
	Mended   func(text string) string // its spelling corrected against the words indexed
	Title    func(norm string) string
	Row      func(digesto.Hit) HitRow
	Close    func()
	Pack     *pack.Pack     // nil = any
	find     *decide.Finder // asks of the digest beside the articles; nil = articles alone
}

// Search finds articles and asks together.
func (t *Searched) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if t.find == nil || t.Pack == nil {
		return t.Searcher.Search(ctx, q)
	}
	return t.find.Search(ctx, t.Searcher, t.Pack.Name, q)
}

// Narrow puts the pack's mandatory filter over the caller's.
func (t *Searched) Narrow(f digesto.Filter) digesto.Filter {
	if t.Pack == nil {
		return f
	}
	return t.Pack.Narrow(f)
}

// Target opens what is searched: a file of JSON Lines, or else the law of a pack, with the
// words of the street or without them.
func (a *App) Target(file, packName string, noLay bool) (*Searched, error) {
	if file != "" {
		return a.FileTarget(file, noLay)
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, err
	}
	w.Law.WordsOnly = a.NoVectors
	t, err := w.target(packName, noLay)
	if err != nil {
		w.Close()
		return nil, err
	}
	done := t.Close
	t.Close = func() { done(); w.Close() }
	return t, nil
}

// Searched is the law installed in a workspace that stays open, else its fiches.
func (w *Workspace) target(packName string, noLay bool) (*Searched, error) {
	p, err := w.Pack(packName)
	if err != nil {
		return nil, err
	}
	v, done, err := w.installed()
	if err != nil {
		return nil, err
	}
	t := &Searched{name: v.Snapshot.Hash(), Searcher: v.Searcher, Close: done, Pack: p}
	if v.Snapshot == w.Embedded.Snapshot {
		t.name = "embedded"
	}
	t.Query = func(text string) digesto.Query {
		q := w.Query(text, v, p)
		if !noLay {
			w.AddLexicon(&q, text, v, p)
		}
		return q
	}
	t.Mended = func(text string) string { return eval.Corrected(v.Searcher, text, w.knowing(p)...) }
	t.Title = func(norm string) string {
		n, _ := v.Snapshot.Norm(norm)
		return n.Title
	}
	t.Row = func(h digesto.Hit) HitRow { return rowOf(v.Snapshot, h) }
	if t.name != "embedded" {
		t.find = w.questions(w.Law)
	}
	return t, nil
}

// FileTarget indexes a JSON Lines corpus, once for its contents.
func (a *App) FileTarget(path string, noLay bool) (*Searched, error) {
	c, err := eval.ReadCorpus(path)
	if err != nil {
		return nil, err
	}
	s, done, err := a.BuildIndexOf(a.Context, c.Hash, c.Chunks())
	if err != nil {
		return nil, err
	}
	all, err := a.Packs()
	if err != nil {
		return nil, err
	}
	norms := c.Norms()
	table, lexicons := cite.NewTable(AliasesOf(all), norms), LexiconsOf(all, norms)
	return &Searched{name: path, Searcher: s, Close: func() { _ = done() },
		Mended: func(text string) string { return eval.Corrected(s, text, all...) },
		Title: func(norm string) string {
			if i := slices.IndexFunc(norms, func(n digesto.Norm) bool { return n.ID == norm }); i >= 0 {
				return norms[i].Title
			}
			return ""
		},
		Query: func(text string) digesto.Query {
			q := c.Query(table, eval.Corrected(s, text, all...))
			if !noLay {
				lexicons.Add(&q, text)
			}
			return q
		},
		Row: func(h digesto.Hit) HitRow {
			return HitRow{ID: h.ID, Norm: h.Norm, Unit: h.Unit, Score: h.Score, Explain: h.Explain}
		}}, nil
}

// Aliases are the names of norms that all packs know.
func (a *App) Aliases() ([]cite.Alias, error) {
	all, err := a.Packs()
	if err != nil {
		return nil, err
	}
	return AliasesOf(all), nil
}

// AliasesOf are the names of norms that some packs know.
func AliasesOf(all []*pack.Pack) []cite.Alias {
	var out []cite.Alias
	for _, p := range all {
		out = append(out, p.Aliases...)
	}
	return out
}

// BuildIndexOf gives a searcher over chunks that no library holds. The index
// is kept under the data folder by the hash of its source, and found there the
// next time; without a folder to write in it is built in memory.
func (a *App) BuildIndexOf(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
	m, err := a.Meaning()
	if err != nil {
		return nil, nil, err
	}
	p, save, err := a.passagesOf(m, hash, chunks)
	if err != nil {
		return nil, nil, err
	}
	opt, chunks := m.Vectored(ctx, chunks)
	if at := a.Settings.Get("index"); at != "" {
		ix, err := law.Ensure(ctx, at, law.NameOf(hash, m), chunks, opt, a.Say)
		if err != nil {
			return nil, nil, err
		}
		return m.Searcher(ix, p), func() error { return errors.Join(save(), ix.Close()) }, nil
	}
	closing := func(ix *index.Index) func() error {
		return func() error { return errors.Join(save(), ix.Close()) }
	}
	if a.Settings.Data != "" && hash != "" {
		name := "index-" + hash + m.Suffix()
		if m != nil && m.Own {
			name += "-" + opt.Model
		}
		dir := filepath.Join(a.Settings.Data, "cache", name)
		if ix, err := index.Open(dir, m.Opened()); err == nil {
			return m.Searcher(ix, p), closing(ix), nil
		}
		if os.MkdirAll(dir, 0o755) == nil {
			a.Say("Construyendo el índice (una sola vez)…")
			if err := index.Build(ctx, chunks, dir, opt); err != nil {
				return nil, nil, err
			}
			ix, err := index.Open(dir, m.Opened())
			if err != nil {
				return nil, nil, err
			}
			return m.Searcher(ix, p), closing(ix), nil
		}
	}
	ix, err := index.Memory(ctx, chunks, opt)
	if err != nil {
		return nil, nil, err
	}
	return m.Searcher(ix, p), closing(ix), nil
}

// passagesOf is the second stage over chunks that no library holds. Its vectors
// are kept beside their index; without a folder to write in, in memory.
func (a *App) passagesOf(m *law.Embedding, hash string, chunks iter.Seq2[digesto.Chunk, error]) (*law.SecondStage, func() error, error) {
	if m == nil || m.Second == nil {
		return nil, func() error { return nil }, nil
	}
	path, save := "", func(*vectorfile.File) error { return nil }
	if a.Settings.Data != "" && hash != "" {
		path, save = filepath.Join(a.Settings.Data, "cache", "vectors-"+hash+".vec"), (*vectorfile.File).Save
	}
	kept, err := vectorfile.Open(path, m.Space)
	if err != nil {
		return nil, nil, err
	}
	texts := sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for c, err := range chunks {
			if err == nil {
				all[c.ID] = law.TextOf(c)
			}
		}
		return all
	})
	p := &law.SecondStage{Model: m.Second, Open: func() *vectorfile.File { return kept }, Budget: a.Budget, EveryNorm: a.EveryNorm, Text: func(h digesto.Hit) (string, bool) {
		text, ok := texts()[h.ID]
		return text, ok
	}}
	return p, func() error { return save(kept) }, nil
}

// rowOf adds to a hit what people need to recognise it.
func rowOf(snap *corpus.Snapshot, h digesto.Hit) HitRow {
	r := HitRow{ID: h.ID, Norm: h.Norm, Unit: h.Unit, Score: h.Score, Explain: h.Explain}
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

// FilterOf joins field=value pairs, collections and a day.
func FilterOf(pairs, collections []string, asOf string) (digesto.Filter, error) {
	f := digesto.Filter{In: map[string][]string{}}
	for _, kv := range pairs {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return f, &digesto.Error{Code: digesto.CodeUsage, Message: "El filtro «" + kv + "» no se entiende", Hint: "Escríbalo campo=valor, por ejemplo --filter rank=ley."}
		}
		f.In[k] = append(f.In[k], v)
	}
	if len(collections) > 0 {
		f.In["collection"] = collections
	}
	at, err := ParseDate("--as-of", asOf)
	f.AsOf = at
	return f, err
}

// HitRow is a hit as people and programs read it.
type HitRow struct {
	ID      string           `json:"id"`
	Norm    string           `json:"norm"`
	Unit    string           `json:"unit"`
	Score   float64          `json:"score"`
	Title   string           `json:"title,omitempty"`
	Label   string           `json:"label,omitempty"`
	Rubric  string           `json:"rubric,omitempty"`
	Path    []string         `json:"path,omitempty"`
	Text    string           `json:"text,omitempty"`
	Via     *string          `json:"via"` // nearest ask of the digest; null = by its text alone
	Explain *digesto.Explain `json:"explain,omitempty"`
}

// Found is the JSON value of a search.
func (t *Searched) Found(q digesto.Query, res digesto.Results, rows []HitRow) map[string]any {
	return map[string]any{"corpus": t.name, "text": q.Text, "norms": NonNil(q.Norms), "units": NonNil(q.Units),
		"hits": rows, "total": res.Total, "best": res.Best, "reach": res.Reach, "means": res.Means}
}

// NonNil is a list that JSON writes as such when it is empty.
func NonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
