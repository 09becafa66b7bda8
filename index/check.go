package index

import (
	"context"
	"strings"
)

// Check proves the index sound: every page against its checksum, then what the
// checksums cannot know, that dictionaries are sorted, postings are
// sorted, within the segment and as many as their record says, and that every
// table points to something.
func (x *Index) Check(ctx context.Context) error {
	for _, s := range x.snap.segs {
		for p := range len(s.f.pages) / 4 {
			if p%256 == 0 && ctx.Err() != nil {
				return cancelled(ctx.Err())
			}
			if err := s.f.verifyPage(p); err != nil {
				return err
			}
		}
		for _, check := range []func(context.Context) error{s.checkStrings, s.checkTables, s.checkPostings} {
			if err := check(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkStrings reads every term and key.
func (s *segment) checkStrings(context.Context) error {
	for _, t := range []struct {
		table  *stringTable
		sorted bool
	}{{s.stems, true}, {s.plains, true}, {s.keys, false}} {
		prev := ""
		err := t.table.each(func(i int, word []byte) error {
			if t.sorted && i > 0 && string(word) <= prev {
				return damaged(s.f.name, "orden de los términos")
			}
			prev = string(word)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls f with every string in turn; the bytes are valid during the call.
func (t *stringTable) each(f func(i int, word []byte) error) error {
	var buf, rest []byte
	var err error
	for i := range t.n {
		if i%stringsPerBlock == 0 {
			var first []byte
			first, rest, err = t.first(i / stringsPerBlock)
			buf = append(buf[:0], first...)
		} else {
			buf, rest, err = t.next(buf, rest)
		}
		if err == nil {
			err = f(i, buf)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkTables proves permutations, numbers of norms and days, and filters.
func (s *segment) checkTables(context.Context) error {
	bad := func(what string) error { return damaged(s.f.name, what) }
	for _, perm := range []array{s.byID, s.byUnit} {
		seen := make([]bool, s.meta.Docs)
		for i := range s.meta.Docs {
			doc := int(perm.u32(i))
			if doc >= s.meta.Docs || seen[doc] {
				return bad("orden de los documentos")
			}
			seen[doc] = true
		}
	}
	prev := ""
	for i := range s.meta.Docs {
		id, err := s.id(nil, int(s.byID.u32(i)))
		if err != nil {
			return err
		}
		if i > 0 && string(id) <= prev {
			return bad("orden de los identificadores")
		}
		prev = string(id)
		if int(s.normOf.u32(i)) >= len(s.norms) || int(s.times.u32(2*i)) >= len(s.dates) || int(s.times.u32(2*i+1)) >= len(s.dates) {
			return bad("tablas de normas y fechas")
		}
	}
	for _, name := range s.filterNames {
		field, value, _ := strings.Cut(name, "\x00")
		if r, err := s.filter(field, value); err != nil || r == nil {
			return orDamaged(err, s.f.name)
		}
	}
	return nil
}

// checkPostings decodes every posting.
func (s *segment) checkPostings(ctx context.Context) error {
	var sc scratch
	for t := range s.meta.Stems + s.meta.Plains + s.meta.Pairs {
		if t%4096 == 0 && ctx.Err() != nil {
			return cancelled(ctx.Err())
		}
		rec, err := s.record(t)
		if err != nil {
			return err
		}
		sc.reset()
		l, err := s.list(&sc, rec)
		if err != nil {
			return err
		}
		docs, codes := l.all(s)
		if len(docs) != rec.df() {
			return damaged(s.f.name, "número de documentos de un término")
		}
		for i, d := range docs {
			if int(d) >= s.meta.Docs || codes[i] == 0 || i > 0 && d <= docs[i-1] {
				return damaged(s.f.name, "postings de un término")
			}
		}
	}
	return nil
}
