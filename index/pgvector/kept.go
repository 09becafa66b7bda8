package pgvector

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"digesto/pg"

	"github.com/jackc/pgx/v5"
)

// list is a list of postings of a state, block by block.
type list struct {
	blocks []posts
	size   int
	used   int // when it was last asked for
}

// current is how many chunks in force are in it.
func (l *list) current() (n int) {
	if l == nil {
		return 0
	}
	for _, p := range l.blocks {
		if !history(p.base) {
			n += p.n
		}
	}
	return n
}

// block gives its part in a block.
func (l *list) block(base int64) (posts, bool) {
	if l == nil {
		return posts{}, false
	}
	i, ok := slices.BinarySearchFunc(l.blocks, base, func(p posts, base int64) int { return cmp.Compare(p.base, base) })
	if !ok {
		return posts{}, false
	}
	return l.blocks[i], true
}

// into adds the places of a block to a set.
func (l *list) into(base int64, b *bitmap) {
	if p, ok := l.block(base); ok {
		p.into(b)
	}
}

// kept is what a node keeps of a state, which never changes: the columns of its blocks,
// and the lists used last, up to a bound.
type kept struct {
	mu       sync.Mutex
	versions []int
	columns  []*columns
	lists    map[int64]*list
	size     int
	clock    int
}

// of gives what is kept of a state; it begins anew with another.
func (k *kept) of(st *State) {
	if k.lists == nil || !slices.Equal(k.versions, st.versions) {
		k.versions, k.columns, k.lists, k.size = st.versions, nil, map[int64]*list{}, 0
	}
}

// put keeps a list, and lets go of those used longest ago when there are too many.
func (k *kept) put(hash int64, l *list, most int) {
	if l.size = 64; l.size > most || k.lists[hash] != nil {
		return
	}
	for _, p := range l.blocks {
		l.size += len(p.raw) + 48
	}
	k.lists[hash], k.size, l.used = l, k.size+l.size, k.clock
	if k.size <= most {
		return
	}
	ages := make([]int, 0, len(k.lists))
	for _, l := range k.lists {
		ages = append(ages, l.used)
	}
	slices.Sort(ages)
	for h, l := range k.lists { // half of them at once, so that this is done seldom
		if l.used <= ages[len(ages)/2] {
			delete(k.lists, h)
			k.size -= l.size
		}
	}
}

// columns gives those of all blocks of a state, by their base.
func (x *Index) columns(ctx context.Context, st *State) ([]*columns, error) {
	x.kept.mu.Lock()
	defer x.kept.mu.Unlock()
	if x.kept.of(st); x.kept.columns != nil {
		return x.kept.columns, nil
	}
	var all []*columns
	err := x.db.Read(ctx, func(q pg.Q) (err error) {
		all, err = pg.All(q, func(r pgx.CollectableRow) (*columns, error) {
			var base int64
			var raw []byte
			if err := r.Scan(&base, &raw); err != nil {
				return nil, err
			}
			c, err := decodeColumns(base, raw)
			if err != nil {
				return nil, err
			}
			c.k = make([]float32, len(c.lengths))
			for i, n := range c.lengths {
				c.k[i] = float32((st.Scoring.K1+1)/st.Scoring.Saturation(1, n, st.average) - 1)
			}
			return c, nil
		}, `SELECT base, columns FROM blocks WHERE version = ANY($1) ORDER BY base`, st.versions)
		return err
	})
	if err == nil {
		x.kept.columns = append([]*columns{}, all...)
	}
	return all, err
}

// lists gives those of a state by their hashes, and the docs of ids and units, in one
// statement. same is false when the state is not the live one any more.
func (x *Index) lists(ctx context.Context, st *State, hashes []int64, ids, units []string) (got map[int64]*list, docs map[string][]int64, same bool, err error) {
	got, docs = map[int64]*list{}, map[string][]int64{}
	var missing []int64
	x.kept.mu.Lock()
	x.kept.of(st)
	x.kept.clock++
	for _, h := range hashes {
		if l := x.kept.lists[h]; l != nil {
			l.used = x.kept.clock
			got[h] = l
		} else {
			missing = append(missing, h)
		}
	}
	x.kept.mu.Unlock()
	fresh := map[int64]*list{}
	for _, h := range missing {
		fresh[h] = &list{}
	}
	type row struct {
		kind string
		hash int64
		posts
	}
	err = x.db.Read(ctx, func(q pg.Q) error {
		all, err := pg.All(q, func(r pgx.CollectableRow) (w row, err error) {
			if err = r.Scan(&w.kind, &w.hash, &w.base, &w.n, &w.raw); err == nil && w.kind == "list" {
				err = w.check()
			}
			return w, err
		}, `SELECT 'state', 0::bigint, 0::bigint, (`+live("$1", "$4", "$5")+`)::integer, NULL::bytea
UNION ALL SELECT 'list', term, base, n, posts FROM postings WHERE version = ANY($1) AND term = ANY($2::bigint[])
UNION ALL SELECT 'id', 0, doc, 0, NULL FROM docs WHERE version = ANY($1) AND id <> '' AND id = ANY($3::text[])
UNION ALL SELECT 'unit', 0, doc, 0, NULL FROM docs WHERE version = ANY($1) AND unit <> '' AND unit = ANY($6::text[])`,
			st.versions, missing, ids, x.opt.Name, x.opt.Tenant, units)
		for _, w := range all {
			switch w.kind {
			case "state":
				same = w.n == 1
			case "list":
				fresh[w.hash].blocks = append(fresh[w.hash].blocks, w.posts)
			default:
				docs[w.kind] = append(docs[w.kind], w.base)
			}
		}
		return err
	})
	if err != nil || !same {
		return nil, nil, false, err
	}
	x.kept.mu.Lock()
	defer x.kept.mu.Unlock()
	x.kept.of(st)
	for h, l := range fresh {
		slices.SortFunc(l.blocks, func(a, b posts) int { return cmp.Compare(a.base, b.base) })
		x.kept.put(h, l, x.opt.Memory)
		got[h] = l
	}
	return got, docs, true, nil
}
