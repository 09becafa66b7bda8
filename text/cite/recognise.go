package cite

import (
	"slices"
	"strings"

	"digesto/text"
)

// Recognised are the norms that a question names, with its text for retrieval.
type Recognised struct {
	Norms  []string // ids, in their order
	Weak   bool     // by weak names alone: the matter of a law as likely as the law
	Struck string   // the question without their names, or whole where that leaves nothing
}

// Recognise gives the norms that a question names, and the question with their names
// struck, dates and official titles included: when the law is known, its name only draws
// words to the wrong article.
//
// Norms that are not installed are left alone: their names are words like others.
//
// A weak name (an organ that is also the name of a law) counts only when no other
// norm is named, and stays in the question. A question that is nothing but a
// name is not struck.
func (t *Table) Recognise(question string) Recognised {
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	b.toks, b.raw = scan(b.toks[:0], b.raw, question, 0, len(question), t.opens)
	toks := b.toks
	var found, weak []int32
	var cuts [][2]int // words
	for i := 0; i < len(toks); {
		n, ok := t.normAt(toks, i, besideUnit(toks, i), question)
		if ok && !n.relative {
			n.norms = t.installed(n.norms)
		}
		if !ok || n.relative || len(n.norms) == 0 {
			i = max(i+1, n.to)
			continue
		}
		if n.origin == fromWeak || n.origin == fromTail && !t.distinctive(toks, n) {
			if !lawWordBefore(toks, i) && (n.origin == fromWeak || !besideUnit(toks, i)) {
				if n.origin == fromWeak { // two words of a title's end ("jurisdicción social") are a matter, not a norm
					weak = append(weak, n.norms...)
				}
				i = n.to
				continue
			}
		}
		found = append(found, n.norms...)
		end := t.extend(toks, n)
		cuts = append(cuts, [2]int{t.opening(toks, i), end})
		i = end
	}
	if len(found) == 0 {
		return Recognised{Norms: t.ids(weak), Weak: len(weak) > 0, Struck: question}
	}
	return Recognised{Norms: t.ids(found), Struck: strike(question, toks, cuts)}
}

// ids gives those of norms, each once.
func (t *Table) ids(norms []int32) (out []string) {
	for _, n := range norms {
		if id := t.norms[n].id; !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// installed keeps the norms that can be searched.
func (t *Table) installed(norms []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(norms), func(n int32) bool { return !t.norms[n].installed })
}

// besideUnit reports that a unit's number or "artículo" stands just before word i:
// "art. 38 et", "artículo del ET".
func besideUnit(toks []tok, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if connector(toks[k].w) {
			continue
		}
		_, _, n := head(toks, k)
		return n > 0 || isDigits(toks[k].w)
	}
	return false
}

// distinctive reports that the end of a title is long enough to mean the norm by itself.
func (t *Table) distinctive(toks []tok, n named) bool {
	words := 0
	for _, k := range toks[n.from:n.to] {
		if !connector(k.w) {
			words++
		}
	}
	return words >= 3
}

// extend gives the word after the date and the official title that follow a recognised norm.
func (t *Table) extend(toks []tok, n named) int {
	end := n.to + dateAt(toks, n.to)
	title := t.norms[n.norms[0]].title
	at := 0
	for k, miss := end, 0; k < len(toks) && at < len(title) && miss < 3; k++ {
		if toks[k].sep == '?' || toks[k].sep == ';' {
			break
		}
		if _, next := rankAt(toks, k); next > 0 && next < len(toks) && isDigits(toks[next].w) {
			break // another norm begins
		}
		if opener(toks[k].w) {
			continue
		}
		j := indexFrom(title, at, toks[k].w)
		if j < 0 || j > at+6 {
			break
		}
		at, end = j+1, k+1
	}
	return end
}

// opener reports words that join a norm's number to its title.
func opener(w string) bool {
	switch w {
	case "por", "que", "se", "aprueba", "regula", "establece", "publica", "reguladora", "regulador", "sobre", "texto", "refundido":
		return true
	}
	return connector(w)
}

func indexFrom(words []string, from int, w string) int {
	for i := from; i < len(words); i++ {
		if words[i] == w {
			return i
		}
	}
	return -1
}

// opening takes in the words for a norm that stand before a name: "texto refundido de la Ley …".
func (t *Table) opening(toks []tok, i int) int {
	start := i
	for k := i - 1; k >= 0 && k >= i-6; k-- {
		if toks[k+1].sep != 0 {
			break
		}
		switch toks[k].w {
		case "texto", "refundido", "ley", "vigente", "citada", "citado", "organica", "real", "decreto", "legislativo", "reguladora", "tr", "unico", "ordenado":
			start = k
			continue
		}
		if !connector(toks[k].w) {
			break
		}
	}
	return start
}

// strike takes the cut words out, unless nothing to search for would stay.
func strike(s string, toks []tok, cuts [][2]int) string {
	left := 0
	var b strings.Builder
	at, w := 0, 0
	for _, c := range cuts {
		left += contentWords(toks[w:c[0]])
		b.WriteString(s[at:toks[c[0]].start])
		at, w = toks[c[1]-1].end, c[1]
	}
	left += contentWords(toks[w:])
	b.WriteString(s[at:])
	if left == 0 {
		return s
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// contentWords counts the words that say what is asked.
func contentWords(toks []tok) (n int) {
	for _, t := range toks {
		switch t.w {
		case "que", "dice", "regula", "establece", "segun", "acuerdo", "conformidad", "articulo", "art", "cual", "es", "ley", "norma", "dispone", "contiene", "trata":
			continue
		}
		if !text.IsStop(t.w) && !isDigits(t.w) {
			n++
		}
	}
	return n
}

// remember notes the norm named last, and as the last of its rank.
func (f *finder) remember(n named) {
	f.last, f.lastToks, f.hasLast = n, f.toks[n.from:n.to], true
	if class, k := rankAt(f.toks, n.from); k > 0 {
		if f.ranks == nil {
			f.ranks = map[string]named{}
		}
		f.ranks[class] = n
	}
}

// isOf says whether the norm named last is of a class by its title, though it was named
// by an acronym: "el mismo código" after "CPX".
func (f *finder) isOf(class string) bool {
	if len(f.last.norms) == 0 || len(f.lastToks) > 3 || !f.lastToks[0].caps {
		return false
	}
	n := f.t.norms[f.last.norms[0]]
	return n.rank == class || (class == "codigo" || class == "estatuto") && slices.Contains(n.title, class)
}

// before gives the norm that words such as "dicha Ley" or "del Decreto Legislativo
// antes citado" point back to: the one named last, unless it is of another rank and
// one of theirs was named before it.
func (f *finder) before(class string) named {
	p, ok := f.ranks[class]
	if !ok || f.isOf(class) {
		return f.last
	}
	for _, w := range strings.Fields(class) {
		if !slices.ContainsFunc(f.lastToks, func(t tok) bool { return t.w == w }) {
			return p
		}
	}
	return f.last
}
