package cite

import (
	"slices"
	"strings"
)

// named is a norm recognised in a row of words.
type named struct {
	from, to int     // words
	norms    []int32 // candidates, best first; none = a norm the table does not know
	id       string  // identifier of an unknown norm when the text itself gives it
	origin   origin
	name     string // of a norm named before, when this only points to it
	relative bool   // "esta Ley", "el presente Reglamento"
	previous bool   // "dicha Ley", "la citada Orden": the norm named before
	class    string // of rank, that such words give
}

// normAt recognises the norm named at word i; ok is false if there is none. beside says that
// a unit stands next to it, which lets short acronyms and weak names count.
func (t *Table) normAt(toks []tok, i int, beside bool, s string) (n named, ok bool) {
	n, ok = t.nameAt(toks, i, beside)
	if _, rank := rankAt(toks, i); rank > 0 {
		if m, found := t.numberAt(toks, i); found && m.to > n.to {
			n, ok = m, true
		}
		if !ok || n.origin >= fromTitle {
			if m, found := t.titled(toks, i); found && m.to > n.to {
				n, ok = m, true
			}
		}
	}
	if m, found := identifierAt(toks, i, s); found && m.to > n.to && !ok {
		if at, known := t.byID[m.id]; known {
			m.norms = []int32{at}
		}
		n, ok = m, true
	}
	if !ok {
		n, ok = relativeAt(toks, i)
		if ok && !n.previous && n.relative { // "el presente Código de Prueba", in a text that another quotes
			if m, found := t.nameAt(toks, i+1, true); found && m.to > n.to && m.origin < fromTail {
				m.from = i
				return m, true
			}
		}
	}
	return n, ok
}

// nameAt finds the longest name of the table that begins at word i.
func (t *Table) nameAt(toks []tok, i int, beside bool) (best named, ok bool) {
	node := toks[i].node
	for k := i; node > 0 && k < len(toks) && k < i+60; k++ {
		if k > i {
			if stopsName(toks[k].sep) {
				break
			}
			if connector(toks[k].w) {
				continue
			}
			node = t.edges[int64(node)<<32|int64(t.words[toks[k].w])]
		}
		if list := t.names[node]; len(list) > 0 {
			if m, fits := t.meaning(list, toks[i:k+1], beside); fits {
				m.from, m.to = i, k+1
				best, ok = m, true
			}
		}
	}
	return best, ok
}

// stopsName reports a mark that no name goes across.
func stopsName(sep byte) bool {
	return sep == ';' || sep == '?' || sep == '!' || sep == '(' || sep == ':'
}

// shortWeak is the length up to which a weak name counts in capitals only.
const shortWeak = 3

// meaning chooses among the entries of a name.
func (t *Table) meaning(list []entry, written []tok, beside bool) (named, bool) {
	var m named
	first := fromID
	for _, e := range list {
		if !t.inScope(e.juris) {
			continue
		}
		if e.origin == fromAcronym && !beside && connector(written[0].w) {
			continue // "LAS PERSONAS": a heading in capitals
		}
		if e.origin == fromAcronym && !written[0].caps && (!beside || connector(written[0].w)) {
			continue // "artículo 48, las enunciadas": no acronym
		}
		if e.origin == fromWeak && !beside && len(written) == 1 && len(written[0].w) <= shortWeak && !written[0].caps {
			continue // "le podemos descontar": a pronoun, no law
		}
		if len(m.norms) > 0 && e.origin > first {
			break
		}
		if len(m.norms) == 0 {
			m.origin, first = e.origin, e.origin
			if e.origin == fromWord && !beside && !written[0].capital {
				m.origin = fromWeak
			}
		}
		if !slices.Contains(m.norms, e.norm) {
			m.norms = append(m.norms, e.norm)
		}
	}
	return m, len(m.norms) > 0
}

