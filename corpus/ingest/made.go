package ingest

import (
	"context"
	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/structure"
	"digesto/text"
	"digesto/text/lazyregexp"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// made is a document under construction with what was found wrong.
type made struct {
	corpus.Document
	stated digesto.Date // day the text says it is of
}

func (m *made) note(charset string) {
	if charset != "utf-8" {
		m.defect(line.KindCharset, "Codificación "+charset+": convertida a UTF-8")
	}
}

func (m *made) defect(kind, detail string) {
	m.Defects = append(m.Defects, corpus.Defect{File: m.File, Norm: m.Norm.ID, Kind: kind, Detail: detail})
}

func (m *made) result(skipped []corpus.Defect) ([]corpus.Document, []corpus.Defect, error) {
	if len(skipped) > 0 || len(m.Units) == 0 {
		if len(skipped) == 0 {
			skipped = []corpus.Defect{{File: m.File, Norm: m.Norm.ID, Kind: line.KindEmpty, Detail: "No tiene texto que se pueda citar", Skipped: true}}
		}
		return nil, append(m.Defects, skipped...), nil
	}
	return []corpus.Document{m.Document}, nil, nil
}

// assemble runs the recogniser over the lines of one norm and then looks at the
// result with suspicion.
func assemble(ctx context.Context, n digesto.Norm, f line.Metadata, lines []line.Line, path string) (*made, []corpus.Defect) {
	m := &made{Document: corpus.Document{Norm: n, File: path}, stated: statedDate(lines)}
	if n.Format != "pdf" || n.OCR { // that reader joins its lines itself: it has seen the page
		var headers int
		if lines, headers = structure.DropRunningHeads(lines); headers > 0 {
			m.defect(line.KindHeaders, fmt.Sprintf("Texto sacado de páginas impresas: omitidas %d líneas de cabecera o pie", headers))
		}
		lines = structure.Reflow(lines)
	}
	if ctx.Err() != nil { // ReadFile says so
		return m, nil
	}
	structure.LetteredHeads(lines)
	m.identify(lines)
	units, defects := structure.Units(m.Norm, lines, structure.Options{File: path, Over: func() bool { return ctx.Err() != nil }})
	m.Units, m.Defects = units, append(m.Defects, defects...)
	if len(units) == 0 {
		return m, nil
	}
	return m, m.inspect(f, lines)
}

// identify completes the identity of the norm from its first lines.
func (m *made) identify(lines []line.Line) {
	if m.Norm.Title == "" {
		rubric := false // of the division that the line before opens
		for _, l := range lines[:min(len(lines), 30)] {
			h := heading.Read(l)
			if h.Kind == heading.Article && l.Level > 0 { // the text begins without having said its name
				break
			}
			if rubric = h.Kind == heading.Division || rubric && l.Level > 1; rubric {
				continue
			}
			if l.Level == 1 || utf8.RuneCountInString(l.Text) > 20 && !structure.Furniture(l) {
				m.Norm.Title = line.Clip(l.Text, 400)
				break
			}
		}
	}
	if m.Norm.Title == "" {
		m.Norm.Title = m.Norm.ID
	}
}

var (
	saysUpdated    = lazyregexp.New(`actualizad[oa]s?(?: (?:al|a|hasta)(?: el)?(?: mes de)?:?)? ?(\d{1,2}/\d{1,2}/\d{4}|(?:\d{1,2} de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: de| del)? \d{4})`)
	monthYear      = lazyregexp.New(`(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: de| del)? (\d{4})`)
	saysLastReform = lazyregexp.New(`\bultima (?:modificacion|reforma)\b[^.]{0,120}? publicad[oa]s? (?:el )?(?:dia )?` + dating.DayWords)
)

// statedDate gives the day up to which a text says it is up to date, in its
// first lines.
func statedDate(lines []line.Line) (said digesto.Date) {
	for _, l := range lines[:min(len(lines), 60)] {
		for _, u := range saysUpdated.FindAllStringSubmatch(text.Fold(line.Clip(l.Text, 600)), 4) {
			said = max(said, saidDate(u[1]))
		}
		if u := saysLastReform.FindStringSubmatch(text.Fold(line.Clip(l.Text, 600))); u != nil {
			said = max(said, dating.DayOf(u[1]))
		}
	}
	return said
}

func saidDate(s string) digesto.Date {
	if d := dating.DateIn(s); d != "" {
		return d
	}
	if u := monthYear.FindStringSubmatch(s); u != nil {
		// a month alone: its last day, for a reform of that month is in
		y, _ := strconv.Atoi(u[2])
		return digesto.Date(time.Date(y, time.Month(text.Months[u[1]]+1), 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	return ""
}
