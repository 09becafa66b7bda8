package ingest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/text"
)

var months = map[string]int{"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9, "setiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12}

var (
	dateWords  = regexp.MustCompile(`(\d{1,2})(?:\.?[º°])? (?:de )?(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre) (?:de |del )?(?:ano )?(\d{4})`)
	dateDigits = regexp.MustCompile(`\b(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b`)
)

// dateIn reads the first date of a folded text.
func dateIn(f string) digesto.Date {
	w, d := dateWords.FindStringSubmatchIndex(f), dateDigits.FindStringSubmatchIndex(f)
	if w != nil && (d == nil || w[0] <= d[0]) {
		m := dateWords.FindStringSubmatch(f)
		return isoOf(m[3], months[m[2]], m[1])
	}
	if d != nil {
		m := dateDigits.FindStringSubmatch(f)
		month, _ := strconv.Atoi(m[2])
		return isoOf(m[3], month, m[1])
	}
	return ""
}

func isoOf(year string, month int, day string) digesto.Date {
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	if month < 1 || month > 12 || d < 1 || d > 31 || y < 1800 || y > 2100 {
		return ""
	}
	return digesto.Date(fmt.Sprintf("%04d-%02d-%02d", y, month, d))
}

var repealLine = regexp.MustCompile(`^\(?\*?\s*(?:norma|ley|decreto|disposicion|orden|resolucion|reglamento)?[^.;,]{0,30}?\b(?:derogad|abrogad)[oa]s?\b`)

// gluedDay is a day glued to the word before it: "a partir del1º de enero". Read
// as no date it would leave the next one, that of the journal, in its place.
var gluedDay = regexp.MustCompile(`\b(del?|el|desde)(\d)`)

// setStatus lets the words of the source decide whether the norm is in force:
// its first lines ("Norma derogada, con efectos de…") or the remarks of its
// metadata override the metadata's own status, which is seldom kept up.
func (m *made) setStatus(f front, lines []Line) {
	note := ""
	if o := f["observaciones"]; repealLine.MatchString(text.Fold(o)) {
		note = o
	}
	for _, l := range lines[:min(len(lines), 12)] {
		if k := readHead(l).kind; k == headArticle || k == headDisp {
			break // from here on "(Derogado)" speaks of an article
		}
		folded := text.Fold(clip(l.Text, 300))
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
			m.Norm.RepealedFrom = dateIn(clip(folded[i+len(w):], 40))
			break
		}
	}
	if m.Norm.RepealedFrom == "" {
		if i := strings.Index(folded, "b.o. "); i >= 0 {
			m.Norm.RepealedFrom = dateIn(clip(folded[i:], 24))
		}
	}
	if was == digesto.StatusInForce {
		m.defect(kindStatus, "El metadato dice «vigente», pero el texto dice: "+clip(note, 160))
	}
}

// rankWords are the names with which titles begin, longest first.
var rankWords = []string{"real decreto legislativo", "real decreto-ley", "real decreto ley", "real decreto", "decreto-ley foral", "decreto foral legislativo", "decreto foral", "decreto-ley", "decreto ley", "decreto legislativo", "decreto supremo", "decreto", "ley organica", "ley foral", "ley", "orden", "resolucion", "instruccion", "circular", "constitucion", "acuerdo"}

// setRank corrects a rank that the title contradicts: sources give regional
// decree-laws the rank of royal ones, or "other".
func (m *made) setRank() {
	title := text.Fold(m.Norm.Title)
	for _, w := range rankWords {
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
			m.defect(kindRank, fmt.Sprintf("El metadato dice rango %q y el título empieza por «%s»", m.Norm.Rank, w))
		}
		m.Norm.Rank = name
		return
	}
}

var (
	saysUpdated    = regexp.MustCompile(`actualizad[oa]s?(?: (?:al|a|hasta)(?: el)?(?: mes de)?:?)? ?(\d{1,2}/\d{1,2}/\d{4}|(?:\d{1,2} de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: de| del)? \d{4})`)
	monthYear      = regexp.MustCompile(`(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: de| del)? (\d{4})`)
	saysLastReform = regexp.MustCompile(`\bultima (?:modificacion|reforma)\b[^.]{0,120}? publicad[oa]s? (?:el )?(?:dia )?` + dayWords)
	reformDate     = regexp.MustCompile(`(?:publicad[oa]s? (?:el )?(?:dia )?|b\. ?o\. ?(?:del? )?(?:el )?)(\d{1,2}(?:/|-| )[^.;,)]{4,24})`)
)

// statedDate gives the day up to which a text says it is up to date, in its
// first lines.
func statedDate(lines []Line) (said digesto.Date) {
	for _, l := range lines[:min(len(lines), 60)] {
		for _, u := range saysUpdated.FindAllStringSubmatch(text.Fold(clip(l.Text, 600)), 4) {
			said = max(said, saidDate(u[1]))
		}
		if u := saysLastReform.FindStringSubmatch(text.Fold(clip(l.Text, 600))); u != nil {
			said = max(said, dayOf(u[1]))
		}
	}
	return said
}

