package qdrant

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/index"
	"digesto/text"
)

// batchPoints is how many points go in one request, some 3 MB; the server takes 32.
const batchPoints = 200

// Build makes a new collection of the chunks, waits until the server has indexed
// it, counts, and points the alias at it; the one before is removed. Who searches
// it is sent to the new one. All chunks are held in memory meanwhile. Ids must not repeat.
func (x *Index) Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error {
	b, seen := &builder{x: x, opt: opt}, map[string]bool{}
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if c.ID == "" || seen[c.ID] {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("El identificador «%.60s» está vacío o se repite", c.ID), Hint: "Cada fragmento debe tener un identificador propio: corríjalo y vuelva a construir el índice."}
		}
		seen[c.ID] = true
		b.chunks = append(b.chunks, c)
	}
	return b.run(ctx)
}

// Ensure builds what was never built, or in another form.
func (x *Index) Ensure(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error {
	st, err := x.state(ctx)
	if err == nil && st.Collection == "" {
		err = x.Build(ctx, chunks, opt)
	}
	return err
}

// builder makes one collection.
type builder struct {
	x      *Index
	opt    index.BuildOptions
	chunks []digesto.Chunk
	st     state
	df     map[uint64]int
	word   map[uint64]bool // of those, stems and plain words
}

func (b *builder) run(ctx context.Context) error {
	if _, err := b.x.state(ctx); err != nil { // somebody else's
		return err
	}
	now := time.Now()
	if err := b.x.sweep(ctx, now); err != nil {
		return err
	}
	b.st = state{Form: form, Collection: fmt.Sprintf("%s-v%d", b.x.opt.Name, now.UnixNano()), Scoring: b.opt.Scoring.WithDefaults()}
	b.measure()
	err := b.load(ctx)
	if err == nil {
		err = b.settled(ctx)
	}
	gone := b.st.Collection // leave nothing half made
	if err == nil {
		if gone, err = b.golive(ctx); err != nil {
			gone = b.st.Collection
		}
	}
	if gone != "" {
		err = errors.Join(err, b.x.drop(context.WithoutCancel(ctx), gone))
	}
	if err == nil {
		_, err = b.x.state(ctx)
	}
	return err
}

// golive points the alias at the new collection, and gives the name of the one that
// it pointed at until that moment: another builder may have been faster.
func (b *builder) golive(ctx context.Context) (before string, err error) {
	live, err := b.x.aliases(ctx)
	if err != nil {
		return "", err
	}
	// Over an alias that is there it re-points it. With a delete_alias before it, a
	// request of which only the first half succeeds would leave no index at all.
	to := map[string]any{"create_alias": map[string]any{"collection_name": b.st.Collection, "alias_name": b.x.opt.Name}}
	return live[b.x.opt.Name], b.x.c.call(ctx, "POST", "/collections/aliases", map[string]any{"actions": []any{to}}, nil)
}

func (x *Index) drop(ctx context.Context, collection string) error {
	return x.c.call(ctx, "DELETE", "/collections/"+collection, nil, nil)
}

// staleAfter is how long a builder may take before what it left counts as left for good.
const staleAfter = 24 * time.Hour

// sweep removes collections of builders that died: made for the alias long ago, and
// no alias points at them. Their names say when they were begun.
func (x *Index) sweep(ctx context.Context, now time.Time) error {
	var all struct {
		Collections []struct {
			Name string `json:"name"`
		} `json:"collections"`
	}
	if err := x.c.call(ctx, "GET", "/collections", nil, &all); err != nil {
		return err
	}
	live, err := x.aliases(ctx)
	for _, c := range all.Collections {
		nanos, ours := strings.CutPrefix(c.Name, x.opt.Name+"-v")
		begun, e := strconv.ParseInt(nanos, 10, 64)
		if err == nil && ours && e == nil && now.Sub(time.Unix(0, begun)) > staleAfter && !slices.Contains(slices.Collect(maps.Values(live)), c.Name) {
			err = x.drop(ctx, c.Name)
		}
	}
	return err
}

// measure counts terms and lengths of what is in force.
func (b *builder) measure() {
	var an text.Analyser
	b.df, b.word = map[uint64]int{}, map[uint64]bool{}
	total := 0
	b.st.Chunks = len(b.chunks)
	for _, c := range b.chunks {
		if !c.Current {
			continue
		}
		terms, length := index.Postings(&an, b.st.Scoring, c)
		b.st.Current++
		total += length
		for _, p := range terms {
			if b.df[uint64(p.Term)]++; p.Kind != index.KindBigram {
				b.word[uint64(p.Term)] = true
			}
		}
	}
	b.st.Average = 1
	if total > 0 {
		b.st.Average = float64(total) / float64(b.st.Current)
	}
	b.st.Words = 1 + len(b.word)/1000
	b.st.Pairs = min(1+(len(b.df)-len(b.word))/32, 1<<16)
}

// load makes the collection and puts everything in.
func (b *builder) load(ctx context.Context) error {
	vectors, err := b.vectors()
	if err != nil {
		return err
	}
	if err := b.create(ctx); err != nil {
		return err
	}
	var an text.Analyser
	for at := 0; at < len(b.chunks); at += batchPoints {
		var batch []point
		for i, c := range b.chunks[at:min(len(b.chunks), at+batchPoints)] {
			var v []float32
			if vectors != nil {
				v = vectors[at+i]
			}
			batch = append(batch, b.point(&an, c, v))
		}
		if err := b.put(ctx, batch); err != nil {
			return err
		}
	}
	return b.frequencies(ctx)
}

// vectors makes those of all chunks; all have one dimension.
func (b *builder) vectors() ([][]float32, error) {
	if b.opt.Vectors == nil {
		return nil, nil
	}
	out := make([][]float32, len(b.chunks))
	for i, c := range b.chunks {
		v, err := b.opt.Vectors(c)
		if err != nil {
			return nil, err
		}
		if len(v) > 0 && b.st.Dims == 0 {
			b.st.Dims, b.st.Model = len(v), b.opt.Model
		}
		if len(v) > 0 && len(v) != b.st.Dims {
			return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "Los vectores no tienen todos la misma dimensión", Hint: "Calcule todos los vectores con el mismo modelo."}
		}
		out[i] = v
	}
	return out, nil
}

