package index

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"digesto"

	"github.com/RoaringBitmap/roaring/v2"
)

// segMeta is the JSON in a segment's first section.
type segMeta struct {
	spec
	Docs        int     `json:"docs"`
	TotalLength uint64  `json:"total_length"`
	Average     float64 `json:"average"` // length the codes were made with
	Stems       int     `json:"stems"`
	Plains      int     `json:"plains"`
	Pairs       int     `json:"pairs"`
	Norms       int     `json:"norms"`
	Dates       int     `json:"dates"`
	Filters     int     `json:"filters"`
	UnitsUnique bool    `json:"units_unique"` // no unit has two documents
	History     bool    `json:"history"`      // documents that are not current
	Dim         int     `json:"dim,omitempty"`
	Vectors     int     `json:"vectors,omitempty"`
}

// segDoc is what is held of a document until its segment is written.
type segDoc struct {
	id, unit string
	traits   *digesto.Chunk // see traitsOf
	length   uint32
	arrived  uint32
	docVector
}

// docVector says where a document's vector lies: its row of bytes, then float32 at unit
// length where that is kept.
type docVector struct {
	spool *spool // nil = it has none
	at    int64
	scale float32
}

// compareDocs is the order of documents in a segment: those that filters take
// together stand together, so that a filter skips whole blocks; then by id.
func compareDocs(a, b *segDoc) int {
	x, y := a.traits, b.traits
	for _, c := range [...][2]*string{{&x.Jurisdiction, &y.Jurisdiction}, {&x.Collection, &y.Collection}, {&x.Territory, &y.Territory}, {&x.Rank, &y.Rank}} {
		if *c[0] != *c[1] {
			return strings.Compare(*c[0], *c[1])
		}
	}
	return strings.Compare(a.id, b.id)
}

// writeSegment writes one segment; terms goes through its terms, and is called twice:
// the dictionary stands before the postings, and neither is held. dim is that of the
// vectors.
func writeSegment(w io.Writer, sp spec, docs []*segDoc, dim int, history bool, terms func(eachTerm) error) error {
	f := newFileWriter(w)
	m := segMeta{spec: sp, Docs: len(docs), History: history, Average: 1}
	lengths := make([]uint32, len(docs))
	for i, d := range docs {
		lengths[i] = d.length
		m.TotalLength += uint64(d.length)
	}
	if m.TotalLength > 0 {
		m.Average = float64(m.TotalLength) / float64(len(docs))
	}
	if err := writeDictionary(f, &m, terms); err != nil {
		return err
	}
	pw := postingsWriter{docs: len(docs), q: quantiser{sp.Scoring, m.Average}}
	for _, l := range lengths {
		pw.norms = append(pw.norms, sp.Scoring.norm(float64(l), m.Average))
	}
	if err := writePostings(f, &pw, m.Stems+m.Plains+m.Pairs, terms); err != nil {
		return err
	}
	f.begin(secLengths)
	f.u32s(lengths)
	writeKeys(f, docs, &m)
	writeFields(f, docs, &m)
	writeVectors(f, docs, dim, &m)
	f.begin(secMeta)
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f.write(b)
	return f.finish()
}

func writeDictionary(f *fileWriter, m *segMeta, terms func(eachTerm) error) error {
	words := newStringsWriter(f, secStems)
	var first []uint32
	var b [4]byte
	kind := KindStem
	closeKind := func() {
		switch kind {
		case KindStem:
			m.Stems = words.n
			words.end(secStemBlocks)
			words = newStringsWriter(f, secPlains)
		case KindPlain:
			m.Plains = words.n
			words.end(secPlainBlocks)
			first = make([]uint32, m.Stems+1)
			f.begin(secPairSecond)
		}
		kind++
	}
	err := terms(func(k Kind, word []byte, pair uint64, _, _ []uint32) {
		for kind < k {
			closeKind()
		}
		if k != KindBigram {
			words.add(word)
			return
		}
		m.Pairs++
		first[pair>>32+1]++
		binary.LittleEndian.PutUint32(b[:], uint32(pair))
		f.write(b[:])
	})
	for kind < KindBigram {
		closeKind()
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	f.begin(secPairFirst)
	f.u32s(first)
	return err
}

func writePostings(f *fileWriter, w *postingsWriter, n int, terms func(eachTerm) error) error {
	f.begin(secPostings)
	start := f.n
	records := make([]uint64, 0, n)
	err := terms(func(_ Kind, _ []byte, _ uint64, docs, tfs []uint32) {
		rec, b := w.encode(len(records), docs, tfs, f.n-start)
		f.write(b)
		records = append(records, uint64(rec))
	})
	f.begin(secTerms)
	f.u64s(records)
	f.begin(secOddKeys)
	f.u64s(w.oddKeys)
	f.begin(secOddTF)
	f.u32s(w.oddTF)
	return err
}

func writeKeys(f *fileWriter, docs []*segDoc, m *segMeta) {
	keys := newStringsWriter(f, secKeys)
	for _, d := range docs {
		keys.add([]byte(d.id))
	}
	keys.end(secKeyBlocks)
	prefix := make([]byte, 0, 2*len(docs))
	hashes := make([]uint32, len(docs))
	var other []byte
	units := map[string]struct{}{}
	for i, d := range docs {
		n := len(d.unit)
		if !strings.HasPrefix(d.id, d.unit) || n >= 0xFFFF {
			other = binary.LittleEndian.AppendUint32(other, uint32(i))
			other = binary.LittleEndian.AppendUint32(other, uint32(n))
			other = append(other, d.unit...)
			n = 0xFFFF
		}
		prefix = binary.LittleEndian.AppendUint16(prefix, uint16(n))
		unit := unitOf(d.id, d.unit)
		hashes[i] = unitHash(unit)
		units[unit] = struct{}{}
	}
	m.UnitsUnique = len(units) == len(docs)
	f.begin(secUnitPrefix)
	f.write(prefix)
	f.begin(secUnitOther)
	f.write(other)
	f.begin(secUnitHash)
	f.u32s(hashes)
	f.begin(secByID)
	p := make([]uint32, len(docs))
	for i := range p {
		p[i] = uint32(i)
	}
	sortRuns(p, func(a, b uint32) int { return strings.Compare(docs[a].id, docs[b].id) })
	f.u32s(p)
	f.begin(secByUnit)
	sortRuns(p, func(a, b uint32) int {
		return cmp.Or(strings.Compare(docs[a].unit, docs[b].unit), strings.Compare(docs[a].id, docs[b].id))
	})
	f.u32s(p)
}

func unitOf(id, unit string) string { return cmp.Or(unit, id) }

// unitHash is FNV-1a. Two units with one hash only make a threshold looser.
func unitHash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// sortRuns sorts what is sorted in parts: documents stand by id within each rank,
// and by unit nearly as by id. No two are equal.
func sortRuns(p []uint32, by func(a, b uint32) int) {
	var ends []int
	for i := 1; i <= len(p); i++ {
		if i == len(p) || by(p[i-1], p[i]) > 0 {
			ends = append(ends, i)
		}
	}
	if 8*len(ends) > len(p) {
		slices.SortFunc(p, by)
		return
	}
	other := make([]uint32, len(p))
	for len(ends) > 1 {
		var merged []int
		start := 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeRuns(other[start:end], p[start:middle], p[middle:end], by)
			merged, start = append(merged, end), end
		}
		copy(p, other)
		ends = merged
	}
}

