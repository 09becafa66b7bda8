package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"digesto/digest"
	"digesto/index/quant"
)

// Scoring says how near asks become the score of a place. An ask is as near as its cosine and
// its words say, and as the asks of its entry together say: their centroid and their profile.
type Scoring struct {
	Words    float64 // share of an ask's words beside its cosine; 0 = .15
	Centroid float64 // share of the cosine of its entry's centroid; 0 = 1.1
	Profile  float64 // share of the cosine of its entry's profile of words; 0 = 1.75
	Sharp    float64 // exponent; 0 = 10
	Best     int     // asks that count; 0 = 200
	Near     int     // entries nearest by centroid and profile whose asks are looked at; 0 = 400
}

// withDefaults fills in what 2,000 asks found that were written after the others, by other
// hands, and searched among the others alone (docs/retrieval.md): flat between 10 and 14,
// .15 and .35, .6 and 1.1, 1.1 and 2.5.
func (s Scoring) withDefaults() Scoring {
	return Scoring{
		Words: cmp.Or(s.Words, .15), Centroid: cmp.Or(s.Centroid, 1.1), Profile: cmp.Or(s.Profile, 1.75),
		Sharp: cmp.Or(s.Sharp, 10), Best: cmp.Or(s.Best, 200), Near: cmp.Or(s.Near, 400),
	}
}

// top is the highest value that an ask can have.
func (s Scoring) top() float64 { return 1 + s.Words + s.Centroid + s.Profile }

// Place is a place of the law, or a matter that is elsewhere, found by its asks.
type Place struct {
	ID    string        // NORM/unit; "/name" for a matter elsewhere
	Entry *digest.Entry // whose asks are nearest together
	// Entries are all of the place that were found, the nearest first: further ones are
	// other matters that the same unit settles.
	Entries []Weighed
	Score   float64 // Σ exp(sharp · value) over its asks among the best (see Scoring)
	Cos     float64 // of the nearest by meaning, −1–1
	Words   float64 // of the nearest by words, 0–1 of the best of the question
	// The highest of its entries among the best: the cosines of an entry's centroid and profile, of
	// pivoted lengths.
	Centroid, Profile float64
}

// Weighed is an entry with Σ exp(sharp · value) over its asks, and that an
// ask: of the entries of one place the matter asked is not the likelier for having more asks.
type Weighed struct {
	*digest.Entry
	Score, Mean float64
	Stems       Stems // of the question, that its asks have
}

// Asks finds places by the questions of the digest. It is safe for any number of
// goroutines.
type Asks struct {
	scoring Scoring
	vectors *Packed
	made    made
	of      []int32 // of each ask, its entry
	entries []entry
	places  []string // ids, by number
	lead    groups
	norms   map[string]bool // that entries are about
	rows    *quant.Nibbles
	rooms   sync.Pool // of *room
	fault   atomic.Pointer[error]
	words   vocabulary
	groupOf []int32 // of each group of words, its entry
	all     together
	means   *quant.Rows // of all
}

// room is what a search writes of every ask, of those that it looks at, and of every entry.
type room struct {
	score, cos        []float32
	centroid, profile []float32
	value             []float32 // what both add to that of an ask
	scale             float32   // brings the best score to 1
	had               []counted
	near              []int32 // entries whose asks are looked at, in their order
	wanted            []bool  // of each group of words, whether it is of them
	has               []Stems // of each group that is wanted, which stems of the question it has
}

// words is the score of an ask, of the best of the question.
func (r *room) words(ask int) float32 { return min(1, r.score[ask]*r.scale) }

func (a *Asks) room() *room {
	if r, _ := a.rooms.Get().(*room); r != nil {
		return r
	}
	n, k := len(a.of), len(a.entries)
	of := func(n int) []float32 { return make([]float32, n) }
	return &room{score: of(n + maxGroup), cos: of(n), centroid: of(k), profile: of(k), value: of(k), wanted: make([]bool, len(a.groupOf)), has: make([]Stems, len(a.groupOf))}
}

// entry is an entry with its place and the number of its first ask.
type entry struct {
	*digest.Entry
	place, first int32
}

// NewAsks indexes files. vectors may be nil: then words alone find. A place that
// an entry calls the same as its own is that place.
func NewAsks(files []digest.File, vectors *Packed, s Scoring) *Asks {
	a := &Asks{scoring: s.withDefaults(), vectors: vectors}
	a.lead, a.norms = leaders(files), map[string]bool{}
	number := map[string]int32{}
	for i := range files {
		for j := range files[i].Entries {
			e := &files[i].Entries[j]
			a.norms[e.Norm] = true
			id := a.lead.of(e.Place())
			n, ok := number[id]
			if !ok {
				n = int32(len(a.places))
				number[id], a.places = n, append(a.places, id)
			}
			a.entries = append(a.entries, entry{e, n, int32(len(a.of))})
			for range e.Leads() {
				a.of = append(a.of, int32(len(a.entries)-1))
			}
		}
	}
	if vectors != nil {
		a.made = vectors.made(files)
		var more []byte
		for i := a.made.rows; i < len(a.of); i++ {
			more = append(more, quant.EncodeNibbles(vectors.of(a.text(i)), vectors.Step())...)
		}
		a.rows = quant.NewNibbles(vectors.Step(), append(slices.Clone(a.made.codes), more)...)
	}
	a.words = a.made.vocabulary(sizesOf(files), a.text)
	for _, first := range a.words.first {
		a.groupOf = append(a.groupOf, a.of[first])
	}
	if a.all = a.made.together; a.Prepared() < len(a.of) {
		a.all = a.measure()
	}
	if a.rows != nil {
		a.means = quant.NewRows(len(vectors.Step()), a.all.means, a.all.scale)
	}
	return a
}

