package cite

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/text"
)

// buffers are reused between calls.
type buffers struct {
	toks []tok
	raw  []text.Token
}

var pool = sync.Pool{New: func() any { return new(buffers) }}

// Find gives the citations of s in order of place. It never fails: what it cannot
// read is no citation.
func (t *Table) Find(s string) []Mention {
	list, _, _ := t.FindSome(context.Background(), s, math.MaxInt) // that context has no end
	return list
}

// A text is read in windows, so that one of megabytes takes no more memory for its words
// than one of some pages.
const (
	window = 1 << 17 // bytes in which citations begin
	ahead  = 1 << 14 // bytes behind it, in which they go on
	back   = 16      // words before it that they look back to
)

// FindSome is Find of a text that may have more citations than most: then it gives those
// up to byte read, which is less than the length of s. Its error is that of ctx.
func (t *Table) FindSome(ctx context.Context, s string, most int) (list []Mention, read int, err error) {
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	f := finder{t: t, s: s, count: runes{s: s}, cited: map[string]named{}}
	from, at, i := 0, 0, 0 // bytes from which words are known and read, and the word to read
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		to := wordBreak(s, at+window+ahead)
		b.toks, b.raw = scan(b.toks[:0], b.raw, s, from, to, t.opens)
		f.toks = b.toks
		for i < len(f.toks) && (to == len(s) || f.toks[i].start < at+window || len(f.pending) > 0) {
			if len(f.out) >= most {
				return f.out, f.toks[i].start, nil
			}
			i = f.at(i)
		}
		if to == len(s) {
			break
		}
		from, at, i = f.forget(i, to)
	}
	f.flush(named{}, false)
	return f.out, len(s), nil
}

// wordBreak gives the first place from a byte on where no word goes on.
func wordBreak(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	if k := strings.IndexAny(s[at:], " \n\t"); k >= 0 {
		return at + k
	}
	return len(s)
}

// forget lets go of the words before word i, but for those that are looked back to, and
// of nothing that they said. It gives from where words are known and read next, and the
// word to read then; to is where these words end.
func (f *finder) forget(i, to int) (from, at, next int) {
	if i >= len(f.toks) {
		f.flush(named{}, false)
	}
	f.lastToks = slices.Clone(f.lastToks)
	f.last.name = f.nameOf(f.last)
	for k, n := range f.ranks {
		n.name = f.nameOf(n)
		f.ranks[k] = n
	}
	for k, n := range f.cited {
		n.name = f.nameOf(n)
		f.cited[k] = n
	}
	if len(f.toks) == 0 {
		return to, to, 0
	}
	i = min(i, len(f.toks))
	first := max(0, i-back)
	f.after -= first
	if i == len(f.toks) {
		return f.toks[min(first, i-1)].start, to, i - first
	}
	return f.toks[first].start, f.toks[i].start, i - first
}

// finder is the state of one Find.
type finder struct {
	t       *Table
	s       string
	toks    []tok
	pending []unitRef // units that wait for the norm that may follow
	ends    int       // word after the last pending unit
	last    named     // the last norm named, for "dicha ley"
	// lastToks are the words of its name.
	lastToks []tok
	hasLast  bool
	ranks    map[string]named // and the last of each rank
	ownLast  bool             // the norm at hand was named after it
	out      []Mention
	count    runes
	kind     digesto.UnitKind // of the last unit cited with its norm
	after    int              // word after that citation
	cited    map[string]named // norm with which a unit was cited last
}

// at reads what stands at word i and gives the next word to read.
func (f *finder) at(i int) int {
	if next := f.another(i); next > 0 {
		return next
	}
	if next := f.heading(i); next > 0 {
		return next
	}
	if units, next := f.units(i); next > 0 {
		if len(f.pending) > 0 && !f.joins(f.ends, i) {
			f.flush(named{}, false)
		}
		f.pending, f.ends = append(f.pending, units...), next
		if n, ok := f.normAfter(next); ok {
			f.flush(n, true)
			f.kind, f.after = units[len(units)-1].kind, f.past(n)
			return f.after
		}
		if w := f.wordAt(i - 1); (w == "su" || w == "sus") && f.hasLast { // "la Ley 5/2001, salvo su artículo 3"
			f.flush(named{previous: true, to: next}, true)
		}
		return next
	}
	beside := false
	n, ok := f.t.normAt(f.toks, i, false, f.s)
	if f.toks[i].node > 0 && (!ok || n.origin >= fromTail) {
		if b, found := f.t.normAt(f.toks, i, true, f.s); found { // only beside a unit
			if _, _, follows := f.unitAfterNorm(b.to); follows {
				n, ok, beside = b, true, true
			}
		}
	}
	if !ok || (n.origin == fromWeak || n.origin == fromTail) && !beside && !lawWordBefore(f.toks, i) {
		if n, ok := f.strange(i); ok {
			f.flush(named{}, false)
			return f.norm(n)
		}
		return i + 1
	}
	f.flush(named{}, false)
	return f.norm(n)
}

