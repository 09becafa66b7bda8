package search

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"

	"digesto/text"
)

// lexicon holds the words of short texts for BM25 (Robertson and Zaragoza, 2009), read in
// place, little endian. Texts stand in groups of at most maxGroup, those of an entry together:
//
//	uint32 texts, uint32 groups, uint32 stems, uint64 words of all texts
//	groups × uint8           texts of each
//	texts × uint8            words of each, at most 255
//	(stems+1) × uint32 twice where the letters of a stem begin, where its postings do; stems are sorted
//	letters
//	postings: of a stem, uvarint how many texts have it and how many groups; of each of those a byte
//	the distance to the group before (farGroup: uvarint it comes next), uint16 the texts as bits, the
//	first lowest; then of each group where texts have it oftener than once uvarint the distance to
//	the one before, uint16 those texts, and a byte how often each of them has it
//
// What is read for every question is of fixed length: where a branch cannot be foretold most of
// the time goes into that.
type lexicon struct {
	texts, groups, stems int
	words                uint64
	size                 []byte // of each group
	length               []byte // of each text
	letters, posts       []byte
	letterAt, postAt     []byte
}

const (
	lexiconHead = 20
	maxGroup    = 16
	farGroup    = 255
)

// groupsOf cuts entries of so many texts into groups.
func groupsOf(texts []int) (size []byte) {
	for _, n := range texts {
		for ; n > maxGroup; n -= maxGroup {
			size = append(size, maxGroup)
		}
		size = append(size, byte(n))
	}
	return size
}

// makeLexicon writes the lexicon of texts in groups of these sizes.
func makeLexicon(size []byte, textOf func(int) string) []byte {
	lists, length, words := postings(size, textOf)
	stems := slices.Sorted(maps.Keys(lists))
	var letters, posts []byte
	letterAt, postAt := []byte{}, []byte{}
	for _, s := range stems {
		letterAt = binary.LittleEndian.AppendUint32(letterAt, uint32(len(letters)))
		postAt = binary.LittleEndian.AppendUint32(postAt, uint32(len(posts)))
		letters = append(letters, s...)
		posts = appendPostings(posts, lists[s])
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(length)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(size)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(stems)))
	out = binary.LittleEndian.AppendUint64(out, words)
	out = append(append(out, size...), length...)
	out = binary.LittleEndian.AppendUint32(append(out, letterAt...), uint32(len(letters)))
	out = binary.LittleEndian.AppendUint32(append(out, postAt...), uint32(len(posts)))
	return slices.Concat(out, letters, posts)
}

// posting is a group of texts that have a stem, as bits.
type posting struct {
	group int32
	texts uint16
}

// told is a group of texts that have a stem, as it is written.
type told struct {
	group int
	times [maxGroup]uint8
}

func postings(size []byte, textOf func(int) string) (lists map[string][]told, length []byte, words uint64) {
	lists = map[string][]told{}
	var an text.Analyser
	for g, n := range size {
		for k := range int(n) {
			count := 0
			for _, t := range an.Terms(textOf(len(length))) {
				if t.Stem == "" {
					continue
				}
				count++
				list := lists[t.Stem]
				if last := len(list) - 1; last < 0 || list[last].group != g {
					list = append(list, told{group: g})
				}
				times := &list[len(list)-1].times[k]
				*times = uint8(min(int(*times)+1, math.MaxUint8))
				lists[t.Stem] = list
			}
			length = append(length, byte(min(count, math.MaxUint8)))
			words += uint64(count)
		}
	}
	return lists, length, words
}

func appendPostings(to []byte, list []told) []byte {
	total, last, lastOften := 0, 0, 0
	var body, often []byte
	for _, p := range list {
		texts, more := uint16(0), uint16(0)
		var times []byte
		for k, n := range p.times {
			if n > 0 {
				texts |= 1 << k
			}
			if n > 1 {
				more |= 1 << k
				times = append(times, n)
			}
		}
		total += bits.OnesCount16(texts)
		if gap := p.group - last; gap < farGroup {
			body = append(body, byte(gap))
		} else {
			body = binary.AppendUvarint(append(body, farGroup), uint64(gap))
		}
		body = binary.LittleEndian.AppendUint16(body, texts)
		if last = p.group; more != 0 {
			often = binary.LittleEndian.AppendUint16(binary.AppendUvarint(often, uint64(p.group-lastOften)), more)
			often = append(often, times...)
			lastOften = p.group
		}
	}
	to = binary.AppendUvarint(binary.AppendUvarint(to, uint64(total)), uint64(len(list)))
	return slices.Concat(to, body, often)
}

