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

// segDoc is a document as a segment keeps it, in its final place.
type segDoc struct {
	chunk  digesto.Chunk // no texts
	length uint32
	docVector
}

// docVector is a document's vector as its segment keeps it.
type docVector struct {
	dim    int
	vector []float32 // at unit length, where float32 is kept
	row    []byte    // bytes, and their scale
	scale  float32
}

// compareDocs is the order of documents in a segment: those that filters take
// together stand together, so that a filter skips whole blocks; then by id.
func compareDocs(a, b *digesto.Chunk) int {
	for _, c := range [...][2]*string{{&a.Jurisdiction, &b.Jurisdiction}, {&a.Collection, &b.Collection}, {&a.Territory, &b.Territory}, {&a.Rank, &b.Rank}} {
		if *c[0] != *c[1] {
			return strings.Compare(*c[0], *c[1])
		}
	}
	return strings.Compare(a.ID, b.ID)
}

// vocabulary is the sorted terms of a segment. Bigrams are pairs of stem numbers.
type vocabulary struct {
	stems, plains []string
	pairs         []uint64
}

func (v vocabulary) terms() int { return len(v.stems) + len(v.plains) + len(v.pairs) }

// writeSegment writes one segment. postings is called for each term in order and
// gives its documents, sorted, and frequencies; they are valid until the next call.
func writeSegment(w io.Writer, sp spec, docs []segDoc, history bool, v vocabulary, postings func(term int) (docs, tfs []uint32)) (int, error) {
	f := newFileWriter(w)
	m := segMeta{spec: sp, Docs: len(docs), Stems: len(v.stems), Plains: len(v.plains), Pairs: len(v.pairs), History: history, Average: 1}
	lengths := make([]uint32, len(docs))
	for i := range docs {
		lengths[i] = docs[i].length
		m.TotalLength += uint64(docs[i].length)
	}
	if m.TotalLength > 0 {
		m.Average = float64(m.TotalLength) / float64(len(docs))
	}
	writeDictionary(f, v)
	pw := postingsWriter{docs: len(docs), q: quantiser{sp.Scoring, m.Average}}
	for _, l := range lengths {
		pw.norms = append(pw.norms, sp.Scoring.norm(float64(l), m.Average))
	}
	writePostings(f, &pw, v.terms(), postings)
	f.begin(secLengths)
	f.u32s(lengths)
	writeKeys(f, docs, &m)
	writeFields(f, docs, &m)
	writeVectors(f, docs, &m)
	f.begin(secMeta)
	b, err := json.Marshal(m)
	if err != nil {
		return 0, err
	}
	f.write(b)
	return f.finish()
}

func writeDictionary(f *fileWriter, v vocabulary) {
	writeStrings(f, secStems, secStemBlocks, len(v.stems), func(i int) string { return v.stems[i] })
	writeStrings(f, secPlains, secPlainBlocks, len(v.plains), func(i int) string { return v.plains[i] })
	first := make([]uint32, len(v.stems)+1)
	f.begin(secPairSecond)
	var b [4]byte
	for _, p := range v.pairs {
		first[p>>32+1]++
		binary.LittleEndian.PutUint32(b[:], uint32(p))
		f.write(b[:])
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	f.begin(secPairFirst)
	f.u32s(first)
}

func writePostings(f *fileWriter, w *postingsWriter, terms int, postings func(int) (docs, tfs []uint32)) {
	f.begin(secPostings)
	start := f.n
	records := make([]uint64, terms)
	for t := range records {
		docs, tfs := postings(t)
		rec, b := w.encode(t, docs, tfs, f.n-start)
		f.write(b)
		records[t] = uint64(rec)
	}
	f.begin(secTerms)
	f.u64s(records)
	f.begin(secOddKeys)
	f.u64s(w.oddKeys)
	f.begin(secOddTF)
	f.u32s(w.oddTF)
}

func writeKeys(f *fileWriter, docs []segDoc, m *segMeta) {
	writeStrings(f, secKeys, secKeyBlocks, len(docs), func(i int) string { return docs[i].chunk.ID })
	prefix := make([]byte, 0, 2*len(docs))
	hashes := make([]uint32, len(docs))
	var other []byte
	units := map[string]struct{}{}
	for i := range docs {
		c := &docs[i].chunk
		n := len(c.Unit)
		if !strings.HasPrefix(c.ID, c.Unit) || n >= 0xFFFF {
			other = binary.LittleEndian.AppendUint32(other, uint32(i))
			other = binary.LittleEndian.AppendUint32(other, uint32(n))
			other = append(other, c.Unit...)
			n = 0xFFFF
		}
		prefix = binary.LittleEndian.AppendUint16(prefix, uint16(n))
		hashes[i] = unitHash(unitOf(c.ID, c.Unit))
		units[unitOf(c.ID, c.Unit)] = struct{}{}
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
	sortRuns(p, func(a, b uint32) int { return strings.Compare(docs[a].chunk.ID, docs[b].chunk.ID) })
	f.u32s(p)
	f.begin(secByUnit)
	sortRuns(p, func(a, b uint32) int {
		if a, b := &docs[a].chunk, &docs[b].chunk; a.Unit == b.Unit {
			return strings.Compare(a.ID, b.ID)
		}
		return strings.Compare(docs[a].chunk.Unit, docs[b].chunk.Unit)
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
func writeFields(f *fileWriter, docs []segDoc, m *segMeta) {
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
		c := &docs[i].chunk
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
		c := &docs[i].chunk
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
