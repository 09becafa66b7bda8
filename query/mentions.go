package query

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
	"digesto/text/cite"
)

// TableCache keeps the tables of names of the latest snapshots: one for each
// pack and snapshot, because they are costly to build and never change.
type TableCache struct {
	mu   sync.Mutex
	list []cachedTable // newest last
}

type cachedTable struct {
	pack, hash string
	snap       *corpus.Snapshot // identifies a snapshot without hash
	table      *cite.Table
}

const maxTables = 16

// Get gives the table of a pack's aliases and the norms of a snapshot (nil =
// none installed).
func (c *TableCache) Get(p *pack.Pack, s *corpus.Snapshot) *cite.Table {
	hash := ""
	if s != nil {
		hash = s.Hash()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.list {
		if t.pack == p.Name && t.hash == hash && (hash != "" || t.snap == s) {
			return t.table
		}
	}
	var norms []digesto.Norm
	if s != nil {
		for _, n := range s.Norms() {
			if !p.SameLaw(n) {
				continue
			}
			if !p.Admits(n) { // it can be named by number or alias; its title may be plain words of the matter
				n.Title, n.Short = "", ""
			}
			norms = append(norms, n) // a norm added to another pack can still be named
		}
	}
	t := cite.NewTable(p.Aliases, norms).In(p.Jurisdictions...)
	c.list = append(c.list, cachedTable{p.Name, hash, s, t})
	if len(c.list) > maxTables {
		c.list = slices.Delete(c.list, 0, 1)
	}
	return t
}

// Read finds the citations of a question and what else a search needs.
func (e *Reader) Read(s Scope, question string) Intent {
	i := Intent{Scope: s, Text: question}
	searcher := s.Law.Searcher
	if searcher == nil {
		searcher = e.Embedded.Searcher
	}
	fixed, words := mended(searcher, s.Pack, question)
	i.Mentions = s.Table.Find(fixed)
	law := s.Table.Recognise(question)
	if len(law.Norms) == 0 && len(words) > 0 {
		law = s.Table.Recognise(fixed)
	}
	i.Struck = law.Struck
	norms := law.Norms
	if law.Weak { // the matter of that law: other norms may answer as well
		i.About, norms = slices.Concat(i.About, norms), nil
	}
	for _, w := range words {
		i.Remarks = append(i.Remarks, "Se ha buscado también «"+w.Say+"».")
	}
	for _, id := range norms {
		if n, ok := i.Installed(id); ok {
			if !slices.Contains(i.Norms, n.ID) {
				i.Norms = append(i.Norms, n.ID)
			}
		} else {
			i.lack(Absent{Name: id, Norm: id})
		}
	}
	for _, m := range i.Mentions {
		i.mention(m)
	}
	named := s.Pack.Glossary.Find(question)
	i.Stands = append(s.Pack.Synonyms.Alternatives(question, named), words...)
	i.Also = pack.Says(i.Stands)
	if len(norms) == 0 { // whoever names the law speaks its words already
		lay := s.Pack.Lay.Alternatives(question, named)
		i.Stands, i.Lay = append(i.Stands, lay...), pack.Says(lay)
		for _, n := range named {
			for _, l := range n.Term.Legal {
				if !slices.Contains(i.Lay, l) && !slices.Contains(i.Also, l) {
					i.Terms = append(i.Terms, l)
				}
			}
		}
	}
	i.Territory = territoryOf(s, question)
	i.local(question)
	return i
}

// local leaves out the norms of a place that the question does not name, and those that
// rule no more, when it says the name of an aid that is also in their titles and does not
// speak of a law.
func (i *Intent) local(question string) {
	if LawWords.MatchString(text.Fold(question)) {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(i.Norms), func(id string) bool {
		n, _ := i.Installed(id)
		return n.Status == digesto.StatusRepealed && n.RepealedFrom <= i.AsOf() ||
			i.Pack.Territories != nil && n.Territory != "" && !slices.Contains(i.Codes, n.Territory)
	})
	if len(kept) < len(i.Norms) {
		i.Norms, i.Struck = kept, question
	}
}

func (i *Intent) Installed(id string) (digesto.Norm, bool) {
	if i.Law.Snapshot == nil || id == "" {
		return digesto.Norm{}, false
	}
	return i.Law.Snapshot.Norm(id)
}

func (i *Intent) lack(a Absent) {
	for k, o := range i.Absent {
		if o.Norm != "" && o.Norm == a.Norm && o.Unit == a.Unit {
			if o.Name == o.Norm && a.Name != "" {
				i.Absent[k].Name = a.Name
			}
			return
		}
	}
	i.Absent = append(i.Absent, a)
}

// mention resolves one citation of the question.
func (i *Intent) mention(m cite.Mention) {
	if m.Relative {
		return
	}
	norm := m.Norm
	if norm == "" && m.Name != "" && len(m.Also) == 0 {
		i.lack(Absent{Name: m.Name})
		return
	}
	if norm == "" && len(i.Norms) == 1 {
		norm = i.Norms[0]
	}
	if norm != "" {
		i.mentionIn(m, norm)
		return
	}
	if m.Unit == "" {
		return
	}
	for _, id := range append(m.Also, i.holding(m.Unit)...) {
		if n, ok := i.Installed(id); ok && i.has(n.ID, m.Unit) {
			i.exactly(place{n.ID, m.Unit, m.Detail})
			if m.Kind == digesto.KindArticle { // every law has an article 1: the first alone says too little
				break
			}
		}
	}
}

func (i *Intent) mentionIn(m cite.Mention, norm string) {
	n, ok := i.Installed(norm)
	switch {
	case !ok:
		i.lack(Absent{Name: cmp.Or(m.Name, norm), Norm: norm, Unit: ""})
	case m.Unit == "":
	case i.has(n.ID, m.Unit):
		i.exactly(place{n.ID, m.Unit, m.Detail})
	default:
		i.lack(Absent{Name: m.Text, Norm: n.ID, Unit: m.Unit})
	}
}

func (i *Intent) exactly(p place) {
	for _, o := range i.Exact {
		if o.Norm == p.Norm && o.Unit == p.Unit {
			return
		}
	}
	i.Exact = append(i.Exact, p)
}

func (i *Intent) has(norm, unit string) bool {
	_, ok := i.Law.Snapshot.Unit(norm, unit)
	return ok
}

// holding gives the norms of the pack that have a unit, when the question names
// no norm: only kinds of unit that few norms have are looked up so.
func (i *Intent) holding(unit string) []string {
	if i.Law.Snapshot == nil || strings.HasPrefix(unit, string(digesto.KindArticle)) && !strings.HasPrefix(unit, string(digesto.KindAnnex)) {
		return nil
	}
	var out []string
	for _, n := range i.Law.Snapshot.Norms() {
		if i.Pack.Sees(n) && i.has(n.ID, unit) {
			out = append(out, n.ID)
		}
	}
	if len(out) > 3 {
		return nil
	}
	return out
}
