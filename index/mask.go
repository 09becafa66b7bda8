package index

import (
	"slices"

	"digesto"
)

// masks turns a filter into one set of bits a segment: sc.masks[i] is nil where all
// documents pass. skip tells segments without any document that passes.
func (x *snapshot) masks(sc *scratch, f *digesto.Filter) (skip []bool, err error) {
	sc.skip = resize(sc.skip, len(x.segs))
	sc.masks = sc.masks[:0]
	for si, seg := range x.segs {
		sc.skip[si] = seg.meta.History && !f.History && f.AsOf == ""
		var m []uint64
		if !sc.skip[si] {
			if m, err = x.mask(sc, si, f); err != nil {
				return nil, err
			}
			sc.skip[si] = m != nil && !anyBit(m)
		}
		sc.masks = append(sc.masks, m)
	}
	return sc.skip, nil
}

func (x *snapshot) mask(sc *scratch, si int, f *digesto.Filter) (m []uint64, err error) {
	seg := x.segs[si]
	and := func(b []uint64) {
		if m == nil {
			m = b
			return
		}
		for i := range m {
			m[i] &= b[i]
		}
	}
	for field, allowed := range f.In { // the order does not matter: sets are joined by and
		b := sc.bits(seg)
		if field == "id" {
			err = seg.idBits(b, allowed)
		} else {
			err = seg.fieldBits(sc, b, field, allowed, field == "pack" || slices.Contains(f.Wider, field))
		}
		if err != nil {
			return nil, err
		}
		and(b)
	}
	if f.AsOf != "" && seg.dated() {
		b := sc.bits(seg)
		seg.timeBits(b, f)
		and(b)
	}
	return m, nil
}

// bits gives a cleared set for the documents of a segment, whole blocks long.
func (sc *scratch) bits(seg *segment) []uint64 {
	n := seg.blocks * blockDocs / 64
	if sc.usedM == len(sc.sets) {
		sc.sets = append(sc.sets, nil)
	}
	b := resize(sc.sets[sc.usedM], n)
	sc.sets[sc.usedM] = b
	sc.usedM++
	clear(b)
	return b
}

func (s *segment) idBits(b []uint64, ids []string) error {
	for _, id := range ids {
		doc, err := s.findID(id)
		if err != nil {
			return err
		}
		if doc >= 0 {
			b[doc/64] |= 1 << (doc % 64)
		}
	}
	return nil
}

// fieldBits sets the documents with one of the values, and if missing is true those
// without the field.
func (s *segment) fieldBits(sc *scratch, b []uint64, field string, allowed []string, missing bool) error {
	if missing {
		has, err := s.filter(field, "")
		if err != nil {
			return err
		}
		if has != nil {
			has.WriteDenseTo(b)
		}
		for i := range b {
			b[i] = ^b[i]
		}
		s.cut(b)
	}
	first := !missing
	for _, v := range allowed {
		if v == "" {
			continue
		}
		r, err := s.filter(field, v)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		if r.GetCardinality() < uint64(len(b)) { // thousands of norms of a few documents each: no set for each
			r.Iterate(func(doc uint32) bool {
				b[doc/64] |= 1 << (doc % 64)
				return true
			})
			first = false
			continue
		}
		if first { // into the cleared set itself
			r.WriteDenseTo(b)
			first = false
			continue
		}
		t := sc.bits(s)
		r.WriteDenseTo(t)
		for i := range b {
			b[i] |= t[i]
		}
		sc.usedM--
	}
	return nil
}

// cut clears what lies beyond the last document.
func (s *segment) cut(b []uint64) {
	n := s.meta.Docs
	if n%64 != 0 {
		b[n/64] &= 1<<(n%64) - 1
		n += 64 - n%64
	}
	clear(b[n/64:])
}

// dated says whether any document has a day, or needs one: history does.
func (s *segment) dated() bool { return s.meta.History || s.meta.Dates > 0 }

// timeBits sets the documents that hold on the filter's day. Days have few
// distinct values, so each is compared once.
func (s *segment) timeBits(b []uint64, f *digesto.Filter) {
	begun, open := make([]bool, len(s.dates)), make([]bool, len(s.dates))
	for i, d := range s.dates {
		begun[i] = d == "" || f.AsOf >= digesto.Date(d)
		open[i] = d == "" || f.AsOf < digesto.Date(d)
	}
	for doc := range s.meta.Docs {
		from, to := int(s.times.u32(2*doc)), int(s.times.u32(2*doc+1))
		if from >= len(begun) || to >= len(open) || !begun[from] || !open[to] {
			continue
		}
		if s.meta.History && to == 0 && !f.History {
			continue // nothing says when it ended: see indextest.Passes
		}
		b[doc/64] |= 1 << (doc % 64)
	}
}

// restrict gives the masks that let only documents of some norms through as well.
func (x *snapshot) restrict(sc *scratch, masks [][]uint64, skip []bool, norms []string) ([][]uint64, []bool, error) {
	sc.more = sc.more[:0]
	sc.skipMore = resize(sc.skipMore, len(x.segs))
	for si, seg := range x.segs {
		sc.skipMore[si] = skip[si]
		if skip[si] {
			sc.more = append(sc.more, nil)
			continue
		}
		b := sc.bits(seg)
		if err := seg.fieldBits(sc, b, "norm", norms, false); err != nil {
			return nil, nil, err
		}
		if masks[si] != nil {
			for i := range b {
				b[i] &= masks[si][i]
			}
		}
		sc.skipMore[si] = !anyBit(b)
		sc.more = append(sc.more, b)
	}
	return sc.more, sc.skipMore, nil
}

func passes(mask []uint64, doc int) bool {
	return mask == nil || mask[doc/64]&(1<<(doc%64)) != 0
}
