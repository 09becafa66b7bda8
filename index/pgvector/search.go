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
	doc            int64
	id, norm, unit string
	length         int       // of the chunk
	terms          []int     // of the question that it has, from 1
	worth          []float64 // of each of those
	vec            float64
	same           bool // the state asked for is the live one
	total          int
	df             []int
}

func scan(r pgx.CollectableRow) (x row, err error) {
	err = r.Scan(&x.kind, &x.doc, &x.id, &x.norm, &x.unit, &x.length, &x.terms, &x.worth, &x.vec, &x.same, &x.total, &x.df)
	return x, err
}

// results orders what came. full says that no further chunk could change the hits.
func (x *Index) results(a index.Asking, st *State, rows []row, limit int) (digesto.Results, bool, error) {
	res := digesto.Results{}
	all := slices.IndexFunc(rows, func(r row) bool { return r.kind == "all" })
	res.Total, res.Reach = rows[all].total, a.Reach(st.Current, rows[all].df)
	weights := make([]float64, len(a.Terms))
	for i, t := range a.Terms {
		weights[i] = float64(a.Scoring.Weight(t.Kind) * float64(index.IDF(st.Current, rows[all].df[i])*t.Share))
	}
	var found []index.Found
	lexical := map[string]int{}
	for i, r := range rows {
		if i == all {
			continue
		}
		lexical[r.kind]++
		score := r.score(a.Scoring, st, weights)
		res.Best = max(res.Best, score)
		found = append(found, index.Found{ID: r.id, Norm: r.norm, Unit: r.unit, Lex: score, Vec: r.vec})
	}
	if a.Query.NoTotal {
		res.Total = 0
	}
	res, err := a.Order(found, res, x.opt.Fusion, st.Model)
	return res, lexical["words"] < limit && lexical["norms"] < limit, err
}

