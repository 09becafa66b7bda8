// Package pgvector is the index in PostgreSQL (15 or later) with pgvector: the same
// terms, statistics and scores as the embedded one, for several processes that
// share one index, and for tenants whose law stands beside everybody's.
//
// PostgreSQL's own ranking knows no idf, so terms are kept as they come out of our
// analyser (stems, plain words, pairs), in lists of one row a term and block of 32,768
// chunks, and values that filters ask for in lists of the same form. The server reads
// lists; the node adds them up, and keeps those it needs most. Vectors are compared on the
// server, exactly, or by HNSW where that is asked for; scores, order and the joining of words and
// vectors are those of package index, so that an answer does not depend on where the index stands.
//
// A tenant sees its own chunks and those of everybody: the statement asks for no
// others, and row-level security shows no others to a role that is not a superuser.
package pgvector

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"digesto"
	"digesto/index"
	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Options of an index. Zero values mean the defaults stated.
type Options struct {
	Name   string // which of the indexes of a database; "" = "digesto"
	Tenant string // whose chunks are seen beside everybody's, and built; "" = nobody's
	Fusion string // joins words and vectors, see package index; "" = measured
	// HNSW builds a graph over vectors and searches it: faster from some 50,000
	// vectors on, and some neighbours are missed. Without it all are compared.
	HNSW     bool
	Memory   int // bytes of lists kept in the node; 0 = 64 MB
	Database pg.Options
}

// Index is an index of a database. What is searched is its live version at that
// moment. It is safe for any number of goroutines.
type Index struct {
	db    *pg.DB
	opt   Options
	state atomic.Pointer[State] // as last seen; each search proves it

	reading sync.Mutex // one reads the words
	words   atomic.Pointer[vocabulary]
	kept    kept
}

var _ digesto.Searcher = (*Index)(nil)

// Open connects to an address (postgres://…) and brings its tables up to date. An
// index that was never built is empty.
func Open(ctx context.Context, address string, opt Options) (*Index, error) {
	if _, err := index.Fuse(opt.Fusion, index.Asked{}, nil); err != nil {
		return nil, err
	}
	opt.Name, opt.Memory = cmp.Or(opt.Name, "digesto"), cmp.Or(opt.Memory, 64<<20)
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	opt.Database.Session = map[string]string{"digesto.tenant": opt.Tenant, "jit": "off", "max_parallel_workers_per_gather": "0", "hnsw.iterative_scan": "strict_order"}
	db, err := pg.Open(ctx, address, opt.Database, files, "index_versions")
	if err != nil {
		return nil, err
	}
	x := &Index{db: db, opt: opt}
	if _, err := x.State(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return x, nil
}

// Close ends all connections.
func (x *Index) Close() error {
	x.db.Close()
	return nil
}

// State is what is live of an index, everybody's and the tenant's together.
type State struct {
	Chunks  int
	Current int
	Model   string // what made the vectors; "" = there are none
	Dims    int
	Made    time.Time
	Scoring index.Scoring

	versions []int
	average  float64 // length of a chunk in force
}

// State looks at what is live.
func (x *Index) State(ctx context.Context) (st State, err error) {
	err = x.db.Read(ctx, func(q pg.Q) error {
		st = State{Scoring: index.Scoring{}.WithDefaults(), versions: []int{}, average: 1}
		length := 0
		_, err := pg.All(q, func(r pgx.CollectableRow) (none struct{}, err error) {
			var v State
			var id, long int
			var scoring []byte
			if err := r.Scan(&id, &v.Chunks, &v.Current, &long, &v.Model, &v.Dims, &v.Made, &scoring); err != nil {
				return none, err
			}
			st.versions = append(st.versions, id)
			st.Chunks, st.Current, length = st.Chunks+v.Chunks, st.Current+v.Current, length+long
			if v.Dims > 0 {
				st.Model, st.Dims = v.Model, v.Dims
			}
			if v.Made.After(st.Made) {
				st.Made = v.Made
			}
			return none, json.Unmarshal(scoring, &st.Scoring)
		}, `SELECT id, chunks, current, length, model, dims, made, scoring FROM versions WHERE name = $1 AND live AND tenant IN ('', $2) ORDER BY id`, x.opt.Name, x.opt.Tenant)
		if length > 0 {
			st.average = float64(length) / float64(st.Current)
		}
		return err
	})
	if err == nil {
		x.state.Store(&st)
	}
	return st, err
}

// vectorText is a vector as pgvector reads it.
func vectorText(v []float32) string {
	b := make([]byte, 0, 12*len(v))
	for i, f := range v {
		b = append(b, ",["[min(1, max(0, 1-i))])
		b = strconv.AppendFloat(b, float64(f), 'g', -1, 32)
	}
	return string(append(b, ']'))
}

// facets are the filter fields that a chunk has, and their values.
func facets(c digesto.Chunk) (out []string) {
	for _, f := range slices.Concat([]string{"norm", "collection", "pack", "jurisdiction", "territory", "rank", "official", "current"}, slices.Collect(maps.Keys(c.Meta))) {
		for i, v := range index.FieldValues(f, c) {
			if i == 0 {
				out = append(out, f)
			}
			out = append(out, f+"="+v)
		}
	}
	return out
}

// facet names the list of a field, or of a value of one ("field=value"), beside those of terms.
func facet(s string) int64 { return int64(index.Term{Kind: 0xff, Text: s}.Hash()) }

// chunkText is a chunk as it is kept, without what PostgreSQL cannot hold.
func chunkText(c digesto.Chunk) (string, error) {
	raw, err := json.Marshal(c)
	return strings.ReplaceAll(string(raw), `\u0000`, "�"), err
}
