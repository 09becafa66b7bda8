package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"digesto/digest"
	"digesto/index/quant"
)

// Scoring says how near asks become the score of a place.
type Scoring struct {
	Words float64 // share of words beside the cosine; 0 = .25
	Sharp float64 // exponent; 0 = 8
	Best  int     // asks that count; 0 = 200
}

// withDefaults fills in what a pilot over 10,865 asks found: flat between 4 and 8,
// and between .15 and .25.
func (s Scoring) withDefaults() Scoring {
	if s.Words == 0 {
		s.Words = .25
	}
	if s.Sharp == 0 {
		s.Sharp = 8
	}
	if s.Best == 0 {
		s.Best = 200
	}
	return s
}

// Place is a place of the law, or a matter that is elsewhere, found by its asks.
type Place struct {
	ID    string        // NORM/unit; "/name" for a matter elsewhere
	Entry *digest.Entry // whose asks are nearest together
	// Entries are all of the place that were found, the nearest first: further ones are
	// other matters that the same unit settles.
	Entries []Weighed
	Ask     digest.Ask // the nearest of all
	Score   float64    // Σ exp(sharp · (cosine + words · share)) over its asks among the best
	Cos     float64    // of the nearest by meaning, −1–1
	Next    float64    // of the second nearest by meaning; 0 = one alone is near
	Words   float64    // of the nearest by words, 0–1 of the best of the question
	Said    float64    // share of the question's information that the nearest by words could hold and has, 0–1
	Part    float64    // share of the sum of all places
	First   int        // its asks among the first fifteen
	Kinds   int        // kinds of asks among those
}

// Weighed is an entry with Σ exp(sharp · (cosine + words · share)) over its asks, and that an
// ask: of the entries of one place the matter asked is not the likelier for having more asks.
type Weighed struct {
	*digest.Entry
	Score, Mean float64
}

// Asks finds places by the questions of the digest. It is safe for any number of
// goroutines.
type Asks struct {
	scoring Scoring
	vectors *Packed
	made    Made
	of      []int32 // of each ask, its entry
	entries []entry
	places  []string // ids, by number
	lead    groups
	norms   map[string]bool // that entries are about
	rows    *quant.Nibbles
	rooms   sync.Pool // of *room
	words   vocabulary
}

// room is what a search writes of every ask.
type room struct{ score, cos []float32 }

func newRoom(n int) *room { return &room{make([]float32, n), make([]float32, n)} }

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
		a.made = vectors.Made(len(a.of), a.text)
		var more []byte
		for i := a.made.rows; i < len(a.of); i++ {
			more = append(more, quant.EncodeNibbles(vectors.of(a.text(i)), vectors.Step())...)
		}
		a.rows = quant.NewNibbles(vectors.Step(), append(slices.Clone(a.made.codes), more)...)
	}
	a.words = a.made.vocabulary(len(a.of), a.text)
	return a
}

// entry is that of an ask.
func (a *Asks) entry(i int) entry { return a.entries[a.of[i]] }

func (a *Asks) ask(i int) digest.Ask {
	e := a.entry(i)
	return e.Lead(i - int(e.first))
}

func (a *Asks) text(i int) string { return a.ask(i).Text }

// Leader gives the place that stands for a place in what is found: the one whose entry
// says that both hold the same rule.
func (a *Asks) Leader(place string) string { return a.lead.of(place) }

// Covers says whether entries are about a norm.
func (a *Asks) Covers(norm string) bool { return a.norms[norm] }

// Len is how many asks there are.
func (a *Asks) Len() int { return len(a.of) }

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
	Entry func(*digest.Entry) bool // asked once an entry; nil = all
	Leave func(ask string) bool    // asks that do not count; nil = none
}

// gate is an Allow that remembers.
type gate struct {
	Allow
	a    *Asks
	seen []uint8 // of each entry: 0 not asked yet
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
	return g
}

// lets says whether an ask may lead to its place.
func (g *gate) lets(i int) bool {
	if g.seen != nil {
		seen := &g.seen[g.a.of[i]]
		if *seen == 0 {
			*seen = stays
			if g.Entry(g.a.entry(i).Entry) {
				*seen = passes
			}
		}
		if *seen == stays {
			return false
		}
	}
	return g.Leave == nil || !g.Leave(g.a.text(i))
}

// Search gives the best n places for a question, best first, ties by id. full is
// the question's vector as the model gives it; nil is words alone.
func (a *Asks) Search(question string, full []float32, n int, allow Allow) []Place {
	room, _ := a.rooms.Get().(*room)
	if room == nil {
		room = newRoom(len(a.of))
	}
	defer a.rooms.Put(room)
	score, cos := room.score, room.cos
	clear(score)
	if full != nil && a.rows != nil {
		a.rows.Dot(a.vectors.Project(full), cos)
	} else {
		clear(cos)
	}
	reach := a.words.score(question, score)
	g := a.gate(allow)
	best := g.best(score)
	for i := range score {
		if best > 0 {
			score[i] = min(1, score[i]/best)
		}
	}
	out := a.collapse(g.top(cos, score), cos, score, n)
	for i := range out {
		if reach > 0 {
			out[i].Said = min(1, out[i].Words*float64(best/reach))
		}
	}
	return out
}

// best is the highest score of the asks that are let through.
func (g *gate) best(score []float32) float32 {
	best := float32(0)
	for i, v := range score {
		if v > best && g.lets(i) {
			best = v
		}
	}
	return best
}

type scored struct {
	ask   int32
	value float64
}

// top gives the best asks, best first.
func (g *gate) top(cos, words []float32) []scored {
	by := g.a.scoring
	out := make([]scored, 0, 4*by.Best)
	t := tally{top: 1 + by.Words}
	least := 0.
	for i := range cos {
		v := float64(cos[i]) + by.Words*float64(words[i])
		if v < least || v <= 0 || !g.lets(i) {
			continue
		}
		out = append(out, scored{int32(i), v})
		if t.add(v); len(out)%by.Best == 0 {
			least = t.floor(by.Best)
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

// firstAsks is how many of the nearest asks a place's share is counted among.
const firstAsks = 15

func (a *Asks) collapse(top []scored, cos, words []float32, n int) []Place {
	by := map[int32]*Place{}
	kinds, total := map[int32]map[digest.Kind]bool{}, 0.
	entries, number := map[*digest.Entry]float64{}, map[*digest.Entry]int32{}
	for rank, s := range top {
		x, asked := a.entry(int(s.ask)), a.ask(int(s.ask))
		entry := x.Entry
		p := by[x.place]
		if p == nil {
			p = &Place{ID: a.places[x.place], Entry: entry, Ask: asked}
			by[x.place] = p
		}
		number[entry] = x.place
		weight := math.Exp(a.scoring.Sharp * s.value)
		p.Score, total = p.Score+weight, total+weight
		entries[entry] += weight
		if c := float64(cos[s.ask]); c > p.Cos {
			p.Cos, p.Next = c, p.Cos
		} else {
			p.Next = max(p.Next, c)
		}
		p.Words = max(p.Words, float64(words[s.ask]))
		if rank < firstAsks {
			p.First++
			if kinds[x.place] == nil {
				kinds[x.place] = map[digest.Kind]bool{}
			}
			kinds[x.place][asked.Kind] = true
			p.Kinds = len(kinds[x.place])
		}
	}
	for e, w := range entries {
		p := by[number[e]]
		p.Entries = append(p.Entries, Weighed{e, w, w / float64(e.Leads())})
	}
	for _, p := range by {
		p.Part = p.Score / total
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
	return out[:min(n, len(out))]
}