// create makes the empty collection with the indexes of its payload, before any
// point: filters of a strict server need them, and searches are built with them.
func (b *builder) create(ctx context.Context) error {
	make := map[string]any{"sparse_vectors": map[string]any{sparseName: map[string]any{}}}
	if b.st.Dims > 0 {
		make["vectors"] = map[string]any{denseName: map[string]any{"size": b.st.Dims, "distance": "Cosine"}}
	}
	for key, n := range map[string]int{"shard_number": b.x.opt.Shards, "replication_factor": b.x.opt.Replicas} {
		if n > 0 {
			make[key] = n
		}
	}
	path := "/collections/" + b.st.Collection
	if err := b.x.c.call(ctx, "PUT", path, make, nil); err != nil && digesto.CodeOf(err) != digesto.CodeConflict { // ours: an answer that was lost
		return err
	}
	for _, f := range []struct{ name, kind string }{{"id", "keyword"}, {"norm", "keyword"}, {"unit", "keyword"}, {"facets", "keyword"}, {"has", "keyword"},
		{"terms", "integer"}, {"from", "integer"}, {"to", "integer"}, {"current", "bool"}} {
		if err := b.x.c.call(ctx, "PUT", path+"/index?wait=true", map[string]any{"field_name": f.name, "field_schema": f.kind}, nil); err != nil {
			return err
		}
	}
	return nil
}

// bodyMax is what a request may weigh; a server takes 32 MiB.
const bodyMax = 16 << 20

// put stores points, in halves where they are too long for one request. One request
// may be half done when it fails; the same again makes it whole.
func (b *builder) put(ctx context.Context, batch []point) error {
	if raw, err := json.Marshal(batch); err == nil && len(raw) > bodyMax && len(batch) > 1 {
		half := len(batch) / 2
		if err := b.put(ctx, batch[:half]); err != nil {
			return err
		}
		return b.put(ctx, batch[half:])
	}
	return b.x.c.call(ctx, "PUT", "/collections/"+b.st.Collection+"/points?wait=true", upsert{batch}, nil)
}

func (b *builder) point(an *text.Analyser, c digesto.Chunk, v []float32) point {
	terms, length := index.Postings(an, b.st.Scoring, c)
	values := map[uint32]float32{}
	var n []byte
	for _, p := range terms {
		t := name(uint64(p.Term))
		values[t] = max(values[t], float32(b.st.Scoring.Saturation(p.TF, length, b.st.Average)))
		n = appendCount(n, uint64(p.Term), p.TF)
	}
	s := sparse{Indices: slices.Sorted(maps.Keys(values)), Values: make([]float32, len(values))}
	for i, n := range s.Indices {
		s.Values[i] = values[n]
	}
	p := point{pointID(c.ID), map[string]any{sparseName: s}, payload{c.ID, c.Norm, c.Unit, facets(c), has(c), s.Indices, length, counts{n}, day(c.ValidFrom, noStart), day(c.ValidTo, noEnd), c.Current, c}}
	if len(s.Indices) == 0 {
		delete(p.Vector, sparseName)
	}
	if len(v) > 0 {
		p.Vector[denseName] = v
	}
	return p
}

// facets are the values of a chunk that filters ask for.
func facets(c digesto.Chunk) []string {
	out := []string{}
	for _, f := range slices.Concat([]string{"collection", "pack", "jurisdiction", "territory", "rank", "official", "current"}, slices.Sorted(maps.Keys(c.Meta))) {
		for i, v := range index.FieldValues(f, c) {
			if i == 0 {
				out = append(out, f)
			}
			out = append(out, f+"="+v)
		}
	}
	return out
}

