package pgvector

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/index"
	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// firstBlocks is how many blocks are scored before others are weighed against the
// best found in them.
const firstBlocks = 4

// Search finds the best units of a query, in one statement when the index has not
// changed since the one before.
func (x *Index) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	st := x.state.Load()
	for try := 0; ; try++ {
		if st == nil || try > 0 {
			now, err := x.State(ctx)
			if err != nil {
				return digesto.Results{}, err
			}
			st = &now
		}
		res, same, err := x.search(ctx, q, st)
		if same || err != nil && try > 2 || ctx.Err() != nil {
			return res, err
		}
	}
}

// search looks in one state. same is false when that is not the live one any more.
func (x *Index) search(ctx context.Context, q digesto.Query, st *State) (res digesto.Results, same bool, err error) {
	if len(q.Vector) > 0 && st.Dims > 0 && len(q.Vector) != st.Dims {
		return res, false, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La pregunta tiene un vector de %d dimensiones y el índice de %d", len(q.Vector), st.Dims), Hint: "Use el modelo con el que se hizo el índice (" + st.Model + "), o vuelva a construirlo."}
	}
	a := index.Ask(q, st.Scoring)
	for limit := a.Depth; ; limit *= 4 {
		sql, args := x.statement(a, st, limit)
		var rows []row
		if err := x.db.Read(ctx, func(q pg.Q) (err error) {
			rows, err = pg.All(q, scan, sql, args...)
			return err
		}); err != nil {
			return res, false, err
		}
		if !rows[0].same {
			return res, false, nil
		}
		res, full, err := x.results(a, st, rows, limit)
		if err != nil || full || len(res.Hits) >= a.K || limit > 1_000_000 {
			return res, true, err
		}
	}
}

// row is a chunk found, or (kind "all") what holds of all.
type row struct {
	kind           string
	id, norm, unit string
	lex, vec       float64
	same           bool // the state asked for is the live one
	total          int
	df             []int
}

func scan(r pgx.CollectableRow) (x row, err error) {
	err = r.Scan(&x.kind, &x.id, &x.norm, &x.unit, &x.lex, &x.vec, &x.same, &x.total, &x.df)
	return x, err
}

// results orders what came. full says that no further chunk could change the hits.
func (x *Index) results(a index.Asking, st *State, rows []row, limit int) (digesto.Results, bool, error) {
	res := digesto.Results{}
	var found []index.Found
	lexical := map[string]int{}
	for _, r := range rows {
		if r.kind == "all" {
			res.Total, res.Reach = r.total, a.Reach(st.Current, r.df)
			continue
		}
		lexical[r.kind]++
		score := math.Round(r.lex*1e11) / 1e11 // sums of floats in another order differ in their last bits
		res.Best = max(res.Best, score)
		found = append(found, index.Found{ID: r.id, Norm: r.norm, Unit: r.unit, Lex: score, Vec: r.vec})
	}
	if a.Query.NoTotal {
		res.Total = 0
	}
	res, err := a.Order(found, res, x.opt.Fusion, st.Model)
	return res, lexical["words"] < limit && lexical["norms"] < limit, err
}

// part collects a statement and its values.
type part struct {
	strings.Builder
	args []any
}

func (p *part) put(v any) string {
	p.args = append(p.args, v)
	return fmt.Sprintf("$%d", len(p.args))
}

