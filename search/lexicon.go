package search

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"digesto/text"
)

// lexicon holds the words of short texts for BM25 (Robertson and Zaragoza, 2009), read in
// place, little endian:
//
//	uint32 texts, uint32 stems, uint64 words of all texts
//	texts × uint8            words of each, at most 255
//	(stems+1) × uint32 twice where the letters of a stem begin, where its postings do; stems are sorted
//	letters
//	postings: of a stem, uvarint how many; of each, uvarint 2·distance to the text before (+1 where it
//	has the stem oftener than once: then uvarint how often)
type lexicon struct {
	texts, stems     int
	words            uint64
	length           []byte
	letters, posts   []byte
	letterAt, postAt []byte
}

const lexiconHead = 16

// makeLexicon writes the lexicon of n texts.
func makeLexicon(n int, textOf func(int) string) []byte {
	lists, length, words := postings(n, textOf)
	stems := slices.Sorted(maps.Keys(lists))
	var letters, posts []byte
	letterAt, postAt := []byte{}, []byte{}
	for _, s := range stems {
		letterAt = binary.LittleEndian.AppendUint32(letterAt, uint32(len(letters)))
		postAt = binary.LittleEndian.AppendUint32(postAt, uint32(len(posts)))
		letters = append(letters, s...)
		posts = appendPostings(posts, lists[s])
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(n))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(stems)))
	out = binary.LittleEndian.AppendUint64(out, words)
	out = append(out, length...)
	out = binary.LittleEndian.AppendUint32(append(out, letterAt...), uint32(len(letters)))
	out = binary.LittleEndian.AppendUint32(append(out, postAt...), uint32(len(posts)))
	return slices.Concat(out, letters, posts)
}

// posting is a text and how often it has a stem.
type posting struct{ text, times int32 }

func postings(n int, textOf func(int) string) (lists map[string][]posting, length []byte, words uint64) {
	lists, length = map[string][]posting{}, make([]byte, n)
	var an text.Analyser
	for i := range n {
		count := 0
		for _, t := range an.Terms(textOf(i)) {
			if t.Stem == "" {
				continue
			}
			count++
			list := lists[t.Stem]
			if last := len(list) - 1; last >= 0 && list[last].text == int32(i) {
				list[last].times++
				continue
			}
			lists[t.Stem] = append(list, posting{int32(i), 1})
		}
		length[i] = byte(min(count, math.MaxUint8))
		words += uint64(count)
	}
	return lists, length, words
}

func appendPostings(to []byte, list []posting) []byte {
	to = binary.AppendUvarint(to, uint64(len(list)))
	last := int32(0)
	for _, p := range list {
		gap := uint64(p.text-last) << 1
		if last = p.text; p.times == 1 {
			to = binary.AppendUvarint(to, gap)
		} else {
			to = binary.AppendUvarint(binary.AppendUvarint(to, gap|1), uint64(p.times))
		}
	}
	return to
}

// readLexicon reads what makeLexicon wrote; impossible measures are an error.
func readLexicon(data []byte) (l lexicon, err error) {
	bad := fmt.Errorf("palabras de las preguntas dañadas")
	if len(data) < lexiconHead {
		return l, bad
	}
	l.texts, l.stems = int(binary.LittleEndian.Uint32(data)), int(binary.LittleEndian.Uint32(data[4:]))
	l.words = binary.LittleEndian.Uint64(data[8:])
	data = data[lexiconHead:]
	table := 4 * (l.stems + 1)
	if len(data) < l.texts+2*table {
		return l, bad
	}
	l.length, data = data[:l.texts], data[l.texts:]
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
	return l, nil
}

func at(table []byte, i int) uint32 { return binary.LittleEndian.Uint32(table[4*i:]) }

// stem gives the letters of the i-th.
func (l *lexicon) stem(i int) string {
	return string(l.letters[at(l.letterAt, i):at(l.letterAt, i+1)])
}

// find gives the postings of a stem as written, and how many they are.
func (l *lexicon) find(stem string) (list []byte, n int) {
	low, high := 0, l.stems
	for low < high {
		mid := (low + high) / 2
		switch letters := l.letters[at(l.letterAt, mid):at(l.letterAt, mid+1)]; {
		case string(letters) == stem:
			count, _ := binary.Uvarint(l.posts[at(l.postAt, mid):at(l.postAt, mid+1)])
			return l.list(mid), int(min(count, uint64(l.texts)))
		case string(letters) < stem:
			low = mid + 1
		default:
			high = mid
		}
	}
	return nil, 0
}

