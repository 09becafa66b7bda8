package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"digesto"
	"digesto/text"
)

// mergeSource is a segment that goes into a merge.
type mergeSource struct {
	seg   *segment
	dead  *tombs
	close func() error
}

// merger writes the live documents of several segments as one. Terms are read one
// at a time, so that memory holds documents and dictionaries, not postings.
type merger struct {
	ctx     context.Context
	spec    spec
	sources []mergeSource
	history bool
	docs    []segDoc
	to      [][]uint32 // by source and document: its new place, or absent
	vocab   vocabulary
	terms   [][]int32 // by new term and source: the source's number, or −1
	merged  []doctf
	outDocs []uint32
	outTFs  []uint32
	sc      scratch
	err     error
}

type doctf struct{ doc, tf uint32 }

func newMerger(ctx context.Context, sp spec, all []mergeSource, history bool) (*merger, error) {
	g := &merger{ctx: ctx, spec: sp, history: history}
	for _, s := range all {
		if s.seg.meta.History == history {
			g.sources = append(g.sources, s)
		}
	}
	if err := g.readDocs(); err != nil {
		return nil, err
	}
	return g, nil
}

// readDocs rebuilds what a segment knows about its documents, in the new order.
func (g *merger) readDocs() error {
	type from struct{ source, doc int }
	var places []from
	var docs []segDoc
	for i, s := range g.sources {
		g.to = append(g.to, filled(s.seg.meta.Docs, absent))
		all, err := s.seg.readDocs()
		if err != nil {
			return err
		}
		for d := range all {
			if s.dead == nil || s.dead.bits[d/64]&(1<<(d%64)) == 0 {
				places, docs = append(places, from{i, d}), append(docs, all[d])
			}
		}
	}
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareDocs(&docs[a].chunk, &docs[b].chunk) })
	for i, o := range order {
		g.docs = append(g.docs, docs[o])
		g.to[places[o].source][places[o].doc] = uint32(i)
	}
	return nil
}

// readDocs gives all documents of a segment with their fields and vectors.
func (s *segment) readDocs() ([]segDoc, error) {
	docs := make([]segDoc, s.meta.Docs)
	var buf []byte
	for i := range docs {
		var err error
		if buf, err = s.id(buf, i); err != nil {
			return nil, err
		}
		c := &docs[i].chunk
		c.ID = string(buf)
		c.Unit, c.Norm, c.Current = s.unit(i, c.ID), s.norm(i), !s.meta.History
		c.ValidFrom, c.ValidTo = s.days(i)
		docs[i].length = s.lengths.u32(i)
		if err := s.readVector(&docs[i], i); err != nil {
			return nil, err
		}
	}
	return docs, s.readFields(docs)
}

// readFields sets the fields from their bitmaps.
func (s *segment) readFields(docs []segDoc) error {
	for _, name := range s.filterNames {
		field, value := cutField(name)
		if value == "" {
			continue
		}
		r, err := s.filter(field, value)
		if err != nil {
			return err
		}
		r.Iterate(func(doc uint32) bool {
			setField(&docs[doc].chunk, field, value)
			return true
		})
	}
	return nil
}