func (p *part) say(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// statement writes the search. Its parts, in order: p the rows of postings of the
// question's terms, w what each term weighs, b the most that each block can give, s the scores of chunks; then the lists.
func (x *Index) statement(a index.Asking, st *State, limit int) (string, []any) {
	p := &part{}
	q := a.Query
	hashes, shares := make([]int64, len(a.Terms)), make([]float64, len(a.Terms))
	for i, t := range a.Terms {
		hashes[i], shares[i] = int64(t.Hash()), a.Scoring.Weight(t.Kind)*t.Share
	}
	terms, versions := p.put(hashes), p.put(st.versions) // $1, $2
	p.say(`WITH p AS MATERIALIZED (SELECT term, base, n, top, posts FROM postings WHERE version = ANY(%s) AND term = ANY(%s)),
w AS MATERIALIZED (SELECT term, df, share * ln(1 + (%[3]s - df + 0.5) / (df + 0.5)) AS weight FROM
	(SELECT t.term, t.share, coalesce(c.df, 0)::float8 AS df FROM unnest(%[2]s, %[4]s::float8[]) AS t (term, share)
	LEFT JOIN (SELECT term, sum(n) AS df FROM p WHERE %[5]s GROUP BY term) c USING (term)) f)`,
		versions, terms, num(float64(st.Current)), p.put(shares), current("base"))
	pass, fields := x.filter(p, a)
	blocks := "true"
	if !q.Filter.History && q.Filter.AsOf == "" {
		blocks = current("base")
	}
	p.say(",\nb AS MATERIALIZED (SELECT base, sum(weight * top) AS most FROM p JOIN w USING (term) WHERE %s GROUP BY base)", blocks)
	only := ""
	if fields {
		p.say(",\nf AS MATERIALIZED (SELECT d.doc FROM docs d WHERE %s)", pass)
		only = "WHERE doc IN (SELECT doc FROM f)"
	}
	score := func(name, blocks string) {
		p.say(`,
%s AS MATERIALIZED (SELECT doc, sum(score) AS score FROM (SELECT base + (u >> 44) AS doc,
		weight * ((u >> 28 & 65535) * %s / ((u >> 28 & 65535) + %s * (%s + %s * (u & 268435455) / %s))) AS score
	FROM p JOIN w USING (term), unnest(posts) u WHERE base IN (%s)) y %s GROUP BY doc)`,
			name, num(a.Scoring.K1+1), num(a.Scoring.K1), num(1-a.Scoring.B), num(a.Scoring.B), num(st.average), blocks, only)
	}
	if q.NoTotal && len(q.Vector) == 0 && len(q.Norms)+len(q.Units) == 0 {
		p.say(",\nfirst AS MATERIALIZED (SELECT base FROM b ORDER BY most DESC LIMIT %d)", firstBlocks)
		score("s1", "SELECT base FROM first")
		score("s2", fmt.Sprintf("SELECT base FROM b WHERE most * %s >= (SELECT coalesce(min(score), 0) FROM (SELECT score FROM s1 ORDER BY score DESC OFFSET %d LIMIT 1) f) * 0.999999 AND base NOT IN (SELECT base FROM first)", num(st.ratio), limit-1))
		p.say(",\ns AS (SELECT * FROM s1 UNION ALL SELECT * FROM s2)")
	} else {
		score("s", "SELECT base FROM b")
	}
	x.lists(p, a, st, pass, fields, limit)
	return p.String(), p.args
}

// current is the condition that a doc is of a version in force.
func current(doc string) string {
	return fmt.Sprintf("(%s & 4294967295) < %d", doc, historyBlock*blockDocs)
}

// lists writes what comes back: the best by words, those of recognised norms and
// named units, the nearest by vector, and first what holds of all.
func (x *Index) lists(p *part, a index.Asking, st *State, pass string, fields bool, limit int) {
	q, versions := a.Query, "$2"
	best := func(kind, from string) {
		p.say("SELECT '%s' AS kind, doc FROM (SELECT s.doc, s.score FROM %s ORDER BY floor(s.score * 1e11) DESC FETCH FIRST %d ROWS WITH TIES) %[1]s", kind, from, limit)
	}
	p.say(",\nl AS MATERIALIZED (")
	best("words", "s")
	named := func(kind, column string, list []string) {
		p.say("\n	UNION ALL SELECT '%s', d.doc FROM docs d WHERE d.version = ANY(%s) AND d.%s = ANY(%s) AND %s", kind, versions, column, p.put(list), pass)
	}
	if norms := nonEmpty(q.Norms); len(norms) > 0 && len(a.Terms) > 0 {
		p.say("\n	UNION ALL ")
		best("norms", fmt.Sprintf("s JOIN docs d USING (doc) WHERE d.version = ANY(%s) AND d.norm = ANY(%s)", versions, p.put(norms)))
	} else if len(norms) > 0 {
		named("every", "norm", norms)
	}
	if units := nonEmpty(q.Units); len(units) > 0 {
		named("units", "unit", units)
	}
	cosine := "0::float8"
	if len(q.Vector) > 0 && st.Dims > 0 {
		cosine = x.nearest(p, a, st, versions, fields)
	}
	p.say(`)
SELECT 'all' AS kind, '' AS id, '' AS norm, '' AS unit, 0::float8 AS lex, 0::float8 AS vec,
	(SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM versions WHERE name = %s AND live AND tenant IN ('', %s)) = (SELECT coalesce(array_agg(i ORDER BY i), '{}') FROM unnest(%s::integer[]) i) AS same,
	(SELECT count(*) FROM s) AS total, (SELECT array_agg(w.df::bigint ORDER BY i) FROM unnest(%s::bigint[]) WITH ORDINALITY AS t (term, i) JOIN w USING (term)) AS df
UNION ALL SELECT l.kind, d.id, d.norm, d.unit, coalesce(s.score, 0), %s, true, 0, NULL
	FROM l JOIN (SELECT * FROM docs WHERE version = ANY(%[3]s) AND doc = ANY(ARRAY(SELECT doc FROM l))) d USING (doc) LEFT JOIN s USING (doc)`,
		p.put(x.opt.Name), p.put(x.opt.Tenant), versions, "$1", cosine)
}

// nearest writes the list of the nearest by vector, and gives the cosine of a row.
func (x *Index) nearest(p *part, a index.Asking, st *State, versions string, fields bool) (cosine string) {
	v := p.put(vectorText(a.Query.Vector)) + "::vector"
	away := "x.v <=> " + v
	if x.opt.HNSW {
		away = fmt.Sprintf("x.v::vector(%d) <=> %s(%[1]d)", st.Dims, v)
	}
	pass := "true"
	switch f := a.Query.Filter; {
	case fields:
		pass = "x.doc IN (SELECT doc FROM f)"
	case !f.History:
		pass = current("x.doc")
	}
	p.say("\n	UNION ALL SELECT 'near', doc FROM (SELECT x.doc FROM vectors x WHERE x.version = ANY(%s) AND %s ORDER BY %s LIMIT %d) near", versions, pass, away, a.Depth)
	return fmt.Sprintf("coalesce((SELECT 1 - (x.v <=> %s) FROM vectors x WHERE x.version = ANY(%s) AND x.doc = d.doc), 0)", v, versions)
}

func nonEmpty(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
}

// num is a number as SQL writes it, to the last bit.
func num(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) + "::float8" }