// readLexicon reads what makeLexicon wrote; impossible measures are an error.
func readLexicon(data []byte) (l lexicon, err error) {
	bad := fmt.Errorf("palabras de las preguntas dañadas")
	if len(data) < lexiconHead {
		return l, bad
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	l.texts, l.groups, l.stems = number(0), number(1), number(2)
	l.words = binary.LittleEndian.Uint64(data[12:])
	data = data[lexiconHead:]
	table := 4 * (l.stems + 1)
	if len(data) < l.groups+l.texts+2*table {
		return l, bad
	}
	l.size, l.length, data = data[:l.groups], data[l.groups:l.groups+l.texts], data[l.groups+l.texts:]
	l.letterAt, l.postAt, data = data[:table], data[table:2*table], data[2*table:]
	letters, posts := int(at(l.letterAt, l.stems)), int(at(l.postAt, l.stems))
	if letters+posts != len(data) {
		return l, bad
	}
	l.letters, l.posts = data[:letters], data[letters:]
	for i := range l.stems {
		if at(l.letterAt, i) > at(l.letterAt, i+1) || at(l.postAt, i) > at(l.postAt, i+1) {
			return l, bad
		}
	}
	sum := 0
	for _, n := range l.size {
		if sum += int(n); n > maxGroup {
			return l, bad
		}
	}
	if sum != l.texts {
		return l, bad
	}
	return l, nil
}

func at(table []byte, i int) uint32 { return binary.LittleEndian.Uint32(table[4*i:]) }

// stem gives the letters of the i-th.
func (l *lexicon) stem(i int) string {
	return string(l.letters[at(l.letterAt, i):at(l.letterAt, i+1)])
}

// find gives the postings of a stem; of one that none has the zero value.
func (l *lexicon) find(stem string) written {
	low, high := 0, l.stems
	for low < high {
		mid := (low + high) / 2
		switch letters := l.letters[at(l.letterAt, mid):at(l.letterAt, mid+1)]; {
		case string(letters) == stem:
			return l.list(mid)
		case string(letters) < stem:
			low = mid + 1
		default:
			high = mid
		}
	}
	return written{}
}

// written are the postings of a stem as they are written.
type written struct {
	texts, groups int // that have it
	list          []byte
}

// list gives the postings of the i-th stem.
func (l *lexicon) list(i int) written {
	list := l.posts[at(l.postAt, i):at(l.postAt, i+1)]
	texts, n := binary.Uvarint(list)
	groups, m := binary.Uvarint(list[max(0, n):])
	if n <= 0 || m <= 0 {
		return written{}
	}
	return written{int(min(texts, uint64(l.texts))), int(min(groups, uint64(l.groups))), list[n+m:]}
}

// read appends the postings of a stem, as long as there is room, their groups counted from from,
// and gives what is left; last is the group before. What is damaged ends them.
func (l *lexicon) read(w written, last, from int, to []posting) (written, []posting) {
	list := w.list
	for ; w.groups > 0 && len(to) < cap(to) && len(list) >= 3; w.groups-- {
		if gap := list[0]; gap != farGroup {
			last += int(gap)
		} else {
			far, n := binary.Uvarint(list[1:])
			if list = list[max(0, n):]; n <= 0 || len(list) < 3 || far > uint64(l.groups) {
				return written{}, to
			}
			last += int(far)
		}
		if last >= l.groups {
			return written{}, to
		}
		to = append(to, posting{int32(from + last), uint16(list[1]) | uint16(list[2])<<8})
		list = list[3:]
	}
	w.list = list
	return w, to
}

// each calls f with the postings of a stem until there are no more, as many at once as there is
// room for, their groups counted from from; and then often, which may be nil, with every text of a
// group that has it oftener than once.
func (l *lexicon) each(w written, from int, room []posting, f func([]posting), often func(group int32, text, times int)) {
	for last := 0; w.groups > 0; {
		var some []posting
		if w, some = l.read(w, last, from, room[:0]); len(some) == 0 {
			return
		}
		last = int(some[len(some)-1].group) - from
		f(some)
	}
	if often == nil {
		return
	}
	for group, list := 0, w.list; len(list) > 0; {
		gap, n := binary.Uvarint(list)
		if n <= 0 || len(list) < n+2 || gap > uint64(l.groups) {
			return
		}
		texts := binary.LittleEndian.Uint16(list[n:])
		if group += int(gap); group >= l.groups {
			return
		}
		for list = list[n+2:]; texts != 0 && len(list) > 0; texts &= texts - 1 {
			often(int32(from+group), bits.TrailingZeros16(texts), int(list[0]))
			list = list[1:]
		}
	}
}

// vocabulary is the lexicons of all asks: those made before, and of others after them.
type vocabulary struct {
	parts   []lexicon
	first   []int32 // of each group its first text
	texts   int
	length  []byte // of each text, and of as many more as a damaged posting may speak of
	average float64
	once    [math.MaxUint8 + 1]float64 // weight of a stem that a text of so many words has once
}

func newVocabulary(parts ...lexicon) (v vocabulary) {
	words := uint64(0)
	for _, l := range parts {
		v.parts, v.length, words = append(v.parts, l), append(v.length, l.length...), words+l.words
		for _, n := range l.size {
			v.first = append(v.first, int32(v.texts))
			v.texts += int(n)
		}
	}
	v.length = append(v.length, make([]byte, maxGroup)...)
	v.average = max(1, float64(words)/float64(max(1, v.texts)))
	for n := range v.once {
		v.once[n] = v.weight(n, 1)
	}
	return v
}

// count is how many texts have a stem.
func (v *vocabulary) count(stem string) (n int) {
	for i := range v.parts {
		n += v.parts[i].find(stem).texts
	}
	return n
}

// each calls f with postings of a stem until there are no more (see lexicon.each).
func (v *vocabulary) each(stem string, f func([]posting), often func(group int32, text, times int)) {
	from, room := 0, make([]posting, 0, postingsAtOnce)
	for i := range v.parts {
		l := &v.parts[i]
		l.each(l.find(stem), from, room, f, often)
		from += l.groups
	}
}

// bm25K and bm25B are BM25's customary parameters.
const (
	bm25K = 1.2
	bm25B = .75
)

// weight is what BM25 gives, before idf, to a text of so many words that has a stem so often.
func (v *vocabulary) weight(words, times int) float64 {
	tf := float64(times)
	return tf * (bm25K + 1) / (tf + bm25K*(1-bm25B+bm25B*float64(words)/v.average))
}

const postingsAtOnce = 256

// all gives for every stem what hands over its postings.
func (v *vocabulary) all() iter.Seq[func(func([]posting))] {
	return func(yield func(func(func([]posting))) bool) {
		room := make([]posting, 0, postingsAtOnce)
		for i := range v.parts {
			l := &v.parts[i]
			for k := range l.stems {
				each := func(f func([]posting)) { l.each(l.list(k), 0, room, f, nil) }
				if len(v.parts) > 1 {
					stem := l.stem(k)
					if slices.ContainsFunc(v.parts[:i], func(o lexicon) bool { return o.find(stem).texts > 0 }) {
						continue // came with the first part that has it
					}
					each = func(f func([]posting)) { v.each(stem, f, nil) }
				}
				if !yield(each) {
					return
				}
			}
		}
	}
}

// add adds BM25 of a stem to out, of the groups that are wanted, and calls has with each of them
// that has it.
func (v *vocabulary) add(stem string, wanted []bool, out []float32, has func(group int32)) {
	n, have := float64(v.texts), float64(v.count(stem))
	if have == 0 {
		return
	}
	idf := math.Log(1 + (n-have+.5)/(have+.5))
	var once [math.MaxUint8 + 1]float32
	for words, w := range v.once {
		once[words] = float32(idf * w)
	}
	v.each(stem, func(some []posting) {
		for _, p := range some {
			if !wanted[p.group] {
				continue
			}
			has(p.group)
			first := v.first[p.group]
			out, length := out[first:], v.length[first:]
			for b := p.texts; b != 0; b &= b - 1 {
				k := bits.TrailingZeros16(b)
				out[k] += once[length[k]]
			}
		}
	}, func(group int32, text, times int) {
		if wanted[group] {
			i := int(v.first[group]) + text
			out[i] += float32(idf*v.weight(int(v.length[i]), times)) - once[v.length[i]]
		}
	})
}

// stemmed is a stem of a text with how often it stands there.
type stemmed struct {
	stem  string
	times int32
}

// stems gives those of a text, each once, in the order in which they come.
func stems(an *text.Analyser, of string) (out []stemmed) {
	at := map[string]int{}
	for _, t := range an.Terms(of) {
		if t.Stem == "" {
			continue
		}
		if i, ok := at[t.Stem]; ok {
			out[i].times++
			continue
		}
		at[t.Stem] = len(out)
		out = append(out, stemmed{t.Stem, 1})
	}
	return out
}
