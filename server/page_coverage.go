package server

import (
	"cmp"
	"net/http"
	"slices"

	"digesto"
	"digesto/corpus"
	"digesto/digest"
	"digesto/pack"
)

// coverageRow is one norm of a pack: how many of its units questions lead to.
type coverageRow struct {
	Title, URL             string
	Places, Units, Entries string
	Share                  int // per cent
}

type coveragePage struct {
	Title     string
	Facts     []fact
	Rows      []coverageRow
	Withdrawn []digest.Withdrawn
	Without   []coverageRow // norms that no question leads to
}

// pageCoverage says to which units of each norm of a pack the program's own questions
// lead, and which of them are withdrawn over the installed law.
func (s *Server) pageCoverage(w http.ResponseWriter, r *http.Request) {
	k := slices.IndexFunc(s.opt.Packs, func(p *pack.Pack) bool { return p.Name == r.PathValue("pack") })
	if k < 0 || s.opt.Find == nil {
		s.fail(w, r, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ningún ámbito que se llame así", Hint: "Elija uno de los de la página del corpus."})
		return
	}
	law, done, err := s.textView()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer done()
	p := s.opt.Packs[k]
	files, err := s.opt.Find.Files(p.Name)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	held := digest.Over(law.Snapshot)
	c := digest.Cover(files, held)
	page := coveragePage{Title: p.Title, Withdrawn: c.Withdrawn}
	units, places, entries, asks := 0, 0, 0, 0
	seen := map[string]bool{}
	for _, n := range c.Norms {
		seen[n.Norm] = true
		units, places, entries, asks = units+n.Units, places+n.Places, entries+n.Entries, asks+n.Asks
		page.Rows = append(page.Rows, coverageRowOf(law.Snapshot, n))
	}
	for n := range law.Snapshot.Each() {
		if !seen[n.ID] && slices.Contains(n.Packs, p.Name) {
			page.Without = append(page.Without, coverageRowOf(law.Snapshot, digest.NormCoverage{Norm: n.ID, Units: held.Units(n.ID)}))
		}
	}
	slices.SortStableFunc(page.Rows, func(a, b coverageRow) int { return b.Share - a.Share })
	page.Facts = []fact{{"Normas", thousands(len(page.Rows))}, {"Unidades con preguntas", thousands(places) + " de " + thousands(units)}, {"Asuntos", thousands(entries)}, {"Preguntas", thousands(asks)}}
	s.page(w, r, http.StatusOK, "coverage", "Preguntas que llevan a la ley: "+p.Title, page)
}

func coverageRowOf(law *corpus.Snapshot, n digest.NormCoverage) coverageRow {
	norm, _ := law.Norm(n.Norm)
	return coverageRow{Title: cmp.Or(normName(norm), n.Norm), URL: normURL(n.Norm), Places: thousands(n.Places), Units: thousands(n.Units), Entries: thousands(n.Entries), Share: 100 * n.Places / max(1, n.Units)}
}