// another reads "y 40 de la LGSS" after "artículo 38 del ET": a number whose word was said before.
func (f *finder) another(i int) int {
	if f.kind == "" || i != f.after || i+1 >= len(f.toks) {
		return 0
	}
	k := i
	if w := f.toks[i].w; w == "y" || w == "e" || w == "o" || w == "u" {
		k++
	} else if f.toks[i].sep != ',' {
		return 0
	}
	for k < len(f.toks) && (f.toks[k].w == "el" || f.toks[k].w == "los" || f.toks[k].w == "del") {
		k++
	}
	if k >= len(f.toks) || !isDigits(f.toks[k].w) {
		return 0
	}
	var list []unitRef
	next := k
	for len(list) < 16 {
		u, to := itemAt(f.toks, next, f.kind, f.s)
		if to == 0 {
			return 0
		}
		list, next = append(list, u), to
		if next+1 < len(f.toks) && (f.toks[next].w == "y" || f.toks[next].w == "e") && isDigits(f.toks[next+1].w) {
			next++
		} else {
			break
		}
	}
	n, ok := f.normAfter(next)
	if !ok || n.relative {
		return 0
	}
	f.pending = append(f.pending, list...)
	f.flush(n, true)
	f.after = f.past(n)
	return f.after
}

// heading passes over the heading of an article set into the text: at the start
// of a line or quotation, in capitals or with its separator ("«Artículo 5. Luz.", "ART. 3º.-").
func (f *finder) heading(i int) int {
	t := f.toks[i]
	if t.w != "articulo" && t.w != "art" || !t.capital || i+1 >= len(f.toks) || !isDigits(f.toks[i+1].w) {
		return 0
	}
	before := strings.TrimRight(f.s[:t.start], " \t\u00a0")
	if quoted := strings.TrimRight(before, "«“\"'‘"); quoted == before && before != "" && !strings.HasSuffix(before, "\n") {
		return 0
	}
	k := i + 1
	for k+1 < len(f.toks) && k < i+3 && f.toks[k+1].sep == 0 && Suffix(f.toks[k+1].w) {
		k++
	}
	rest := strings.TrimLeft(f.s[f.toks[k].end:], "º°ª ")
	for _, sep := range []string{".-", ".–", ".—", ". -", ".- ", ". –", ". —", "- ", "— ", "– ", ":"} {
		if strings.HasPrefix(rest, sep) {
			return k + 1
		}
	}
	if r := strings.TrimPrefix(rest, ". "); r != rest && r != "" && (r[0] >= 'A' && r[0] <= 'Z' || r[0] >= 0x80) {
		return k + 1
	}
	return 0
}

// past gives the word after a norm's date and official title, which are part of its name.
func (f *finder) past(n named) int {
	if n.relative || len(n.norms) == 0 {
		return n.to
	}
	return f.t.extend(f.toks, n)
}

// units reads units at word i, with the detail that may stand before them.
func (f *finder) units(i int) ([]unitRef, int) {
	if h, end := detailBefore(f.toks, i, f.s); h > 0 {
		if units, next := unitsAt(f.toks, h, f.s); next > 0 {
			d := written(f.toks, i, end, f.s)
			if units[0].detail != "" {
				d += " " + units[0].detail
			}
			units[0].detail, units[0].from = d, i
			return units, next
		}
	}
	return unitsAt(f.toks, i, f.s)
}

// joins reports that only "y", "," or the like stands between two groups of units.
func (f *finder) joins(from, to int) bool {
	if to-from > 5 {
		return false
	}
	for _, t := range f.toks[from:to] {
		switch t.w {
		case "y", "e", "o", "u", "ni", "la", "el", "los", "las", "en", "de", "del", "asi", "como":
		default:
			return false
		}
	}
	sep := f.toks[to].sep
	return sep == 0 || sep == ',' || sep == '\n'
}

