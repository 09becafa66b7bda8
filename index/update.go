package index

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"digesto"

	"github.com/RoaringBitmap/roaring/v2"
)

// Change is what an update does to an index: chunks put in (replacing those with
// the same id) and ids taken out.
type Change struct {
	Put    iter.Seq2[digesto.Chunk, error] // may be nil
	Delete []string                        // ids that are not there are ignored
}

// mergeAt is how many segments, and mergeDead which share of deleted documents (one
// in …), make an update merge all into one.
const (
	mergeAt   = 8
	mergeDead = 4
)

// Update changes the index in dir and leaves what did not change where it is: new
// chunks become a segment, old versions are marked as deleted. Where there is no
// index it makes one. Results are those of an index built anew, to the bit; only
// the list of vectors may differ beyond its best where segments are large, see
// OpenOptions.ExactVectors.
// Scoring, model and kind of vectors of an existing index stay as they are.
func Update(ctx context.Context, dir string, c Change, opt BuildOptions) error {
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := readManifest(dir)
	switch {
	case digesto.CodeOf(err) == digesto.CodeNotFound && errors.Is(err, fs.ErrNotExist):
		m = manifest{spec: opt.spec()}
	case err != nil:
		return err
	}
	m.Generation = nextGeneration(dir)
	opt.Scoring, opt.Model, opt.Full = m.Scoring, m.Model, m.Full
	var shards []*shard
	if c.Put != nil {
		if shards, err = analyse(ctx, c.Put, opt); err != nil {
			return err
		}
	}
	if err := m.bury(dir, shards, c.Delete); err != nil {
		return err
	}
	if err := m.write(ctx, dir, shards); err != nil {
		return err
	}
	if m.wantsMerge() {
		if err := m.merge(ctx, dir); err != nil {
			return err
		}
	}
	return m.commit(dir)
}

// Merge makes one segment of current documents and one of history out of all, and
// leaves deleted ones out.
func Merge(ctx context.Context, dir string) error {
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	m.Generation = nextGeneration(dir)
	if err := m.merge(ctx, dir); err != nil {
		return err
	}
	return m.commit(dir)
}

// bury marks the documents that are deleted or put anew.
func (m *manifest) bury(dir string, shards []*shard, ids []string) error {
	for i := range m.Segments {
		if err := m.Segments[i].bury(dir, shards, ids); err != nil {
			return err
		}
	}
	return nil
}

func (e *entry) bury(dir string, shards []*shard, ids []string) error {
	s, closer, err := e.open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = closer() }()
	dead := roaring.New()
	if len(e.Dead) > 0 {
		if err := dead.UnmarshalBinary(e.Dead); err != nil {
			return damaged(manifestFile, "documentos borrados")
		}
	}
	before := dead.GetCardinality()
	kill := func(id string) {
		doc, e := s.findID(id)
		if e != nil {
			err = e
		} else if doc >= 0 {
			dead.Add(uint32(doc))
		}
	}
	for _, id := range ids {
		kill(id)
	}
	for _, sh := range shards {
		for i := range sh.docs {
			kill(sh.docs[i].chunk.ID)
		}
	}
	if err != nil || dead.GetCardinality() == before {
		return err
	}
	e.Dead, err = dead.ToBytes()
	return err
}

// open maps one segment.
func (e *entry) open(dir string) (*segment, func() error, error) {
	b, closer, err := mapFile(dir, e.File)
	if err != nil {
		return nil, nil, err
	}
	s, err := openSegment(e.File, b)
	if err == nil && (s.meta.Docs != e.Docs || s.meta.History != e.History) {
		err = damaged(e.File, "no es el segmento que dice la lista")
	}
	if err != nil {
		_ = closer()
		return nil, nil, err
	}
	return s, closer, nil
}

func (m *manifest) wantsMerge() bool {
	docs, dead := 0, 0
	for _, e := range m.Segments {
		docs += e.Docs
		if len(e.Dead) > 0 {
			r := roaring.New()
			if r.UnmarshalBinary(e.Dead) == nil {
				dead += int(r.GetCardinality())
			}
		}
	}
	return len(m.Segments) >= mergeAt || mergeDead*dead > docs
}

// merge replaces the segments of the manifest by one for current documents and
// one for history.
func (m *manifest) merge(ctx context.Context, dir string) error {
	var old []mergeSource
	defer func() {
		for _, s := range old {
			_ = s.close()
		}
	}()
	for _, e := range m.Segments {
		s, closer, err := e.open(dir)
		if err != nil {
			return err
		}
		dead, err := e.tombs(s)
		if err != nil {
			_ = closer()
			return err
		}
		old = append(old, mergeSource{seg: s, dead: dead, close: closer})
	}
	var merged []entry
	for _, history := range []bool{false, true} {
		if err := ctx.Err(); err != nil {
			return cancelled(err)
		}
		g, err := newMerger(ctx, m.spec, old, history)
		if err != nil {
			return err
		}
		if len(g.docs) == 0 {
			continue
		}
		name := m.fileName() // files are numbered on from those the update has written
		m.Segments = append(m.Segments, entry{File: name})
		if err := writeFile(filepath.Join(dir, name), func(f *os.File) error { return g.write(f) }); err != nil {
			return err
		}
		merged = append(merged, entry{File: name, Docs: len(g.docs), History: history})
	}
	m.Segments = slices.Clip(merged)
	return nil
}
