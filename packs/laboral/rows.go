package laboral

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"digesto"
	"digesto/pack"
)

// RowsNorm is the id of the tables as citable texts.
const RowsNorm = "laboral-reglas"

const reviewed = digesto.Date("2026-11-21")

// Fiches gives the rows of the tables as citable texts, in words of ours, never
// official: what a calculation stands on when the law is not installed.
func (c *Calc) Fiches() []pack.Fiche {
	const title = "Reglas y cifras de cálculo laboral"
	f := pack.Fiche{ID: RowsNorm, Title: title, File: "laboral/data", Norm: digesto.Norm{
		ID: RowsNorm, Title: title + " (" + pack.Label + ")", Short: title, Rank: pack.FicheRank, Jurisdiction: "es", Collection: pack.FicheCollection,
		Packs: []string{"laboral"}, TextAsOf: reviewed, URL: "https://www.boe.es",
		Source: "Tabla «" + title + "» de Digesto (no es el texto oficial)", Format: digesto.FormatTable,
	}}
	for _, s := range c.rows() {
		if s.row != "" && s.Text != "" {
			addRow(&f, s, "")
		}
	}
	for _, x := range c.figures {
		addRow(&f, x.source(), x.From)
	}
	return []pack.Fiche{f}
}

// rows are the sources that have a row of their own, besides the figures.
func (c *Calc) rows() []Source {
	out := []Source{formerRule, scaleRule, holidayRule, bonusRule, settleRule, durationRule, amountRule}
	for _, r := range c.severance {
		out = append(out, r.source())
	}
	for _, d := range c.deadlines {
		out = append(out, d.at)
	}
	return out
}

// compared is the unit whose figures the row restates.
func (s Source) compared() string {
	if s.core == "" {
		return ""
	}
	return s.Unit
}

// addRow adds a row. The row of a figure that no longer holds stays citable: its
// own words say from when to when it held.
func addRow(f *pack.Fiche, s Source, from digesto.Date) {
	year := ""
	if len(from) >= 4 {
		year = string(from[:4])
	}
	sum := sha256.Sum256([]byte(s.Text))
	f.Units = append(f.Units, digesto.Unit{Norm: f.Norm.ID, ID: s.row, Kind: digesto.KindTable, Number: s.row[1:], Label: "Fila", Rubric: s.Place,
		Path: []string{f.Title}, Versions: []digesto.Version{{ID: "1", Text: s.Text, ValidFrom: from, Current: true, Notes: []string{pack.Label + "."},
			Refs: []digesto.Reference{{Norm: s.Norm, Name: s.Place, Unit: s.Unit}}, SHA256: hex.EncodeToString(sum[:])}}})
	f.Facts = append(f.Facts, pack.Fact{Unit: s.row, Ask: s.Place, Text: cmp.Or(s.core, s.Text), Norm: s.Norm, Place: s.compared(), Ref: s.Place, URL: f.Norm.URL, Reviewed: reviewed, Year: year})
}
