package ingest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digesto/text"
)

// furniture recognises what a publisher puts around a law.
func furniture(l Line) bool {
	s := strings.TrimLeft(l.Text, "*_->•[ ")
	if s == "" {
		return true
	}
	f := text.Fold(clip(s, 200))
	if begins(f, publishers.Lines) {
		return true
	}
	return strings.Contains(f, "control+f") || byline.MatchString(s)
}

var byline = regexp.MustCompile(`^Por [A-ZÁÉÍÓÚ].{3,60} [-–—] \d{1,2} [a-z]+, \d{4}`)

// maxPublisherLine is the length in bytes up to which a line within the law can be a
// publisher's: the longest known has 60.
const maxPublisherLine = 120

// dropBetween drops the publisher's lines that stand within the law.
func (s *scan) dropBetween() {
	n := 0
	for i, l := range s.lines {
		if len(l.Text) <= maxPublisherLine && !l.Table && begins(text.Fold(strings.TrimLeft(l.Text, "*_->•[ ")), publishers.Anywhere) {
			s.drop[i] = true
			n++
		}
	}
	if n > 0 {
		s.defect(kindFurniture, fmt.Sprintf("Omitidas %d líneas de la editorial dentro del texto", n))
	}
}

// dropFooter drops what follows the law: from the first footer line after the
// last unit to the end, if only that follows. It also counts the menu above it.
func (s *scan) dropFooter() {
	last := -1
	for i := range s.unit {
		if s.unit[i] {
			last = i
		}
	}
	if last < 0 {
		return
	}
	dropped := 0
	for i := last + 1; i < len(s.lines); i++ {
		if dropped == 0 && !isFooter(s.lines[i].Text) {
			continue
		}
		s.drop[i] = true
		dropped++
	}
	head := 0
	for i := 0; i < len(s.lines) && !s.unit[i]; i++ {
		if furniture(s.lines[i]) {
			head++
		}
	}
	if head > 0 {
		for i := 0; i < len(s.lines) && !s.unit[i]; i++ {
			l := s.lines[i]
			if strings.HasPrefix(l.Text, "- ") && len(l.Text) < 80 || furniture(l) || s.heads[i].kind == headTitle && strings.Contains(strings.ToLower(l.Text), "[actualizad") {
				s.drop[i] = true
			}
		}
	}
	if head+dropped > 0 {
		s.defect(kindFurniture, fmt.Sprintf("Omitidas %d líneas de la editorial (menús, anuncios, noticias)", head+dropped))
	}
}

func isFooter(t string) bool {
	return begins(text.Fold(strings.TrimLeft(clip(t, 120), "*#_ ")), publishers.Footers)
}

var pageLine = regexp.MustCompile(`(?i)^[^\p{L}]{0,3}(?:\d{1,2}/\d{1,2}/\d{4}\s+[\d:]+\s*(?:[ap]\.?\s?m\.?)?\s*)?(?:p[áa]g(?:ina|\.)?)\s+\d{1,5}(?:\s+de\s+\d+)?$`)

// dropRunningHeads drops the page numbers of a text that was taken from printed
// pages, and the lines beside them that repeat from page to page.
func dropRunningHeads(lines []Line) ([]Line, int) {
	var at []int
	for i, l := range lines {
		if len(l.Text) < 80 && pageLine.MatchString(tidy(l.Text)) {
			at = append(at, i)
		}
	}
	if len(at) < 5 {
		return lines, 0
	}
	beside := map[string]int{}
	for _, i := range at {
		for _, k := range []int{i - 1, i + 1} {
			if k >= 0 && k < len(lines) && lines[k].Level == 0 {
				beside[lines[k].Text]++
			}
		}
	}
	gone := map[int]bool{}
	for _, i := range at {
		gone[i] = true
		for _, k := range []int{i - 1, i + 1} {
			if k >= 0 && k < len(lines) && beside[lines[k].Text]*2 >= len(at) {
				gone[k] = true
			}
		}
	}
	out := make([]Line, 0, len(lines))
	for i, l := range lines {
		if !gone[i] {
			out = append(out, l)
		}
	}
	return out, len(gone)
}

var closingStart = regexp.MustCompile(`^(Dad[oa] en |DAD[OA] EN |Por tanto[,:.]|POR TANTO|Por lo tanto mando|Mando a todos |Comuníquese al señor|COMUN[IÍ]QUESE AL |Regístrese, |REG[IÍ]STRESE|—? ?REGISTRADA? BAJO|En Lima, a los|Lima, \d|Madrid, (a )?\d{1,2} de|[A-ZÁÉÍÓÚ][a-záéíóúñ ]{2,30}, (a )?\d{1,2} de [a-z]+ de \d{4}\.?$)`)

// closing says whether a line belongs to the closing formula of a norm (date,
// signatures), which begins with a fixed form and runs to the next heading.
func (b *builder) closing(d *draft, l Line) bool {
	if d.closed {
		d.after++
		return true
	}
	k := d.unit.Kind
	if k == "pr" || k == "an" || k == "s" || !closingStart.MatchString(l.Text) {
		return false
	}
	d.closed = true
	return true
}

var noteMarks = regexp.MustCompile(`\s*\((?:\*{1,4}|\d{1,3})\)`)

// cutNoteMarks drops footnote calls: "(*)" anywhere, "(12)" only where it
// cannot be a figure: at the end, or glued to a word or full stop.
func cutNoteMarks(s string) (string, bool) {
	was := s
	if strings.Contains(s, "NOTA ") || strings.Contains(s, "ERRATAS") {
		s = wordCalls.ReplaceAllStringFunc(s, func(m string) string {
			if next := wordCalls.FindStringSubmatch(m)[1]; next != "" {
				return " " + next
			}
			return ""
		})
	}
	if strings.IndexByte(s, '(') < 0 {
		return s, s != was
	}
	out := noteMarks.ReplaceAllStringFunc(s, func(m string) string {
		if strings.Contains(m, "*") {
			return ""
		}
		return m
	})
	return out, out != was
}

// repealedText says whether a unit's text only tells that it no longer holds.
func repealedText(body, rubric string, notes []string) bool {
	if repealMark.MatchString(body) && len(body) < 400 && !strings.Contains(body, "\n") {
		return true
	}
	if body != "" && body == rubric || len(body) < 30 {
		for _, n := range notes {
			if repealNote.MatchString(text.Fold(clip(n, 200))) {
				return true
			}
		}
	}
	if body = strings.Replace(body, "\n", " ", 1); len(body) < 600 && !strings.Contains(body, "\n") && isNote(Line{Text: body}) && repealNote.MatchString(text.Fold(clip(body, 300))) {
		return true
	}
	return false
}

// bareMark is a note that says of the whole unit that it no longer holds: "(Derogado)".
var bareMark = regexp.MustCompile(`(?i)^\W*(?:derogad[oa]s?|suprimid[oa]s?|sin contenido|anulad[oa]s?|abrogad[oa]s?)\W*$`)

// onlyMarked says whether a unit has no words but those of its heading beside such a note.
func onlyMarked(paras []Line, notes []string) bool {
	return len(paras) <= 1 && slices.ContainsFunc(notes, bareMark.MatchString)
}

var repealNote = regexp.MustCompile(`^[\s(*_"]*(?:se )?(?:(?:el |los )?(?:articulos?|art\.?|disposicion|norma)(?:\s*[^,.;]{0,40}\s)?)?(?:derogad|derog|suprimid|suprime|abrogad|se deja sin contenido|queda derogad|dejad[oa] sin efecto)`)