// pointID is the id of the point of a chunk: a UUID out of its own.
func pointID(id string) string {
	h := sha256.Sum256([]byte(id))
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// frequencies stores how many chunks have each term, and last of all what holds of the collection.
func (b *builder) frequencies(ctx context.Context) error {
	buckets := make([]counts, b.st.Words+b.st.Pairs)
	for t, n := range b.df {
		at := b.st.Words + int(t%uint64(b.st.Pairs))
		if b.word[t] {
			at = int(t % uint64(b.st.Words))
		}
		buckets[at].Terms = appendCount(buckets[at].Terms, t, n)
	}
	for from := 0; from < len(buckets); from += batchPoints {
		var batch []point
		for i, k := range buckets[from:min(len(buckets), from+batchPoints)] {
			batch = append(batch, point{1 + from + i, map[string]any{}, k})
		}
		if err := b.put(ctx, batch); err != nil {
			return err
		}
	}
	return b.put(ctx, []point{{0, map[string]any{}, map[string]any{"state": b.st}}})
}

// settled waits until the server has indexed what it got, and counts it.
func (b *builder) settled(ctx context.Context) error {
	until := time.Now().Add(b.x.opt.Patience)
	for {
		var info struct {
			Status string `json:"status"`
		}
		if err := b.x.c.call(ctx, "GET", "/collections/"+b.st.Collection, nil, &info); err != nil {
			return err
		}
		if info.Status == "red" {
			return &digesto.Error{Code: digesto.CodeUnavailable, Message: "Qdrant no ha podido guardar la colección", Hint: "Mire el registro del servidor y su espacio en disco; el índice anterior sigue en uso."}
		}
		if info.Status != "yellow" || time.Now().After(until) { // slow is not wrong, nor is work put off (grey): searches go over what is not indexed yet
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	var got struct {
		Count int `json:"count"`
	}
	if err := b.x.c.call(ctx, "POST", "/collections/"+b.st.Collection+"/points/count", map[string]any{"exact": true}, &got); err != nil {
		return err
	}
	if want := len(b.chunks) + b.st.Words + b.st.Pairs + 1; got.Count != want {
		return &digesto.Error{Code: digesto.CodeCheck, Message: "Qdrant tiene " + strconv.Itoa(got.Count) + " puntos y debería tener " + strconv.Itoa(want), Hint: "Vuelva a construir el índice; el anterior sigue en uso."}
	}
	return nil
}

// Rows gives the chunks.
func (x *Index) Rows(ctx context.Context) iter.Seq2[index.Row, error] {
	return func(yield func(index.Row, error) bool) {
		ask := map[string]any{"limit": 200, "with_payload": []string{"chunk"}, "filter": filter{Must: []any{between("to", "gt", -1)}}}
		st, err := x.state(ctx)
		if st.Dims > 0 { // a name that the collection does not know may be refused
			ask["with_vector"] = []string{denseName}
		}
		for st.Collection != "" {
			var page struct {
				Points []struct {
					Payload struct {
						Chunk digesto.Chunk `json:"chunk"`
					} `json:"payload"`
					Vector map[string][]float32 `json:"vector"`
				} `json:"points"`
				Next any `json:"next_page_offset"`
			}
			if err = x.c.call(ctx, "POST", "/collections/"+st.Collection+"/points/scroll", ask, &page); err != nil {
				break
			}
			for _, p := range page.Points {
				if !yield(index.Row{Chunk: p.Payload.Chunk, Vector: p.Vector[denseName]}, nil) {
					return
				}
			}
			if page.Next == nil {
				return
			}
			ask["offset"] = page.Next
		}
		if err != nil {
			yield(index.Row{}, err)
		}
	}
}

// Names lists the indexes of the server that this program made: aliases of
// collections that are named after them.
func (x *Index) Names(ctx context.Context) (names []string, err error) {
	all, err := x.aliases(ctx)
	for alias, collection := range all {
		if strings.HasPrefix(collection, alias+"-v") {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	return names, err
}

// aliases gives the collections of all aliases.
func (x *Index) aliases(ctx context.Context) (map[string]string, error) {
	var got struct {
		Aliases []struct {
			Alias      string `json:"alias_name"`
			Collection string `json:"collection_name"`
		} `json:"aliases"`
	}
	err := x.c.call(ctx, "GET", "/aliases", nil, &got)
	out := map[string]string{}
	for _, a := range got.Aliases {
		out[a.Alias] = a.Collection
	}
	return out, err
}

// has lists which of id and norm a chunk has, for filters that let others through.
func has(c digesto.Chunk) []string {
	if c.Norm == "" {
		return []string{"id"}
	}
	return []string{"id", "norm"}
}

// Drop removes the collection of the index, and with it its alias.
func (x *Index) Drop(ctx context.Context) error {
	st, err := x.state(ctx)
	if err == nil && st.Collection != "" {
		err = x.drop(ctx, st.Collection)
	}
	return err
}
