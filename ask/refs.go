package ask

import (
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
	"digesto/text/cite"
)

// tableCache keeps the tables of names of the latest snapshots: one for each
// pack and snapshot, because they are costly to build and never change.
type tableCache struct {
	mu   sync.Mutex
	list []cachedTable // newest last
}

type cachedTable struct {
	pack, hash string
	snap       *corpus.Snapshot // identifies a snapshot without hash
	table      *cite.Table
}

const maxTables = 16

// get gives the table of a pack's aliases and the norms of a snapshot (nil =
// none installed).
func (c *tableCache) get(p *pack.Pack, s *corpus.Snapshot) *cite.Table {
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

// read finds the citations of a question and what else a search needs.
func (e *Reader) read(s scope, question string) intent {
	i := intent{scope: s, text: question}
	searcher := s.law.Searcher
	if searcher == nil {
		searcher = e.Embedded.Searcher
	}
	fixed, words := mended(searcher, s.pack, question)
	i.mentions = s.table.Find(fixed)
	norms, struck := s.table.Recognise(question)
	if len(norms) == 0 && len(words) > 0 {
		norms, struck = s.table.Recognise(fixed)
	}
	i.struck = struck
	for _, w := range words {
		i.remarks = append(i.remarks, "Se ha buscado también «"+w.Say+"».")
	}
	for _, id := range norms {
		if n, ok := i.installed(id); ok {
			if !slices.Contains(i.norms, n.ID) {
				i.norms = append(i.norms, n.ID)
			}
		} else {
			i.lack(absent{name: id, norm: id})
		}
	}
	for _, m := range i.mentions {
		i.mention(m)
	}
	named := s.pack.Glossary.Find(question)
	i.stands = append(s.pack.Synonyms.Alternatives(question, named), words...)
	i.also = pack.Says(i.stands)
	if len(norms) == 0 { // whoever names the law speaks its words already
		lay := s.pack.Lay.Alternatives(question, named)
		i.stands, i.lay = append(i.stands, lay...), pack.Says(lay)
		for _, n := range named {
			for _, l := range n.Term.Legal {
				if !slices.Contains(i.lay, l) && !slices.Contains(i.also, l) {
					i.terms = append(i.terms, l)
				}
			}
		}
	}
	i.territory = territoryOf(s, question)
	i.local(question)
	return i
}

// local leaves out the norms of a place that the question does not name, and those that
// rule no more, when it says the name of an aid that is also in their titles and does not
// speak of a law.
func (i *intent) local(question string) {
	if lawWords.MatchString(text.Fold(question)) {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(i.norms), func(id string) bool {
		n, _ := i.installed(id)
		return n.Status == digesto.StatusRepealed && n.RepealedFrom <= i.asOf() ||
			i.pack.Territories != nil && n.Territory != "" && !slices.Contains(i.codes, n.Territory)
	})
	if len(kept) < len(i.norms) {
		i.norms, i.struck = kept, question
	}
}

func (i *intent) installed(id string) (digesto.Norm, bool) {
	if i.law.Snapshot == nil || id == "" {
		return digesto.Norm{}, false
	}
	return i.law.Snapshot.Norm(id)
}

func (i *intent) lack(a absent) {
	for k, o := range i.absent {
		if o.norm != "" && o.norm == a.norm && o.unit == a.unit {
			if o.name == o.norm && a.name != "" {
				i.absent[k].name = a.name
			}
			return
		}
	}
	i.absent = append(i.absent, a)
}

// mention resolves one citation of the question.
func (i *intent) mention(m cite.Mention) {
	if m.Relative {
		return
	}
	norm := m.Norm
	if norm == "" && m.Name != "" && len(m.Also) == 0 {
		i.lack(absent{name: m.Name})
		return
	}
	if norm == "" && len(i.norms) == 1 {
		norm = i.norms[0]
	}
	if norm != "" {
		i.mentionIn(m, norm)
		return
	}
	if m.Unit == "" {
		return
	}
	for _, id := range append(m.Also, i.holding(m.Unit)...) {
		if n, ok := i.installed(id); ok && i.has(n.ID, m.Unit) {
			i.exactly(place{n.ID, m.Unit, m.Detail})
			if m.Kind == digesto.KindArticle { // every law has an article 1: the first alone says too little
				break
			}
		}
	}
}

func (i *intent) mentionIn(m cite.Mention, norm string) {
	n, ok := i.installed(norm)
	switch {
	case !ok:
		i.lack(absent{name: nonEmpty(m.Name, norm), norm: norm, unit: ""})
	case m.Unit == "":
	case i.has(n.ID, m.Unit):
		i.exactly(place{n.ID, m.Unit, m.Detail})
	default:
		i.lack(absent{name: m.Text, norm: n.ID, unit: m.Unit})
	}
}

func (i *intent) exactly(p place) {
	for _, o := range i.exact {
		if o.norm == p.norm && o.unit == p.unit {
			return
		}
	}
	i.exact = append(i.exact, p)
}

func (i *intent) has(norm, unit string) bool {
	_, ok := i.law.Snapshot.Unit(norm, unit)
	return ok
}

// holding gives the norms of the pack that have a unit, when the question names
// no norm: only kinds of unit that few norms have are looked up so.
func (i *intent) holding(unit string) []string {
	if i.law.Snapshot == nil || strings.HasPrefix(unit, string(digesto.KindArticle)) && !strings.HasPrefix(unit, string(digesto.KindAnnex)) {
		return nil
	}
	var out []string
	for _, n := range i.law.Snapshot.Norms() {
		if i.pack.Sees(n) && i.has(n.ID, unit) {
			out = append(out, n.ID)
		}
	}
	if len(out) > 3 {
		return nil
	}
	return out
}

func nonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
