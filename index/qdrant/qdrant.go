// Package qdrant is the index in Qdrant (1.10 or later, over REST): named vectors
// text-dense and text-sparse, payload indexes for filters, and an alias that is
// switched when a new version is whole.
//
// Sparse values are what BM25 makes of a term frequency; the idf comes with the
// query, from document frequencies that stand in the collection itself as points
// without vectors, so it is that of what is in force (the server's own modifier counts
// history and deleted points too). What the server adds up, in float32 and with terms
// named by 32 bits of their hash, is never less than the true score but for rounding: it
// chooses candidates. Their frequencies come along, and package index scores them, joins
// words and vectors and orders, so that scores are those of the embedded index to the bit.
package qdrant

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/index"
)

// Options of an index. Zero values mean the defaults stated.
type Options struct {
	Name     string        // alias of the collection; "" = "digesto"
	Key      string        // API key; "" = the password of the address
	Fusion   string        // joins words and vectors, see package index; "" = measured
	Shards   int           // of collections made; 0 = the server's default
	Replicas int           // 0 = the server's default
	Timeout  time.Duration // of one request; 0 = 30 s
	Patience time.Duration // for the server's own indexing after a load; 0 = 10 min
}

// Index is an index of a server. It is safe for any number of goroutines.
type Index struct {
	c   *client
	opt Options

	mu    sync.Mutex
	last  state       // as last seen; each search proves it
	vocab *vocabulary // of that collection, or of one before
}

var _ digesto.Searcher = (*Index)(nil)

// Open connects to an address (https://:KEY@HOST:6333, of a cluster HOST:6333,HOST:6333…, tried in turn).
// An index that was never built is empty.
func Open(ctx context.Context, address string, opt Options) (*Index, error) {
	c, err := newClient(address, opt.Key, cmp.Or(opt.Timeout, 30*time.Second))
	if err != nil {
		return nil, err
	}
	if _, err := index.Fuse(opt.Fusion, index.Asked{}, nil); err != nil {
		return nil, err
	}
	opt.Name, opt.Patience = safeName(cmp.Or(opt.Name, "digesto")), cmp.Or(opt.Patience, 10*time.Minute)
	x := &Index{c: c, opt: opt}
	_, err = x.state(ctx) // a health check would not prove the key
	return x, err
}

// Close lets connections go.
func (x *Index) Close() error {
	x.c.http.CloseIdleConnections()
	return nil
}

// Ready says whether searches of the whole index are answered now.
func (x *Index) Ready(ctx context.Context) error {
	st, err := x.state(ctx)
	if err == nil && st.Collection == "" {
		err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "Qdrant no tiene el índice de la ley instalada", Hint: "Se construye al arrancar un nodo: mire su registro."}
	}
	return err
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

// form names how points are written: an index of another form is built again.
const form = 2

// state is what holds of a collection: the payload of its point 0.
type state struct {
	Collection string        `json:"collection"` // its real name; "" = there is none
	Form       int           `json:"form"`
	Chunks     int           `json:"chunks"`
	Current    int           `json:"current"`
	Average    float64       `json:"average"` // length of a current chunk
	Words      int           `json:"words"`   // points that hold the frequencies of stems and plain words, from 1
	Pairs      int           `json:"pairs"`   // and those of bigrams, after them
	Model      string        `json:"model"`
	Dims       int           `json:"dims"`
	Scoring    index.Scoring `json:"scoring"`
}

// stateRequest asks for the state as a search does, of every shard, so that an index of
// which a part is lost is not taken for a sound one.
var stateRequest = request{Limit: 1, WithPayload: []string{"state"}, Filter: &filter{Must: []any{map[string]any{"has_id": []int{0}}}}}

// state asks for that of the alias.
func (x *Index) state(ctx context.Context) (st state, err error) {
	var got points
	err = x.c.call(ctx, "POST", "/collections/"+x.opt.Name+"/points/query", stateRequest, &got)
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		err = nil
	} else if err == nil {
		st, err = x.read(got)
	}
	if err == nil {
		x.mu.Lock()
		x.last = st
		x.mu.Unlock()
	}
	return st, err
}