// normAfter finds the norm to which the units before word i belong: "de la LGSS",
// "ET", "del citado Código", "del Título Preliminar del …".
func (f *finder) normAfter(i int) (named, bool) {
	linked := false
	for k := i; k < len(f.toks) && k < i+12; k++ {
		t := f.toks[k]
		if t.sep == ';' || t.sep == '?' || t.sep == ':' || t.sep == '.' && (linked || k > i || !t.caps) && !lowerAt(f.s, t.start) {
			return named{}, false
		}
		if t.sep == ',' && linked && k > i+1 {
			return named{}, false
		}
		if n, ok := f.t.normAt(f.toks, k, true, f.s); ok && (linked || k == i && n.origin != fromTail) {
			if t.sep == ',' && !linked && n.relative {
				return named{}, false
			}
			return f.approved(n), true
		}
		if linked {
			if n, ok := f.same(k); ok {
				return n, true
			}
			if class, n := rankAt(f.toks, k); n > 0 && n < len(f.toks) && (backward(f.toks[n].w) || f.toks[n].w == "antes" && n+1 < len(f.toks) && backward(f.toks[n+1].w)) && f.toks[n].sep == 0 {
				return named{from: k, to: n, previous: true, relative: true, class: class}, true // "del Decreto Legislativo antes citado"
			}
			if n, ok := f.unknown(k); ok {
				return f.approved(n), true
			}
		}
		switch t.w {
		case "de", "del", "en":
			linked = true
		case "y", "concordantes", "siguientes":
			if t.w != "y" {
				continue
			}
			next := f.wordAt(k + 1)
			letter := len(next) == 1 && strings.HasPrefix(f.s[f.toks[k+1].end:], ")") // "17.1.g) y h) de la Ley…"
			if next != "concordantes" && next != "siguientes" && !letter {
				return named{}, false
			}
			if letter {
				k++
			}
		case "la", "el", "los", "las", "citado", "citada", "vigente", "mencionado", "mencionada", "referido", "referida", "propio", "propia", "nuestro", "nuestra", "texto", "tuo",
			"titulo", "preliminar", "tp", "capitulo", "respectivamente", "inclusive", "refundido", "ordenado", "unico", "seccion", "libro", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "nuevo", "mismo", "misma", "actual":
		default:
			return named{}, false
		}
	}
	return named{}, false
}

// unknown reads the name of a text that the table does not know: a noun for a
// document in capitals and the capitalised words after it. Without it "artículo 5 del
// Tratado de X" would be taken for article 5 of the law at hand.
func (f *finder) unknown(i int) (named, bool) {
	_, n := rankAt(f.toks, i)
	if n == 0 && documentNoun(f.toks[i].w) {
		n = i + 1
	}
	if n == 0 || lowerAt(f.s, f.toks[i].start) {
		return named{}, false
	}
	m := named{from: i, to: n, origin: fromTail}
	for k := n; k < len(f.toks) && k < i+14 && (f.toks[k].sep == 0 || f.toks[k].sep == '\n' || f.toks[k].sep == '-'); k++ {
		if gap := f.s[f.toks[k-1].end:f.toks[k].start]; strings.Contains(gap, "\n\n") || strings.Contains(gap, ".\n") {
			break
		}
		if !lowerAt(f.s, f.toks[k].start) {
			m.to = k + 1
		} else if !connector(f.toks[k].w) {
			break
		}
	}
	return m, true
}

// strange reads a text that the table does not know and that a unit follows: "Carta de
// los Puertos Libres, art. 31". Without it that would be article 31 of the law at hand.
func (f *finder) strange(i int) (named, bool) {
	m, ok := f.unknown(i)
	if !ok || m.to < i+2 || m.to >= len(f.toks) || f.toks[m.to].sep != ',' && f.toks[m.to].sep != '(' {
		return m, false
	}
	if w := f.toks[m.to].w; w != "art" && w != "arts" && w != "articulo" && w != "articulos" || f.toks[m.to].sep == ',' && f.toks[m.to].capital {
		return m, false
	}
	_, _, follows := f.unitAfterNorm(m.to)
	return m, follows
}

// same reads "de la misma", "del mismo": the norm named last, or the one at hand if
// that was spoken of last.
func (f *finder) same(k int) (named, bool) {
	if w := f.toks[k].w; w != "misma" && w != "mismo" || !f.hasLast && !f.ownLast {
		return named{}, false
	}
	if k+1 < len(f.toks) && f.toks[k+1].sep == 0 && (documentNoun(f.toks[k+1].w) || f.toks[k+1].w == "articulo" || f.toks[k+1].w == "cuerpo") {
		return named{}, false
	}
	return named{from: k, to: k + 1, previous: !f.ownLast, relative: true}, true
}

