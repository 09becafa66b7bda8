package decide

import (
	"context"
	"errors"
	"sync"

	"digesto"
	"digesto/digest"
	"digesto/search"
)

// Options says where a finder takes its data from.
type Options struct {
	// Files gives the digest of a pack; it is called when the pack is first asked. Its entries may
	// be read when they are first opened (digest.Lazy).
	Files func(pack string) ([]digest.File, error)
	// Vectors of the asks (search.Pack) and Model (ReadModel) as files; read when first used.
	Vectors, Model []byte
	// More gives the whole vector of an ask that Vectors lacks, nil when there is none; it
	// may be nil itself.
	More func(ask string) []float32
	// Vector gives that of a question, in the space of the asks' whole vectors; nil = words alone.
	Vector func(ctx context.Context, question string) ([]float32, error)
}

// Finder is the one way from a question to places of the law: asks of the digest and
// articles found, judged by one model. It is safe for any number of goroutines.
type Finder struct {
	opt     Options
	vectors func() (*search.Packed, error)
	model   func() (Model, error)

	mu   sync.Mutex
	asks map[string]func() (*search.Asks, error)
}

// NewFinder makes a finder; nothing is read yet.
func NewFinder(opt Options) *Finder {
	f := &Finder{opt: opt, asks: map[string]func() (*search.Asks, error){}}
	f.model = sync.OnceValues(func() (Model, error) { return ReadModel(opt.Model) })
	f.vectors = sync.OnceValues(func() (*search.Packed, error) {
		if opt.Vector == nil || len(opt.Vectors) == 0 {
			return nil, nil
		}
		p, err := search.ReadPacked(opt.Vectors)
		if err == nil {
			p.More = opt.More
		}
		return p, err
	})
	return f
}

// Asks gives those of a pack.
func (f *Finder) Asks(pack string) (*search.Asks, error) {
	f.mu.Lock()
	open := f.asks[pack]
	if open == nil {
		open = sync.OnceValues(func() (*search.Asks, error) {
			files, err := f.opt.Files(pack)
			if err != nil {
				return nil, err
			}
			v, err := f.vectors()
			if err != nil {
				return nil, err
			}
			return search.NewAsks(files, v, search.Scoring{}), nil
		})
		f.asks[pack] = open
	}
	f.mu.Unlock()
	return open()
}

// Covers says whether a pack's digest has entries about a norm.
func (f *Finder) Covers(pack, norm string) bool {
	asks, err := f.Asks(pack)
	return err == nil && asks.Covers(norm)
}

// Files gives the entries of a pack, all of them open.
func (f *Finder) Files(pack string) ([]digest.File, error) {
	files, err := f.opt.Files(pack)
	for i := range files {
		for k := range files[i].Entries {
			err = errors.Join(err, files[i].Entries[k].Open())
		}
	}
	return files, err
}

// Looked is how many places asks give, and how many articles are looked at.
const Looked = 20

// Query is what places are found for.
type Query struct {
	Pack, Question string
	Articles       []digesto.Hit // found for it, best first
	// Alone says that there are no texts to search beside the asks.
	Alone bool
	// Reach says whether an entry may lead anywhere; nil = all may.
	Reach func(*digest.Entry) bool
	// Without is an ask that does not count; "" = all do.
	Without string
	// Text says what the text of a place shows; nil = nobody reads it.
	Text func(place string) search.Passage
}

// Find gives the places of a pack that may answer, the likeliest first.
func (f *Finder) Find(ctx context.Context, q Query) ([]Judged, error) {
	asks, err := f.Asks(q.Pack)
	if err != nil || asks.Len() == 0 {
		return nil, err
	}
	var full []float32
	if f.opt.Vector != nil {
		if full, err = f.opt.Vector(ctx, q.Question); err != nil {
			return nil, err
		}
	}
	list := asks.Join(asks.Search(q.Question, full, Looked, search.Allow{Entry: q.Reach, Without: q.Without}), q.Articles[:min(len(q.Articles), Looked)])
	if err := asks.Err(); err != nil {
		return nil, err
	}
	for i := range list {
		if c := &list[i]; q.Text != nil && (c.Entry == nil || !c.Entry.Elsewhere()) {
			c.Text = q.Text(c.ID)
		}
	}
	m, err := f.model()
	if q.Alone {
		m = m.WithoutTexts()
	}
	return m.Judge(list, q.Pack), err
}

// Search searches articles and asks together: the places that asks lead to are found
// through the same searcher, so that its filter holds for them, and all stand by the
// probability that they answer. A question that names norms or units is searched in the
// articles alone: who names the law speaks its words.
func (f *Finder) Search(ctx context.Context, in digesto.Searcher, pack string, q digesto.Query) (digesto.Results, error) {
	if pack == "" || len(q.Norms)+len(q.Units) > 0 {
		return in.Search(ctx, q)
	}
	k := q.K
	if k > 0 {
		q.K = max(k, Looked)
	} else {
		k = Looked
	}
	res, err := in.Search(ctx, q)
	if err != nil {
		return res, err
	}
	judged, err := f.Find(ctx, Query{Pack: pack, Question: q.Text, Articles: res.Hits, Reach: func(e *digest.Entry) bool { return !e.Elsewhere() }})
	if err != nil || len(judged) == 0 {
		res.Hits = res.Hits[:min(k, len(res.Hits))]
		return res, err
	}
	at := map[string]digesto.Hit{}
	for _, h := range res.Hits {
		at[h.Unit] = h
	}
	if err := f.bring(ctx, in, q, judged, at); err != nil {
		return res, err
	}
	var hits []digesto.Hit
	for _, j := range judged {
		if h, ok := at[j.ID]; ok {
			if h.Score = j.P; j.Entry != nil { // an ask led there
				h.Via = j.Entry.Short()
			}
			hits = append(hits, h)
			delete(at, j.ID)
		}
	}
	for _, h := range res.Hits {
		if x, ok := at[h.Unit]; ok && x.ID == h.ID {
			h.Score = 0
			hits = append(hits, h)
		}
	}
	res.Hits = hits[:min(k, len(hits))]
	return res, nil
}

// bring finds the units of the places that are not among the articles.
func (f *Finder) bring(ctx context.Context, in digesto.Searcher, q digesto.Query, judged []Judged, at map[string]digesto.Hit) error {
	var units []string
	for _, j := range judged {
		if _, ok := at[j.ID]; !ok && j.Entry != nil {
			units = append(units, j.ID)
		}
	}
	if len(units) == 0 {
		return nil
	}
	more, err := in.Search(ctx, digesto.Query{Text: q.Text, Units: units, Filter: q.Filter, K: len(units), NoTotal: true})
	for _, h := range more.Hits {
		if _, ok := at[h.Unit]; !ok {
			at[h.Unit] = h
		}
	}
	return err
}
