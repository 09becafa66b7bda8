package index

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"sync"

	"digesto"
)

// OpenOptions says how an index is opened. The zero value is the default.
type OpenOptions struct {
	// Fusion joins words and vectors: "" = FusionMeasured.
	Fusion string
	// ExactVectors multiplies every vector with the question's, also in segments of
	// 16,384 vectors and more, where otherwise two-bit codes choose the 1,000 or more
	// that are multiplied.
	ExactVectors bool
}

// Index is an open index: one state, whatever is built beside it. It is safe
// for any number of goroutines.
type Index struct {
	snap    *snapshot
	close   []func() error
	scratch sync.Pool
}

var (
	_ digesto.Searcher  = (*Index)(nil)
	_ digesto.WhyNotter = (*Index)(nil)
)

func newIndex(segs []*segment, s Scoring) *Index {
	x := &Index{snap: &snapshot{scoring: s, segs: segs}}
	x.snap.measure()
	x.scratch.New = func() any {
		sc := &scratch{}
		sc.an.MaxWords = 1 << 16
		return sc
	}
	return x
}

// openTries is how often Open reads the state anew when a writer has swept the files
// of the one it had read.
const openTries = 20

// Open opens the index in dir. It maps the files and verifies only what every
// search needs; the rest is verified when first touched.
func Open(dir string, opt OpenOptions) (*Index, error) {
	if _, err := Fuse(opt.Fusion, Asked{}, nil); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		x, err := m.open(dir)
		if err == nil {
			x.snap.fusion, x.snap.model, x.snap.exactVectors = opt.Fusion, m.Model, opt.ExactVectors
			return x, nil
		}
		if now, e := readManifest(dir); try == openTries || !errors.Is(err, fs.ErrNotExist) || e != nil || now.Generation == m.Generation {
			return nil, err
		}
	}
}

// open maps the segments of one state.
func (m *manifest) open(dir string) (*Index, error) {
	var segs []*segment
	x := &Index{}
	for _, e := range m.Segments {
		s, closer, err := m.segment(dir, e)
		if err != nil {
			x.Close()
			return nil, err
		}
		x.close = append(x.close, closer)
		segs = append(segs, s)
	}
	closers := x.close
	x = newIndex(segs, m.Scoring)
	x.close = closers
	return x, nil
}

// segment maps one segment of the list.
func (m *manifest) segment(dir string, e entry) (*segment, func() error, error) {
	b, closer, err := mapFile(dir, e.File)
	if err != nil {
		return nil, nil, err
	}
	s, err := openSegment(e.File, b)
	if err == nil && (s.meta.Docs != e.Docs || s.meta.History != e.History || s.meta.Scoring != m.Scoring) {
		err = damaged(e.File, "no es el segmento que dice la lista")
	}
	if err != nil {
		_ = closer()
		return nil, nil, err
	}
	return s, closer, nil
}

// Memory builds an index that is never written.
func Memory(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) (*Index, error) {
	if _, err := Fuse(opt.Fusion, Asked{}, nil); err != nil {
		return nil, err
	}
	a, err := analyse(ctx, chunks, opt, "")
	if err != nil {
		return nil, err
	}
	var segs []*segment
	current, history := a.parts()
	for i, order := range [][]place{current, history} {
		if len(order) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := a.assemble(&b, opt.spec(), order, i == 1); err != nil {
			return nil, err
		}
		s, err := openSegment("memoria", b.Bytes())
		if err != nil {
			return nil, err
		}
		segs = append(segs, s)
	}
	x := newIndex(segs, opt.spec().Scoring)
	x.snap.fusion, x.snap.model = opt.Fusion, opt.Model
	return x, nil
}

// Model names what made the vectors; empty without any.
func (x *Index) Model() string {
	if x.snap.dim() == 0 {
		return ""
	}
	return x.snap.model
}

// Wants says whether the vector of a question would count in its search: there
// are vectors, and the rule of fusion gives them a share. A caller that embeds
// questions saves the work where it is false.
func (x *Index) Wants(q digesto.Query) bool {
	if x.snap.dim() == 0 {
		return false
	}
	sc := x.scratch.Get().(*scratch)
	defer x.scratch.Put(sc)
	sc.analyse(&q, &x.snap.scoring)
	return Alpha(x.snap.fusion, x.snap.asked(sc, &q, &digesto.Results{})) > 0
}

// Search finds the best units of a query.
func (x *Index) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	sc := x.scratch.Get().(*scratch)
	defer x.scratch.Put(sc)
	return x.snap.search(ctx, sc, &q)
}

// Close lets the files go. The index must not be used after it.
func (x *Index) Close() error {
	var first error
	for _, c := range x.close {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	x.close = nil
	return first
}

// Stats says what an index holds.
type Stats struct {
	Chunks   int   `json:"chunks"`
	Current  int   `json:"current"`
	Segments int   `json:"segments"`
	Terms    int   `json:"terms"`
	Vectors  int   `json:"vectors"`
	Bytes    int64 `json:"bytes"`
}

// Stats counts.
func (x *Index) Stats() Stats {
	st := Stats{Current: x.snap.current, Segments: len(x.snap.segs)}
	for _, s := range x.snap.segs {
		st.Chunks += s.meta.Docs
		st.Terms += s.meta.Stems + s.meta.Plains + s.meta.Pairs
		st.Vectors += s.meta.Vectors
		st.Bytes += int64(s.size)
	}
	return st
}
