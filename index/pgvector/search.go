package pgvector

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/index"
	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// Search finds the best units, in two statements when the index has not changed since the
// one before: the lists that are not kept, and what the best chunks are. Each proves that the
// state is still the live one, for what is no longer live may be swept between them; a search
// whose state is gone begins again in the next.
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
		if len(q.Vector) > 0 && st.Dims > 0 && len(q.Vector) != st.Dims {
			return digesto.Results{}, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La pregunta tiene un vector de %d dimensiones y el índice de %d", len(q.Vector), st.Dims), Hint: "Use el modelo con el que se hizo el índice (" + st.Model + "), o vuelva a construirlo."}
		}
		s := &search{x: x, st: st, a: index.Ask(q, st.Scoring)}
		res, same, err := s.run(ctx)
		if same || err != nil && (try > 2 || ctx.Err() != nil) {
			return res, err
		}
	}
}

// search is one search in one state.
type search struct {
	x     *Index
	st    *State
	a     index.Asking
	terms []*list            // of each of the question's terms; nil = nowhere
	lists map[string]*list   // of filter values, and of required terms by their hash
	ids   map[string][]int64 // docs that a filter names by id, and those of named units
	all   []*block
}

// block is what a search knows of one block.
type block struct {
	*columns
	pass  bitmap
	score []float32 // of each chunk that passes, the sum of its parts
}

// run looks in one state. same is false when that is not the live one any more.
func (s *search) run(ctx context.Context) (res digesto.Results, same bool, err error) {
	cols, err := s.x.columns(ctx, s.st)
	if err != nil {
		return res, false, err
	}
	if same, err = s.fetch(ctx); err != nil || !same {
		return res, false, err
	}
	s.a.In = index.Counts{Current: s.st.Current, Average: s.st.average, DF: make([]int, len(s.a.Terms))}
	for i, l := range s.terms {
		s.a.In.DF[i] = l.current()
	}
	for _, c := range cols {
		b := &block{columns: c}
		if s.filter(b) {
			s.all = append(s.all, b)
		}
	}
	total := s.add()
	for limit := s.a.Depth; ; limit *= 4 {
		docs, full := s.best(limit)
		found, same, err := s.found(ctx, docs)
		if err != nil || !same {
			return res, false, err
		}
		if res, err = s.a.Results(found, s.x.opt.Fusion, s.st.Model); err != nil || !full || len(res.Hits) >= s.a.K || limit > 1_000_000 {
			if !s.a.Query.NoTotal {
				res.Total = total
			}
			return res, true, err
		}
	}
}

// history says that a block holds versions no longer in force.
func history(base int64) bool { return base>>blockBits&(1<<(32-blockBits)-1) >= historyBlock }

// fetch gets the lists that the search needs, and proves that the state is the live one.
func (s *search) fetch(ctx context.Context) (same bool, err error) {
	var hashes []int64
	names := map[int64]string{}
	need := func(name string, hash int64) {
		names[hash] = name
		hashes = append(hashes, hash)
	}
	for _, t := range s.a.Terms {
		need("", int64(t.Hash()))
	}
	for _, t := range s.a.Required {
		need("", int64(t.Hash()))
	}
	q := s.a.Query
	for field, allowed := range q.Filter.In {
		need(field, facet(field))
		for _, v := range allowed {
			need(field+"="+v, facet(field+"="+v))
		}
	}
	for _, n := range q.Norms {
		need("norm="+n, facet("norm="+n))
	}
	got, ids, same, err := s.x.lists(ctx, s.st, hashes, storable(q.Filter.In["id"]), storable(q.Units))
	if err != nil || !same {
		return same, err
	}
	s.lists, s.ids = map[string]*list{}, ids
	for h, name := range names {
		if name != "" {
			s.lists[name] = got[h]
		}
	}
	for _, t := range s.a.Terms {
		s.terms = append(s.terms, got[int64(t.Hash())])
	}
	for _, t := range s.a.Required {
		s.lists["\x00"+t.Text] = got[int64(t.Hash())]
	}
	return true, nil
}

