// Package qdrant is the index in Qdrant (1.10 or later, over REST): named vectors
// text-dense and text-sparse, payload indexes for filters, and an alias that is
// switched when a new version is whole.
//
// Sparse values are what BM25 makes of a term frequency; the idf comes with the
// query, from document frequencies that stand in the collection itself as points
// without vectors, so it is that of what is in force and the same as the embedded
// index has (the server's own modifier counts history and deleted points too).
// Words and vectors are joined here by the rules of package index, or by the
// server's reciprocal ranks (FusionServer) in one request.
//
// A term is named by 32 bits. Two terms of one chunk that share a name, about one
// chunk in a hundred thousand, count as one.
package qdrant

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/index"
)

// FusionServer joins words and vectors on the server: prefetch of both lists, 20
// each, and reciprocal rank fusion.
const FusionServer = "server"

// Options of an index. Zero values mean the defaults stated.
type Options struct {
	Name string // alias of the collection; "" = "digesto"
	Key  string // API key; "" = the password of the address
	// Collections are searched at the same time, their scores multiplied by their
	// weights; chunks are put in the one named as their own collection, else in the first. None = Name alone.
	Collections []Collection
	Fusion      string        // FusionServer or one of package index; "" = measured
	Shards      int           // of collections made; 0 = the server's default
	Replicas    int           // 0 = the server's default
	Timeout     time.Duration // of one request; 0 = 30 s
	Patience    time.Duration // for the server's own indexing after a load; 0 = 10 min
}

// Collection is one of several that are searched together.
type Collection struct {
	Name   string // alias
	Of     string // Chunk.Collection that goes here
	Weight float64
}

// Index is an index of a server. It is safe for any number of goroutines.
type Index struct {
	c   *client
	opt Options

	mu    sync.Mutex
	vocab map[string]*vocabulary // by real collection
	last  map[string]state       // by alias, as last seen
}

var _ digesto.Searcher = (*Index)(nil)

// Open connects to an address (https://:KEY@HOST:6333). An index that was never
// built is empty.
func Open(ctx context.Context, address string, opt Options) (*Index, error) {
	c, err := newClient(address, opt.Key, cmp.Or(opt.Timeout, 30*time.Second))
	if err != nil {
		return nil, err
	}
	if opt.Fusion != FusionServer {
		if _, err := index.Fuse(opt.Fusion, index.Asked{}, nil); err != nil {
			return nil, err
		}
	}
	opt.Name, opt.Patience = safeName(cmp.Or(opt.Name, "digesto")), cmp.Or(opt.Patience, 10*time.Minute)
	if len(opt.Collections) == 0 {
		opt.Collections = []Collection{{Name: opt.Name, Weight: 1}}
	}
	opt.Collections = slices.Clone(opt.Collections)
	for i := range opt.Collections {
		opt.Collections[i].Name = safeName(opt.Collections[i].Name)
	}
	x := &Index{c: c, opt: opt, vocab: map[string]*vocabulary{}, last: map[string]state{}}
	for _, col := range opt.Collections { // a health check would not prove the key
		if _, err := x.state(ctx, col.Name); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Close lets connections go.
func (x *Index) Close() error {
	x.c.http.CloseIdleConnections()
	return nil
}

// safeName keeps what may stand in the name of a collection.
func safeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 200)]
}

// state is what holds of one collection: the payload of its point 0.
type state struct {
	Collection string        `json:"collection"` // its real name; "" = there is none
	Chunks     int           `json:"chunks"`
	Current    int           `json:"current"`
	Average    float64       `json:"average"` // length of a current chunk
	Buckets    int           `json:"buckets"` // points that hold document frequencies
	Model      string        `json:"model"`
	Dims       int           `json:"dims"`
	Scoring    index.Scoring `json:"scoring"`
}

