package digest

import (
	"slices"
	"strings"

	"digesto/pack"
	"digesto/text"
)

// nearly is the share of words, of all words of both, that makes two asks nearly
// the same; enough is how many words a set needs to be compared.
const (
	nearly = .85
	enough = 3
)

// Bag is the set of an ask's content words, by stem, sorted.
type Bag []string

// NewBag gives the content words of a text.
func NewBag(an *text.Analyser, s string) Bag {
	var out Bag
	for _, t := range an.Terms(s) {
		if t.Stem != "" && !t.Part {
			out = append(out, t.Stem)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Overlap is the share of the words of two sets that both have (Jaccard), 0–1.
func (b Bag) Overlap(o Bag) float64 {
	both := 0
	for i, j := 0, 0; i < len(b) && j < len(o); {
		switch strings.Compare(b[i], o[j]) {
		case 0:
			both++
			i++
			j++
		case -1:
			i++
		default:
			j++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(b)+len(o)-both)
}

// Pair are two texts that share most of their words.
type Pair struct {
	A, B    int // positions in the list
	Overlap float64
}

// Near gives the pairs of sets of one list and of another (itself, if it is the
// same) that overlap at least so much. It looks only at pairs that share a rare word.
func Near(a, b []Bag, least float64) (out []Pair) {
	self := len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	freq := map[string]int{}
	for _, set := range b {
		for _, w := range set {
			freq[w]++
		}
	}
	where := map[string][]int{}
	for j, set := range b {
		for _, w := range rarest(set, freq, least) {
			where[w] = append(where[w], j)
		}
	}
	for i, set := range a {
		seen := map[int]bool{}
		for _, w := range rarest(set, freq, least) {
			for _, j := range where[w] {
				if seen[j] || self && j <= i {
					continue
				}
				seen[j] = true
				if len(set) < enough || len(b[j]) < enough {
					continue
				}
				if o := set.Overlap(b[j]); o >= least {
					out = append(out, Pair{i, j, o})
				}
			}
		}
	}
	return out
}

// rarest gives the words of a set of which one at least is common to any set that
// overlaps it so much (prefix filtering, Chaudhuri et al., ICDE 2006).
func rarest(set Bag, freq map[string]int, least float64) []string {
	out := slices.Clone(set)
	slices.SortFunc(out, func(x, y string) int {
		if d := freq[x] - freq[y]; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	n := len(set) - int(least*float64(len(set))+.999999) + 1
	return out[:min(len(out), max(n, 1))]
}

// AskRef is an ask with its entry.
type AskRef struct {
	Entry *Entry
	Ask   Ask
}

// Asks gives every ask of the files.
func Asks(files []File) (out []AskRef) {
	for i := range files {
		for j := range files[i].Entries {
			e := &files[i].Entries[j]
			for _, a := range e.Asks {
				out = append(out, AskRef{e, a})
			}
		}
	}
	return out
}

// Leads gives every text of the files that leads to an entry.
func Leads(files []File) (out []string) {
	for i := range files {
		for j := range files[i].Entries {
			e := &files[i].Entries[j]
			for k := range e.Leads() {
				out = append(out, e.Lead(k).Text)
			}
		}
	}
	return out
}

// Twice gives the asks that are nearly the same although their places differ and
// neither entry names the other's as the same.
func Twice(an *text.Analyser, files []File) (bad []pack.Problem) {
	all := Asks(files)
	bags := make([]Bag, len(all))
	for i, x := range all {
		bags[i] = NewBag(an, x.Ask.Text)
	}
	for _, p := range Near(bags, bags, nearly) {
		a, b := all[p.A], all[p.B]
		if a.Entry.Place() == b.Entry.Place() || slices.Contains(a.Entry.Same, b.Entry.Place()) || slices.Contains(b.Entry.Same, a.Entry.Place()) {
			continue
		}
		bad = append(bad, pack.Problem{File: b.Entry.File, Line: int(b.Ask.Line),
			Text: "«" + clip(b.Ask.Text) + "» es casi la misma pregunta que otra de " + a.Entry.Place() + ": que cuenten otra cosa, o «same» si la regla es la misma"})
	}
	return bad
}

// Family is a skeleton that many asks share.
type Family struct {
	Skeleton string
	Asks     []AskRef
}

// Families finds asks made after one pattern: the same function words in the same
// order around other content words, in at least so many different entries.
func Families(files []File, least int) (out []Family) {
	by := map[string][]AskRef{}
	for _, x := range Asks(files) {
		if s, ok := skeleton(x.Ask.Text); ok {
			by[s] = append(by[s], x)
		}
	}
	for s, list := range by {
		entries := map[*Entry]bool{}
		for _, x := range list {
			entries[x.Entry] = true
		}
		if len(entries) >= least {
			out = append(out, Family{s, list})
		}
	}
	slices.SortFunc(out, func(a, b Family) int {
		if d := len(b.Asks) - len(a.Asks); d != 0 {
			return d
		}
		return strings.Compare(a.Skeleton, b.Skeleton)
	})
	return out
}

// skeletonWords is the least length of a text whose pattern says anything.
const skeletonWords = 6

// skeleton replaces the content words of a text by "_", runs of them by one. A
// pattern with hardly any word of its own is none.
func skeleton(s string) (string, bool) {
	var out []string
	n, kept := 0, 0
	for _, t := range text.Tokens(nil, s) {
		w := text.Fold(t.Text)
		n++
		switch {
		case text.IsStop(w):
			out, kept = append(out, w), kept+1
		case len(out) == 0 || out[len(out)-1] != "_":
			out = append(out, "_")
		}
	}
	return strings.Join(out, " "), n >= skeletonWords && kept >= 4
}
