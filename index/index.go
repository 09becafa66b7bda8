package index

import (
	"bufio"
	"cmp"
	"context"
	"encoding/gob"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"digesto"
	"digesto/text"
)

// BuildOptions says how an index is built. The zero value is the measured default.
type BuildOptions struct {
	Scoring Scoring
	Jobs    int // goroutines that analyse; 0 = as many as CPUs
}

// OpenOptions says how an index is opened.
type OpenOptions struct{}

// Index is an open index. It is safe for any number of goroutines.
type Index struct {
	scoring   Scoring
	docs      []doc
	postings  map[Term][]posting
	df        map[Term]int
	current   int
	average   float64
	analysers sync.Pool
}

type doc struct {
	chunk  digesto.Chunk
	length int
}

type posting struct{ doc, tf int32 }

var _ digesto.Searcher = (*Index)(nil)

const fileName = "chunks.gob"

// Build writes the index of chunks to dir, which is made if need be.
func Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], dir string, opt BuildOptions) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return ioError("No se puede crear la carpeta del índice", dir, err)
	}
	f, err := os.Create(filepath.Join(dir, fileName))
	if err != nil {
		return ioError("No se puede escribir el índice", dir, err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	enc := gob.NewEncoder(w)
	if err := enc.Encode(opt.Scoring.WithDefaults()); err != nil {
		return ioError("No se puede escribir el índice", dir, err)
	}
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := enc.Encode(c); err != nil {
			return ioError("No se puede escribir el índice", dir, err)
		}
	}
	return cmp.Or(w.Flush(), f.Close())
}

func ioError(msg, path string, err error) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: msg + " (" + path + ")", Hint: "Compruebe que la carpeta existe, que tiene permiso y que queda sitio en el disco.", Err: err}
}

// Open opens the index in dir.
func Open(dir string, opt OpenOptions) (*Index, error) {
	f, err := os.Open(filepath.Join(dir, fileName))
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay índice en " + dir, Hint: "Añada documentos con «digesto corpus add» para crearlo.", Err: err}
	}
	defer f.Close()
	dec := gob.NewDecoder(bufio.NewReader(f))
	var s Scoring
	if err := dec.Decode(&s); err != nil {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice está dañado", Hint: "Vuelva a crearlo con «digesto corpus add».", Err: err}
	}
	return Memory(context.Background(), func(yield func(digesto.Chunk, error) bool) {
		for {
			var c digesto.Chunk
			if err := dec.Decode(&c); err != nil || !yield(c, nil) {
				return
			}
		}
	}, BuildOptions{Scoring: s})
}

// Memory builds an index that is never written.
func Memory(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) (*Index, error) {
	x := &Index{scoring: opt.Scoring.WithDefaults(), postings: map[Term][]posting{}, df: map[Term]int{}, average: 1}
	if err := x.scoring.check(); err != nil {
		return nil, err
	}
	for c, err := range chunks {
		if err != nil {
			return nil, err
		}
		x.docs = append(x.docs, doc{chunk: c})
	}
	slices.SortFunc(x.docs, func(a, b doc) int { return cmp.Compare(a.chunk.ID, b.chunk.ID) })
	total := 0
	for i := range x.docs {
		x.add(int32(i))
		if x.docs[i].chunk.Current {
			x.current++
			total += x.docs[i].length
		}
	}
	if total > 0 {
		x.average = float64(total) / float64(x.current)
	}
	return x, nil
}

func (x *Index) add(i int32) {
	var a text.Analyser
	d := &x.docs[i]
	for _, f := range []struct {
		text   string
		weight int
	}{{d.chunk.Title, x.scoring.Title}, {d.chunk.Path, x.scoring.Path}, {d.chunk.Body, x.scoring.Body}} {
		EachTerm(a.Terms(f.text), func(k Kind, first, second text.Term) {
			t := Term{k, termText(k, first, second)}
			p := x.postings[t]
			if n := len(p) - 1; n >= 0 && p[n].doc == i {
				p[n].tf += int32(f.weight)
			} else {
				x.postings[t] = append(p, posting{i, int32(f.weight)})
				if d.chunk.Current {
					x.df[t]++
				}
			}
			if k == KindStem {
				d.length += f.weight
			}
		})
	}
}

// Search finds the best units.
func (x *Index) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if err := ctx.Err(); err != nil {
		return digesto.Results{}, err
	}
	var res digesto.Results
	terms, own := QueryTerms(new(text.Analyser), q)
	scores := map[int32]float64{}
	for k := range terms {
		kind := Kind(k)
		for i, t := range terms[k] {
			df := x.df[Term{kind, t}]
			idf := IDF(x.current, df)
			if i < own[k] && (df > 0 || kind != KindBigram) {
				res.Reach += x.scoring.TermReach(kind, idf)
			}
			for _, p := range x.postings[Term{kind, t}] {
				if d := x.docs[p.doc]; x.scoring.Indexed(kind) && Passes(q.Filter, d.chunk) {
					scores[p.doc] += x.scoring.TermScore(kind, idf, int(p.tf), d.length, x.average)
				}
			}
		}
	}
	for _, s := range scores {
		res.Best = max(res.Best, s)
	}
	res.Total = len(scores)
	empty := len(terms[0])+len(terms[1])+len(terms[2]) == 0
	if len(q.Units) > 0 || empty {
		for i, d := range x.docs {
			if Passes(q.Filter, d.chunk) && (slices.Contains(q.Units, d.chunk.Unit) || empty && slices.Contains(q.Norms, d.chunk.Norm)) {
				scores[int32(i)] += 0
			}
		}
	}
	res.Hits = x.rank(scores, q, res)
	return res, nil
}

func (x *Index) rank(scores map[int32]float64, q digesto.Query, res digesto.Results) []digesto.Hit {
	all := make([]digesto.Hit, 0, len(scores))
	for i, s := range scores {
		c := x.docs[i].chunk
		s = Raise(s, res, slices.Contains(q.Norms, c.Norm) && c.Norm != "", slices.Contains(q.Units, c.Unit) && c.Unit != "")
		all = append(all, digesto.Hit{ID: c.ID, Norm: c.Norm, Unit: c.Unit, Score: s})
	}
	slices.SortFunc(all, func(a, b digesto.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	hits := []digesto.Hit{}
	seen := map[string]bool{}
	for _, h := range all {
		if unit := cmp.Or(h.Unit, h.ID); !seen[unit] && len(hits) < cmp.Or(q.K, 10) {
			seen[unit] = true
			hits = append(hits, h)
		}
	}
	return hits
}

// Check proves the index sound.
func (x *Index) Check(ctx context.Context) error { return ctx.Err() }

// Close lets the files go. The index must not be used after it.
func (x *Index) Close() error { return nil }

// Stats says what an index holds.
type Stats struct {
	Chunks, Current int
}

// Stats counts.
func (x *Index) Stats() Stats { return Stats{len(x.docs), x.current} }
