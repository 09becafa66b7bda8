package pgvector

import (
	"context"
	"iter"
	"slices"
	"time"

	"digesto"
	"digesto/index"
	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// Ready says whether there is an index, and its server answers.
func (x *Index) Ready(ctx context.Context) error {
	st, err := x.State(ctx)
	if err == nil && len(st.versions) == 0 {
		err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "PostgreSQL no tiene el índice de la ley instalada", Hint: "Se construye al arrancar un nodo: mire su registro."}
	}
	return err
}

// Model names what made the vectors of the state last seen; empty without any.
func (x *Index) Model() string {
	if st := x.state.Load(); st != nil {
		return st.Model
	}
	return ""
}

// Wants says whether the vector of a question would count in its search.
func (x *Index) Wants(q digesto.Query) bool {
	st := x.state.Load()
	if st == nil || st.Dims == 0 {
		return false
	}
	a := index.Ask(q, st.Scoring)
	return index.Alpha(x.opt.Fusion, a.Asked(digesto.Results{})) > 0
}

// vocabulary is the words of one state.
type vocabulary struct {
	versions []int
	words    map[int64]int
}

// Frequency gives in how many current chunks a folded word stands, or a stem; 0
// for what the index does not know. The words are read once for each state, some
// hundred thousand in a fraction of a second; while they cannot be read none is known.
func (x *Index) Frequency(word string, stem bool) int {
	v := x.vocabulary()
	kind := index.KindPlain
	if stem {
		kind = index.KindStem
	}
	return v.words[int64(index.Term{Kind: kind, Text: word}.Hash())]
}

func (x *Index) vocabulary() *vocabulary {
	st, v := x.state.Load(), x.words.Load()
	if st == nil {
		return &vocabulary{}
	}
	if v != nil && slices.Equal(v.versions, st.versions) {
		return v
	}
	x.reading.Lock()
	defer x.reading.Unlock()
	if v = x.words.Load(); v != nil && slices.Equal(v.versions, st.versions) {
		return v
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	v = &vocabulary{st.versions, map[int64]int{}}
	err := x.db.Read(ctx, func(q pg.Q) error {
		clear(v.words)
		_, err := pg.All(q, func(r pgx.CollectableRow) (none struct{}, err error) {
			var term int64
			var n int
			err = r.Scan(&term, &n)
			v.words[term] += n
			return none, err
		}, `SELECT term, n FROM words WHERE version = ANY($1)`, st.versions)
		return err
	})
	if err != nil {
		return &vocabulary{} // searches say what is wrong; spelling waits for the next question
	}
	x.words.Store(v)
	return v
}

// Rows gives the chunks of the tenant's own live version, by their place.
func (x *Index) Rows(ctx context.Context) iter.Seq2[index.Row, error] {
	const page = 500
	type placed struct {
		index.Row
		place int64
	}
	return func(yield func(index.Row, error) bool) {
		for after := int64(-1); ; {
			var rows []placed
			err := x.db.Read(ctx, func(q pg.Q) (err error) {
				rows, err = pg.All(q, func(r pgx.CollectableRow) (x placed, err error) {
					err = r.Scan(&x.place, &x.Chunk, &x.Vector)
					return x, err
				}, `SELECT t.doc, t.chunk, x.v::real[] FROM texts t LEFT JOIN vectors x USING (version, doc)
					WHERE t.version = (SELECT id FROM versions WHERE name = $1 AND live AND tenant = $2) AND t.doc > $3 ORDER BY t.doc LIMIT $4`, x.opt.Name, x.opt.Tenant, after, page)
				return err
			})
			if err != nil {
				yield(index.Row{}, err)
				return
			}
			for _, r := range rows {
				if after = r.place; !yield(r.Row, nil) {
					return
				}
			}
			if len(rows) < page {
				return
			}
		}
	}
}

// Names lists the indexes of the database that are live for everybody.
func (x *Index) Names(ctx context.Context) (names []string, err error) {
	err = x.db.Read(ctx, func(q pg.Q) (err error) {
		names, err = pg.All(q, pgx.RowTo[string], `SELECT name FROM versions WHERE live AND tenant = '' ORDER BY name COLLATE "C"`)
		return err
	})
	return names, err
}

// Size is what the live versions take on the disk of the server, with their indexes.
func (x *Index) Size(ctx context.Context) (n int64, err error) {
	err = x.db.Read(ctx, func(q pg.Q) (err error) {
		n, err = pg.One(q, pgx.RowTo[int64], `SELECT coalesce(sum(pg_total_relation_size(format('%I.%s_%s', $3::text, t, id)::regclass)), 0)::bigint
			FROM versions, unnest($4::text[]) t WHERE name = $1 AND live AND tenant IN ('', $2)`, x.opt.Name, x.opt.Tenant, x.db.Schema, tables)
		return err
	})
	return n, err
}
