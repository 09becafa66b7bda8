package view

import (
	"cmp"
	"slices"

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

// Coverage is what the questions of a pack lead to; Withdrawn are those that the law installed does not bear out.
type Coverage struct {
	Title     string
	Facts     []fact
	Rows      []coverageRow
	Withdrawn []digest.Withdrawn
	Without   []coverageRow // norms that no question leads to
}

// CoverageOf counts what the questions of a pack lead to over the installed law.
func CoverageOf(law *corpus.Snapshot, p *pack.Pack, files []digest.File) Coverage {
	held := digest.Over(law)
	c := digest.Cover(files, held)
	page := Coverage{Title: p.Title, Withdrawn: c.Withdrawn}
	units, places, entries, asks := 0, 0, 0, 0
	seen := map[string]bool{}
	for _, n := range c.Norms {
		seen[n.Norm] = true
		units, places, entries, asks = units+n.Units, places+n.Places, entries+n.Entries, asks+n.Asks
		page.Rows = append(page.Rows, coverageRowOf(law, n))
	}
	for n := range law.Each() {
		if !seen[n.ID] && slices.Contains(n.Packs, p.Name) {
			page.Without = append(page.Without, coverageRowOf(law, digest.NormCoverage{Norm: n.ID, Units: held.Units(n.ID)}))
		}
	}
	slices.SortStableFunc(page.Rows, func(a, b coverageRow) int { return b.Share - a.Share })
	page.Facts = []fact{{"Normas", Thousands(len(page.Rows))}, {"Unidades con preguntas", Thousands(places) + " de " + Thousands(units)}, {"Asuntos", Thousands(entries)}, {"Preguntas", Thousands(asks)}}
	return page
}

func coverageRowOf(law *corpus.Snapshot, n digest.NormCoverage) coverageRow {
	norm, _ := law.Norm(n.Norm)
	return coverageRow{Title: cmp.Or(NormName(norm), n.Norm), URL: normURL(n.Norm), Places: Thousands(n.Places), Units: Thousands(n.Units), Entries: Thousands(n.Entries), Share: 100 * n.Places / max(1, n.Units)}
}
