package app

import (
	"strings"
	"sync"

	"digesto"
	"digesto/ask"
	"digesto/eval"
	"digesto/pack"
	"digesto/text/cite"
)

// tables keeps the tables of citations, one for each state of the law and
// pack: making one reads every title.
type tables struct {
	mu   sync.Mutex
	made map[string]*cite.Table
	lays map[string]Lexicons // by state of the law
}

// CitationTable gives the table of a view and a pack; nil is every pack.
func (w *Workspace) CitationTable(v ask.View, p *pack.Pack) *cite.Table {
	key, chosen := v.Snapshot.Hash()+"/", w.Packs
	if p != nil {
		key, chosen = key+p.Name, []*pack.Pack{p}
	}
	w.tables.mu.Lock()
	defer w.tables.mu.Unlock()
	if t := w.tables.made[key]; t != nil {
		return t
	}
	var aliases []cite.Alias
	for _, p := range chosen {
		aliases = append(aliases, p.Aliases...)
	}
	t := cite.NewTable(aliases, v.Snapshot.Norms())
	if p != nil {
		t = t.In(p.Jurisdictions...)
	}
	if w.tables.made == nil || len(w.tables.made) > 64 {
		w.tables.made = map[string]*cite.Table{}
	}
	w.tables.made[key] = t
	return t
}

// Query makes a search of a text as the engine does: its spelling is mended
// against the words indexed, laws named in it are recognised and struck, units
// named are put first, synonyms of the pack are alternatives.
func (w *Workspace) Query(text string, v ask.View, p *pack.Pack) digesto.Query {
	text = eval.Corrected(v.Searcher, text, w.knowing(p)...)
	t := w.CitationTable(v, p)
	named := t.Recognise(text)
	q := digesto.Query{Text: named.Struck, Norms: named.Norms}
	if strings.TrimSpace(q.Text) == "" {
		q.Text = text
	}
	for _, m := range t.Find(text) {
		if norm, unit, err := v.Snapshot.Resolve(m, ""); err == nil && unit != "" {
			q.Units = append(q.Units, norm+"/"+unit)
		}
	}
	if p != nil {
		q.Also = p.Synonyms.Expand(text)
	}
	return q
}

// knowing gives the packs whose words count as spelt right; nil is every pack.
func (w *Workspace) knowing(p *pack.Pack) []*pack.Pack {
	if p != nil {
		return []*pack.Pack{p}
	}
	return w.Packs
}

// installed opens the law if any is installed, else the fiches.
func (w *Workspace) installed() (ask.View, func(), error) {
	v, done, err := w.Law.View()
	if err == nil && v.Snapshot == nil {
		done()
		return w.Embedded, func() {}, nil
	}
	return v, done, err
}