// numberAt recognises a rank with its number: "Ley 39/2015", "D.S. N.º 133-2013-EF".
func (t *Table) numberAt(toks []tok, i int) (named, bool) {
	class, n := rankAt(toks, i)
	if n == 0 || actAt(toks, i) {
		return named{}, false
	}
	key, to := numberAfterRank(toks, n, class)
	if to == 0 {
		if d := fullDateAt(toks, n); d > 0 && toks[i].capital { // "Orden de 13 de febrero de 1967"
			return named{from: i, to: n + d}, true
		}
		return named{}, false
	}
	m := t.numbered(key, class)
	m.from, m.to = i, to
	t.keepDated(&m, dayKey(toks, to))
	return m, true
}

// keepDated leaves, of several norms with one number, those of the day written behind it.
func (t *Table) keepDated(m *named, day string) {
	if len(m.norms) < 2 || day == "" {
		return
	}
	var same []int32
	for _, n := range m.norms {
		if t.norms[n].enacted == day {
			same = append(same, n)
		}
	}
	if len(same) > 0 {
		m.norms = same
	}
}

// titled recognises a norm by a number at the end of its name: "Ley de Bases de Prueba N° 27.742".
func (t *Table) titled(toks []tok, i int) (named, bool) {
	class, n := rankAt(toks, i)
	if n == 0 || actAt(toks, i) || !toks[i].capital || n >= len(toks) || !connector(toks[n].w) {
		return named{}, false
	}
	for k := n; k < len(toks) && k < n+24; k++ {
		if s := toks[k].sep; s != 0 && s != '\n' && s != '-' && !(s == ',' && marksNumber(toks[k].w)) {
			return named{}, false
		}
		if !marksNumber(toks[k].w) && !(len(toks[k].w) == 6 && toks[k].w[2] == '.') {
			continue
		}
		key, to := numberAfterRank(toks, k, class)
		if to == 0 {
			return named{}, false
		}
		m := t.numbered(key, class)
		m.from, m.to = i, to
		return m, true
	}
	return named{}, false
}

// actAt reports what an authority decides in a case, which has a number too and is no
// norm: "Resolución de Multa N° 5", "Orden de Pago N° 7".
func actAt(toks []tok, i int) bool {
	if w := toks[i].w; w != "resolucion" && w != "resoluciones" && w != "orden" && w != "ordenes" || i+2 >= len(toks) || toks[i+1].w != "de" && toks[i+1].w != "del" {
		return false
	}
	switch toks[i+2].w {
	case "intendencia":
		return i+3 >= len(toks) || toks[i+3].w != "nacional"
	case "multa", "determinacion", "cumplimiento", "pago", "ejecucion", "fiscalizacion", "embargo", "perdida", "cobranza", "liquidacion", "sancion", "archivo", "servicio", "compra":
		return true
	case "oficina", "division", "seccion":
		return toks[i].w[0] == 'r'
	}
	return false
}

// marksNumber reports a word that says that a number follows.
func marksNumber(w string) bool {
	switch w {
	case "n", "no", "nro", "num", "nº", "nos", "nums", "nros":
		return true
	}
	return false
}

// numbered gives the norms of a class that have a number.
func (t *Table) numbered(key, class string) (m named) {
	for _, e := range t.numbers[key] {
		if t.inScope(e.juris) && (compatible(class, t.norms[e.norm].rank) || t.norms[e.norm].formal != "" && compatible(class, t.norms[e.norm].formal)) && !slices.Contains(m.norms, e.norm) {
			m.norms = append(m.norms, e.norm)
		}
	}
	for _, e := range t.numbers[class+" "+key] { // by an alias of that rank and number
		if t.inScope(e.juris) && !slices.Contains(m.norms, e.norm) {
			m.norms = append(m.norms, e.norm)
		}
	}
	t.preferExact(m.norms, class)
	return m
}

// preferExact puts the norm whose rank is the one written first, those in force before the repealed.
func (t *Table) preferExact(norms []int32, class string) {
	slices.SortStableFunc(norms, func(a, b int32) int {
		score := func(n int32) (v int) {
			if t.norms[n].rank != class {
				v += 2
			}
			if t.norms[n].repealed {
				v++
			}
			return v
		}
		return score(a) - score(b)
	})
}

