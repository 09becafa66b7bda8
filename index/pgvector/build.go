package pgvector

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/index"
	"digesto/pg"
	"digesto/text"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Build makes a new version of the chunks by COPY, beside the live one, and puts it
// in that one's place at the end, in one transaction. Searches under way keep what they
// see. What a builder that died left is swept by the next. Ids must not repeat.
func (x *Index) Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error {
	return x.locked(ctx, func(lock *pgxpool.Conn) error { return x.build(ctx, lock, chunks, opt) })
}

// Ensure builds what was never built. Of several processes one builds and the
// others wait for it.
func (x *Index) Ensure(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error {
	if st, err := x.State(ctx); err != nil || len(st.versions) > 0 {
		return err
	}
	return x.locked(ctx, func(lock *pgxpool.Conn) error {
		if st, err := x.State(ctx); err != nil || len(st.versions) > 0 {
			return err
		}
		return x.build(ctx, lock, chunks, opt)
	})
}

// locked does what only one process may do at a time for one index of one tenant.
func (x *Index) locked(ctx context.Context, do func(lock *pgxpool.Conn) error) error {
	lock, err := x.db.Pool.Acquire(ctx)
	if err != nil {
		return pg.Failed(err)
	}
	defer lock.Release()
	key := "digesto:" + x.db.Schema + ":" + x.opt.Name + ":" + x.opt.Tenant
	if _, err := lock.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, key); err != nil {
		return pg.Failed(err)
	}
	defer func() {
		_, _ = lock.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, key)
	}()
	return do(lock)
}

func (x *Index) build(ctx context.Context, lock *pgxpool.Conn, chunks iter.Seq2[digesto.Chunk, error], opt index.BuildOptions) error {
	if err := x.sweep(ctx); err != nil {
		return err
	}
	b := &builder{x: x, lock: lock, opt: opt, scoring: opt.Scoring.WithDefaults(), words: map[int64]int{}}
	if err := b.run(ctx, chunks); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return pg.Failed(err)
	}
	if _, err := x.State(ctx); err != nil {
		return err
	}
	return x.sweep(ctx)
}

// sweep drops what is not live: old versions, and what was never finished.
func (x *Index) sweep(ctx context.Context) error {
	var dead []int
	err := x.db.Read(ctx, func(q pg.Q) (err error) {
		dead, err = pg.All(q, pgx.RowTo[int], `SELECT id FROM versions WHERE name = $1 AND tenant = $2 AND NOT live`, x.opt.Name, x.opt.Tenant)
		return err
	})
	for _, v := range dead {
		// one statement each: who holds the lock of one table while it waits for that of
		// another is in a deadlock with a search that holds the other
		for _, t := range tables {
			if err == nil {
				err = x.drop(ctx, fmt.Sprintf(`DROP TABLE IF EXISTS %s_%d`, t, v))
			}
		}
		if err == nil {
			err = x.drop(ctx, fmt.Sprintf(`DELETE FROM versions WHERE id = %d`, v))
		}
		if pg.LockTimeout(err) {
			err = nil
		}
	}
	return err
}

// drop does a statement in a transaction of its own.
func (x *Index) drop(ctx context.Context, sql string) error {
	return x.db.Write(ctx, true, func(q pg.Q) error {
		// who waits for a lock keeps new searches waiting: rather try the next time
		_, err := q.Exec(`SET LOCAL lock_timeout = '3s'`)
		if err == nil {
			_, err = q.Exec(sql)
		}
		return err
	})
}

var tables = []string{"docs", "texts", "words", "blocks", "postings", "vectors"}

// builder writes one version.
type builder struct {
	x       *Index
	lock    *pgxpool.Conn // holds the lock while it lives
	opt     index.BuildOptions
	scoring index.Scoring
	version int

	mu      sync.Mutex
	current int
	length  int64
	chunks  int
	dims    int
	words   map[int64]int // current chunks that have a stem or a plain word
	blocks  [2]int        // taken: of what is in force, and of history
}

// historyBlock is where the blocks of versions no longer in force begin.
const historyBlock = 1 << (31 - blockBits)

// base is the first doc of a block.
func (b *builder) base(number int) int64 { return int64(b.version)<<32 + int64(number)*blockDocs }

func (b *builder) run(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error]) error {
	scoring, err := json.Marshal(b.scoring)
	if err != nil {
		return err
	}
	err = b.x.db.Pool.QueryRow(ctx, `INSERT INTO versions (name, tenant, scoring, model) VALUES ($1, $2, $3, $4) RETURNING id`,
		b.x.opt.Name, b.x.opt.Tenant, string(scoring), b.opt.Model).Scan(&b.version)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if _, err := b.x.db.Pool.Exec(ctx, fmt.Sprintf(`CREATE TABLE %s_%d (LIKE %[1]s INCLUDING ALL, CHECK (version = %d))`, t, b.version, b.version)); err != nil {
			return err
		}
		if _, err := b.x.db.Pool.Exec(ctx, fmt.Sprintf(`ALTER TABLE %s ATTACH PARTITION %[1]s_%d FOR VALUES IN (%[2]d)`, t, b.version)); err != nil {
			return err
		}
	}
	err = share(ctx, b.jobs(), func(ctx context.Context, work chan<- batch) error { return b.deal(ctx, chunks, work) }, b.write)
	if err != nil {
		return err
	}
	return b.golive(ctx)
}

