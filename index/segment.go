package index

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sort"
	"sync/atomic"

	"digesto"

	"github.com/RoaringBitmap/roaring/v2"
)

// segment is an open segment. Tables that every search needs are verified when it
// opens, the rest when first touched.
type segment struct {
	f      *file
	meta   segMeta
	q      quantiser
	size   int // bytes of the file
	blocks int

	lengths, hashes, normOf, times array
	prefix, byID, byUnit           array
	other                          map[uint32]string
	keys, stems, plains            *stringTable
	pairFirst, pairSecond, terms   array
	oddKeys, oddTF                 array
	norms, dates                   []string
	filterNames                    []string // sorted
	filterEnds                     array
	filters                        []atomic.Pointer[roaring.Bitmap] // opened when first used
	vectors                        vectors
}

// openSegment reads a segment from its bytes, which must not change while it is used.
func openSegment(name string, b []byte) (*segment, error) {
	f, err := parseFile(name, b)
	if err != nil {
		return nil, err
	}
	s := &segment{f: f, size: len(b)}
	meta, err := f.whole(secMeta)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(meta, &s.meta); err != nil {
		return nil, damaged(name, "datos del segmento")
	}
	m := &s.meta
	if m.Docs < 1 || m.Docs > maxDocs || m.Stems < 0 || m.Plains < 0 || m.Pairs < 0 || m.Scoring.check() != nil ||
		!(m.Average > 0) || m.Average > 1<<40 || max(m.Stems, m.Plains, m.Pairs, m.Norms, m.Dates, m.Filters) > len(b) {
		return nil, damaged(name, "datos del segmento")
	}
	s.q = quantiser{m.Scoring, m.Average}
	s.blocks = blocksOf(m.Docs)
	if err := s.openTables(); err != nil {
		return nil, err
	}
	if err := s.openNames(); err != nil {
		return nil, err
	}
	return s, s.openVectors()
}

// openTables finds the tables of fixed size and verifies the small ones.
func (s *segment) openTables() error {
	m, n := &s.meta, s.meta.Docs
	terms := m.Stems + m.Plains + m.Pairs
	for _, t := range []struct {
		to   *array
		id   section
		size int
		lazy bool
	}{
		{&s.lengths, secLengths, 4 * n, false}, {&s.hashes, secUnitHash, 4 * n, false}, {&s.normOf, secNormOf, 4 * n, false},
		{&s.times, secTimes, 8 * n, false}, {&s.prefix, secUnitPrefix, 2 * n, false},
		{&s.byID, secByID, 4 * n, false}, {&s.byUnit, secByUnit, 4 * n, false},
		{&s.pairFirst, secPairFirst, 4 * (m.Stems + 1), true}, {&s.pairSecond, secPairSecond, 4 * m.Pairs, true},
		{&s.terms, secTerms, 8 * terms, true},
		{&s.oddKeys, secOddKeys, len(s.f.sections[secOddTF]) * 2, true}, {&s.oddTF, secOddTF, len(s.f.sections[secOddTF]) / 4 * 4, true},
	} {
		b := s.f.sections[t.id]
		if len(b) != t.size {
			return damaged(s.f.name, "tamaño de una sección")
		}
		if !t.lazy {
			if err := s.f.verify(t.id, 0, len(b)); err != nil {
				return err
			}
		}
		*t.to = b
	}
	return nil
}

func (s *segment) openNames() (err error) {
	m := &s.meta
	if s.keys, err = openStrings(s.f, secKeys, secKeyBlocks, m.Docs); err != nil {
		return err
	}
	if s.stems, err = openStrings(s.f, secStems, secStemBlocks, m.Stems); err != nil {
		return err
	}
	if s.plains, err = openStrings(s.f, secPlains, secPlainBlocks, m.Plains); err != nil {
		return err
	}
	if err := cmp.Or(s.stems.index(), s.plains.index()); err != nil {
		return err
	}
	if s.norms, err = s.smallStrings(secNorms, m.Norms); err != nil {
		return err
	}
	if s.dates, err = s.smallStrings(secDates, m.Dates); err != nil {
		return err
	}
	if err := s.openOther(); err != nil {
		return err
	}
	return s.openFilters()
}

// smallStrings reads n strings; number 0 is the empty one.
func (s *segment) smallStrings(id section, n int) ([]string, error) {
	b, err := s.f.whole(id)
	if err != nil {
		return nil, err
	}
	out := make([]string, 1, n+1)
	for len(b) > 0 {
		l, k := binary.Uvarint(b)
		if k <= 0 || l > uint64(len(b)-k) {
			return nil, damaged(s.f.name, "cadenas")
		}
		out = append(out, string(b[k:k+int(l)]))
		b = b[k+int(l):]
	}
	if len(out) != n+1 {
		return nil, damaged(s.f.name, "número de cadenas")
	}
	return out, nil
}

func (s *segment) openOther() error {
	b, err := s.f.whole(secUnitOther)
	if err != nil {
		return err
	}
	s.other = map[uint32]string{}
	for len(b) > 0 {
		if len(b) < 8 || uint64(binary.LittleEndian.Uint32(b[4:])) > uint64(len(b)-8) {
			return damaged(s.f.name, "unidades")
		}
		n := int(binary.LittleEndian.Uint32(b[4:]))
		s.other[binary.LittleEndian.Uint32(b)] = string(b[8 : 8+n])
		b = b[8+n:]
	}
	return nil
}

