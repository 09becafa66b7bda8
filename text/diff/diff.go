// Package diff compares two wordings of one legal text, word by word.
package diff

import (
	"strings"
	"unicode"
)

// Op says where a piece of text stands.
type Op int

// The operations, from the older text to the newer.
const (
	Delete Op = -1 // only in the older
	Equal  Op = 0  // in both
	Insert Op = 1  // only in the newer
)

// Piece is a run of words with one operation. White space belongs to the word
// before it, so that the pieces of one side, joined, are that side's text.
type Piece struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// maxWords bounds the words compared of each side between the common beginning
// and end; longer texts are shown as replaced whole. The work and the memory
// grow with the product of both sides.
const maxWords = 3000

// Words gives the pieces that lead from a to b: the longest common beginning
// and end are taken off, and the rest aligned by the longest common
// subsequence of words. The words of Delete and Equal pieces joined are a,
// those of Equal and Insert pieces b, but for the white space of equal words,
// which is b's.
func Words(a, b string) []Piece {
	x, y := split(a), split(b)
	head := 0
	for head < len(x) && head < len(y) && same(x[head], y[head]) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && same(x[len(x)-1-tail], y[len(y)-1-tail]) {
		tail++
	}
	var out pieces
	out.add(Equal, y[:head]...)
	out.align(x[head:len(x)-tail], y[head:len(y)-tail])
	out.add(Equal, y[len(y)-tail:]...)
	return out
}

// split cuts a text into words, each with the white space that follows it.
func split(s string) []string {
	var out []string
	start, space := 0, false
	for i, r := range s {
		if sp := unicode.IsSpace(r); sp {
			space = true
		} else if space {
			out = append(out, s[start:i])
			start, space = i, false
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// same compares words without the white space behind them.
func same(a, b string) bool {
	return strings.TrimRightFunc(a, unicode.IsSpace) == strings.TrimRightFunc(b, unicode.IsSpace)
}

type pieces []Piece

// add appends words, joining them to a piece of the same operation.
func (p *pieces) add(op Op, words ...string) {
	if len(words) == 0 {
		return
	}
	text := strings.Join(words, "")
	if n := len(*p); n > 0 && (*p)[n-1].Op == op {
		(*p)[n-1].Text += text
		return
	}
	*p = append(*p, Piece{op, text})
}

// align walks the table of longest common subsequences.
func (p *pieces) align(x, y []string) {
	if len(x) == 0 || len(y) == 0 || len(x) > maxWords || len(y) > maxWords {
		p.add(Delete, x...)
		p.add(Insert, y...)
		return
	}
	// rest[i*w+j] is the length of the longest common subsequence of x[i:], y[j:].
	w := len(y) + 1
	rest := make([]uint16, (len(x)+1)*w)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if same(x[i], y[j]) {
				rest[i*w+j] = rest[(i+1)*w+j+1] + 1
			} else {
				rest[i*w+j] = max(rest[(i+1)*w+j], rest[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case same(x[i], y[j]):
			p.add(Equal, y[j])
			i, j = i+1, j+1
		case rest[(i+1)*w+j] >= rest[i*w+j+1]:
			p.add(Delete, x[i])
			i++
		default:
			p.add(Insert, y[j])
			j++
		}
	}
	p.add(Delete, x[i:]...)
	p.add(Insert, y[j:]...)
}

// Changed counts the words that go in and out.
func Changed(ps []Piece) (in, out int) {
	for _, p := range ps {
		n := len(strings.Fields(p.Text))
		switch p.Op {
		case Insert:
			in += n
		case Delete:
			out += n
		}
	}
	return in, out
}