// identifierAt recognises the public schemes of identifiers, for norms that are not
// installed too: official journal ids (BOE-A-2015-11430), ECLI, ELI.
func identifierAt(toks []tok, i int, s string) (named, bool) {
	switch w := toks[i].w; {
	case w == "ecli" && i+3 < len(toks) && toks[i+1].sep == ':':
		k := i + 1
		for k < len(toks) && k < i+6 && k > i && s[toks[k-1].end:toks[k].start] == ":" || k < len(toks) && k > i+3 && k < i+8 && s[toks[k-1].end:toks[k].start] == "." {
			k++
		}
		return named{from: i, to: k, id: strings.ToUpper(s[toks[i].start:toks[k-1].end])}, k >= i+5
	case w == "eli" && i+2 < len(toks) && toks[i+1].sep == '/':
		k := i + 1
		for k < len(toks) && k < i+9 && (s[toks[k-1].end:toks[k].start] == "/" || s[toks[k-1].end:toks[k].start] == "-") {
			k++
		}
		return named{from: i, to: k, id: eliKey(s[toks[i].start:toks[k-1].end])}, k >= i+3
	case (w == "boe" || w == "doue" || w == "celex") && i+2 < len(toks) && toks[i+1].sep == '-' && len(toks[i+1].w) == 1 && isDigits(toks[i+2].w):
		return named{from: i, to: i + 3, id: strings.ToUpper(s[toks[i].start:toks[i+2].end])}, true
	}
	return named{}, false
}

// eliKey brings the forms of an ELI (full address, path, path without "eli/") to one; "" if s is none.
func eliKey(s string) string {
	s = strings.ToUpper(strings.TrimRight(s, "/"))
	if i := strings.Index(s, "ELI/"); i >= 0 {
		return s[i:]
	}
	if strings.Count(s, "/") >= 3 && !strings.Contains(s, ":") {
		return "ELI/" + s
	}
	return ""
}

func isDigits(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

// numeralAt reports a Roman numeral.
func numeralAt(w string) bool { return w != "" && strings.Trim(w, "ivxl") == "" }

// relativeAt recognises "esta ley", "el presente reglamento", "la misma norma", "dicha orden".
func relativeAt(toks []tok, i int) (named, bool) {
	if i+1 >= len(toks) || toks[i+1].sep > 0 && toks[i+1].sep != '\n' {
		return named{}, false
	}
	m := named{from: i, relative: true}
	switch toks[i].w {
	case "esta", "este", "presente", "estas":
	case "dicha", "dicho", "citada", "citado", "referida", "referido", "mencionada", "mencionado", "misma", "mismo", "aquella", "aquel", "esa", "ese", "indicada", "indicado":
		m.previous = true
	default:
		return named{}, false
	}
	k := i + 1
	if toks[k].w == "misma" || toks[k].w == "mismo" {
		k++
	}
	if class, n := rankAt(toks, k); n > 0 && !strings.HasPrefix(toks[k].w, "disposicion") {
		if _, to := numberAfterRank(toks, n, class); to > 0 && m.previous {
			return named{}, false // "la citada Ley 10/2022" says which
		}
		if w := toks[k].w; toks[i].w != "presente" && (w == "resolucion" || w == "acuerdo" || w == "decision") {
			return named{}, false // mostly what an organ has decided in the case at hand
		}
		m.to, m.class = n, class
		return m, true
	}
	if k+1 < len(toks) && toks[k].w == "norma" && m.previous && numeralAt(toks[k+1].w) {
		return named{}, false // "la citada Norma VII" is a unit
	}
	if k < len(toks) && (toks[k].w == "texto" || toks[k].w == "norma" || toks[k].w == "convenio" || toks[k].w == "cuerpo") {
		m.to = k + 1
		if m.to < len(toks) && (toks[m.to].w == "refundido" || toks[m.to].w == "legal" || toks[m.to].w == "normativo" || toks[m.to].w == "colectivo") {
			m.to++
		}
		return m, true
	}
	return named{}, false
}