// mergeRuns merges two sorted runs.
func mergeRuns(to, a, b []uint32, by func(a, b uint32) int) {
	for len(a) > 0 && len(b) > 0 {
		if by(a[0], b[0]) < 0 {
			to[0], a = a[0], a[1:]
		} else {
			to[0], b = b[0], b[1:]
		}
		to = to[1:]
	}
	copy(to[copy(to, a):], b)
}

// writeFields writes norms, days, and a bitmap for every value of every field, and
// one for the documents that have the field at all ("field\x00" with no value).
func writeFields(f *fileWriter, docs []*segDoc, m *segMeta) {
	norms, dates := newNumbers(), newNumbers()
	normOf := make([]uint32, len(docs))
	times := make([]uint32, 2*len(docs))
	bits := map[string]*roaring.Bitmap{}
	set := func(key string, i int) {
		b := bits[key]
		if b == nil {
			b = roaring.New()
			bits[key] = b
		}
		b.Add(uint32(i))
	}
	for i := range docs {
		c := docs[i].traits
		norms.add(c.Norm)
		dates.add(string(c.ValidFrom))
		dates.add(string(c.ValidTo))
		for _, field := range fieldsOf(c) {
			for _, v := range FieldValues(field, *c) {
				set(field+"\x00"+v, i)
				set(field+"\x00", i)
			}
		}
	}
	norms.sort()
	dates.sort()
	for i := range docs {
		c := docs[i].traits
		normOf[i], times[2*i], times[2*i+1] = norms.of(c.Norm), dates.of(string(c.ValidFrom)), dates.of(string(c.ValidTo))
	}
	f.begin(secNormOf)
	f.u32s(normOf)
	f.begin(secTimes)
	f.u32s(times)
	m.Norms, m.Dates, m.Filters = len(norms.names), len(dates.names), len(bits)
	writeSmallStrings(f, secNorms, norms.names)
	writeSmallStrings(f, secDates, dates.names)
	writeBitmaps(f, bits)
}

// fieldsOf lists the filter fields a document may have. Ids are found by their
// table instead.
func fieldsOf(c *digesto.Chunk) []string {
	return append([]string{"norm", "collection", "pack", "jurisdiction", "territory", "rank", "official", "current"}, slices.Sorted(maps.Keys(c.Meta))...)
}

func writeBitmaps(f *fileWriter, bits map[string]*roaring.Bitmap) {
	keys := slices.Sorted(maps.Keys(bits))
	writeSmallStrings(f, secFilters, keys)
	ends := make([]uint64, len(keys))
	f.begin(secFilterBits)
	start := f.n
	for i, k := range keys {
		bits[k].RunOptimize()
		b, err := bits[k].ToBytes()
		if err != nil {
			f.err = cmp.Or(f.err, err)
		}
		f.write(b)
		ends[i] = uint64(f.n - start)
	}
	f.begin(secFilterEnds)
	f.u64s(ends)
}

// writeSmallStrings writes strings that are read whole when a segment opens.
func writeSmallStrings(f *fileWriter, id section, names []string) {
	f.begin(id)
	var b []byte
	for _, s := range names {
		b = append(binary.AppendUvarint(b[:0], uint64(len(s))), s...)
		f.write(b)
	}
}

// numbers gives sorted strings numbers from 1; the empty string has 0.
type numbers struct {
	names []string
	ids   map[string]uint32
}

func newNumbers() *numbers { return &numbers{ids: map[string]uint32{"": 0}} }

func (n *numbers) add(s string) {
	if _, ok := n.ids[s]; !ok {
		n.ids[s] = 0
		n.names = append(n.names, s)
	}
}

func (n *numbers) sort() {
	slices.Sort(n.names)
	for i, s := range n.names {
		n.ids[s] = uint32(i + 1)
	}
}

func (n *numbers) of(s string) uint32 { return n.ids[s] }