// batch is the chunks of a block, written together.
type batch struct {
	number int
	chunks []digesto.Chunk
}

// maxJobs bounds the blocks that are worked on at once, some 250 MB each.
const maxJobs = 4

func (b *builder) jobs() int {
	if b.opt.Jobs <= 0 {
		return min(runtime.GOMAXPROCS(0), maxJobs)
	}
	return min(b.opt.Jobs, maxJobs)
}

// share deals work out to so many workers; the first that fails stops all.
func share[T any](ctx context.Context, jobs int, deal func(context.Context, chan<- T) error, do func(context.Context, T) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	work := make(chan T)
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for w := range work {
				if err := do(ctx, w); err != nil {
					stop(err)
				}
			}
		})
	}
	err := deal(ctx, work)
	close(work)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// deal parts what is in force from history, block by block.
func (b *builder) deal(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], work chan<- batch) error {
	var open [2][]digesto.Chunk
	seen := map[string]bool{}
	flush := func(kind int) bool {
		bl := batch{b.blocks[kind] + kind*historyBlock, open[kind]}
		b.blocks[kind]++
		open[kind] = nil
		select {
		case work <- bl:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if c.ID == "" || seen[c.ID] {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("El identificador «%.60s» está vacío o se repite", c.ID), Hint: "Cada fragmento debe tener un identificador propio: corríjalo y vuelva a construir el índice."}
		}
		seen[c.ID] = true
		kind := 0
		if !c.Current {
			kind = 1
		}
		if open[kind] = append(open[kind], c); len(open[kind]) == blockDocs && !flush(kind) {
			return ctx.Err()
		}
	}
	for kind := range open {
		if len(open[kind]) > 0 && !flush(kind) {
			return ctx.Err()
		}
	}
	return nil
}

// place is a chunk of a list: its place in the block, and how often it has the term.
type place struct {
	list   int64
	at, tf uint16
	word   bool // the list is a stem or a plain word
}

// maxTF bounds a frequency: beyond, a chunk is worth the same.
const maxTF = 1<<16 - 1

// write analyses one block and copies its rows.
func (b *builder) write(ctx context.Context, bl batch) error {
	var an text.Analyser
	var places []place
	col, days := columns{}, map[[2]string]uint16{}
	total, base := 0, b.base(bl.number)
	docs, texts := make([][]any, 0, len(bl.chunks)), make([][]any, 0, len(bl.chunks))
	for i, c := range bl.chunks {
		terms, length := index.Postings(&an, b.scoring, c)
		total += length
		for _, p := range terms {
			places = append(places, place{p.Term, uint16(i), uint16(min(p.TF, maxTF)), p.Kind != index.KindBigram})
		}
		for _, f := range facets(c) {
			places = append(places, place{facet(f), uint16(i), 1, false})
		}
		held := [2]string{string(c.ValidFrom), string(c.ValidTo)}
		if _, ok := days[held]; !ok {
			days[held] = uint16(len(col.days))
			col.days = append(col.days, held)
		}
		col.lengths, col.held = append(col.lengths, min(length, math.MaxInt32)), append(col.held, days[held])
		chunk, err := chunkText(c)
		if err != nil {
			return err
		}
		doc := base + int64(i)
		texts = append(texts, []any{b.version, doc, chunk})
		docs = append(docs, []any{b.version, doc, pg.Storable(c.ID), pg.Storable(c.Norm), pg.Storable(c.Unit)})
	}
	for _, t := range []struct {
		name    string
		columns []string
		rows    [][]any
	}{
		{"docs", []string{"version", "doc", "id", "norm", "unit"}, docs},
		{"texts", []string{"version", "doc", "chunk"}, texts},
		{"blocks", []string{"version", "base", "columns"}, [][]any{{b.version, base, col.encode()}}},
	} {
		if _, err := b.x.db.Pool.CopyFrom(ctx, pgx.Identifier{fmt.Sprintf("%s_%d", t.name, b.version)}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return err
		}
	}
	// by list; a chunk whose value of a field is named twice counts once
	slices.SortFunc(places, func(x, y place) int { return cmp.Or(cmp.Compare(x.list, y.list), cmp.Compare(x.at, y.at)) })
	places = slices.CompactFunc(places, func(x, y place) bool { return x.list == y.list && x.at == y.at })
	b.count(bl, total, places)
	if _, err := b.x.db.Pool.CopyFrom(ctx, pgx.Identifier{fmt.Sprintf("postings_%d", b.version)}, []string{"term", "base", "version", "n", "posts"}, &rows{left: places, base: base, version: b.version}); err != nil {
		return err
	}
	return b.vectors(ctx, bl)
}

// rows gives the postings of a block, list by list; it is a pgx.CopyFromSource.
type rows struct {
	left    []place
	base    int64
	version int
	row     []any
}