// score computes BM25 as the embedded index does, to the last bit: the server adds up
// in float32 to find the best, and says what each term is worth in those. A
// frequency is read back from its worth, being a whole number.
func (r row) score(s index.Scoring, st *State, weights []float64) (sum float64) {
	worth := make([]float64, len(weights))
	for i, t := range r.terms {
		worth[t-1] = r.worth[i]
	}
	// worth = tf·(k1+1)/(tf+k), and for tf = 1 that gives k
	k := (s.K1+1)/s.Saturation(1, r.length, st.averages[int(r.doc>>32)]) - 1
	for i, w := range worth {
		if w > 0 {
			tf := math.Round(k * w / (s.K1 + 1 - w))
			sum += float64(weights[i] * s.Saturation(int(min(max(tf, 1), maxTF)), r.length, st.average))
		}
	}
	return sum
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
// question's terms, w what each term weighs, b the scores of each block, s those of the chunks that may be among the best; then the lists.
func (x *Index) statement(a index.Asking, st *State, limit int) (string, []any) {
	p := &part{}
	q := a.Query
	hashes, shares := make([]int64, len(a.Terms)), make([]float64, len(a.Terms))
	for i, t := range a.Terms {
		hashes[i], shares[i] = int64(t.Hash()), a.Scoring.Weight(t.Kind)*t.Share
	}
	terms, versions := p.put(hashes), p.put(st.versions) // $1, $2
	wide, doubled := everywhere(fmt.Sprintf("share * ln(1 + (%s - df + 0.5) / (df + 0.5))", num(float64(st.Current))))
	p.say(`WITH p AS MATERIALIZED (SELECT term, base, n, worth FROM postings WHERE version = ANY(%s) AND term = ANY(%s)),
w AS MATERIALIZED (SELECT term, df, %[6]s AS weight FROM
	(SELECT t.term, t.share, coalesce(c.df, 0)::float8 AS df FROM unnest(%[2]s, %[4]s::float8[]) AS t (term, share)
	LEFT JOIN (SELECT term, sum(n) AS df FROM p WHERE %[5]s GROUP BY term) c USING (term)) f%[7]s)`,
		versions, terms, num(float64(st.Current)), p.put(shares), current("base"), wide, doubled)
	pass, fields := x.filter(p, a)
	blocks := "true"
	if !q.Filter.History && q.Filter.AsOf == "" {
		blocks = current("base")
	}
	p.say(`,
b AS MATERIALIZED (SELECT base, v, v::real[] AS scores FROM (SELECT base, sum(worth::vector * weight) AS v FROM p JOIN w USING (term) WHERE %s GROUP BY base) o)`, blocks)
	total := "(SELECT count(*) FROM s)"
	if fields {
		p.say(",\nf AS MATERIALIZED (SELECT d.doc FROM docs d WHERE %s),\ns AS MATERIALIZED (%s)", pass, scored("f d", "true"))
	} else {
		total = "(SELECT coalesce(sum(bit_count(binary_quantize(v))), 0)::bigint FROM b)"
		p.candidates(st, limit)
	}
	x.lists(p, a, st, pass, fields, limit, total)
	return p.String(), p.args
}

// everywhere writes a vector of a block that holds a number at each place: 64 of them
// from an array, doubled until they are enough, which takes a tenth of the time of an
// array of all. from follows the tables that the number comes from.
func everywhere(number string) (vector, from string) {
	from = fmt.Sprintf(", LATERAL (SELECT array_fill((%s)::real, ARRAY[64])::vector AS v OFFSET 0) v6", number)
	for i := 7; i <= blockBits; i++ {
		from += fmt.Sprintf(", LATERAL (SELECT v%d.v || v%[1]d.v AS v OFFSET 0) v%d", i-1, i)
	}
	return fmt.Sprintf("v%d.v", blockBits), from
}

// scored are the docs of a table d that have any of the terms.
func scored(from, where string) string {
	score := fmt.Sprintf("scores[(d.doc & %d) + 1]", blockDocs-1)
	return fmt.Sprintf("SELECT d.doc, %s AS score FROM %s JOIN b ON b.base = (d.doc >> %d) << %[3]d WHERE %s AND %[1]s > 0", score, from, blockBits, where)
}

// candidates writes s where nothing is filtered: what scores at least as high as the
// last of the best of a few blocks, those with most in them. In the others bits say
// where that is, and the lengths of the pieces between ones are their places, so that
// not every chunk becomes a row.
func (p *part) candidates(st *State, limit int) {
	p.say(`,
least AS MATERIALIZED (SELECT coalesce((SELECT score FROM (SELECT scores FROM b ORDER BY vector_norm(v) DESC LIMIT %d) o, unnest(scores) score WHERE score > 0 ORDER BY score DESC OFFSET %d LIMIT 1), 0) AS score),
s AS MATERIALIZED (SELECT base + place - 1 AS doc, scores[place] AS score FROM (
	SELECT base, sum(length(piece) + 1) OVER (PARTITION BY base ORDER BY i) AS place
	FROM (SELECT base, binary_quantize(v - t.score)::text AS bits FROM b, (SELECT array_fill((score * %s)::real, ARRAY[%d])::vector AS score FROM least) t) q,
		string_to_table(bits, '1') WITH ORDINALITY AS x (piece, i)) y JOIN b USING (base)
	WHERE place <= %[4]d)`, 2+st.Chunks/blockDocs/32, limit-1, num(st.slack()), blockDocs)
}

// current is the condition that a doc is of a version in force.
func current(doc string) string {
	return fmt.Sprintf("(%s & 4294967295) < %d", doc, historyBlock*blockDocs)
}

// lists writes what comes back: the best by words, those of recognised norms and
// named units, the nearest by vector, and first what holds of all.
func (x *Index) lists(p *part, a index.Asking, st *State, pass string, fields bool, limit int, total string) {
	q, versions := a.Query, "$2"
	best := func(kind, from string) {
		p.say("SELECT '%s' AS kind, doc FROM %s WHERE score >= %s * (SELECT coalesce(min(score), 0) FROM (SELECT score FROM %[2]s ORDER BY score DESC OFFSET %[4]d LIMIT 1) t)", kind, from, num(st.slack()), limit-1)
	}
	norms := nonEmpty(q.Norms)
	if len(norms) > 0 && len(a.Terms) > 0 {
		p.say(",\nsn AS MATERIALIZED (%s)", scored("docs d", fmt.Sprintf("d.norm = ANY(%s) AND %s", p.put(norms), pass)))
	}
	p.say(",\nl AS MATERIALIZED (")
	best("words", "s")
	named := func(kind, column string, list []string) {
		p.say("\n	UNION ALL SELECT '%s', d.doc FROM docs d WHERE d.version = ANY(%s) AND d.%s = ANY(%s) AND %s", kind, versions, column, p.put(list), pass)
	}
	if len(norms) > 0 && len(a.Terms) > 0 {
		p.say("\n	UNION ALL ")
		best("norms", "sn")
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
	p.say(`),
e AS MATERIALIZED (SELECT doc, array_agg(i) AS terms, array_agg(vector_norm(subvector(dense, (doc & (%[2]d - 1))::integer + 1, 1))) AS worth
	FROM (SELECT docs, i, p.worth::vector AS dense FROM (SELECT (doc >> %[1]d) << %[1]d AS base, array_agg(DISTINCT doc) AS docs FROM l GROUP BY 1) c
		JOIN p USING (base) JOIN unnest($1::bigint[]) WITH ORDINALITY AS t (term, i) USING (term) OFFSET 0) y, unnest(docs) AS u (doc) GROUP BY doc)
SELECT 'all' AS kind, 0::bigint AS doc, '' AS id, '' AS norm, '' AS unit, 0 AS length, NULL::bigint[] AS terms, NULL::float8[] AS worth, 0::float8 AS vec,
	(SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM versions WHERE name = %[3]s AND live AND tenant IN ('', %[4]s)) = (SELECT coalesce(array_agg(i ORDER BY i), '{}') FROM unnest($2::integer[]) i) AS same,
	%[6]s AS total, (SELECT array_agg(w.df::bigint ORDER BY i) FROM unnest($1::bigint[]) WITH ORDINALITY AS t (term, i) JOIN w USING (term)) AS df
UNION ALL SELECT l.kind, d.doc, d.id, d.norm, d.unit, d.length, e.terms, e.worth, %[5]s, true, 0, NULL
	FROM l JOIN (SELECT * FROM docs WHERE version = ANY($2) AND doc = ANY(ARRAY(SELECT doc FROM l))) d USING (doc) LEFT JOIN e USING (doc)`,
		blockBits, blockDocs, p.put(x.opt.Name), p.put(x.opt.Tenant), cosine, total)
}

// slack is what the score of the last of the best is lowered by to let in whatever might
// truly be as good: sums of float32 are not exact, and each version's worths were computed
// with its own average length, which changes them by no more than its ratio to that of all.
func (st *State) slack() float64 {
	low, high := st.average, st.average
	for _, a := range st.averages {
		low, high = min(low, a), max(high, a)
	}
	return 0.9999 * low / high
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
		p.say(",\nr AS MATERIALIZED (SELECT base + i - 1 AS doc FROM postings, unnest(worth::vector::real[]) WITH ORDINALITY AS u (value, i) WHERE version = ANY(%s) AND term = ANY(%s) AND value > 0 GROUP BY 1 HAVING count(*) = %d)",
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
