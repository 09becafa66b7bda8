// Package naming says which of a table's services a question asks for, by the words
// that each is asked for with, in whatever order and form they come: every service has
// ways of being asked for (asks), and what tells it apart is learnt from them. It holds
// no word of its own: what a word says is how few services are asked for with it.
package naming

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"digesto/text"
)

// Ways are the ways in which one service is asked for.
type Ways struct {
	Code  string
	Asks  []string
	Place string // where the law has it; the asks of a place count for each of its services
}

// Reader ranks services. It is read-only and safe for any number of goroutines.
type Reader struct {
	same   func(string) string
	kept   map[string]string // stems of the words of all asks
	tokens []text.Token      // room for those of one
	codes  []string
	place  []string
	asks   [][]map[string]bool  // by service
	weight []map[string]float64 // by service: how far a word is its own, 0 to 1
	idf    map[string]float64
	sorted []string       // the words of idf, in order
	spread map[string]int // services that a word is asked for with
	heard  map[string]int // other places that it is said in
}

// Match is how far a service is asked for.
type Match struct {
	Code  string
	Score float64 // 0 to 1
	Words int     // that say it
	Firm  bool    // several do, or all of one of its asks is said
}

const (
	// half is how many asks with a word make it half a service's own.
	half = .7
	// ofPlace is what an ask of the place counts beside one of the service.
	ofPlace = .3
	// strange is what a word says that no service is asked for with: it is of something else.
	strange = 2
	// A word of which as much is a service's own, and that says as much, is one that says it.
	firmWeight, firmWord = .4, 1.8
	// few is how many services a word that tells one from the rest is asked for with.
	few = 6
	// firmAsk is how much of one ask is all of it.
	firmAsk = .62
)

// New learns what tells services apart. Places are asks by place, of other hands; same
// gives words that say the same one form.
func New(list []Ways, places map[string][]string, same func(word string) string) *Reader {
	r := &Reader{same: same, kept: map[string]string{}, idf: map[string]float64{}, spread: map[string]int{}, heard: map[string]int{}}
	count := make([]map[string]float64, len(list))
	for i, w := range list {
		r.codes, r.place = append(r.codes, w.Code), append(r.place, w.Place)
		count[i] = map[string]float64{}
		var sets []map[string]bool
		for _, a := range w.Asks {
			s := r.learn(a)
			for w := range s {
				count[i][w]++
			}
			sets = append(sets, s)
		}
		r.asks = append(r.asks, sets)
		for w := range count[i] {
			r.spread[w]++
		}
		for _, a := range places[w.Place] {
			for w := range r.learn(a) {
				count[i][w] += ofPlace
			}
		}
	}
	r.Hear(places)
	for w, n := range r.spread {
		r.idf[w] = math.Log((float64(len(list)) + 1) / (float64(n) + .5))
	}
	r.sorted = slices.Sorted(maps.Keys(r.idf))
	for i := range list {
		own := map[string]float64{}
		for w, n := range count[i] {
			own[w] = n / (n + half)
		}
		r.weight = append(r.weight, own)
	}
	return r
}

// learn gives the stems of the words that carry meaning, and keeps them.
func (r *Reader) learn(s string) map[string]bool {
	out := map[string]bool{}
	r.tokens = text.Tokens(r.tokens[:0], s)
	for _, t := range r.tokens {
		w, known := r.kept[t.Text]
		if !known {
			w = r.stem(t.Text)
			r.kept[t.Text] = w
		}
		if w != "" {
			out[w] = true
		}
	}
	return out
}

// stem gives what a word counts as; "" for one that says nothing.
func (r *Reader) stem(w string) string {
	if s, known := r.kept[w]; known {
		return s
	}
	if text.IsStop(w) || strings.ContainsAny(w, "0123456789") || len(w) < 3 {
		return ""
	}
	w = r.same(w)
	for _, e := range spelling {
		if rest, ok := strings.CutSuffix(w, e[0]); ok {
			return rest + e[1]
		}
	}
	return w
}

// spelling is what a verb's stem becomes before e: "verifique", "pague".
var spelling = [][2]string{{"qu", "c"}, {"gu", "g"}}

// Hear counts the words of asks by place that no service answers, of which only how widely
// a word is said is learnt.
func (r *Reader) Hear(places map[string][]string) {
	for _, asks := range places {
		seen := map[string]bool{}
		for _, a := range asks {
			for w := range r.learn(a) {
				if !seen[w] {
					seen[w] = true
					r.heard[w]++
				}
			}
		}
	}
}

// Says says whether a word says anything.
func (r *Reader) Says(word string) bool { return r.stem(word) != "" }

// Spread is in how many places a word is said, of services and of others.
func (r *Reader) Spread(word string) int { return r.spread[r.stem(word)] + r.heard[r.stem(word)] }

// Best is how far a word is that service's own that it is most; 0 for a word that more
// than a few are asked for with.
func (r *Reader) Best(word string) float64 {
	best, w := 0., r.stem(word)
	if r.spread[w] > few {
		return 0
	}
	for i, code := range r.codes {
		if code != "-" {
			best = max(best, r.weight[i][w])
		}
	}
	return best
}

// Own is how far a word is a service's own, 0 to 1.
func (r *Reader) Own(code, word string) float64 {
	if i := slices.Index(r.codes, code); i >= 0 {
		return r.weight[i][r.stem(word)]
	}
	return 0
}

// Weight is how much a word says for a service: the more its own and the fewer others'.
func (r *Reader) Weight(code, word string) float64 { return r.Own(code, word) * r.idf[r.stem(word)] }

// nearest gives, for a stem that no service is asked for with, the one that is the same word
// by its beginning: "matrimonial", "matrimonio".
func (r *Reader) nearest(s string) string {
	if r.idf[s] > 0 || len(s) < sameStart {
		return s
	}
	i, _ := slices.BinarySearch(r.sorted, s)
	for _, k := range []int{i - 1, i} {
		if k >= 0 && k < len(r.sorted) && common(s, r.sorted[k]) >= max(sameStart, len(s)-sameEnd) {
			return r.sorted[k]
		}
	}
	return s
}

// Two words are one if they begin with as many letters alike, and all but as many.
const sameStart, sameEnd = 6, 3

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Rank gives the services that words ask for, the likeliest first: half by the share of
// what the words say that is the service's own, half by how much of one of its asks they say.
func (r *Reader) Rank(words []string) []Match {
	said := map[string]bool{}
	all, known := 0., false
	for _, w := range words {
		s := r.nearest(r.stem(w))
		if s == "" || said[s] {
			continue
		}
		said[s] = true
		if x := r.idf[s]; x > 0 {
			all, known = all+x, true
		} else {
			all += strange
		}
	}
	if !known {
		return nil
	}
	var out []Match
	for i, code := range r.codes {
		share, own := 0., 0
		for w := range said {
			share += r.idf[w] * r.weight[i][w]
			if r.weight[i][w] >= firmWeight && r.idf[w] >= firmWord {
				own++
			}
		}
		if share == 0 {
			continue
		}
		best := 0.
		for _, a := range r.asks[i] {
			whole, got := 0., 0.
			for w := range a {
				whole += r.idf[w]
				if said[w] {
					got += r.idf[w]
				}
			}
			if whole > 0 {
				best = max(best, got/(whole+1))
			}
		}
		out = append(out, Match{code, (share/all + best) / 2, own, own > 1 || best >= firmAsk})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}
