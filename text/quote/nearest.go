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
	q := text.Tokens(nil, quote)
	w := text.Tokens(nil, text_)
	if len(q) == 0 || len(w) == 0 {
		return Match{}, 0
	}
	from, to := window(w, q)
	if from < 0 {
		return Match{}, 0
	}
	score := 0.0
	if len(q)*(to-from) <= lcsCells {
		a := align(w[from:to], q)
		score = a.score
		from, to = stretched(text_, w, from+a.first, from+a.last+1, a.before, a.behind)
	} else {
		score = shared(w[from:to], q)
	}
	start := utf8.RuneCountInString(text_[:w[from].Start])
	return Match{start, start + utf8.RuneCountInString(text_[w[from].Start:w[to-1].End])}, score
}

// window gives the words w[from:to], as many as q has, that share most words with q.
func window(w, q []text.Token) (from, to int) {
	want := make(map[string]int, len(q))
	for _, t := range q {
		want[t.Text]++
	}
	size := min(len(w), len(q)+len(q)/4+1)
	have, best := 0, 0
	from = -1
	for i, t := range w {
		if i >= size {
			if out := w[i-size].Text; contains(want, out) {
				want[out]++
				if want[out] > 0 {
					have--
				}
			}
		}
		if n, ok := want[t.Text]; ok {
			if n > 0 {
				have++
			}
			want[t.Text] = n - 1
		}
		if have > best {
			best, from = have, max(0, i-size+1)
		}
	}
	return from, min(len(w), from+size)
}

func contains(m map[string]int, k string) bool { _, ok := m[k]; return ok }

// alignment is the longest common subsequence of the words of a text and a quotation:
// the Dice coefficient over the span of the text from its first to its last common word,
// that span, and how many words of the quotation stand before and behind it.
type alignment struct {
	score          float64
	first, last    int
	before, behind int
}

// align finds it, in the latest of the places where it can begin.
func align(w, q []text.Token) (a alignment) {
	cols := len(q) + 1
	table := make([]int32, (len(w)+1)*cols)
	for i := len(w) - 1; i >= 0; i-- {
		for j := len(q) - 1; j >= 0; j-- {
			if w[i].Text == q[j].Text {
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
		case w[i].Text == q[j].Text:
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
func stretched(s string, w []text.Token, from, to, before, behind int) (int, int) {
	for ; before > 0 && from > 0 && !strings.ContainsAny(s[w[from-1].End:w[from].Start], ".;:)\n"); before-- {
		from--
	}
	for ; behind > 0 && to < len(w) && !strings.ContainsAny(s[w[to-1].End:w[to].Start], ".;:)\n"); behind-- {
		to++
	}
	return from, to
}

// shared gives the Dice coefficient of two bags of words.
func shared(w, q []text.Token) float64 {
	bag := make(map[string]int, len(q))
	for _, t := range q {
		bag[t.Text]++
	}
	n := 0
	for _, t := range w {
		if bag[t.Text] > 0 {
			bag[t.Text]--
			n++
		}
	}
	return 2 * float64(n) / float64(len(w)+len(q))
}