// filter sets which chunks of a block pass: indextest.Passes, and the required terms. It is
// false when none does.
func (s *search) filter(b *block) bool {
	f := s.a.Query.Filter
	if history(b.base) && f.AsOf == "" && !f.History {
		return false
	}
	n := len(b.lengths)
	for at := range n {
		b.pass.put(uint16(at))
	}
	for field, allowed := range f.In {
		var any bitmap
		if field == "id" {
			any = placesOf(b.base, s.ids["id"])
		}
		for _, v := range allowed {
			s.lists[field+"="+v].into(b.base, &any)
		}
		if field == "pack" || slices.Contains(f.Wider, field) && field != "id" {
			var without bitmap
			s.lists[field].into(b.base, &without)
			without.not()
			any.or(&without)
		}
		b.pass.and(&any)
	}
	for _, t := range s.a.Required {
		var has bitmap
		s.lists["\x00"+t.Text].into(b.base, &has)
		b.pass.and(&has)
	}
	if f.AsOf != "" {
		s.days(b)
	}
	return b.pass != bitmap{}
}

// days keeps the chunks that held on the day asked for.
func (s *search) days(b *block) {
	f := s.a.Query.Filter
	held := make([]bool, len(b.days))
	for i, d := range b.days {
		held[i] = d[0] <= string(f.AsOf) && (d[1] == "" || d[1] > string(f.AsOf)) && (!history(b.base) || d[1] != "" || f.History)
	}
	var in bitmap
	for at, k := range b.held {
		if held[k] {
			in.put(uint16(at))
		}
	}
	b.pass.and(&in)
}

// placesOf is the set of the docs that are of a block.
func placesOf(base int64, docs []int64) (b bitmap) {
	for _, d := range docs {
		if d>>blockBits<<blockBits == base {
			b.put(uint16(d & (blockDocs - 1)))
		}
	}
	return b
}

// add adds up the scores of all chunks that pass, and counts those that have any term.
func (s *search) add() (total int) {
	scoring := s.st.Scoring
	for _, b := range s.all {
		b.score = make([]float32, len(b.lengths))
		k := b.columns.k // what a term is worth is tf·(k1+1)/(tf+k)
		for i, l := range s.terms {
			p, ok := l.block(b.base)
			if !ok {
				continue
			}
			w := float32(s.a.Weight(i) * (scoring.K1 + 1))
			p.each(func(at uint16, tf int) { b.score[at] += w * float32(tf) / (float32(tf) + k[at]) })
		}
		if s.a.Query.NoTotal {
			continue
		}
		for at, v := range b.score {
			if v > 0 && b.pass.has(uint16(at)) {
				total++
			}
		}
	}
	return total
}

// slack lets in whatever might truly be as good as the last of the best: sums of float32
// are not exact.
const slack = .9999

// best gives the docs that may be among the best, of all and of recognised norms, and
// those of named units. full says that a list was cut.
func (s *search) best(limit int) (docs []int64, full bool) {
	all := s.top(limit, nil)
	docs, full = all, len(all) >= limit
	if norms := nonEmpty(s.a.Query.Norms); len(norms) > 0 {
		named := s.top(limit, func(base int64) *bitmap {
			var in bitmap
			for _, n := range norms {
				s.lists["norm="+n].into(base, &in)
			}
			return &in
		})
		docs, full = append(docs, named...), full || len(named) >= limit && len(s.a.Terms) > 0
	}
	for _, b := range s.all {
		in := placesOf(b.base, s.ids["unit"])
		in.and(&b.pass)
		docs = in.docs(docs, b.base)
	}
	slices.Sort(docs)
	return slices.Compact(docs), full
}

// top gives the docs, of those in a set, that score at least as much as the last of so
// many best; where the question has no terms, all of the set.
func (s *search) top(limit int, set func(base int64) *bitmap) (docs []int64) {
	var heap scores
	sets := make([]bitmap, len(s.all))
	for i, b := range s.all {
		if sets[i] = b.pass; set != nil {
			sets[i].and(set(b.base))
		}
		if len(s.a.Terms) == 0 {
			if set != nil {
				docs = sets[i].docs(docs, b.base)
			}
			continue
		}
		for at, v := range b.score {
			if v > heap.least(limit) && sets[i].has(uint16(at)) {
				heap.add(v, limit)
			}
		}
	}
	least := heap.least(limit) * slack
	for i, b := range s.all {
		for at, v := range b.score {
			if v > 0 && v >= least && len(s.a.Terms) > 0 && sets[i].has(uint16(at)) {
				docs = append(docs, b.base+int64(at))
			}
		}
	}
	return docs
}

// scores are the best so far, the least first.
type scores []float32

// least is what a further one must exceed.
func (h scores) least(limit int) float32 {
	if len(h) < limit {
		return 0
	}
	return h[0]
}

