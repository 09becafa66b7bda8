package structure

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text/cite"
)

// finish makes units of the drafts: text, versions, ids.
func (b *builder) finish() ([]digesto.Unit, []corpus.Defect) {
	home := 0 // the text in which the main series stands
	for _, d := range b.drafts {
		if d.series == b.s.Main && d.unit.Kind == digesto.KindArticle {
			home = d.segment
			break
		}
	}
	var notes []string
	for _, d := range b.drafts {
		notes = append(notes, d.Notes...)
	}
	b.far = callsFar(calls(notes))
	var kept []*draft
	for k, d := range b.drafts {
		if d.annex && len(d.Paras) == 0 && len(d.Notes) == 0 && k+1 < len(b.drafts) && b.drafts[k+1].segment == d.segment {
			continue
		}
		if b.fill(d) {
			kept = append(kept, d)
		}
	}
	if b.foreign {
		b.s.defect(line.KindForeign, "Tras la fórmula final de la norma sigue otro texto: se guarda aparte, sin vigencia")
	}
	if b.s.InPlace {
		lastOfAnnexes(kept)
	}
	assignIDs(kept, b.s.Main, home)
	return withRows(kept), b.s.defects
}

// withRows gives the units of drafts, each followed by the rows of its tables.
func withRows(drafts []*draft) []digesto.Unit {
	units := make([]digesto.Unit, 0, len(drafts))
	for _, d := range drafts {
		d.unit.Amending = heading.Amending(d.unit)
		units = append(units, d.unit)
		if !d.unit.Amending { // the consolidated text of the other norm has the table
			units = append(units, rowUnits(d.unit, d.Paras)...)
		}
	}
	return units
}

// fill makes the versions of a unit; false = it has no words at all.
func (b *builder) fill(d *draft) bool {
	known := calls(d.Notes)
	if known == nil {
		known = b.far
	} else {
		maps.Copy(known, b.far)
	}
	for i := range d.Paras {
		d.Paras[i] = cutCalls(d.Paras[i], known)
	}
	for _, lines := range d.Past {
		for i := range lines {
			lines[i] = cutCalls(lines[i], known)
		}
	}
	body, pages, notes := dating.Compose(d.Paras)
	d.Notes = append(d.Notes, notes...)
	v := digesto.Version{ID: VersionID(b.s.norm), Text: body, Pages: pages, Current: true, Notes: d.Notes, Defects: d.defects}
	if v.Text == "" {
		v.Text = d.unit.Rubric
		if v.Text == "" && len(d.Notes) > 0 {
			v.Text, v.Notes = strings.Trim(d.Notes[0], "*_ "), d.Notes[1:]
		}
		if v.Text == "" {
			if len(d.Past) == 0 {
				return b.bare(d)
			}
			v.Text = d.unit.Label
		}
		if p := b.s.Lines[d.line].Page; p > 0 {
			v.Pages = []digesto.PageMark{{Start: 0, Page: p}}
		}
	}
	if d.unit.Kind == digesto.KindArticle && cutShort(d.Paras) {
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectCutText, Detail: "En la fuente, este texto acaba a mitad de una frase: falta el final"})
	}
	if d.unit.Kind == digesto.KindArticle && borrowed(b.s.Lines[d.line]) {
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectBorrowed, Detail: doubtBorrowed})
	}
	if d.repealed || repealedText(v.Text, d.unit.Rubric, d.Notes) || onlyMarked(d.Paras, d.Notes) {
		v.Current = false
	}
	v.SHA256 = line.Sum(v.Text)
	states, rest := d.FormerWhole(d.unit.Number)
	if len(states) > 0 && states[0].Published == "" && states[0].ValidFrom == "" && d.ToldChanges() {
		states[0].Published = b.s.norm.Published // no change is told before it
	}
	for i, past := range rest {
		t, pg, n := dating.Compose(past)
		if t == "" {
			continue
		}
		d.unit.Versions = append(d.unit.Versions, digesto.Version{ID: corpus.PrintedFormer + strconv.Itoa(max(len(d.Parts), len(states))+i+1), Text: t, Pages: pg, Notes: n, SHA256: line.Sum(t)})
	}
	d.unit.Versions = append(append(d.unit.Versions, states...), v)
	return true
}

// cutShort says whether the last paragraph ends on a word that another must follow.
func cutShort(paras []line.Line) bool {
	if len(paras) == 0 || paras[len(paras)-1].Table {
		return false
	}
	t := paras[len(paras)-1].Text
	return len(strings.Fields(t)) > 4 && !strings.HasSuffix(t, ",") && heading.EndsHanging(t)
}

// bare reports a heading without any text: nothing can be quoted from it.
func (b *builder) bare(d *draft) bool {
	if d.unit.Kind != digesto.KindSection && d.unit.Kind != digesto.KindAnnex {
		b.s.defect("empty_unit", fmt.Sprintf("%s sin texto", d.unit.Label))
	}
	return false
}

// VersionID names the text in force: by its day, else by that of the norm.
func VersionID(n digesto.Norm) string {
	switch {
	case n.TextAsOf != "":
		return string(n.TextAsOf)
	case n.Published != "":
		return string(n.Published)
	}
	return "1"
}

// assignIDs names the units: those of the norm's main text first, so that an
// exact reference finds the article of the code and not that of the law which
// approves it; the others get "~2", "~3"… in order of appearance.
func assignIDs(drafts []*draft, main, home int) {
	seen := map[string]int{}
	name := func(d *draft) {
		id := cite.UnitID(d.unit.Kind, d.unit.Number)
		if d.unit.Kind == digesto.KindSection && d.unit.Number == "" {
			id = cite.UnitID(d.unit.Kind, line.Clip(d.unit.Label, 60))
		}
		id = strings.Map(func(r rune) rune {
			if r == '/' || r <= ' ' || r == '~' {
				return '-'
			}
			return r
		}, id)
		if id == "" {
			id = string(d.unit.Kind)
		}
		if d.other && seen[id] == 0 {
			seen[id] = 1 // the plain id is never that of another norm's unit
		}
		seen[id]++
		if n := seen[id]; n > 1 {
			id += "~" + strconv.Itoa(n)
		}
		d.unit.ID = id
	}
	first := func(d *draft) bool {
		if d.unit.Kind == digesto.KindArticle && d.series != 0 {
			return d.series == main
		}
		return d.segment == home
	}
	for _, d := range drafts {
		if first(d) {
			name(d)
		}
	}
	for _, d := range drafts {
		if !first(d) {
			name(d)
		}
	}
}
