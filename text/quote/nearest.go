package quote

import (
	"strings"
	"unicode/utf8"

	"digesto/text"
)

// lcsCells bounds the table of the word alignment (words of the quotation × words of the window).
const lcsCells = 1 << 20

// Nearest gives the passage of text that is most like quote, and how like it is: the
// share of words in common order (0–1, the Dice coefficient over the longest common
// subsequence of folded words). It helps people to see what a wrong quotation may have
// meant; it never proves one. A text without any word of the quotation gives 0.
func Nearest(text_, quote string) (Match, float64) {
	var l Lexicon
	return l.Nearest(l.Words(text_), l.Words(quote), 0)
}

// Lexicon numbers words, so that texts that are compared again and again are compared by
// numbers. It serves one goroutine; the zero value is empty.
type Lexicon struct {
	ids   map[string]int32
	want  []int32 // of each word, how often the quotation compared now has it
	table []int32 // of the alignment, kept for the next one
}

// Words is a text cut into words once.
type Words struct {
	text string
	ids  []int32
	at   [][2]int32 // bytes
}

// Len gives the number of words.
func (w *Words) Len() int { return len(w.ids) }

// Text is what they were cut from.
func (w *Words) Text() string { return w.text }

// Words cuts a text into words; it is compared with those of the same lexicon alone.
func (l *Lexicon) Words(s string) *Words {
	if l.ids == nil {
		l.ids = map[string]int32{}
	}
	toks := text.Tokens(nil, s)
	w := &Words{s, make([]int32, len(toks)), make([][2]int32, len(toks))}
	for i, t := range toks {
		id, known := l.ids[t.Text]
		if !known {
			id = int32(len(l.ids))
			l.ids[strings.Clone(t.Text)] = id
		}
		w.ids[i], w.at[i] = id, [2]int32{int32(t.Start), int32(t.End)}
	}
	return w
}

// Nearest is [Nearest] of a text and a quotation cut into words. A passage that cannot be
// more like the quotation than least is not looked for: then it gives 0.
func (l *Lexicon) Nearest(t, q *Words, least float64) (Match, float64) {
	if len(q.ids) == 0 || len(t.ids) == 0 {
		return Match{}, 0
	}
	from, to, most := l.window(t.ids, q.ids)
	if from < 0 {
		return Match{}, 0
	}
	score := 0.0
	if len(q.ids)*(to-from) <= lcsCells {
		if 2*float64(most)/float64(most+len(q.ids)) <= least {
			return Match{}, 0
		}
		a := l.align(t.ids[from:to], q.ids)
		score = a.score
		from, to = stretched(t, from+a.first, from+a.last+1, a.before, a.behind)
	} else {
		score = l.shared(t.ids[from:to], q.ids)
	}
	first, last := t.at[from][0], t.at[to-1][1]
	start := utf8.RuneCountInString(t.text[:first])
	return Match{start, start + utf8.RuneCountInString(t.text[first:last])}, score
}

// wants counts the words of a quotation in l.want, which is nothing but zeros before.
func (l *Lexicon) wants(q []int32) {
	if n := len(l.ids); len(l.want) < n {
		l.want = make([]int32, n+n/2)
	}
	for _, w := range q {
		l.want[w]++
	}
}

// wantsNothing puts the zeros back.
func (l *Lexicon) wantsNothing(words ...[]int32) {
	for _, list := range words {
		for _, w := range list {
			l.want[w] = 0
		}
	}
}

// window gives the words w[from:to], as many as q has, that share most words with q, and
// how many they share.
func (l *Lexicon) window(w, q []int32) (from, to, most int) {
	l.wants(q)
	defer l.wantsNothing(q, w)
	// A word that the window has more often than the quotation is below zero in want.
	size := min(len(w), len(q)+len(q)/4+1)
	have := 0
	from = -1
	for i, x := range w {
		if i >= size {
			out := w[i-size]
			if l.want[out]++; l.want[out] > 0 {
				have--
			}
		}
		if l.want[x]--; l.want[x] >= 0 {
			have++
		}
		if have > most {
			most, from = have, max(0, i-size+1)
		}
	}
	return from, min(len(w), from+size), most
}

// alignment is the longest common subsequence of the words of a text and a quotation:
// the Dice coefficient over the span of the text from its first to its last common word,
// that span, and how many words of the quotation stand before and behind it.
type alignment struct {
	score          float64
	first, last    int
	before, behind int
}

// align finds it, in the latest of the places where it can begin.
func (l *Lexicon) align(w, q []int32) (a alignment) {
	cols := len(q) + 1
	if n := (len(w) + 1) * cols; cap(l.table) < n {
		l.table = make([]int32, n)
	}
	table := l.table[:(len(w)+1)*cols]
	clear(table[len(w)*cols:])
	for i := range w {
		table[i*cols+cols-1] = 0
	}
	for i := len(w) - 1; i >= 0; i-- {
		for j := len(q) - 1; j >= 0; j-- {
			if w[i] == q[j] {
				table[i*cols+j] = table[(i+1)*cols+j+1] + 1
			} else {
				table[i*cols+j] = max(table[(i+1)*cols+j], table[i*cols+j+1])
			}
		}
	}
	if table[0] == 0 {
		return a
	}
	for (a.first+1)*cols < len(table) && table[(a.first+1)*cols] == table[0] {
		a.first++
	}
	found := false
	for i, j := a.first, 0; i < len(w) && j < len(q); {
		switch {
		case w[i] == q[j]:
			if !found {
				a.first, a.before, found = i, j, true
			}
			a.last, a.behind = i, len(q)-1-j
			i, j = i+1, j+1
		case table[(i+1)*cols+j] >= table[i*cols+j+1]:
			i++
		default:
			j++
		}
	}
	a.score = 2 * float64(table[0]) / float64(a.last-a.first+1+len(q))
	return a
}

// stretched takes in the words that stand in the text where the quotation has its first and
// last ones, as many and within the sentence: those that it has got wrong.
func stretched(t *Words, from, to, before, behind int) (int, int) {
	gap := func(i int) string { return t.text[t.at[i-1][1]:t.at[i][0]] }
	for ; before > 0 && from > 0 && !strings.ContainsAny(gap(from), ".;:)\n"); before-- {
		from--
	}
	for ; behind > 0 && to < len(t.ids) && !strings.ContainsAny(gap(to), ".;:)\n"); behind-- {
		to++
	}
	return from, to
}

// shared gives the Dice coefficient of two bags of words.
func (l *Lexicon) shared(w, q []int32) float64 {
	l.wants(q)
	defer l.wantsNothing(q, w)
	n := 0
	for _, x := range w {
		if l.want[x]--; l.want[x] >= 0 {
			n++
		}
	}
	return 2 * float64(n) / float64(len(w)+len(q))
}