// setDates replaces dates that the text itself belies: what the text says of
// its own state ("actualizado al…"), else its latest reform note. A day of the
// file's head is believed only of a text that an official register numbers: those
// keep the day of the last reform there, others that of the copy.
func (m *made) setDates(f front) {
	said := m.stated
	latest := m.latestReform()
	if meta := m.Norm.TextAsOf; meta != "" && meta == f.date("last_updated") && len(m.Norm.IDs) == 0 && !officialID.MatchString(m.Norm.ID) {
		m.Norm.TextAsOf = max(said, latest)
		if m.Norm.TextAsOf < m.Norm.Published {
			m.Norm.TextAsOf = ""
		}
		if m.Norm.TextAsOf != meta {
			m.defect(kindDates, fmt.Sprintf("El metadato fecha el texto el %s, y nada en el texto lo prueba: se toma %s", meta, firstOf(string(m.Norm.TextAsOf), "por desconocida")))
		}
		return
	}
	switch meta := m.Norm.TextAsOf; {
	case said != "" && meta != "" && yearsApart(said, meta) >= 1:
		m.defect(kindDates, fmt.Sprintf("El metadato fecha el texto el %s, pero el propio texto dice estar actualizado a %s", meta, said))
		m.Norm.TextAsOf = max(said, latest)
	case said != "" && meta == "":
		m.Norm.TextAsOf = max(said, latest)
	case latest > meta && latest > m.Norm.Published:
		if meta != "" && meta > m.Norm.Published || m.Norm.Published != "" && meta == m.Norm.Published {
			m.defect(kindDates, fmt.Sprintf("El metadato fecha el texto el %s, pero recoge una reforma publicada el %s", meta, latest))
		}
		m.Norm.TextAsOf = latest
	}
}

// gazetteLines are the first lines of a copy among which a gazette prints its day.
const gazetteLines = 60

// setOldCopy tells, in every unit of a recognised page of the gazette in which the
// norm was published, that later reforms are not in it.
func (m *made) setOldCopy(lines []Line) {
	if !m.Norm.OCR || m.Norm.Published == "" || m.Norm.TextAsOf > m.Norm.Published {
		return
	}
	printed := false
	for _, l := range lines[:min(len(lines), gazetteLines)] {
		printed = printed || dateIn(text.Fold(clip(l.Text, 200))) == m.Norm.Published
	}
	if !printed {
		return
	}
	m.Norm.TextAsOf = m.Norm.Published
	detail := fmt.Sprintf("Copia de la gaceta del %s por reconocimiento óptico: no recoge ninguna reforma posterior", m.Norm.Published)
	m.defect(kindOCR, detail)
	for i := range m.Units {
		v := &m.Units[i].Versions[len(m.Units[i].Versions)-1]
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectOldCopy, Detail: detail})
	}
}

// updatedText is of a remark that sends to the norm which has the text as it now is.
var updatedText = regexp.MustCompile(`\b(?:vease|ver|puede (?:visualizar|consultar|ver)[a-z]*)\b.{0,200}?\b(?:(?:texto|regimen)\b.{0,80}?\bactualizad[oa]\b.{0,60}?\bal texto actualizado del?\b|decreto\b.{0,40}?\btexto ordenado\b)`)

// setReplacedCopy tells, in every unit of a text without a note of any change, that its
// source sends to another norm for the text as it now is.
func (m *made) setReplacedCopy(f front, lines []Line) {
	if m.latestReform() != "" {
		return
	}
	remark := ""
	if o := f["observaciones"]; updatedText.MatchString(text.Fold(o)) {
		remark = tags.ReplaceAllString(o, "")
	}
	for _, l := range lines[:min(len(lines), 12)] {
		if readHead(l).kind == headArticle {
			break
		}
		if t := clip(l.Text, 600); remark == "" && updatedText.MatchString(text.Fold(t)) {
			remark = t
		}
	}
	if remark == "" {
		return
	}
	detail := "El archivo trae un texto anterior: su fuente remite a otra norma para el actualizado: «" + clip(remark, 320) + "»"
	m.defect(kindDates, detail)
	for i := range m.Units {
		v := &m.Units[i].Versions[len(m.Units[i].Versions)-1]
		v.Defects = append(v.Defects, digesto.TextDefect{Kind: digesto.DefectOldCopy, Detail: detail})
	}
}

// tags are those of HTML that a remark of the metadata has around its links.
var tags = regexp.MustCompile(`<[^<>]*>`)

func saidDate(s string) digesto.Date {
	if d := dateIn(s); d != "" {
		return d
	}
	if u := monthYear.FindStringSubmatch(s); u != nil {
		// a month alone: its last day, for a reform of that month is in
		y, _ := strconv.Atoi(u[2])
		return digesto.Date(time.Date(y, time.Month(months[u[1]]+1), 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	return ""
}

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
				for _, d := range reformDate.FindAllStringSubmatch(text.Fold(clip(n, 4000)), 20) {
					latest = max(latest, dateIn(d[1]))
				}
			}
		}
	}
	return latest
}