// entry is that of an ask.
func (a *Asks) entry(i int) entry { return a.entries[a.of[i]] }

// open reads an entry, and says whether that went well.
func (a *Asks) open(e *digest.Entry) bool {
	err := e.Open()
	if err != nil {
		a.fault.CompareAndSwap(nil, &err)
	}
	return err == nil
}

// Err is what went wrong while entries were read for what was found; nil if nothing.
func (a *Asks) Err() error {
	if err := a.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// text is that of an ask; "" where the program only has its vector and its words.
func (a *Asks) text(i int) string {
	e := a.entry(i)
	if !a.open(e.Entry) {
		return ""
	}
	return e.Lead(i - int(e.first)).Text
}

// Leader gives the place that stands for a place in what is found: the one whose entry
// says that both hold the same rule.
func (a *Asks) Leader(place string) string { return a.lead.of(place) }

// Covers says whether entries are about a norm.
func (a *Asks) Covers(norm string) bool { return a.norms[norm] }

// Len is how many asks there are.
func (a *Asks) Len() int { return len(a.of) }

// Prepared is how many of them need not be read anew: their vectors, words and what those of an
// entry are together are known.
func (a *Asks) Prepared() int {
	if len(a.made.together.scale) == 0 {
		return 0
	}
	return a.made.rows
}

// groups joins places that hold the same rule.
type groups map[string]string

func leaders(files []digest.File) groups {
	g := groups{}
	for _, f := range files {
		for _, e := range f.Entries {
			for _, o := range e.Same {
				if x, y := g.of(e.Place()), g.of(o); x != y {
					g[y] = x
				}
			}
		}
	}
	return g
}

func (g groups) of(place string) string {
	for g[place] != "" {
		place = g[place]
	}
	return place
}

// Allow says what may be found; the zero value lets all through.
type Allow struct {
	Entry   func(*digest.Entry) bool // asked once an entry; nil = all
	Without string                   // an ask that does not count; "" = all do
}

// gate is an Allow that remembers.
type gate struct {
	Allow
	a    *Asks
	seen []uint8 // of each entry: 0 not asked yet
	left []int32 // asks that are Without
}

const (
	passes = 1 + iota
	stays
)

func (a *Asks) gate(allow Allow) *gate {
	g := &gate{Allow: allow, a: a}
	if allow.Entry != nil {
		g.seen = make([]uint8, len(a.entries))
	}
	if allow.Without == "" {
		return g
	}
	for i := range a.of {
		if a.text(i) == allow.Without {
			g.left = append(g.left, int32(i))
		}
	}
	return g
}

// allows says whether an entry may lead to its place.
func (g *gate) allows(e int32) bool {
	if g.seen == nil {
		return true
	}
	if g.seen[e] == 0 {
		g.seen[e] = stays
		if g.Entry(g.a.entries[e].Entry) {
			g.seen[e] = passes
		}
	}
	return g.seen[e] == passes
}

// out says that an ask does not count.
func (g *gate) out(i int32) bool { return slices.Contains(g.left, i) }

// Search gives the best n places for a question, best first, ties by id. full is
// the question's vector as the model gives it; nil is words alone.
//
// Of the entries whose centroid and profile are nearest the asks are looked at, each by itself.
func (a *Asks) Search(question string, full []float32, n int, allow Allow) []Place {
	r, g := a.room(), a.gate(allow)
	defer a.rooms.Put(r)
	var v []float32
	if full != nil && a.rows != nil {
		v = a.vectors.Project(full)
	}
	a.centroids(v, r, g.left)
	asked := a.profiles(question, r, g.left)
	for e := range r.value {
		r.value[e] = float32(a.scoring.Centroid)*r.centroid[e] + float32(a.scoring.Profile)*r.profile[e]
	}
	g.nearest(r)
	a.each(v, asked, r)
	r.scale = 0
	if best := g.best(r); best > 0 {
		r.scale = 1 / best
	}
	return a.collapse(g.top(r), r, n)
}

// nearest picks the entries that are let through and whose asks together are nearest.
func (g *gate) nearest(r *room) {
	by := g.a.scoring
	t := tally{top: by.Centroid + by.Profile}
	for _, v := range r.value {
		t.add(max(0, float64(v)))
	}
	for n := by.Near; ; n *= 4 {
		least := float32(t.floor(n))
		if n >= len(r.value) {
			least = -math.MaxFloat32
		}
		r.near = r.near[:0]
		for e, v := range r.value {
			if v >= least && g.allows(int32(e)) {
				r.near = append(r.near, int32(e))
			}
		}
		if len(r.near) >= by.Near/4 || n >= len(r.value) { // where few are let through those farther off are looked at, too
			return
		}
	}
}

// each writes the cosine of every ask that is looked at, and its BM25.
func (a *Asks) each(v []float32, asked []stemmed, r *room) {
	var q quant.NibblesQuery
	if v != nil {
		q = a.rows.Query(v)
	}
	clear(r.wanted)
	group := 0
	for _, e := range r.near {
		first, end := a.entries[e].first, a.end(e)
		clear(r.score[first:end])
		if v == nil {
			clear(r.cos[first:end])
		} else {
			a.rows.DotRows(q, int(first), r.cos[first:end])
		}
		for a.groupOf[group] < e {
			group++
		}
		for ; group < len(a.groupOf) && a.groupOf[group] == e; group++ {
			r.wanted[group], r.has[group] = true, Stems{}
		}
	}
	for i, w := range asked {
		a.words.add(w.stem, r.wanted, r.score, func(group int32) { r.has[group].add(i) })
	}
}

// best is the highest score of the asks that are looked at.
func (g *gate) best(r *room) float32 {
	best := float32(0)
	for _, e := range r.near {
		for i := g.a.entries[e].first; i < g.a.end(e); i++ {
			if v := r.score[i]; v > best && !g.out(i) {
				best = v
			}
		}
	}
	return best
}

type scored struct {
	ask   int32
	value float64
}

// top gives the best asks, best first.
func (g *gate) top(r *room) []scored {
	by := g.a.scoring
	out := make([]scored, 0, 4*by.Best)
	t := tally{top: by.top()}
	least, words := 0., float32(by.Words)
	for _, e := range r.near {
		for i := g.a.entries[e].first; i < g.a.end(e); i++ {
			v := float64(r.cos[i] + r.value[e] + words*r.words(int(i)))
			if v < least || v <= 0 || g.out(i) {
				continue
			}
			out = append(out, scored{i, v})
			if t.add(v); len(out)%by.Best == 0 {
				least = t.floor(by.Best)
			}
		}
	}
	return cut(slices.DeleteFunc(out, func(x scored) bool { return x.value < least }), by.Best)
}

// tally counts values of 0–top by how high they are.
type tally struct {
	top   float64
	count [512]int
}

func (t *tally) add(v float64) {
	t.count[min(len(t.count)-1, int(v/t.top*float64(len(t.count))))]++
}

// floor is a value that n of those counted reach; 0 when they are fewer.
func (t *tally) floor(n int) float64 {
	for b := len(t.count) - 1; b > 0; b-- {
		if n -= t.count[b]; n <= 0 {
			return float64(b) * t.top / float64(len(t.count))
		}
	}
	return 0
}

// cut keeps the best n, best first, ties by position.
func cut(list []scored, n int) []scored {
	slices.SortFunc(list, func(x, y scored) int {
		switch {
		case x.value > y.value:
			return -1
		case x.value < y.value:
			return 1
		}
		return int(x.ask - y.ask)
	})
	return list[:min(n, len(list))]
}

func (a *Asks) collapse(top []scored, r *room, n int) []Place {
	by := map[int32]*Place{}
	entries := map[int32]float64{}
	for _, s := range top {
		x := a.entry(int(s.ask))
		p := by[x.place]
		if p == nil {
			p = &Place{ID: a.places[x.place]}
			by[x.place] = p
		}
		weight := math.Exp(a.scoring.Sharp * s.value)
		p.Score += weight
		entries[a.of[s.ask]] += weight
		p.Cos = max(p.Cos, float64(r.cos[s.ask]))
		p.Words = max(p.Words, float64(r.words(int(s.ask))))
		p.Centroid = max(p.Centroid, float64(r.centroid[a.of[s.ask]]))
		p.Profile = max(p.Profile, float64(r.profile[a.of[s.ask]]))
	}
	for e, w := range entries {
		x := a.entries[e]
		p := by[x.place]
		p.Entries = append(p.Entries, Weighed{x.Entry, w, w / float64(x.Leads()), a.stemsOf(e, r)})
	}
	for _, p := range by {
		slices.SortFunc(p.Entries, func(x, y Weighed) int {
			return cmp.Or(cmp.Compare(y.Mean, x.Mean), cmp.Compare(x.Line, y.Line))
		})
		p.Entry = p.Entries[0].Entry
	}
	out := make([]Place, 0, len(by))
	for _, p := range by {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(x, y Place) int {
		switch {
		case x.Score > y.Score:
			return -1
		case x.Score < y.Score:
			return 1
		}
		return strings.Compare(x.ID, y.ID)
	})
	out = out[:min(n, len(out))]
	for _, p := range out {
		for _, e := range p.Entries {
			a.open(e.Entry)
		}
	}
	return out
}
