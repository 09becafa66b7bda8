package ingest

import (
	"fmt"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

var repealLine = lazyregexp.New(`^\(?\*?\s*(?:norma|ley|decreto|disposicion|orden|resolucion|reglamento)?[^.;,]{0,30}?\b(?:derogad|abrogad)[oa]s?\b`)

// gluedDay is a day glued to the word before it: "a partir del1º de enero". Read
// as no date it would leave the next one, that of the journal, in its place.
var gluedDay = lazyregexp.New(`\b(del?|el|desde)(\d)`)

// setStatus lets the words of the source decide whether the norm is in force:
// its first lines ("Norma derogada, con efectos de…") or the remarks of its
// metadata override the metadata's own status, which is seldom kept up.
func (m *made) setStatus(f line.Metadata, lines []line.Line) {
	note := ""
	if o := f["observaciones"]; repealLine.MatchString(text.Fold(o)) {
		note = o
	}
	for _, l := range lines[:min(len(lines), 12)] {
		if k := heading.Read(l).Kind; k == heading.Article || k == heading.Disposition {
			break // from here on "(Derogado)" speaks of an article
		}
		folded := text.Fold(line.Clip(l.Text, 300))
		if len(folded) < 24 {
			continue
		}
		if note == "" && (strings.HasPrefix(folded, "norma derogada") || strings.HasPrefix(folded, "norma parcialmente derogada") || strings.HasPrefix(folded, "norma abrogada") ||
			(l.Note || strings.HasPrefix(folded, "(")) && repealLine.MatchString(folded) && !strings.Contains(folded, "articulo")) {
			note = l.Text
		}
	}
	if note == "" {
		return
	}
	folded := gluedDay.ReplaceAllString(text.Fold(note), "$1 $2")
	was := m.Norm.Status
	m.Norm.Status, m.Norm.StatusNote = digesto.StatusRepealed, note
	for _, w := range []string{"salvo", "excepto", "parcialmente", "no obstante", "excepciones", "mantendra"} {
		if strings.Contains(folded, w) {
			m.Norm.Status = digesto.StatusPartial
		}
	}
	for _, w := range []string{"con efectos del ", "con efectos de ", "con efectos desde el ", "con efectos desde ", "con efectos a partir del ", "vigencia: desde el ", "vigencia: a partir del "} {
		if i := strings.Index(folded, w); i >= 0 {
			m.Norm.RepealedFrom = dating.DateIn(line.Clip(folded[i+len(w):], 40))
			break
		}
	}
	if m.Norm.RepealedFrom == "" {
		if i := strings.Index(folded, "b.o. "); i >= 0 {
			m.Norm.RepealedFrom = dating.DateIn(line.Clip(folded[i:], 24))
		}
	}
	if was == digesto.StatusInForce {
		m.defect(line.KindStatus, "El metadato dice «vigente», pero el texto dice: "+line.Clip(note, 160))
	}
}

// setRank corrects a rank that the title contradicts: sources give regional
// decree-laws the rank of royal ones, or "other".
func (m *made) setRank() {
	title := text.Fold(m.Norm.Title)
	for _, w := range dating.RankWords {
		if !strings.HasPrefix(title, w+" ") {
			continue
		}
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(w)
		had := strings.NewReplacer("-", "_", " ", "_").Replace(text.Fold(m.Norm.Rank))
		if had == name || had != "" && had != "otro" && strings.HasPrefix(name, had) {
			return
		}
		if had != "" && had != "otro" && !strings.HasPrefix(had, "real_") {
			return
		}
		if m.Norm.Rank != "" {
			m.defect(line.KindRank, fmt.Sprintf("El metadato dice rango %q y el título empieza por «%s»", m.Norm.Rank, w))
		}
		m.Norm.Rank = name
		return
	}
}

var (
	reformDate = lazyregexp.New(`(?:publicad[oa]s? (?:el )?(?:dia )?|b\. ?o\. ?(?:del? )?(?:el )?)(\d{1,2}(?:/|-| )[^.;,)]{4,24})`)
)

// setDates replaces dates that the text itself belies: what the text says of
// its own state ("actualizado al…"), else its latest reform note. A day of the
// file's head is believed only of a text that an official register numbers: those
// keep the day of the last reform there, others that of the copy.
func (m *made) setDates(f line.Metadata) {
	said := m.stated
	latest := m.latestReform()
	if meta := m.Norm.TextAsOf; meta != "" && meta == f.Date("last_updated") && len(m.Norm.IDs) == 0 && !line.OfficialID.MatchString(m.Norm.ID) {
		m.Norm.TextAsOf = max(said, latest)
		if m.Norm.TextAsOf < m.Norm.Published {
			m.Norm.TextAsOf = ""
		}
		if m.Norm.TextAsOf != meta {
			m.defect(line.KindDates, fmt.Sprintf("El metadato fecha el texto el %s, y nada en el texto lo prueba: se toma %s", meta, line.FirstOf(string(m.Norm.TextAsOf), "por desconocida")))
		}
		return
	}
	switch meta := m.Norm.TextAsOf; {
	case said != "" && meta != "" && yearsApart(said, meta) >= 1:
		m.defect(line.KindDates, fmt.Sprintf("El metadato fecha el texto el %s, pero el propio texto dice estar actualizado a %s", meta, said))
		m.Norm.TextAsOf = max(said, latest)
	case said != "" && meta == "":
		m.Norm.TextAsOf = max(said, latest)
	case latest > meta && latest > m.Norm.Published:
		if meta != "" && meta > m.Norm.Published || m.Norm.Published != "" && meta == m.Norm.Published {
			m.defect(line.KindDates, fmt.Sprintf("El metadato fecha el texto el %s, pero recoge una reforma publicada el %s", meta, latest))
		}
		m.Norm.TextAsOf = latest
	}
}

// gazetteLines are the first lines of a copy among which a gazette prints its day.
const gazetteLines = 60

// setOldCopy tells, in every unit of a recognised page of the gazette in which the
// norm was published, that later reforms are not in it.
func (m *made) setOldCopy(lines []line.Line) {
	if !m.Norm.OCR || m.Norm.Published == "" || m.Norm.TextAsOf > m.Norm.Published {
		return
	}
	printed := false
	for _, l := range lines[:min(len(lines), gazetteLines)] {
		printed = printed || dating.DateIn(text.Fold(line.Clip(l.Text, 200))) == m.Norm.Published
	}
	if !printed {
		return
	}
	m.Norm.TextAsOf = m.Norm.Published
	detail := fmt.Sprintf("Copia de la gaceta del %s por reconocimiento óptico: no recoge ninguna reforma posterior", m.Norm.Published)
	m.defect(line.KindOCR, detail)
	for i := range m.Units {
		v := &m.Units[i].Versions[len(m.Units[i].Versions)-1]
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectOldCopy, Detail: detail})
	}
}