func (r *rows) Next() bool {
	list := first(r.left)
	if len(list) == 0 {
		return false
	}
	at, tf := make([]uint16, len(list)), make([]uint16, len(list))
	for i, p := range list {
		at[i], tf[i] = p.at, p.tf
	}
	r.left, r.row = r.left[len(list):], []any{list[0].list, r.base, r.version, len(list), encode(at, tf)}
	return true
}

func (r *rows) Values() ([]any, error) { return r.row, nil }

func (r *rows) Err() error { return nil }

// first gives the places of the first list.
func first(places []place) []place {
	n := 0
	for n < len(places) && places[n].list == places[0].list {
		n++
	}
	return places[:n]
}

func (b *builder) count(bl batch, total int, places []place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chunks += len(bl.chunks)
	if bl.number >= historyBlock {
		return
	}
	b.current, b.length = b.current+len(bl.chunks), b.length+int64(total)
	for len(places) > 0 {
		list := first(places)
		if places = places[len(list):]; list[0].word {
			b.words[list[0].list] += len(list)
		}
	}
}

// vectors writes those of a block, by the text form that COPY reads.
func (b *builder) vectors(ctx context.Context, bl batch) error {
	if b.opt.Vectors == nil {
		return nil
	}
	var rows []string
	for i, c := range bl.chunks {
		v, err := b.opt.Vectors(c)
		if err != nil {
			return err
		}
		if len(v) == 0 {
			continue
		}
		if err := b.sameDim(v); err != nil {
			return err
		}
		rows = append(rows, fmt.Sprintf("%d\t%d\t%s\n", b.version, b.base(bl.number)+int64(i), vectorText(v)))
	}
	if len(rows) == 0 {
		return nil
	}
	return b.copy(ctx, fmt.Sprintf(`COPY vectors_%d (version, doc, v) FROM STDIN`, b.version), []byte(strings.Join(rows, "")))
}

// copy sends rows in the form that the statement names.
func (b *builder) copy(ctx context.Context, sql string, rows []byte) error {
	conn, err := b.x.db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(rows), sql)
	return err
}

// maxDims is what pgvector stores; its graphs hold 2,000.
const maxDims = 16_000

func (b *builder) sameDim(v []float32) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dims == 0 {
		b.dims = len(v)
	}
	for _, f := range v {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "Un vector tiene un valor que no es un número", Hint: "Revise el modelo de vectores: debe dar números finitos."}
		}
	}
	if len(v) != b.dims || len(v) > maxDims {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Los vectores no tienen todos la misma dimensión, o es demasiado grande", Hint: "Calcule todos los vectores con el mismo modelo."}
	}
	return nil
}

// golive indexes the rows and puts the version in the place of the live one.
func (b *builder) golive(ctx context.Context) error {
	ddl := []string{`CREATE INDEX ON postings_%[1]d (term, base)`, `CREATE UNIQUE INDEX ON docs_%[1]d (doc)`, `CREATE UNIQUE INDEX ON texts_%[1]d (doc)`, `CREATE UNIQUE INDEX ON docs_%[1]d (id)`,
		`CREATE INDEX ON docs_%[1]d (unit)`,
		`CREATE UNIQUE INDEX ON vectors_%[1]d (doc)`, `ANALYZE docs_%[1]d`, `ANALYZE postings_%[1]d`, `ANALYZE vectors_%[1]d`}
	if b.x.opt.HNSW && b.dims > 0 {
		if b.dims > 2000 {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "HNSW no admite más de 2000 dimensiones", Hint: "Construya el índice sin HNSW, o con un modelo de menos dimensiones."}
		}
		ddl = append(ddl, fmt.Sprintf(`CREATE INDEX ON vectors_%%[1]d USING hnsw ((v::vector(%d)) vector_cosine_ops)`, b.dims))
	}
	for _, sql := range ddl {
		if _, err := b.x.db.Pool.Exec(ctx, fmt.Sprintf(sql, b.version)); err != nil {
			return err
		}
	}
	words := make([][]any, 0, len(b.words))
	for h, n := range b.words {
		words = append(words, []any{b.version, h, n})
	}
	if _, err := b.x.db.Pool.CopyFrom(ctx, pgx.Identifier{fmt.Sprintf("words_%d", b.version)}, []string{"version", "term", "n"}, pgx.CopyFromRows(words)); err != nil {
		return err
	}
	model := b.opt.Model
	if b.dims == 0 {
		model = ""
	}
	if err := b.lock.Ping(ctx); err != nil { // without the lock another may be building, and may have swept this
		return err
	}
	return b.x.db.Write(ctx, true, func(q pg.Q) error {
		_, err := q.Exec(`UPDATE versions SET live = false WHERE name = $1 AND tenant = $2 AND live AND id <> $3`, b.x.opt.Name, b.x.opt.Tenant, b.version)
		if err == nil {
			_, err = q.Exec(`UPDATE versions SET live = true, chunks = $2, current = $3, length = $4, model = $5, dims = $6, made = $7 WHERE id = $1`,
				b.version, b.chunks, b.current, b.length, model, b.dims, time.Now())
		}
		return err
	})
}