// read takes the state out of what was found. One of another form counts as none.
func (x *Index) read(got points) (st state, err error) {
	if len(got.Points) == 0 || json.Unmarshal(got.Points[0].Payload.State, &st) != nil || st.Collection == "" {
		return state{}, &digesto.Error{Code: digesto.CodeConflict, Message: "La colección «" + x.opt.Name + "» de Qdrant no la ha hecho este programa", Hint: "Elija otro nombre para el índice."}
	}
	if st.Form != form {
		return state{}, nil
	}
	return st, nil
}

// Model names what made the vectors of the state last seen; empty without any.
func (x *Index) Model() string { return x.seen().Model }

func (x *Index) seen() state {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.last
}

// Wants says whether the vector of a question would count in its search.
func (x *Index) Wants(q digesto.Query) bool {
	st := x.seen()
	a := index.Ask(q, st.Scoring)
	return st.Dims > 0 && index.Alpha(x.opt.Fusion, a.Asked(digesto.Results{})) > 0
}

// Frequency gives in how many current chunks a folded word stands, or a stem; 0
// for what the index does not know, and for what cannot be read.
func (x *Index) Frequency(word string, stem bool) int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	kind := index.KindPlain
	if stem {
		kind = index.KindStem
	}
	df, err := x.frequencies(ctx, x.seen(), []index.AskedTerm{{Term: index.Term{Kind: kind, Text: word}}})
	if err != nil {
		return 0
	}
	return df[0]
}

// name is the sparse index of a term, by its hash.
func name(hash uint64) uint32 { return uint32(hash ^ hash>>32) }

// vocabulary is what has been read of the document frequencies of a collection, all
// words at once, pairs as they are asked for. It never changes there, so it is kept.
type vocabulary struct {
	collection string

	mu   sync.Mutex
	read map[int]bool // points
	df   map[uint64]int
}

// frequencies gives how many current chunks have each term.
func (x *Index) frequencies(ctx context.Context, st state, terms []index.AskedTerm) ([]int, error) {
	out := make([]int, len(terms))
	if st.Collection == "" {
		return out, nil
	}
	x.mu.Lock()
	if x.vocab == nil || x.vocab.collection != st.Collection {
		x.vocab = &vocabulary{collection: st.Collection, read: map[int]bool{}, df: map[uint64]int{}}
	}
	v := x.vocab
	x.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	var missing []int
	want := func(point int) {
		if !v.read[point] {
			v.read[point], missing = true, append(missing, point)
		}
	}
	for i := range st.Words {
		want(1 + i)
	}
	for _, t := range terms {
		if t.Kind == index.KindBigram && st.Pairs > 0 {
			want(1 + st.Words + int(t.Hash()%uint64(st.Pairs)))
		}
	}
	if err := v.fetch(ctx, x.c, missing); err != nil {
		for _, p := range missing {
			delete(v.read, p)
		}
		return nil, err
	}
	for i, t := range terms {
		out[i] = v.df[t.Hash()]
	}
	return out, nil
}

func (v *vocabulary) fetch(ctx context.Context, c *client, ids []int) error {
	for ; len(ids) > 0; ids = ids[min(len(ids), batchPoints):] {
		var got []struct {
			Payload counts `json:"payload"`
		}
		if err := c.call(ctx, "POST", "/collections/"+v.collection+"/points", map[string]any{"ids": ids[:min(len(ids), batchPoints)], "with_payload": true}, &got); err != nil {
			return err
		}
		for _, g := range got {
			if err := eachCount(g.Payload.Terms, func(term uint64, n int) { v.df[term] = n }); err != nil {
				return err
			}
		}
	}
	return nil
}

// counts is the payload of a point that holds numbers of terms: hash and number, one after the other.
type counts struct {
	Terms []byte `json:"n"`
}

func appendCount(out []byte, term uint64, n int) []byte {
	return binary.AppendUvarint(binary.LittleEndian.AppendUint64(out, term), uint64(n))
}

func eachCount(raw []byte, each func(term uint64, n int)) error {
	for len(raw) > 0 {
		if len(raw) < 9 {
			return damaged(len(raw))
		}
		n, size := binary.Uvarint(raw[8:])
		if size <= 0 || n > 1<<31 {
			return damaged(len(raw))
		}
		each(binary.LittleEndian.Uint64(raw), int(n))
		raw = raw[8+size:]
	}
	return nil
}

func damaged(left int) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice de Qdrant está dañado", Hint: "Vuelva a construirlo.", Err: fmt.Errorf("unreadable counts, %d bytes from the end", left)}
}
