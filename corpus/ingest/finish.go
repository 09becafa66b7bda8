package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
)

// finish makes units of the drafts: text, versions, ids.
func (b *builder) finish() ([]digesto.Unit, []corpus.Defect) {
	home := 0 // the text in which the main series stands
	for _, d := range b.drafts {
		if d.series == b.s.main && d.unit.Kind == digesto.KindArticle {
			home = d.segment
			break
		}
	}
	var notes []string
	for _, d := range b.drafts {
		notes = append(notes, d.notes...)
	}
	b.far = callsFar(calls(notes))
	var kept []*draft
	for k, d := range b.drafts {
		if d.annex && len(d.paras) == 0 && len(d.notes) == 0 && k+1 < len(b.drafts) && b.drafts[k+1].segment == d.segment {
			continue
		}
		if b.fill(d) {
			kept = append(kept, d)
		}
	}
	if b.foreign {
		b.s.defect(kindForeign, "Tras la fórmula final de la norma sigue otro texto: se guarda aparte, sin vigencia")
	}
	if b.s.inPlace {
		lastOfAnnexes(kept)
	}
	assignIDs(kept, b.s.main, home)
	return withRows(kept), b.s.defects
}

// withRows gives the units of drafts, each followed by the rows of its tables.
func withRows(drafts []*draft) []digesto.Unit {
	units := make([]digesto.Unit, 0, len(drafts))
	for _, d := range drafts {
		d.unit.Amending = amending(d.unit)
		units = append(units, d.unit)
		if !d.unit.Amending { // the consolidated text of the other norm has the table
			units = append(units, rowUnits(d.unit, d.paras)...)
		}
	}
	return units
}

// fill makes the versions of a unit; false = it has no words at all.
func (b *builder) fill(d *draft) bool {
	known := calls(d.notes)
	if known == nil {
		known = b.far
	} else {
		maps.Copy(known, b.far)
	}
	for i := range d.paras {
		d.paras[i] = cutCalls(d.paras[i], known)
	}
	for _, lines := range d.past {
		for i := range lines {
			lines[i] = cutCalls(lines[i], known)
		}
	}
	body, pages, notes := compose(d.paras)
	d.notes = append(d.notes, notes...)
	v := digesto.Version{ID: b.versionID(), Text: body, Pages: pages, Current: true, Notes: d.notes, Defects: d.defects}
	if v.Text == "" {
		v.Text = d.unit.Rubric
		if v.Text == "" && len(d.notes) > 0 {
			v.Text, v.Notes = strings.Trim(d.notes[0], "*_ "), d.notes[1:]
		}
		if v.Text == "" {
			if len(d.past) == 0 {
				return b.bare(d)
			}
			v.Text = d.unit.Label
		}
		if p := b.s.lines[d.line].Page; p > 0 {
			v.Pages = []digesto.PageMark{{Start: 0, Page: p}}
		}
	}
	if d.unit.Kind == digesto.KindArticle && cutShort(d.paras) {
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectCutText, Detail: "En la fuente, este texto acaba a mitad de una frase: falta el final"})
	}
	if d.unit.Kind == digesto.KindArticle && borrowed(b.s.lines[d.line]) {
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectBorrowed, Detail: doubtBorrowed})
	}
	if d.repealed || repealedText(v.Text, d.unit.Rubric, d.notes) || onlyMarked(d.paras, d.notes) {
		v.Current = false
	}
	v.SHA256 = sum(v.Text)
	states, rest := d.formerWhole()
	if len(states) > 0 && states[0].Published == "" && states[0].ValidFrom == "" && d.toldChanges() {
		states[0].Published = b.s.norm.Published // no change is told before it
	}
	for i, past := range rest {
		t, pg, n := compose(past)
		if t == "" {
			continue
		}
		d.unit.Versions = append(d.unit.Versions, digesto.Version{ID: corpus.PrintedFormer + strconv.Itoa(max(len(d.parts), len(states))+i+1), Text: t, Pages: pg, Notes: n, SHA256: sum(t)})
	}
	d.unit.Versions = append(append(d.unit.Versions, states...), v)
	return true
}

// cutShort says whether the last paragraph ends on a word that another must follow.
func cutShort(paras []Line) bool {
	if len(paras) == 0 || paras[len(paras)-1].Table {
		return false
	}
	t := paras[len(paras)-1].Text
	return len(strings.Fields(t)) > 4 && !strings.HasSuffix(t, ",") && endsHanging(t)
}

// bare reports a heading without any text: nothing can be quoted from it.
func (b *builder) bare(d *draft) bool {
	if d.unit.Kind != digesto.KindSection && d.unit.Kind != digesto.KindAnnex {
		b.s.defect("empty_unit", fmt.Sprintf("%s sin texto", d.unit.Label))
	}
	return false
}

func (b *builder) versionID() string {
	switch {
	case b.s.norm.TextAsOf != "":
		return string(b.s.norm.TextAsOf)
	case b.s.norm.Published != "":
		return string(b.s.norm.Published)
	}
	return "1"
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// compose joins paragraphs into a text, takes inline reform notes out, and
// places the page marks.
func compose(paras []Line) (body string, pages []digesto.PageMark, notes []string) {
	var b strings.Builder
	runes, page := 0, 0
	for _, p := range paras {
		t, n := cutInlineNotes(p.Text)
		t, m := cutNoteMarks(t)
		notes = append(notes, n...)
		if t == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			runes++
		}
		if p.Page > 0 && p.Page != page {
			page = p.Page
			pages = append(pages, digesto.PageMark{Start: runes, Page: page})
		}
		size := utf8.RuneCountInString(t)
		for _, mk := range p.Marks {
			at := mk.Start
			if (len(n) > 0 || m) && len(p.Marks) <= mostCleaned {
				at = cleanedOffset(p.Text, mk.Start)
			}
			if mk.Page != page {
				page = mk.Page
				pages = append(pages, digesto.PageMark{Start: runes + min(at, size), Page: page})
			}
		}
		b.WriteString(t)
		runes += size
	}
	if len(pages) > 0 {
		pages[0].Start = 0
	}
	return b.String(), pages, notes
}

// mostCleaned is how many pages a paragraph goes over at most when their marks are put where
// they belong in its cleaned form: each costs a reading of it.
const mostCleaned = 64

// cleanedOffset maps an offset of a paragraph to its cleaned form.
func cleanedOffset(s string, at int) int {
	i := 0
	for k := 0; k < at && i < len(s); k++ {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	t, _ := cutInlineNotes(s[:i])
	t, _ = cutNoteMarks(t)
	return utf8.RuneCountInString(t)
}

// assignIDs names the units: those of the norm's main text first, so that an
// exact reference finds the article of the code and not that of the law which
// approves it; the others get "~2", "~3"… in order of appearance.
func assignIDs(drafts []*draft, main, home int) {
	seen := map[string]int{}
	name := func(d *draft) {
		id := cite.UnitID(d.unit.Kind, d.unit.Number)
		if d.unit.Kind == digesto.KindSection && d.unit.Number == "" {
			id = cite.UnitID(d.unit.Kind, clip(d.unit.Label, 60))
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