func cutField(name string) (field, value string) {
	for i := range len(name) {
		if name[i] == 0 {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// setField is the reverse of FieldValues.
func setField(c *digesto.Chunk, field, value string) {
	switch field {
	case "norm", "current": // kept elsewhere
	case "collection":
		c.Collection = value
	case "pack":
		c.Packs = append(c.Packs, value)
	case "jurisdiction":
		c.Jurisdiction = value
	case "territory":
		c.Territory = value
	case "rank":
		c.Rank = value
	case "official":
		c.Official = value == "true"
	default:
		if c.Meta == nil {
			c.Meta = map[string]string{}
		}
		c.Meta[field] = value
	}
}

// readVector gives a document its vector: the float32 one, or bytes and scale.
func (s *segment) readVector(d *segDoc, doc int) error {
	v := &s.vectors
	if v.dim == 0 || v.scales[doc] == 0 {
		return nil
	}
	if len(v.full) == 0 {
		d.row, d.scale, d.dim = v.rows[doc*v.width:(doc+1)*v.width], v.scales[doc], v.dim
		return s.f.verify(secVectors, doc*v.width, v.width)
	}
	d.vector = make([]float32, v.dim)
	row := v.full[4*v.dim*doc : 4*v.dim*(doc+1)]
	for i := range d.vector {
		d.vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
	}
	return s.f.verify(secVectorFull, 4*v.dim*doc, len(row))
}

func (g *merger) write(w io.Writer) error {
	if err := g.nameTerms(); err != nil {
		return err
	}
	_, err := writeSegment(w, g.spec, g.docs, g.history, g.vocab, g.postings)
	return cmp.Or(g.err, err)
}

// nameTerms joins the dictionaries. Terms of deleted documents alone fall away.
func (g *merger) nameTerms() error {
	stemOf := make([]map[int]uint32, len(g.sources)) // by source: old stem → its place in the union
	stems, err := g.joinWords(func(s *segment) (*stringTable, int) { return s.stems, 0 }, stemOf)
	if err != nil {
		return err
	}
	plains, err := g.joinWords(func(s *segment) (*stringTable, int) { return s.plains, s.meta.Stems }, nil)
	if err != nil {
		return err
	}
	g.vocab.stems, g.vocab.plains = stems, plains
	return g.joinPairs(stemOf)
}

type named struct {
	word string
	at   []int32
}

// joinWords makes the union of one table of all sources, of words that still occur.
func (g *merger) joinWords(table func(*segment) (*stringTable, int), numbers []map[int]uint32) ([]string, error) {
	found := map[string]*named{}
	for i, src := range g.sources {
		t, base := table(src.seg)
		err := t.each(func(w int, word []byte) error {
			live, err := g.live(i, base+w)
			if !live || err != nil {
				return err
			}
			n := found[string(word)]
			if n == nil {
				n = &named{string(word), g.none()}
				found[n.word] = n
			}
			n.at[i] = int32(base + w)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	all := make([]*named, 0, len(found))
	for _, n := range found {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *named) int { return cmp.Compare(a.word, b.word) })
	words := make([]string, len(all))
	for i := range numbers {
		numbers[i] = map[int]uint32{}
	}
	for i, n := range all {
		words[i] = n.word
		g.terms = append(g.terms, n.at)
		if numbers != nil {
			for s, old := range n.at {
				if old >= 0 {
					numbers[s][int(old)] = uint32(i)
				}
			}
		}
	}
	return words, nil
}

func (g *merger) none() []int32 {
	at := make([]int32, len(g.sources))
	for i := range at {
		at[i] = -1
	}
	return at
}

// live says whether a term is in any document that stays.
func (g *merger) live(source, term int) (bool, error) {
	src := &g.sources[source]
	if src.dead == nil {
		return true, nil
	}
	docs, _, err := g.read(source, term)
	for _, d := range docs {
		if g.to[source][d] != absent {
			return true, err
		}
	}
	return false, err
}

func (g *merger) joinPairs(stemOf []map[int]uint32) error {
	type pair struct {
		key uint64
		at  []int32
	}
	found := map[uint64]*pair{}
	for i, src := range g.sources {
		s := src.seg
		if err := s.f.verify(secPairFirst, 0, len(s.pairFirst)); err != nil {
			return err
		}
		if err := s.f.verify(secPairSecond, 0, len(s.pairSecond)); err != nil {
			return err
		}
		for a := range s.meta.Stems {
			for p := s.pairFirst.u32(a); p < s.pairFirst.u32(a+1) && int(p) < s.meta.Pairs; p++ {
				term := s.meta.Stems + s.meta.Plains + int(p)
				live, err := g.live(i, term)
				if err != nil {
					return err
				}
				if !live {
					continue
				}
				key := text.Bigram(stemOf[i][a], stemOf[i][int(s.pairSecond.u32(int(p)))])
				n := found[key]
				if n == nil {
					n = &pair{key, g.none()}
					found[key] = n
				}
				n.at[i] = int32(term)
			}
		}
	}
	all := make([]*pair, 0, len(found))
	for _, p := range found {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pair) int { return cmp.Compare(a.key, b.key) })
	for _, p := range all {
		g.vocab.pairs = append(g.vocab.pairs, p.key)
		g.terms = append(g.terms, p.at)
	}
	return nil
}

// read gives all postings of a term of one source, with their codes.
func (g *merger) read(source, term int) (docs []uint32, codes []byte, err error) {
	s := g.sources[source].seg
	rec, err := s.record(term)
	if err != nil {
		return nil, nil, err
	}
	g.sc.reset()
	l, err := s.list(&g.sc, rec)
	if err != nil {
		return nil, nil, err
	}
	docs, codes = l.all(s)
	return docs, codes, nil
}

// postings joins the postings of one term from all sources.
func (g *merger) postings(term int) (docs, tfs []uint32) {
	g.merged = g.merged[:0]
	for i, old := range g.terms[term] {
		if old < 0 || g.err != nil {
			continue
		}
		from, codes, err := g.read(i, int(old))
		for j, d := range from {
			to := g.to[i][d]
			if to == absent || err != nil {
				continue
			}
			var tf uint32
			tf, err = g.sources[i].seg.tf(int(old), d, codes[j])
			g.merged = append(g.merged, doctf{to, tf})
		}
		g.err = cmp.Or(g.err, err)
	}
	if term%1024 == 0 && g.ctx.Err() != nil {
		g.err = cmp.Or(g.err, cancelled(g.ctx.Err()))
	}
	slices.SortFunc(g.merged, func(a, b doctf) int { return cmp.Compare(a.doc, b.doc) })
	g.outDocs, g.outTFs = g.outDocs[:0], g.outTFs[:0]
	for _, p := range g.merged {
		g.outDocs, g.outTFs = append(g.outDocs, p.doc), append(g.outTFs, p.tf)
	}
	if len(g.outDocs) == 0 { // only after an error; a record needs one
		return []uint32{0}, []uint32{1}
	}
	return g.outDocs, g.outTFs
}