// filter writes index.Passes and the required terms as a condition on a row d of
// docs. fields says that it asks for more than to be in force.
func (x *Index) filter(p *part, a index.Asking) (pass string, fields bool) {
	f := a.Query.Filter
	and := []string{"d.version = ANY($2)"}
	for _, field := range slices.Sorted(maps.Keys(f.In)) {
		and = append(and, p.field(field, f.In[field], field == "pack" || slices.Contains(f.Wider, field)))
	}
	if at := string(f.AsOf); at != "" {
		on := p.put(at)
		and = append(and, fmt.Sprintf("d.starts <= %s AND (d.ends = '' OR d.ends > %[1]s)", on))
		if !f.History {
			and = append(and, "(d.current OR d.ends <> '')")
		}
	}
	if len(a.Required) > 0 {
		hashes := make([]int64, len(a.Required))
		for i, t := range a.Required {
			hashes[i] = int64(t.Hash())
		}
		p.say(",\nr AS MATERIALIZED (SELECT base + (u >> 44) AS doc FROM postings, unnest(posts) u WHERE version = ANY(%s) AND term = ANY(%s) GROUP BY 1 HAVING count(*) = %d)",
			"$2", p.put(hashes), len(hashes))
		and = append(and, "d.doc IN (SELECT doc FROM r)")
	}
	fields = len(and) > 1
	if f.AsOf == "" && !f.History {
		and = append(and, "d.current")
	}
	return strings.Join(and, " AND "), fields
}

// field writes the condition of one filter field.
func (p *part) field(field string, allowed []string, wider bool) string {
	column := map[string]string{"id": "d.id", "norm": "d.norm"}[field]
	if column != "" {
		or := ""
		if wider {
			or = " OR " + column + " = ''"
		}
		return "(" + column + " <> '' AND " + column + " = ANY(" + p.put(storable(allowed, "")) + ")" + or + ")"
	}
	or := ""
	if wider {
		or = " OR NOT d.facets @> ARRAY[" + p.put(field) + "::text]"
	}
	return "(d.facets && " + p.put(storable(allowed, field+"=")) + "::text[]" + or + ")"
}

func storable(list []string, prefix string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, pg.Storable(prefix+s))
	}
	return out
}