// list gives the postings of the i-th stem as written, without how many they are.
func (l *lexicon) list(i int) []byte {
	list := l.posts[at(l.postAt, i):at(l.postAt, i+1)]
	_, size := binary.Uvarint(list)
	return list[max(0, size):]
}

// each calls f with postings as written until there are no more, as many at once as there is room
// for, their texts counted from from.
func (l *lexicon) each(list []byte, from int32, room []posting, f func([]posting)) {
	for last := 0; len(list) > 0; {
		var some []posting
		if list, some = l.read(list, last, room[:0]); len(some) == 0 {
			return
		}
		last = int(some[len(some)-1].text)
		for k := range some {
			some[k].text += from
		}
		f(some)
	}
}

// read appends to the postings of a stem, as long as there is room, and gives what is left of
// the list. What is damaged ends it.
func (l *lexicon) read(list []byte, last int, to []posting) ([]byte, []posting) {
	i, texts := 0, l.texts
	for i < len(list) && len(to) < cap(to) {
		gap, size := uint64(list[i]), 1
		if gap >= 0x80 {
			gap, size = binary.Uvarint(list[i:])
		}
		times := uint64(1)
		if i += size; size > 0 && gap&1 == 1 {
			times, size = binary.Uvarint(list[i:])
			i += size
		}
		if last += int(gap >> 1); size <= 0 || uint(last) >= uint(texts) {
			return nil, to
		}
		to = append(to, posting{int32(last), int32(times)})
	}
	return list[i:], to
}

// vocabulary is the lexicons of all asks: those made before, and of others after them.
type vocabulary struct {
	parts   []lexicon
	length  []byte
	average float64
	once    [math.MaxUint8 + 1]float64 // weight of a stem that a text of so many words has once
}

func newVocabulary(parts ...lexicon) (v vocabulary) {
	words := uint64(0)
	for _, l := range parts {
		v.parts, v.length, words = append(v.parts, l), append(v.length, l.length...), words+l.words
	}
	v.average = max(1, float64(words)/float64(max(1, len(v.length))))
	for n := range v.once {
		v.once[n] = v.weight(n, 1)
	}
	return v
}

// count is how many texts have a stem.
func (v *vocabulary) count(stem string) (n int) {
	for i := range v.parts {
		_, k := v.parts[i].find(stem)
		n += k
	}
	return n
}

// each calls f with postings of a stem until there are no more.
func (v *vocabulary) each(stem string, f func([]posting)) {
	from, room := int32(0), make([]posting, 0, postingsAtOnce)
	for i := range v.parts {
		l := &v.parts[i]
		list, _ := l.find(stem)
		l.each(list, from, room, f)
		from += int32(l.texts)
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

const postingsAtOnce = 512

// all gives for every stem what hands over its postings.
func (v *vocabulary) all() iter.Seq[func(func([]posting))] {
	return func(yield func(func(func([]posting))) bool) {
		room := make([]posting, 0, postingsAtOnce)
		for i := range v.parts {
			l := &v.parts[i]
			for k := range l.stems {
				each := func(f func([]posting)) { l.each(l.list(k), 0, room, f) }
				if len(v.parts) > 1 {
					stem := l.stem(k)
					if slices.ContainsFunc(v.parts[:i], func(o lexicon) bool { _, n := o.find(stem); return n > 0 }) {
						continue // came with the first part that has it
					}
					each = func(f func([]posting)) { v.each(stem, f) }
				}
				if !yield(each) {
					return
				}
			}
		}
	}
}

// add adds BM25 of a stem to out, and hands its postings to also.
func (v *vocabulary) add(stem string, out []float32, also func([]posting)) {
	n, have := float64(len(v.length)), float64(v.count(stem))
	idf := math.Log(1 + (n-have+.5)/(have+.5))
	var once [math.MaxUint8 + 1]float32
	for words, w := range v.once {
		once[words] = float32(idf * w)
	}
	v.each(stem, func(list []posting) {
		for _, p := range list {
			if w := v.length[p.text]; p.times == 1 {
				out[p.text] += once[w]
			} else {
				out[p.text] += float32(idf * v.weight(int(w), int(p.times)))
			}
		}
		also(list)
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