// openFilters finds the bitmaps; each is checked when it is first used.
func (s *segment) openFilters() error {
	names, err := s.smallStrings(secFilters, s.meta.Filters)
	if err != nil {
		return err
	}
	ends, err := s.f.whole(secFilterEnds)
	if err != nil {
		return err
	}
	if len(ends) != 8*s.meta.Filters || !slices.IsSorted(names) {
		return damaged(s.f.name, "filtros")
	}
	s.filterNames, s.filterEnds = names[1:], array(ends)
	s.filters = make([]atomic.Pointer[roaring.Bitmap], s.meta.Filters)
	return nil
}

// filter gives the documents with a value of a field (with "": with any), or nil.
func (s *segment) filter(field, value string) (*roaring.Bitmap, error) {
	i, ok := slices.BinarySearch(s.filterNames, field+"\x00"+value)
	if !ok {
		return nil, nil
	}
	if r := s.filters[i].Load(); r != nil {
		return r, nil
	}
	start, end := uint64(0), s.filterEnds.u64(i)
	if i > 0 {
		start = s.filterEnds.u64(i - 1)
	}
	bits := s.f.sections[secFilterBits]
	if end < start || end > uint64(len(bits)) {
		return nil, damaged(s.f.name, "filtros")
	}
	if err := s.f.verify(secFilterBits, int(start), int(end-start)); err != nil {
		return nil, err
	}
	r := roaring.New()
	if n, err := r.FromUnsafeBytes(bits[start:end]); err != nil || uint64(n) != end-start || !r.IsEmpty() && int(r.Maximum()) >= s.meta.Docs {
		return nil, damaged(s.f.name, "filtro de "+field)
	}
	s.filters[i].Store(r)
	return r, nil
}

func (s *segment) id(buf []byte, doc int) ([]byte, error) { return s.keys.get(buf, doc) }

// hit names a document. id is its key.
func (s *segment) unit(doc int, id string) string {
	n := int(s.prefix.u16(doc))
	if n == 0xFFFF {
		return s.other[uint32(doc)]
	}
	return id[:min(n, len(id))]
}

func (s *segment) norm(doc int) string {
	if n := int(s.normOf.u32(doc)); n < len(s.norms) {
		return s.norms[n]
	}
	return ""
}

// findID gives the document with an id, or -1.
func (s *segment) findID(id string) (int, error) {
	i, err := s.search(s.byID, func(key string, doc int) bool { return key >= id })
	if err != nil || i == s.meta.Docs {
		return -1, err
	}
	doc := int(s.byID.u32(i))
	key, err := s.id(nil, doc)
	if err != nil || string(key) != id {
		return -1, err
	}
	return doc, nil
}

// findUnit appends the documents of a unit, by id.
func (s *segment) findUnit(docs []int, unit string) ([]int, error) {
	i, err := s.search(s.byUnit, func(key string, doc int) bool { return s.unit(doc, key) >= unit })
	for ; err == nil && i < s.meta.Docs; i++ {
		doc := int(s.byUnit.u32(i))
		var key []byte
		if doc >= s.meta.Docs {
			return nil, damaged(s.f.name, "orden")
		}
		if key, err = s.id(nil, doc); err == nil {
			if s.unit(doc, string(key)) != unit {
				break
			}
			docs = append(docs, doc)
		}
	}
	return docs, err
}

func (s *segment) search(order array, reached func(key string, doc int) bool) (int, error) {
	var failed error
	i := sort.Search(s.meta.Docs, func(i int) bool {
		doc := int(order.u32(i))
		if doc >= s.meta.Docs {
			failed = damaged(s.f.name, "orden")
			return true
		}
		key, err := s.id(nil, doc)
		if err != nil {
			failed = err
			return true
		}
		return reached(string(key), doc)
	})
	return i, failed
}

// pair finds the bigram of two stems by number.
func (s *segment) pair(a, b int) (int, error) {
	if err := s.f.verify(secPairFirst, 4*a, 8); err != nil {
		return -1, err
	}
	from, to := int(s.pairFirst.u32(a)), int(s.pairFirst.u32(a+1))
	if from > to || to > s.meta.Pairs {
		return -1, damaged(s.f.name, "bigramas")
	}
	if err := s.f.verify(secPairSecond, 4*from, 4*(to-from)); err != nil {
		return -1, err
	}
	i := from + sort.Search(to-from, func(i int) bool { return int(s.pairSecond.u32(from+i)) >= b })
	if i == to || int(s.pairSecond.u32(i)) != b {
		return -1, nil
	}
	return s.meta.Stems + s.meta.Plains + i, nil
}

func (s *segment) record(term int) (termRecord, error) {
	if err := s.f.verify(secTerms, 8*term, 8); err != nil {
		return 0, err
	}
	return termRecord(s.terms.u64(term)), nil
}

// tf gives the true frequency of a term in a document from its code.
func (s *segment) tf(term int, doc uint32, code uint8) (uint32, error) {
	tf, sure := s.q.least(code, s.lengths.u32(int(doc)))
	if sure {
		return tf, nil
	}
	if tf == 0 {
		return 0, damaged(s.f.name, "impacto")
	}
	n := len(s.oddTF) / 4
	key := uint64(term)<<32 | uint64(doc)
	var failed error
	i := sort.Search(n, func(i int) bool {
		if err := s.f.verify(secOddKeys, 8*i, 8); err != nil {
			failed = err
			return true
		}
		return s.oddKeys.u64(i) >= key
	})
	if failed != nil || i == n || s.oddKeys.u64(i) != key {
		return tf, failed
	}
	return s.oddTF.u32(i), s.f.verify(secOddTF, 4*i, 4)
}

// times gives the days between which a document holds.
func (s *segment) days(doc int) (from, to digesto.Date) {
	a, b := int(s.times.u32(2*doc)), int(s.times.u32(2*doc+1))
	if a >= len(s.dates) || b >= len(s.dates) {
		return "", ""
	}
	return digesto.Date(s.dates[a]), digesto.Date(s.dates[b])
}