// state asks for that of an alias.
func (x *Index) state(ctx context.Context, alias string) (st state, err error) {
	var got []struct {
		Payload struct {
			State json.RawMessage `json:"state"` // of somebody else's it may be anything
		} `json:"payload"`
	}
	err = x.c.call(ctx, "POST", "/collections/"+alias+"/points", map[string]any{"ids": []int{0}, "with_payload": true}, &got)
	switch {
	case digesto.CodeOf(err) == digesto.CodeNotFound:
		err = nil
	case err == nil && (len(got) == 0 || json.Unmarshal(got[0].Payload.State, &st) != nil || st.Collection == ""):
		st, err = state{}, &digesto.Error{Code: digesto.CodeConflict, Message: "La colección «" + alias + "» de Qdrant no la ha hecho este programa", Hint: "Elija otro nombre para el índice."}
	}
	if err == nil {
		x.mu.Lock()
		x.last[alias] = st
		x.mu.Unlock()
	}
	return st, err
}

// Model names what made the vectors of the state last seen; empty without any.
func (x *Index) Model() string { return x.seen().Model }

func (x *Index) seen() state {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.last[x.opt.Collections[0].Name]
}

// Wants says whether the vector of a question would count in its search.
func (x *Index) Wants(q digesto.Query) bool {
	st := x.seen()
	return st.Dims > 0 && (x.opt.Fusion == FusionServer || index.Alpha(x.opt.Fusion, index.Ask(q, st.Scoring).Asked(digesto.Results{})) > 0)
}

// Frequency gives in how many current chunks a folded word stands, or a stem; 0
// for what the index does not know, and for what cannot be read.
func (x *Index) Frequency(word string, stem bool) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	kind := index.KindPlain
	if stem {
		kind = index.KindStem
	}
	df, err := x.frequencies(ctx, x.seen(), []uint32{name(index.Term{Kind: kind, Text: word}.Hash())})
	if err != nil {
		return 0
	}
	return df[0]
}

// name is the sparse index of a term, by its hash.
func name(hash uint64) uint32 { return uint32(hash ^ hash>>32) }

// vocabulary is what has been read of the document frequencies of a collection.
// It never changes there, so it is kept.
type vocabulary struct {
	mu   sync.Mutex
	read map[uint32]bool // buckets
	df   map[uint32]int
}

// frequencies gives how many current chunks have each term.
func (x *Index) frequencies(ctx context.Context, st state, terms []uint32) ([]int, error) {
	out := make([]int, len(terms))
	if st.Buckets == 0 {
		return out, nil
	}
	x.mu.Lock()
	v := x.vocab[st.Collection]
	if v == nil {
		clear(x.vocab) // of collections that are no more
		for _, c := range x.opt.Collections {
			if s := x.last[c.Name]; s.Collection != "" {
				x.vocab[s.Collection] = &vocabulary{read: map[uint32]bool{}, df: map[uint32]int{}}
			}
		}
		if v = x.vocab[st.Collection]; v == nil {
			v = &vocabulary{read: map[uint32]bool{}, df: map[uint32]int{}}
		}
	}
	x.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	var missing []uint32
	for _, t := range terms {
		if b := t%uint32(st.Buckets) + 1; !v.read[b] {
			v.read[b], missing = true, append(missing, b)
		}
	}
	if len(missing) > 0 {
		var got []struct {
			Payload bucket `json:"payload"`
		}
		if err := x.c.call(ctx, "POST", "/collections/"+st.Collection+"/points", map[string]any{"ids": missing, "with_payload": true}, &got); err != nil {
			for _, b := range missing {
				delete(v.read, b)
			}
			return nil, err
		}
		for _, g := range got {
			if len(g.Payload.Terms) != len(g.Payload.DF) {
				return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice de Qdrant está dañado", Hint: "Vuelva a construirlo.", Err: fmt.Errorf("%d terms, %d counts", len(g.Payload.Terms), len(g.Payload.DF))}
			}
			for i, t := range g.Payload.Terms {
				v.df[t] = g.Payload.DF[i]
			}
		}
	}
	for i, t := range terms {
		out[i] = v.df[t]
	}
	return out, nil
}

// bucket holds document frequencies of some terms.
type bucket struct {
	Terms []uint32 `json:"t"`
	DF    []int    `json:"n"`
}