// updatedText is of a remark that sends to the norm which has the text as it now is.
var updatedText = lazyregexp.New(`\b(?:vease|ver|puede (?:visualizar|consultar|ver)[a-z]*)\b.{0,200}?\b(?:(?:texto|regimen)\b.{0,80}?\bactualizad[oa]\b.{0,60}?\bal texto actualizado del?\b|decreto\b.{0,40}?\btexto ordenado\b)`)

// setReplacedCopy tells, in every unit of a text without a note of any change, that its
// source sends to another norm for the text as it now is.
func (m *made) setReplacedCopy(f line.Metadata, lines []line.Line) {
	if m.latestReform() != "" {
		return
	}
	remark := ""
	if o := f["observaciones"]; updatedText.MatchString(text.Fold(o)) {
		remark = tags.ReplaceAllString(o, "")
	}
	for _, l := range lines[:min(len(lines), 12)] {
		if heading.Read(l).Kind == heading.Article {
			break
		}
		if t := line.Clip(l.Text, 600); remark == "" && updatedText.MatchString(text.Fold(t)) {
			remark = t
		}
	}
	if remark == "" {
		return
	}
	detail := "El archivo trae un texto anterior: su fuente remite a otra norma para el actualizado: «" + line.Clip(remark, 320) + "»"
	m.defect(line.KindDates, detail)
	for i := range m.Units {
		v := &m.Units[i].Versions[len(m.Units[i].Versions)-1]
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectOldCopy, Detail: detail})
	}
}

// tags are those of HTML that a remark of the metadata has around its links.
var tags = lazyregexp.New(`<[^<>]*>`)

func yearsApart(a, b digesto.Date) int {
	ya, _ := strconv.Atoi(string(a[:4]))
	yb, _ := strconv.Atoi(string(b[:4]))
	return max(ya-yb, yb-ya)
}

// latestReform is the newest date in the reform notes of the units.
func (m *made) latestReform() (latest digesto.Date) {
	for _, u := range m.Units {
		for _, v := range u.Versions {
			for _, n := range v.Notes {
				for _, d := range reformDate.FindAllStringSubmatch(text.Fold(line.Clip(n, 4000)), 20) {
					latest = max(latest, dating.DateIn(d[1]))
				}
			}
		}
	}
	return latest
}

var lastNumber = lazyregexp.New(`\d[\d.]*(?:/\d{4})?`)

// datedByLast gives the changes that notes tell of by the number of a norm alone the day
// of the text, where the head of the file says that this norm was the last to change it.
func (m *made) datedByLast(f line.Metadata) {
	all := lastNumber.FindAllString(f["amended_by"], -1)
	if len(all) == 0 || m.Norm.TextAsOf == "" || m.Norm.TextAsOf <= m.Norm.Published {
		return
	}
	last := strings.ReplaceAll(all[len(all)-1], ".", "")
	for i := range m.Units {
		v := &m.Units[i].Versions[len(m.Units[i].Versions)-1]
		list := dating.ReformsOf(v.Notes)
		for k := range list {
			if n := lastNumber.FindString(list[k].Name); list[k].Day() == "" && strings.ReplaceAll(n, ".", "") == last {
				list[k].Published, v.Reforms = m.Norm.TextAsOf, list
			}
		}
	}
}
