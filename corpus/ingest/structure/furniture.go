package structure

import (
	"fmt"
	"slices"
	"strings"

	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Furniture recognises what a publisher puts around a law.
func Furniture(l line.Line) bool {
	s := strings.TrimLeft(l.Text, "*_->•[ ")
	if s == "" {
		return true
	}
	f := text.Fold(line.Clip(s, 200))
	if publisher.Lines.Begin(f) {
		return true
	}
	return strings.Contains(f, "control+f") || publisher.Bylines.MatchString(s)
}

// maxPublisherLine is the length in bytes up to which a line within the law can be a
// publisher's: the longest known has 60.
const maxPublisherLine = 120

// dropBetween drops the publisher's lines that stand within the law.
func (s *scan) dropBetween() {
	n := 0
	for i, l := range s.Lines {
		if len(l.Text) <= maxPublisherLine && !l.Table && publisher.Anywhere.Begin(text.Fold(strings.TrimLeft(l.Text, "*_->•[ "))) {
			s.Drop[i] = true
			n++
		}
	}
	if n > 0 {
		s.defect(line.KindFurniture, fmt.Sprintf("Omitidas %d líneas de la editorial dentro del texto", n))
	}
}

// dropFooter drops what follows the law: from the first footer line after the
// last unit to the end, if only that follows. It also counts the menu above it.
func (s *scan) dropFooter() {
	last := -1
	for i := range s.Unit {
		if s.Unit[i] {
			last = i
		}
	}
	if last < 0 {
		return
	}
	dropped := 0
	for i := last + 1; i < len(s.Lines); i++ {
		if dropped == 0 && !isFooter(s.Lines[i].Text) {
			continue
		}
		s.Drop[i] = true
		dropped++
	}
	head := 0
	for i := 0; i < len(s.Lines) && !s.Unit[i]; i++ {
		if Furniture(s.Lines[i]) {
			head++
		}
	}
	if head > 0 {
		for i := 0; i < len(s.Lines) && !s.Unit[i]; i++ {
			l := s.Lines[i]
			if strings.HasPrefix(l.Text, "- ") && len(l.Text) < 80 || Furniture(l) || s.Heads[i].Kind == heading.Title && strings.Contains(strings.ToLower(l.Text), "[actualizad") {
				s.Drop[i] = true
			}
		}
	}
	if head+dropped > 0 {
		s.defect(line.KindFurniture, fmt.Sprintf("Omitidas %d líneas de la editorial (menús, anuncios, noticias)", head+dropped))
	}
}

func isFooter(t string) bool {
	return publisher.Footers.Begin(text.Fold(strings.TrimLeft(line.Clip(t, 120), "*#_ ")))
}

var pageLine = lazyregexp.New(`(?i)^[^\p{L}]{0,3}(?:\d{1,2}/\d{1,2}/\d{4}\s+[\d:]+\s*(?:[ap]\.?\s?m\.?)?\s*)?(?:p[áa]g(?:ina|\.)?)\s+\d{1,5}(?:\s+de\s+\d+)?$`)

// DropRunningHeads drops the page numbers of a text that was taken from printed
// pages, and the lines beside them that repeat from page to page.
func DropRunningHeads(lines []line.Line) ([]line.Line, int) {
	var at []int
	for i, l := range lines {
		if len(l.Text) < 80 && pageLine.MatchString(line.Tidy(l.Text)) {
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
	out := make([]line.Line, 0, len(lines))
	for i, l := range lines {
		if !gone[i] {
			out = append(out, l)
		}
	}
	return out, len(gone)
}

// closing says whether a line belongs to the closing formula of a norm (date,
// signatures), which begins with a fixed form and runs to the next heading.
func (b *builder) closing(d *draft, l line.Line) bool {
	if d.closed {
		d.after++
		return true
	}
	k := d.unit.Kind
	if k == "pr" || k == "an" || k == "s" || !publisher.Closings.MatchString(l.Text) {
		return false
	}
	d.closed = true
	return true
}

// repealedText says whether a unit's text only tells that it no longer holds.
func repealedText(body, rubric string, notes []string) bool {
	if repealMark.MatchString(body) && len(body) < 400 && !strings.Contains(body, "\n") {
		return true
	}
	if body != "" && body == rubric || len(body) < 30 {
		for _, n := range notes {
			if repealNote.MatchString(text.Fold(line.Clip(n, 200))) {
				return true
			}
		}
	}
	if body = strings.Replace(body, "\n", " ", 1); len(body) < 600 && !strings.Contains(body, "\n") && dating.IsNote(line.Line{Text: body}) && repealNote.MatchString(text.Fold(line.Clip(body, 300))) {
		return true
	}
	return false
}

// bareMark is a note that says of the whole unit that it no longer holds: "(Derogado)".
var bareMark = lazyregexp.New(`(?i)^\W*(?:derogad[oa]s?|suprimid[oa]s?|sin contenido|anulad[oa]s?|abrogad[oa]s?)\W*$`)

// onlyMarked says whether a unit has no words but those of its heading beside such a note.
func onlyMarked(paras []line.Line, notes []string) bool {
	return len(paras) <= 1 && slices.ContainsFunc(notes, bareMark.MatchString)
}

var repealNote = lazyregexp.New(`^[\s(*_"]*(?:se )?(?:(?:el |los )?(?:articulos?|art\.?|disposicion|norma)(?:\s*[^,.;]{0,40}\s)?)?(?:derogad|derog|suprimid|suprime|abrogad|se deja sin contenido|queda derogad|dejad[oa] sin efecto)`)