func (h *scores) add(v float32, limit int) {
	if len(*h) == limit {
		*h = (*h)[1:]
	}
	at, _ := slices.BinarySearch(*h, v)
	*h = slices.Insert(*h, at, v)
}

// docs adds the docs of a set.
func (b *bitmap) docs(list []int64, base int64) []int64 {
	posts := posts{n: b.count(), raw: append([]byte{formBitmap + formOnes}, b.bytes()...)}
	posts.each(func(at uint16, _ int) { list = append(list, base+int64(at)) })
	return list
}

// bytes are those that get_bit of PostgreSQL counts in.
func (b *bitmap) bytes() []byte {
	out := make([]byte, 0, blockDocs/8)
	for _, w := range b {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// found reads what chunks are, with the nearest by vector among them, and proves that the
// state is the live one.
func (s *search) found(ctx context.Context, docs []int64) (found []index.Found, same bool, err error) {
	p := &part{}
	from, cosine := p.put(docs), "0::float8"
	if len(s.a.Query.Vector) > 0 && s.st.Dims > 0 {
		from, cosine = s.nearest(p, from)
	}
	if len(docs) == 0 && cosine == "0::float8" {
		return nil, true, nil
	}
	versions := p.put(s.st.versions)
	p.say("SELECT d.doc, d.id, d.norm, d.unit, %s FROM docs d WHERE d.version = ANY(%s) AND d.doc = ANY(%s)", cosine, versions, from)
	p.say(" UNION ALL SELECT -1, '', '', '', 0 WHERE %s", live(versions, p.put(s.x.opt.Name), p.put(s.x.opt.Tenant)))
	at := map[int64]*block{}
	for _, b := range s.all {
		at[b.base] = b
	}
	err = s.x.db.Read(ctx, func(q pg.Q) error {
		found, same = nil, false
		_, err := pg.All(q, func(r pgx.CollectableRow) (none struct{}, err error) {
			var f index.Found
			var doc int64
			if err = r.Scan(&doc, &f.ID, &f.Norm, &f.Unit, &f.Vec); err != nil || doc < 0 {
				same = same || doc < 0
				return none, err
			}
			base, place := doc>>blockBits<<blockBits, uint16(doc&(blockDocs-1))
			if b := at[base]; b != nil && int(place) < len(b.lengths) {
				f.Length = b.lengths[place]
			}
			f.TF = make([]int, len(s.terms))
			for i, l := range s.terms {
				if p, ok := l.block(base); ok {
					f.TF[i] = p.tf(place)
				}
			}
			found = append(found, f)
			return none, nil
		}, p.String(), p.args...)
		return err
	})
	return found, same, err
}

// live is the condition that the versions are what is live of an index, everybody's and the tenant's.
func live(versions, name, tenant string) string {
	return fmt.Sprintf("(SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM versions WHERE name = %s AND live AND tenant IN ('', %s)) = %s::integer[]", name, tenant, versions)
}

// nearest writes the docs joined with the nearest by vector of those that pass, and the
// cosine of a row.
func (s *search) nearest(p *part, docs string) (from, cosine string) {
	v := p.put(vectorText(s.a.Query.Vector)) + "::vector"
	away := "x.v <=> " + v
	if s.x.opt.HNSW {
		away = fmt.Sprintf("x.v::vector(%d) <=> %s(%[1]d)", s.st.Dims, v)
	}
	or := []string{"false"}
	for i := 0; i < len(s.all); { // of each run of blocks one set
		var set []byte
		first := s.all[i].base
		for ; i < len(s.all) && s.all[i].base == first+int64(len(set))*8; i++ {
			set = append(set, s.all[i].pass.bytes()...)
		}
		or = append(or, fmt.Sprintf("x.doc >= %d AND x.doc < %d AND get_bit(%s::bytea, x.doc - %[1]d) = 1", first, first+int64(len(set))*8, p.put(set)))
	}
	versions := p.put(s.st.versions)
	return fmt.Sprintf("%s::bigint[] || ARRAY(SELECT x.doc FROM vectors x WHERE x.version = ANY(%s) AND (%s) ORDER BY %s LIMIT %d)", docs, versions, strings.Join(or, " OR "), away, s.a.Depth),
		fmt.Sprintf("coalesce((SELECT 1 - (x.v <=> %s) FROM vectors x WHERE x.version = ANY(%s) AND x.doc = d.doc), 0)", v, versions)
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

func storable(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = pg.Storable(s)
	}
	return out
}

func nonEmpty(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
}
