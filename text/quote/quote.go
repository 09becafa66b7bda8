package quote

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Match is the place of a quotation, in code points of the text.
type Match struct{ Start, End int }

// Text is a text made ready for many searches. It is immutable, and safe for any number of goroutines.
type Text struct {
	source, chars string
	once          sync.Once // where the characters come from is found out when they hold a quotation
	units         []unit
	at            []int32 // for each 64 bytes of chars, the unit in which they begin
}

// Prepare makes s ready for many searches.
func Prepare(s string) *Text { return &Text{source: s, chars: Plain(s)} }

// place finds out where the characters come from.
func (t *Text) place() {
	t.units = canonical(t.source, true).units
	t.at = make([]int32, 0, len(t.chars)/64+1)
	u := int32(-1)
	for i := range len(t.chars) {
		if utf8.RuneStart(t.chars[i]) {
			u++
		}
		if i%64 == 0 {
			t.at = append(t.at, u)
		}
	}
}

// unitAt gives the unit that begins at byte b.
func (t *Text) unitAt(b int) int {
	u := int(t.at[b/64])
	from := b / 64 * 64
	for from > 0 && !utf8.RuneStart(t.chars[from]) {
		from--
	}
	return u + utf8.RuneCountInString(t.chars[from:b])
}

// Find gives the first place where quote stands in text; false if it stands nowhere.
func Find(text, quote string) (Match, bool) { return Prepare(text).Find(quote) }

// FindAll gives every place where quote stands in text, without overlap, in order.
func FindAll(text, quote string) []Match { return Prepare(text).FindAll(quote) }

// Needle is a quotation made ready to be looked for in many texts. It is immutable.
type Needle struct{ form }

// Ready makes a quotation ready to be looked for in many texts.
func Ready(quote string) Needle { return Needle{canonical(quote, true)} }

// Plain gives the characters of a text in the form in which they are compared: what does
// not hold those of a quotation does not hold the quotation.
func Plain(s string) string { return canonical(s, false).chars }

// In says whether a text, given by [Plain], holds the characters of the quotation.
func (q Needle) In(plain string) bool { return strings.Contains(plain, q.chars) }

// All gives every place where a quotation stands, without overlap, in order.
func (t *Text) All(q Needle) []Match { return t.find(q.form, -1) }

// Find gives the first place where quote stands; false if it stands nowhere.
func (t *Text) Find(quote string) (Match, bool) {
	all := t.find(canonical(quote, true), 1)
	if len(all) == 0 {
		return Match{}, false
	}
	return all[0], true
}

// FindAll gives every place where quote stands, without overlap, in order.
func (t *Text) FindAll(quote string) []Match { return t.find(canonical(quote, true), -1) }

// find looks for the characters with strings.Index, which is linear, and then proves
// each candidate. Proofs that fail late could make a hostile text quadratic: their
// whole work is bounded, and what is not proved within it is not found.
func (t *Text) find(q form, limit int) (out []Match) {
	if len(q.units) == 0 || !strings.Contains(t.chars, q.chars) {
		return nil
	}
	t.once.Do(t.place)
	work := 64*(len(t.units)+len(q.units)) + 1<<16
	for from := 0; limit != 0 && work > 0; {
		i := strings.Index(t.chars[from:], q.chars)
		if i < 0 {
			return out
		}
		b := from + i
		u := t.unitAt(b)
		same, steps := t.proves(u, q.units)
		work -= steps + 64
		if !same {
			_, n := utf8.DecodeRuneInString(t.chars[b:])
			from = b + n
			continue
		}
		out = append(out, Match{int(t.units[u].start), int(t.units[u+len(q.units)-1].end)})
		from = b + len(q.chars)
		limit--
	}
	return out
}

// proves checks what the characters alone do not say: edges and hyphens.
func (t *Text) proves(u int, q []unit) (bool, int) {
	end := u + len(q)
	if t.cuts(u, q[0]) || t.cuts(end, q[len(q)-1]) {
		return false, 1
	}
	for i := 1; i < len(q); i++ {
		if a, b := t.units[u+i].hyphen, q[i].hyphen; a != b && a != optional && b != optional {
			return false, i
		}
	}
	return true, len(q)
}

// cuts reports that the border before unit u goes through a word or number; side is
// the quotation's unit at that border.
func (t *Text) cuts(u int, side unit) bool {
	if u <= 0 || u >= len(t.units) {
		return false
	}
	before, after := t.units[u-1], t.units[u]
	if !side.word { // "8." of 8.804, ",50" of 8,50
		return after.digit && u >= 2 && t.units[u-2].digit && t.isPoint(u-1) || before.digit && u+1 < len(t.units) && t.units[u+1].digit && t.isPoint(u)
	}
	if before.word && after.word {
		// A hyphen at the border is an edge only if it stays in the text.
		return after.hyphen != hard
	}
	if !side.digit { // an edge beside a point or comma matters to numbers alone
		return false
	}
	if before.digit && u+1 < len(t.units) && t.units[u+1].digit {
		return t.isPoint(u)
	}
	if after.digit && u >= 2 && t.units[u-2].digit {
		return t.isPoint(u - 1)
	}
	return false
}

// isPoint reports a decimal point or comma, or a separator of thousands.
func (t *Text) isPoint(u int) bool {
	c := t.charAt(u)
	return c == '.' || c == ','
}

// charAt gives the first byte of unit u.
func (t *Text) charAt(u int) byte {
	block := sort.Search(len(t.at), func(i int) bool { return int(t.at[i]) > u }) - 1
	b := block * 64
	for b > 0 && !utf8.RuneStart(t.chars[b]) {
		b--
	}
	for k := int(t.at[block]); k < u; k++ {
		_, n := utf8.DecodeRuneInString(t.chars[b:])
		b += n
	}
	return t.chars[b]
}
