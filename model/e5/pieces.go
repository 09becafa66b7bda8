package e5

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// pieces are the vocabulary and the normalisation table, read where they lie in their file:
// words of four bytes, little-endian (a head; scores; ends of pieces; an open hash table of ids;
// code points, in order; ends of what they become), then the texts of pieces and of what they become.
type pieces struct {
	score, end, slots, from, toEnd words
	text, to                       string
	longest                        int     // piece, in bytes
	unknown                        float32 // cost of a character that no piece covers
	crosses                        bool    // some piece goes on beyond a space: there are no words
}

// words are numbers of four bytes; the file promises no alignment.
type words string

func (w words) len() int { return len(w) / 4 }

func (w words) at(i int) uint32 {
	b := w[4*i : 4*i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24 // one load
}

// span is text i of those that end where ends say.
func (w words) span(text string, i int) string {
	from := uint32(0)
	if i > 0 {
		from = w.at(i - 1)
	}
	return text[from:w.at(i)]
}

// The head holds the numbers of pieces, slots and code points, the longest piece, the cost of
// what is none, and whether there is one beyond a space.
const head = 6

// maxPieces bounds each of the numbers.
const maxPieces = 1 << 20

func readPieces(file string) (*pieces, error) {
	bad := invalid("vocabulario ilegible", nil)
	if len(file) < 4*head {
		return nil, bad
	}
	h, rest := words(file[:4*head]), file[4*head:]
	n, slots, k := int(h.at(0)), int(h.at(1)), int(h.at(2))
	if n <= idUnknown || max(n, slots, k) > maxPieces || slots&(slots-1) != 0 || slots <= n || len(rest) < 4*(2*n+slots+2*k) {
		return nil, bad
	}
	p := &pieces{longest: int(h.at(3)), unknown: math.Float32frombits(h.at(4)), crosses: h.at(5) != 0}
	for _, x := range []struct {
		to *words
		n  int
	}{{&p.score, n}, {&p.end, n}, {&p.slots, slots}, {&p.from, k}, {&p.toEnd, k}} {
		*x.to, rest = words(rest[:4*x.n]), rest[4*x.n:]
	}
	all, become := int(p.end.at(n-1)), 0
	if k > 0 {
		become = int(p.toEnd.at(k - 1))
	}
	if all+become != len(rest) {
		return nil, bad
	}
	p.text, p.to = rest[:all], rest[all:]
	return p, nil
}

// The hash is FNV-1a: that of a text is made from that of the text without its last byte.
const hashBasis, hashPrime = 2166136261, 16777619

func hashed(h uint32, b byte) uint32 { return (h ^ uint32(b)) * hashPrime }

// find gives the id of the piece that a text of hash h is; 0 if it is none.
func (p *pieces) find(h uint32, text []byte) int32 {
	for i := h ^ h>>15; ; i++ {
		i &= uint32(p.slots.len() - 1)
		if id := int32(p.slots.at(int(i))); id == 0 || p.end.span(p.text, int(id)) == string(text) {
			return id
		}
	}
}

func (p *pieces) scoreOf(id int32) float32 { return math.Float32frombits(p.score.at(int(id))) }

// becomes gives what a code point is mapped to; ok is false where it stays.
func (p *pieces) becomes(r rune) (to string, ok bool) {
	i := sort.Search(p.from.len(), func(i int) bool { return p.from.at(i) >= uint32(r) })
	if i == p.from.len() || p.from.at(i) != uint32(r) {
		return "", false
	}
	return p.toEnd.span(p.to, i), true
}

// PackPieces makes the file of a tokenizer from its vocabulary, one piece a line (log-probability,
// tab, piece), and its normalisation table (code point, tab, code points; hexadecimal).
func PackPieces(vocabulary, normalise string) (string, error) {
	var score, end, from, toEnd []uint32
	var text, to strings.Builder
	var ids []int32
	longest, crosses, lowest := 0, uint32(0), float32(0)
	for line := range strings.Lines(vocabulary) {
		s, piece, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		f, err := strconv.ParseFloat(s, 32)
		if !ok || err != nil || len(score) >= maxPieces/2 {
			return "", invalid("línea "+strconv.Itoa(len(score)+1)+" del vocabulario ilegible", err)
		}
		if len(score) > idUnknown && piece != "" { // the specials never match text
			ids, longest = append(ids, int32(len(score))), max(longest, len(piece))
			if strings.LastIndex(piece, space) > 0 {
				crosses = 1
			}
		}
		text.WriteString(piece)
		score, end, lowest = append(score, math.Float32bits(float32(f))), append(end, uint32(text.Len())), min(lowest, float32(f))
	}
	for line := range strings.Lines(normalise) {
		r, become, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		for i, h := range append([]string{r}, strings.Fields(become)...) {
			c, err := strconv.ParseUint(h, 16, 21)
			if !ok || err != nil || i == 0 && len(from) > 0 && uint32(c) <= from[len(from)-1] {
				return "", invalid("tabla de normalización ilegible", err)
			}
			if i == 0 {
				from = append(from, uint32(c))
			} else {
				to.WriteRune(rune(c))
			}
		}
		toEnd = append(toEnd, uint32(to.Len()))
	}
	slots := make([]uint32, 1)
	for len(slots) < 2*len(score) {
		slots = append(slots, slots...)
	}
	for _, id := range ids {
		h, start := uint32(hashBasis), end[id-1]
		for _, b := range []byte(text.String()[start:end[id]]) {
			h = hashed(h, b)
		}
		i := h ^ h>>15
		for ; slots[i&uint32(len(slots)-1)] != 0; i++ {
		}
		slots[i&uint32(len(slots)-1)] = uint32(id)
	}
	var out bytes.Buffer
	at := []uint32{uint32(len(score)), uint32(len(slots)), uint32(len(from)), uint32(longest), math.Float32bits(lowest - 10), crosses}
	_ = binary.Write(&out, binary.LittleEndian, slices.Concat(at, score, end, slots, from, toEnd)) // a buffer takes all
	return out.String() + text.String() + to.String(), nil
}
