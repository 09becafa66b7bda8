package cite

import (
	"strings"
)

// unitAfterNorm reads units that follow a norm directly.
func (f *finder) unitAfterNorm(i int) ([]unitRef, int, bool) {
	k := i + dateAt(f.toks, i)
	remark := k
	k = f.aside(k)
	closed := k > remark // the bracket that ends before k was opened behind the norm
	i = k
	for ; k < len(f.toks) && k < i+10; k++ {
		t := f.toks[k]
		if t.sep == ';' || t.sep == '?' || t.sep == '.' && k > i || !(closed && k == i) && leavesBracket(f.s[f.toks[k-1].end:t.start]) {
			return nil, 0, false
		}
		if units, next := f.units(k); next > 0 && !units[0].relative && (t.sep != 0 || k > i || t.w == "art" || t.w == "articulo" || t.caps) {
			return units, next, true
		}
		switch t.w {
		case "en", "su", "sus", "el", "los", "la", "las", "concretamente":
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// leavesBracket reports that a gap closes a bracket that it did not open.
func leavesBracket(gap string) bool {
	return strings.Count(gap, ")") > strings.Count(gap, "(")
}

// furtherUnits reads what a list after a norm goes on with: "Ley 5/2001, art. 4, numeral 1, y art. 16".
func (f *finder) furtherUnits(n named, i int) int {
	for i+1 < len(f.toks) {
		k := i
		if w := f.toks[k].w; w == "y" || w == "e" {
			k++
		} else if f.toks[k].sep != ',' {
			break
		}
		if w := f.toks[k].w; w != "art" && w != "arts" {
			break
		}
		units, next := f.units(k)
		if next == 0 || units[0].relative {
			break
		}
		if _, ok := f.normAfter(next); ok {
			break
		}
		for _, u := range units {
			f.emit(u, n, u.from, u.end)
		}
		i = next
	}
	return i
}

// emitNormFirst gives out the pending units, cited after norm n.
func (f *finder) emitNormFirst(n named) {
	for i, u := range f.pending {
		from := u.from
		if i == 0 {
			from = n.from
		}
		f.emit(u, n, from, u.end)
	}
	f.pending = f.pending[:0]
}

// flush gives out the pending units with the norm that follows them, if any.
func (f *finder) flush(n named, ok bool) {
	if ok && n.previous && f.hasLast {
		p, to := f.before(n.class), n.to
		name := f.nameOf(p)
		n = p
		n.from, n.to, n.name = to-1, to, name
	} else if ok && n.previous {
		n.relative = false
	} else if ok && !n.relative {
		f.remember(n)
	}
	for i, u := range f.pending {
		if p, known := f.pointed(u); !ok && known {
			f.emit(u, p, u.from, u.end)
			continue
		}
		end := u.end
		if ok && i == len(f.pending)-1 {
			end = n.to
		}
		f.emit(u, n, u.from, end)
	}
	f.pending = f.pending[:0]
}

// emit adds the mention of words from … to.
func (f *finder) emit(u unitRef, n named, from, to int) {
	start, end := f.toks[from].start, f.toks[to-1].end
	if end < len(f.s) && f.s[end] == ')' && u.end == to && strings.HasSuffix(u.detail, ")") {
		if d := written(f.toks, from, to, f.s); len(d) > end-start {
			end++
		}
	}
	m := Mention{Text: f.s[start:end], Kind: u.kind, Number: u.number, To: u.to, Detail: u.detail, Relative: n.relative || u.relative}
	m.Start = f.count.count(start)
	m.End = f.count.count(end)
	if u.kind != "" && !u.relative {
		m.Unit = UnitID(u.kind, u.number)
	}
	if n.to > n.from {
		f.ownLast = n.relative
		m.Name = f.nameOf(n)
		m.Norm, m.Also = f.t.resolve(n)
		if m.Unit != "" {
			f.cited[m.Unit] = n
		}
	}
	f.out = append(f.out, m)
}

// nameOf gives the norm as written, where it was named.
func (f *finder) nameOf(n named) string {
	if n.name != "" || n.to <= n.from {
		return n.name
	}
	return f.s[f.toks[n.from].start:f.toks[n.to-1].end]
}

// pointed gives the norm of a unit that is said to have been cited before: "el citado
// artículo 6", "el artículo 6 mencionado en el párrafo anterior".
func (f *finder) pointed(u unitRef) (named, bool) {
	if u.relative || u.kind == "" || !backward(f.wordAt(u.from-1)) && !backward(f.wordAt(u.end)) {
		return named{}, false
	}
	n, ok := f.cited[UnitID(u.kind, u.number)]
	if !ok || n.relative {
		return named{}, false
	}
	n.name, n.from, n.to = f.nameOf(n), u.from, u.end
	return n, true
}

func backward(w string) bool {
	switch w {
	case "citado", "mencionado", "referido", "aludido", "indicado", "citados", "mencionados", "referidos", "citada", "mencionada", "referida", "aludida", "indicada":
		return true
	}
	return false
}

// resolve gives the norm meant, or the candidates when a name means several.
func (t *Table) resolve(n named) (id string, also []string) {
	switch {
	case len(n.norms) == 0:
		return n.id, nil
	case len(n.norms) == 1 || n.origin == fromID && n.id == "" && t.norms[n.norms[0]].rank != t.norms[n.norms[1]].rank:
		return t.norms[n.norms[0]].id, nil
	}
	for _, k := range n.norms {
		also = append(also, t.norms[k].id)
	}
	return "", also
}