// approved takes the number of the norm that approved a text into its name: "texto
// refundido de la Ley de Prueba, aprobado por el Real Decreto Legislativo 1/1994". It
// says which of several texts of one name is meant.
func (f *finder) approved(n named) named {
	if n.relative || n.origin == fromID && len(n.norms) > 0 {
		return n
	}
	k := n.to
	for k < len(f.toks) && k < n.to+4 && f.toks[k].sep != ';' && !strings.HasPrefix(f.toks[k].w, "aprobad") {
		if f.toks[k].sep != 0 && f.toks[k].sep != ',' && f.toks[k].sep != '\n' || !connector(f.toks[k].w) && f.toks[k].w != "que" && f.toks[k].w != "fue" {
			return n
		}
		k++
	}
	if k+1 >= len(f.toks) || !strings.HasPrefix(f.toks[k].w, "aprobad") || f.toks[k+1].w != "por" && f.toks[k+1].w != "mediante" {
		return n
	}
	for k += 2; k < len(f.toks) && connector(f.toks[k].w); k++ {
	}
	m, ok := f.t.numberAt(f.toks, k)
	if !ok {
		return n
	}
	m.from = n.from
	return m
}

// lowerAt reports a small letter: the full stop before it ends an abbreviation, no sentence.
func lowerAt(s string, b int) bool { return s[b] >= 'a' && s[b] <= 'z' }

// lawWordBefore reports that the word before i, connectors aside, is one for a norm.
func lawWordBefore(toks []tok, i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		if connector(toks[k].w) || toks[k].w == "reguladora" || toks[k].w == "organica" {
			continue
		}
		return documentNoun(toks[k].w) && toks[k].w != "normas" // "las normas de procedimiento administrativo común" are no one law
	}
	return false
}

// norm reads a norm and the units that may follow it: "Ley 9459, art. 70", "ET (arts. 15 y 16)".
func (f *finder) norm(n named) int {
	n = f.approved(n)
	if n.previous && f.hasLast {
		p := f.before(n.class)
		n.norms, n.id, n.origin, n.relative, n.name = p.norms, p.id, p.origin, false, f.nameOf(p)
	} else if n.previous {
		if _, _, ok := f.unitAfterNorm(n.to); !ok {
			return n.to // and nothing of it is cited
		}
		n.relative = false // named before this text begins: not known, and surely not the norm at hand
	} else if !n.relative {
		f.remember(n)
	}
	if units, next, ok := f.unitAfterNorm(n.to); ok {
		if own, ok := f.normAfter(next); !ok || own.relative || (f.toks[next].sep == ',' || f.toks[next].sep == '\n') && own.from == next {
			f.pending, f.ends = units, next
			f.pending[0].from = n.from
			f.emitNormFirst(n)
			return f.furtherUnits(n, next)
		}
	}
	f.emit(unitRef{from: n.from, end: n.to}, n, n.from, n.to)
	if w := f.toks[n.from].w; len(w) > 4 && w[len(w)-1] == 's' {
		return f.more(n)
	}
	return f.past(n)
}

// more reads the further numbers of a list: "Leyes Nros. 15.336, 24.065 y N.º 24.076".
func (f *finder) more(n named) int {
	class, after := rankAt(f.toks, n.from)
	if after == 0 || n.relative {
		return f.past(n)
	}
	at := n.to
	for at+1 < len(f.toks) {
		k := f.aside(at)
		k += dateAt(f.toks, k)
		if k+1 >= len(f.toks) {
			break
		}
		if w := f.toks[k].w; w == "y" || w == "e" || w == "o" {
			k++
		} else if f.toks[k].sep != ',' {
			break
		}
		from := k
		key, to := numberAfterRank(f.toks, k, class)
		if f.toks[k].sep == ',' { // numberAfterRank takes no number after a comma
			t := f.toks[k]
			f.toks[k].sep = 0
			key, to = numberAfterRank(f.toks, k, class)
			f.toks[k] = t
		}
		if to == 0 || measure(f.wordAt(to)) {
			break
		}
		m := f.t.numbered(key, class)
		m.from, m.to = from, to
		f.emit(unitRef{from: from, end: to}, m, from, to)
		at = to
	}
	if at == n.to {
		return f.past(n)
	}
	return at
}

// aside gives the word after the remark in brackets at i that says which edition of
// a text is meant: "(t.o. 2004)".
func (f *finder) aside(i int) int {
	if i >= len(f.toks) || f.toks[i].sep != '(' || f.toks[i].w != "to" && f.toks[i].w != "texto" && !(f.toks[i].w == "t" && f.wordAt(i+1) == "o") {
		return i
	}
	for k := i; k < len(f.toks) && k < i+6; k++ {
		if end := f.toks[k].end; end < len(f.s) && f.s[end] == ')' {
			return k + 1
		}
	}
	return i
}

func (f *finder) wordAt(i int) string {
	if i >= 0 && i < len(f.toks) {
		return f.toks[i].w
	}
	return ""
}
