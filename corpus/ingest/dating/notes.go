package dating

import (
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// What follows tells legal text from what editors write beside it: reform
// notes, concordances, footnotes. Notes are kept, but never quoted.

// reformed are the participles of reform notes, folded.
const reformed = `(?:sustitui|substitui|modifica|incorpora|deroga|agrega|suprimi|reemplaza|anadi|introduci|observa|veta|rectifica|renumera|reenumera|reordena|restableci|inserta|elimina|adiciona|abroga|dejad|actualiza|cambia|redacta|corregi|precisa|numera|reglamenta)`

// pieces are what reform notes speak of.
const pieces = `(?:art(?:iculo)?s?\.?|inciso|parrafo|apartado|punto|numeral|literal|encabezado|titulo|capitulo|seccion|subcapitulo|libro|disposicion(?:es)?|texto|denominacion|epigrafe|rubrica|expresion(?:es)?|frase|termino|palabra|monto|suma|anexo|acapite|nota|vineta|item|sumilla|nombre|norma|segundo|tercer|primer|ultimo|cuarto|quinto|primera|segunda|tercera|cuarta|por|de conformidad|ver|confr|nota infoleg|vigencia|plazo|se |concordancia|inclus|publicad|apart)`

var (
	noteLine = lazyregexp.New(`^(?:\(?\*+\)?|\(\d{1,3}\)|\[\d{1,3}\]|\d{1,2}\))?\s*\(?\s*"?(?:\(\*\)\s*)?` + pieces + `\b[^:]{0,220}?\b` + reformed + `(?:do|da|dos|das|s|o|a)?s?\b.{0,80}?\b(?:por|segun|mediante|conforme|de conformidad|con|a partir|en virtud)\b`)
	// InlineNote is a parenthesis inside legal text that only tells of a reform.
	InlineNote   = lazyregexp.New(`(?i)^\((?:\*\s*)?(?:nota |art[íi]culo|art\.|inciso|p[áa]rrafo|apartado|punto|numeral|literal|encabezado|t[íi]tulo|cap[íi]tulo|secci[óo]n|disposici[óo]n|texto|denominaci[óo]n|ep[íi]grafe|expresi[óo]n|frase|t[ée]rmino|palabra|monto|segundo|tercer|primer|[úu]ltimo|cuarto|quinto|anexo|ver |seg[úu]n |confr|sustitu|modific|incorpor|derogad|n\. ?del? ?e|por art|suma|norma abrogatoria|vigencia)`)
	reformInside = lazyregexp.New(`(?i)(sustitu|modific|incorpor|derogad|agregad|suprimid|reemplazad|a[ñn]adid|introducid|observad|vetad|rectificad|renumerad|restablecid|insertad|eliminad|abrogad|vigencia|vigente|b\.\s?o\.|n\. del e|nota |seg[úu]n art|antecedente|publicad|reglamenta)`)
)

// editorsMark is a paragraph that begins with the call of a note and tells of a
// norm with the day of its publication: no legislator begins so.
var editorsMark = lazyregexp.New(`^\W*(?:\(\*+\)|\(\d{1,3}\)) ?\W{0,3}(?:[^.;:]{0,160}?\b(?:inclui|` + reformed[3:] + `d[oa]s? por (?:el|la|los|las)\b|de con\w*formidad con)[^;]{0,600}\bpublicad[oa]s?\b`)

// citedLine is a line that only names a norm by the abbreviation of its kind: a
// list of concordances that goes on ("R.M. N° …", "D.S. N° …").
var citedLine = lazyregexp.New(`^\W*(?:[A-Z]{1,2}\. ?){1,3}(?:N\.? ?){1,2}[°º]`)

// GoesOn says whether a line continues the note before it: a concordance, or a
// parenthesis that is still open.
func GoesOn(note, l line.Line) bool {
	if l.Level > 0 || l.Table {
		return false
	}
	return citedLine.MatchString(l.Text) || listedOne.MatchString(text.Fold(line.Clip(l.Text, 300))) || !l.Gap && strings.Count(note.Text, "(") > strings.Count(note.Text, ")") && len(l.Text) < 400
}

// IsNote says whether a whole line is an editor's, not the legislator's.
func IsNote(l line.Line) bool {
	if l.Note {
		return true
	}
	s := strings.TrimLeft(l.Text, "*_ ")
	if s == "" || len(s) > 6000 {
		return false
	}
	switch s[0] {
	case '#', '-':
		return false
	}
	f := text.Fold(line.Clip(s, 420))
	if publisher.Notes.Begin(f) {
		return true
	}
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && InlineNote.MatchString(s) && reformInside.MatchString(s) {
		return true
	}
	marked := l.Text[0] == '*' || heading.NoteMark(s) > 0 || s[0] == '('
	if marked && heading.NoteMark(s) > 0 {
		rest := text.Fold(strings.TrimSpace(s[heading.NoteMark(s):]))
		if strings.HasPrefix(rest, "de conformidad con") || strings.HasPrefix(rest, "de acuerdo con") || strings.HasPrefix(rest, "confrontar") || strings.HasPrefix(rest, "segun ") && strings.Contains(rest, "publicad") {
			return true
		}
	}
	h := heading.ReadWord(s, l)
	if h.Kind == heading.Item && h.Upper && strings.HasPrefix(h.Sep, ".-") { // "TERCERA.- Disposición derogada por…": it has a number of its own
		return false
	}
	if h.Kind == heading.Article || h.Kind == heading.Disposition || h.Kind != heading.None && h.Kind != heading.Title && !strings.Contains(f, "publicad") {
		return false
	}
	if editorsMark.MatchString(f) && len(s) < 2500 {
		return true
	}
	return noteLine.MatchString(f) && (marked || listsNext.MatchString(f) || strings.Contains(f, "publicad") || strings.Contains(f, "ley n") || strings.Contains(f, "decreto") || strings.Contains(f, "de la ley"))
}

// cutInlineNotes takes reform notes in parentheses out of a paragraph.
func cutInlineNotes(p string) (clean string, notes []string) {
	if strings.IndexByte(p, '(') < 0 {
		return p, nil
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(p, '(')
		if i < 0 {
			break
		}
		end := -1
		if InlineNote.MatchString(line.Clip(p[i:], 40)) {
			end = balanced(p[i:])
		}
		if end < 0 || !reformInside.MatchString(p[i:i+end]) || !noteWords(p[i:i+end]) {
			b.WriteString(p[:i+1])
			p = p[i+1:]
			continue
		}
		b.WriteString(strings.TrimRight(p[:i], " "))
		notes = append(notes, strings.TrimSpace(p[i:i+end]))
		p = p[i+end:]
		if strings.HasPrefix(p, ".") && strings.HasSuffix(b.String(), ".") {
			p = p[1:]
		}
	}
	if notes == nil {
		return b.String() + p, nil
	}
	b.WriteString(p)
	return line.Tidy(b.String()), notes
}

// noteWords demands that the parenthesis names what reformed: a law that only
// says "(modificado)" or cites "(artículo 5 de la ley…)" stays whole.
func noteWords(s string) bool {
	f := text.Fold(s)
	if !strings.Contains(f, "por ") && !strings.Contains(f, "segun ") && !strings.Contains(f, "vigencia") && !strings.Contains(f, "nota") && !strings.Contains(f, "n. del e") && !strings.Contains(f, "conforme") {
		return false
	}
	return strings.Contains(f, "ley") || strings.Contains(f, "decreto") || strings.Contains(f, "b.o") || strings.Contains(f, "resolucion") || strings.Contains(f, "nota") || strings.Contains(f, "n. del e") || strings.Contains(f, "d.s.") || strings.Contains(f, "dnu") || strings.Contains(f, "acordada") || strings.Contains(f, "disposicion")
}

// balanced gives the length of the parenthesis that s begins with, or -1.
func balanced(s string) int {
	depth := 0
	for i := 0; i < len(s) && i < 3000; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

var glue = lazyregexp.New(`[.;:)»”\]]\s?(?:\*\s?)?((?:Art[íi]culo|ART[ÍI]CULO|Art\.|ART\.)[\s\x{a0}]+\d{1,4}(?:[\s\x{a0}]*(?:bis|ter|quater))?[º°]?[\s\x{a0}]*[.:\-–—])`)

// SplitGlued opens a new line where an article is glued to the end of the
// paragraph before it ("…apartado anterior.Artículo 40. …") or to a note.
func SplitGlued(lines []line.Line) []line.Line {
	out := make([]line.Line, 0, len(lines))
	for _, l := range lines {
		for {
			at := gluedAt(l.Text)
			if at <= 0 {
				break
			}
			first := l
			first.Text = strings.TrimSpace(l.Text[:at])
			first.Note = l.Note || IsNote(first)
			start := utf8.RuneCountInString(l.Text[:at])
			first.Marks = nil
			var rest []digesto.PageMark
			for _, m := range l.Marks {
				if m.Start < start {
					first.Marks = append(first.Marks, m)
					l.Page = m.Page
				} else {
					m.Start -= start
					rest = append(rest, m)
				}
			}
			out = append(out, first)
			l.Text, l.Marks, l.Level, l.Gap, l.Note = l.Text[at:], rest, 0, true, false
		}
		out = append(out, l)
	}
	return out
}

// gluedAt gives where a glued article begins, or -1. A blank between is allowed
// only after a parenthesis: "). Artículo 5." may be a sentence about an article.
func gluedAt(s string) int {
	if len(s) < 12 || !strings.Contains(s, "rt") && !strings.Contains(s, "RT") {
		return -1
	}
	for base := 0; ; {
		m := glue.FindStringSubmatchIndex(s[base:])
		if m == nil {
			return -1
		}
		at := base + m[2]
		before := s[:at]
		tight := !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "*")
		prev := strings.TrimRight(before, " *")
		if call := trailingCall(prev); call > 0 { // "…plaza.(154)Artículo 5": the call belongs to the article
			at -= len(before) - (len(prev) - call)
			prev = strings.TrimSpace(prev[:len(prev)-call])
			tight = true
		}
		if prev != "" && (tight && !strings.HasSuffix(prev, ":") || strings.HasSuffix(prev, ")") && inlineNoteEnd(prev)) {
			return at
		}
		base = base + m[3]
	}
}

// trailingCall gives the length of a note call ("(154)") at the end of s.
func trailingCall(s string) int {
	i := strings.LastIndexByte(s, '(')
	if i < 0 || heading.NoteMark(s[i:]) != len(s)-i {
		return 0
	}
	return len(s) - i
}

// inlineNoteEnd says whether s ends with a reform note in parentheses.
func inlineNoteEnd(s string) bool {
	depth := 0
	for i := len(s) - 1; i >= 0 && len(s)-i < 3000; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return InlineNote.MatchString(line.Clip(s[i:], 60)) && reformInside.MatchString(s[i:])
			}
		}
	}
	return false
}
