package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
)

// WhyNot says why a unit is not among the hits of a query, or where it stands. It
// searches twice: as asked, and by words alone down to the 10,000th unit.
func (x *Index) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	w := digesto.WhyNot{Unit: unit, Notes: []string{}}
	q.Explain, q.NoTotal = false, true
	sc := x.scratch.Get().(*scratch)
	defer x.scratch.Put(sc)
	shown, err := x.snap.search(ctx, sc, &q)
	if err != nil {
		return w, err
	}
	deep := q
	deep.K, deep.Vector = maxK, nil
	all, err := x.snap.search(ctx, sc, &deep)
	if err != nil {
		return w, err
	}
	at := func(hits []digesto.Hit) int {
		return 1 + slices.IndexFunc(hits, func(h digesto.Hit) bool { return unitOf(h.ID, h.Unit) == unit })
	}
	w.Rank, w.Shown = at(all.Hits), at(shown.Hits) > 0
	if k := cmp.Or(max(0, q.K), defaultK); len(all.Hits) >= k {
		w.Least = all.Hits[k-1].Score
	}
	if err := x.snap.whyNot(sc, &q, all, &w); err != nil {
		return w, err
	}
	w.Notes = whyNotes(&w, at(shown.Hits))
	return w, nil
}

// whyNot looks at the unit's chunks with what the last search left in the scratch,
// and tells about the one that comes closest: the fewest filters against it, then
// the best score.
func (x *snapshot) whyNot(sc *scratch, q *digesto.Query, all digesto.Results, w *digesto.WhyNot) error {
	var best digesto.WhyNot
	for si, seg := range x.segs {
		docs, err := seg.findUnit(nil, w.Unit)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			v := *w
			v.Known = true
			if err := x.whyDoc(sc, q, all, si, doc, &v); err != nil {
				return err
			}
			against := func(v *digesto.WhyNot) int { return len(v.Filtered) + len(v.Absent) }
			if !best.Known || cmp.Or(cmp.Compare(against(&best), against(&v)), cmp.Compare(v.Score, best.Score)) > 0 {
				best = v
			}
		}
	}
	if best.Known {
		*w = best
	}
	return nil
}

func (x *snapshot) whyDoc(sc *scratch, q *digesto.Query, all digesto.Results, si, doc int, w *digesto.WhyNot) error {
	seg := x.segs[si]
	id, err := seg.id(nil, doc)
	if err != nil {
		return err
	}
	w.ID = string(id)
	has := map[int]bool{}
	score, err := x.score(sc, int32(si), int32(doc), func(term int, tf uint32, score float64) {
		t := &sc.terms[term]
		has[term] = true
		w.Terms = append(w.Terms, digesto.TermShare{Term: t.name(), Field: t.kind.String(), TF: int(tf), IDF: t.idf, Score: score})
	})
	if err != nil {
		return err
	}
	for i := range sc.terms {
		if t := &sc.terms[i]; t.own && t.kind == KindStem && !has[i] {
			w.Missing = append(w.Missing, t.name())
		}
	}
	norm := seg.norm(doc)
	w.Score = Raise(score, all, norm != "" && slices.Contains(q.Norms, norm), slices.Contains(q.Units, w.Unit))
	for _, t := range RequiredTerms(new(text.Analyser), *q) {
		b := sc.bits(seg)
		if err := seg.termBits(sc, b, t); err != nil {
			return err
		}
		if !passes(b, doc) {
			w.Absent = append(w.Absent, t.Text)
		}
	}
	if len(q.Vector) > 0 && x.dim() > 0 {
		scale, err := x.askVector(sc, q.Vector)
		if err == nil && sc.query != nil {
			w.Cosine, err = seg.cosine(sc, doc, scale)
		}
		if err != nil {
			return err
		}
	}
	w.Filtered, err = x.filteredBy(sc, &q.Filter, si, doc)
	return err
}

// filteredBy gives the fields of a filter that keep a document out, with the
// document's own values there.
func (x *snapshot) filteredBy(sc *scratch, f *digesto.Filter, si, doc int) (map[string][]string, error) {
	out := map[string][]string{}
	seg := x.segs[si]
	for field, allowed := range f.In {
		b, err := x.mask(sc, si, &digesto.Filter{In: map[string][]string{field: allowed}, Wider: f.Wider, History: true})
		if err != nil {
			return nil, err
		}
		if !passes(b, doc) {
			if out[field], err = seg.values(field, doc); err != nil {
				return nil, err
			}
		}
	}
	b, err := x.mask(sc, si, &digesto.Filter{AsOf: f.AsOf, History: f.History})
	if err != nil {
		return nil, err
	}
	if f.AsOf != "" && !passes(b, doc) || f.AsOf == "" && seg.meta.History && !f.History {
		from, to := seg.days(doc)
		out["as_of"] = []string{string(from), string(to)}
	}
	return out, nil
}

// values gives what a document has in a filter field.
func (s *segment) values(field string, doc int) (out []string, err error) {
	i, _ := slices.BinarySearch(s.filterNames, field+"\x00")
	for ; i < len(s.filterNames); i++ {
		value, ok := strings.CutPrefix(s.filterNames[i], field+"\x00")
		if !ok {
			break
		}
		r, err := s.filter(field, value)
		if err != nil {
			return nil, err
		}
		if value != "" && r.ContainsInt(doc) {
			out = append(out, value)
		}
	}
	return out, nil
}

// whyNotes says it in sentences; place is where the unit is among the hits shown, 0 = not.
func whyNotes(w *digesto.WhyNot, place int) (out []string) {
	note := func(parts ...string) { out = append(out, strings.Join(parts, "")) }
	if place > 0 {
		note("Sí está: es el resultado ", strconv.Itoa(place), ".")
	}
	if !w.Known {
		note("Ningún fragmento de ", w.Unit, " está en el índice: compruebe el identificador (norma/unidad) o instale esa norma.")
	}
	for _, f := range slices.Sorted(maps.Keys(w.Filtered)) {
		v := w.Filtered[f]
		switch {
		case f == "as_of":
			note("No estaba en vigor en la fecha pedida, o no es texto vigente (desde ", cmp.Or(v[0], "fecha no conocida"), " hasta ", cmp.Or(v[1], "fecha no conocida"), ").")
		case len(v) == 0:
			note("La excluye el filtro ", f, ": no tiene ningún valor en ese campo.")
		default:
			note("La excluye el filtro ", f, ": tiene ", strings.Join(v, ", "), ".")
		}
	}
	if len(w.Absent) > 0 {
		note("Le falta lo exigido: ", strings.Join(w.Absent, ", "), ".")
	}
	if w.Known && len(w.Terms) == 0 {
		note("No comparte ninguna palabra con la pregunta.")
	} else if len(w.Missing) > 0 {
		note("No contiene estas palabras de la pregunta (raíces): ", strings.Join(w.Missing, ", "), ".")
	}
	if place == 0 && w.Rank > 0 {
		note("Por palabras queda en el puesto ", strconv.Itoa(w.Rank), " con ", decimal(w.Score), " puntos; el último mostrado tiene ", decimal(w.Least), ".")
	}
	return out
}

// decimal writes a score with two decimals and a comma.
func decimal(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 2, 64), ".", ",", 1)
}

// name is the term as explanations write it.
func (t *queryTerm) name() string {
	if t.kind == KindBigram {
		return t.a + " " + t.b
	}
	return t.a
}
