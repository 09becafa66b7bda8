// Package structure makes the units of a norm out of lines: it joins broken lines,
// chooses among what looks like headings those that open units of this norm, and keeps
// rubrics, tables, notes and publishers' furniture apart. It knows no format.
package structure

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Options steer the recogniser.
type Options struct {
	File string      // named in defects
	Over func() bool // nobody waits for it any more: what it gives is not used; nil = somebody does
}

func (o Options) over() bool { return o.Over != nil && o.Over() }

// Units makes the units of a norm out of its paragraphs (see reflow). It
// never fails: what it cannot make sense of becomes a preamble or sections,
// and is named in the defects.
func Units(norm digesto.Norm, lines []line.Line, opt Options) ([]digesto.Unit, []corpus.Defect) {
	s := &scan{norm: norm, file: opt.File}
	s.Lines = dating.SplitAnnounced(dating.SplitGlued(lines))
	if norm.Format != "pdf" || norm.OCR {
		dating.BoxesWithoutFrame(s.Lines)
	}
	s.classify()
	if opt.over() {
		return nil, nil
	}
	s.dropLeaders()
	if s.ReplacesInPlace() {
		s.Supersede()
	} else {
		s.quotedBlocks()
	}
	s.chooseArticles()
	s.chooseDispositions()
	s.dropContents()
	s.dropBetween()
	if s.InPlace {
		s.Repeated()
	}
	s.findTrailer()
	s.Substitutions()
	s.closingTables()
	s.dropFooter()
	s.leadingRubrics()
	if opt.over() {
		return nil, nil
	}
	b := newBuilder(s)
	b.run()
	if opt.over() {
		return nil, nil
	}
	return b.finish()
}

// scan is the recogniser at work on the lines of one norm.
type scan struct {
	dating.Scan
	norm       digesto.Norm
	file       string
	inQuote    []bool // inside a quotation that began on an earlier line
	defects    []corpus.Defect
	lead       map[int][2]int     // unit → the lines above it that are its rubric
	renumbered map[int]string     // unit → what the source calls it, where its number is a slip
	intrusions map[int]*intrusion // lines at which an article of another norm begins, pasted into one of this
	hosts      map[int]*intrusion // units of this norm in which such articles stand
}

func (s *scan) defect(kind, detail string) {
	s.defects = append(s.defects, corpus.Defect{File: s.file, Norm: s.norm.ID, Kind: kind, Detail: detail})
}

func (s *scan) classify() {
	n := len(s.Lines)
	s.Heads = make([]heading.Head, n)
	s.inQuote = make([]bool, n)
	s.Unit = make([]bool, n)
	s.Series = make([]int, n)
	s.Drop = make([]bool, n)
	s.Later = make([]int, n)
	for i, l := range s.Lines {
		if l.Note || l.History || dating.IsNote(l) || i > 0 && s.Lines[i-1].Note && dating.GoesOn(s.Lines[i-1], l) {
			s.Lines[i].Note = !l.History
			continue
		}
		s.Heads[i] = heading.Read(l)
	}
}

// quotedBlocks marks the lines inside «…» that opened on an earlier line: new
// wordings for other norms. A quotation that never closes, or runs on for too
// long, is taken for a slip of the source.
func (s *scan) quotedBlocks() {
	const limit = 400
	open, depth := -1, 0
	for i, l := range s.Lines {
		if s.Lines[i].Note {
			continue
		}
		if depth > 0 && open >= 0 {
			s.inQuote[i] = true
		}
		for _, r := range l.Text {
			switch r {
			case '«', '“':
				if depth == 0 {
					open = i
				}
				depth++
			case '»', '”':
				if depth > 0 {
					depth--
				}
			}
		}
		if depth > 0 && i-open > limit {
			for k := open + 1; k <= i; k++ {
				s.inQuote[k] = false
			}
			depth, open = 0, -1
		}
	}
	if depth > 0 && open >= 0 {
		for k := open + 1; k < len(s.Lines); k++ {
			s.inQuote[k] = false
		}
	}
}

// bodyAfter says whether text stands between head i and the next head.
func (s *scan) bodyAfter(i int) bool {
	rest := s.Heads[i].Rest
	if utf8.RuneCountInString(rest) > 160 || strings.HasSuffix(rest, ":") || heading.Amends(rest) || rest != "" && finiteVerb(rest) || repealMark.MatchString(rest) {
		return true
	}
	return i+1 < len(s.Lines) && s.Lines[i+1].Note || s.textAfter(i)
}

// textAfter says whether a paragraph stands under head i.
func (s *scan) textAfter(i int) bool {
	for k := i + 1; k < len(s.Lines); k++ {
		switch {
		case s.Unit[k]:
			return false
		case s.Heads[k].Quoted || s.inQuote[k] || s.Lines[k].History:
			return true
		case s.Lines[k].Note:
			continue
		}
		switch s.Heads[k].Kind {
		case heading.None, heading.Item:
			return true
		case heading.Title:
			if s.Lines[k].Level == 0 {
				return true
			}
		}
		return false
	}
	return false
}

// announces says whether a paragraph ends by announcing a new wording.
func announces(p string) bool {
	if !strings.HasSuffix(strings.TrimRight(p, " \"“«'"), ":") {
		return false
	}
	f := text.Fold(p)
	for _, w := range []string{"siguiente", "redact", "sustit", "modific", "incorp", "agreg", "anad", "reempl", "quedara", "texto"} {
		if strings.Contains(f, w) {
			return true
		}
	}
	return false
}

func (s *scan) weigh(i int) float64 {
	h, l := s.Heads[i], s.Lines[i]
	w := 1.0
	if h.Quoted {
		w -= 3
	}
	if s.inQuote[i] {
		w -= 2
	}
	if h.Dash {
		w -= 0.6
	}
	if l.Level >= 4 || l.Bold {
		w += 0.2
	}
	if !l.Gap && l.Level == 0 && !l.Bold {
		w -= 0.1
	}
	for k := i - 1; k >= 0; k-- {
		if s.Lines[k].Note {
			continue
		}
		if announces(s.Lines[k].Text) {
			w -= 1.6
		} else if heading.EndsHanging(s.Lines[k].Text) && !l.Gap {
			w -= 1.5
		}
		break
	}
	if heading.Amends(h.Rest) {
		w += 0.5
	}
	if h.Sep == "" && h.Rest == "" && l.Level == 0 {
		w -= 0.5
	}
	return w
}

func (s *scan) chooseArticles() {
	var c []candidate
	fresh := false
	for i, h := range s.Heads {
		switch h.Kind {
		case heading.Annex:
			fresh = fresh || !h.Quoted && !s.inQuote[i]
		case heading.Title:
			fresh = fresh || heading.OpensText(h.Rest) && !s.inQuote[i]
		case heading.Division:
			fresh = fresh || h.Num.Main == 0 && !s.inQuote[i]
		case heading.Norm, heading.Article:
			if h.Kind == heading.Norm || h.Num.Roman || s.coversNext(i) {
				continue
			}
			c = append(c, candidate{line: i, rank: h.Num.Rank(), main: h.Num.Main, weight: s.weigh(i), fresh: fresh, empty: !s.bodyAfter(i), style: h.Style})
			fresh = false
		}
	}
	c = s.intruded(c)
	favourStyles(c)
	s.adopt(c)
	s.readmit(c)
	s.mendNumbers(c)
	s.chooseRoman()
}

// favourStyles prefers the ways of writing headings that the norm uses most.
func favourStyles(c []candidate) {
	count := map[string]int{}
	for _, k := range c {
		if k.weight > 0.7 {
			count[k.style]++
		}
	}
	for i := range c {
		if count[c[i].style]*5 >= len(c) {
			c[i].weight += 0.3
		}
	}
}

// coversNext says whether a range ("Artículos 5 a 8") is only the heading of
// the articles that follow one by one.
func (s *scan) coversNext(i int) bool {
	if s.Heads[i].Num.To == 0 {
		return false
	}
	for k := i + 1; k < len(s.Heads); k++ {
		if h := s.Heads[k]; h.Kind == heading.Article {
			return h.Num.Main >= s.Heads[i].Num.Main && h.Num.Main <= s.Heads[i].Num.To
		}
	}
	return false
}

// adopt runs choose over candidates and records the chosen lines.
func (s *scan) adopt(c []candidate) {
	choose(c)
	length := map[int]int{}
	empty := map[int]int{}
	for _, k := range c {
		length[k.series]++
		if k.empty {
			empty[k.series]++
		}
	}
	toc := s.contents(c, length, empty)
	for _, k := range c {
		if k.series == 0 {
			continue
		}
		if toc[k.series] {
			s.Drop[k.line] = true
			continue
		}
		s.Unit[k.line] = true
		s.Series[k.line] = k.series
		if k.series != s.Main && (s.Main == 0 || length[k.series] > length[s.Main] || toc[s.Main]) {
			s.Main = k.series
		}
	}
	s.ownText(c, length)
}

// ownText takes the main series from a regulation that a file appends to the
// law it is named after, however many articles the regulation has.
func (s *scan) ownText(c []candidate, length map[int]int) {
	if s.Main == 0 || strings.Contains(text.Fold(s.norm.Title), "reglamento") || !s.appended(c, s.Main) {
		return
	}
	best := 0
	for _, k := range c {
		if k.series > 0 && k.series < s.Main && length[k.series]*2 >= length[s.Main] && length[k.series] > length[best] && !s.appended(c, k.series) {
			best = k.series
		}
	}
	if best > 0 {
		s.Main = best
	}
}

// appended says whether the nearest heading of a text above the first article
// of a series is that of a regulation.
func (s *scan) appended(c []candidate, series int) bool {
	for _, k := range c {
		if k.series != series {
			continue
		}
		for i := k.line - 1; i >= 0; i-- {
			if h := s.Heads[i]; h.Kind == heading.Title && heading.OpensText(h.Rest) && !s.inQuote[i] {
				return strings.HasPrefix(text.Fold(h.Rest), "reglamento")
			}
		}
		return false
	}
	return false
}

// readmit takes official headings that stand out of order ("1863 bis" after
// 1873): same style as the rest of the norm, a number of its own, no quotation.
func (s *scan) readmit(c []candidate) {
	style := map[string]int{}
	taken := map[int]bool{}
	chosen := 0
	for _, k := range c {
		if k.series > 0 && !s.Drop[k.line] {
			chosen++
			style[k.style]++
			taken[k.rank] = true
		}
	}
	out := 0
	for _, k := range c {
		if k.series > 0 || taken[k.rank] || k.weight < 1.1 || s.Lines[k.line].Level < 5 || style[k.style]*10 < chosen*6 {
			continue
		}
		s.Unit[k.line], s.Series[k.line] = true, s.Main
		taken[k.rank] = true
		out++
	}
	if out > 0 {
		s.defect("out_of_order", strconv.Itoa(out)+" artículos fuera del orden de su número")
	}
}

// mendNumbers takes a heading whose number is plainly a slip: the only one left
// over between n and n+2 is n+1. What the source prints is kept as a note.
func (s *scan) mendNumbers(c []candidate) {
	s.renumbered = map[int]string{}
	last, left := -1, -1 // last chosen candidate, unchosen since then (-2: several)
	for i, k := range c {
		if k.series == 0 {
			if k.weight >= 1 && !s.Unit[k.line] {
				if left = i; i > 0 && last >= 0 && i-last > 1 {
					left = -2
				}
			}
			continue
		}
		if last >= 0 && left >= 0 && c[last].series == k.series && k.main == c[last].main+2 && c[left].style == k.style {
			line := c[left].line
			s.renumbered[line] = "La fuente numera este artículo " + s.Heads[line].Num.String()
			s.defect("number_mended", s.renumbered[line]+"; por su lugar es el "+strconv.Itoa(c[last].main+1))
			s.Heads[line].Num = heading.Number{Main: c[last].main + 1}
			s.Unit[line], s.Series[line] = true, k.series
		}
		last, left = i, -1
	}
}

// contents finds series that are tables of contents: hardly anything stands
// under their entries, and another series has the same numbers with text.
func (s *scan) contents(c []candidate, length, empty map[int]int) map[int]bool {
	toc := map[int]bool{}
	for series, n := range length {
		if series == 0 || n < 4 || empty[series]*10 < n*7 {
			continue
		}
		for other, m := range length {
			if other != series && other != 0 && m*3 >= n*2 && empty[other]*10 < m*7 {
				toc[series] = true
			}
		}
	}
	return toc
}

// chooseRoman takes articles and norms numbered in Roman numerals (preliminary
// titles) in rising order, each kind by itself.
func (s *scan) chooseRoman() {
	for _, kind := range []heading.Kind{heading.Article, heading.Norm} {
		var c []candidate
		for i, h := range s.Heads {
			if h.Kind == kind && (kind == heading.Norm || h.Num.Roman) {
				c = append(c, candidate{line: i, rank: h.Num.Rank(), main: h.Num.Main, weight: s.weigh(i), empty: !s.bodyAfter(i)})
			}
		}
		if kind == heading.Norm && len(c) < 2 {
			continue
		}
		choose(c)
		for _, k := range c {
			s.Unit[k.line] = s.Unit[k.line] || k.series > 0
		}
	}
}

// chooseDispositions accepts the dispositions of the norm itself. Those with
// their kind in the heading stand by themselves; bare ordinals count only under
// the heading of their group, in rising order.
func (s *scan) chooseDispositions() {
	last := map[digesto.UnitKind]int{}
	group := digesto.UnitKind("")
	rank := 0
	for i, h := range s.Heads {
		if h.Quoted || s.inQuote[i] {
			continue
		}
		switch h.Kind {
		case heading.Article:
			if s.Unit[i] {
				group = ""
			}
		case heading.Division, heading.Annex:
			group = ""
		case heading.Title:
			if s.Lines[i].Level > 0 && s.Lines[i].Level <= 3 {
				group = ""
			}
		case heading.Group:
			group, rank = h.Unit, 0
		case heading.Disposition:
			if s.afterAnnounce(i) {
				continue
			}
			if h.Num.Main == 0 && s.nextIsItem(i) {
				s.Heads[i].Kind = heading.Group
				group, rank = h.Unit, 0
				continue
			}
			last[h.Unit] = h.Num.Rank()
			s.Unit[i] = true
			group = ""
		case heading.Item:
			if group == "" || h.Num.Rank() <= rank || h.Num.Main > rank/10000+3 {
				continue
			}
			rank = h.Num.Rank()
			s.Heads[i].Unit = group
			s.Unit[i] = true
		}
	}
	s.chooseSections()
}

func (s *scan) afterAnnounce(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if !s.Lines[k].Note {
			return s.Lines[i].Level == 0 && announces(s.Lines[k].Text)
		}
	}
	return false
}

func (s *scan) nextIsItem(i int) bool {
	for k := i + 1; k < len(s.Lines) && k < i+4; k++ {
		if s.Lines[k].Note {
			continue
		}
		h := s.Heads[k]
		return h.Kind == heading.Item && (h.Num.Main == 1 || h.Num.Only)
	}
	return false
}

// chooseSections serves norms without articles that number their parts by
// ordinal words ("Primero. Objeto."): orders and resolutions.
func (s *scan) chooseSections() {
	articles := 0
	var c []candidate
	for i, h := range s.Heads {
		if h.Kind == heading.Article && s.Unit[i] {
			articles++
		}
		if h.Kind == heading.Item && !s.Unit[i] && h.Sep != "ª" && !h.Quoted && !s.inQuote[i] {
			c = append(c, candidate{line: i, rank: h.Num.Rank(), main: h.Num.Main, weight: s.weigh(i) - 0.5, empty: !s.bodyAfter(i)})
		}
	}
	if articles > 0 || len(c) < 2 {
		return
	}
	choose(c)
	for _, k := range c {
		if k.series > 0 {
			s.Unit[k.line] = true
			s.Heads[k.line].Unit = digesto.KindSection
		}
	}
}

// dropContents drops the headings that stand between the entries of a table of
// contents.
func (s *scan) dropContents() {
	first, last := -1, -1
	for i, d := range s.Drop {
		if d {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return
	}
	for i := first; i <= last; i++ {
		if !s.Unit[i] {
			s.Drop[i] = true
		}
	}
	s.defect("contents_table", "tabla de contenido omitida")
}

var leaders = lazyregexp.New(`(?:[.…·_]\s?){4,}\s*\d{1,4}\s*$`)

// dropLeaders drops printed tables of contents: entries with dotted leaders and
// page numbers, and what stands between neighbouring entries.
func (s *scan) dropLeaders() {
	const reach = 4
	last, count := -1, 0
	for i, l := range s.Lines {
		if !leaders.MatchString(l.Text) {
			continue
		}
		from := i
		if last >= 0 && i-last <= reach {
			from = last
		} else if i > 0 && s.Heads[i].Kind == heading.None && s.Heads[i-1].Kind != heading.None {
			from = i - 1 // the entry began on the line before
		}
		for k := max(from, 0); k <= i; k++ {
			s.Drop[k] = true
			s.Heads[k] = heading.Head{}
		}
		last = i
		count++
	}
	if count > 0 {
		s.defect("contents_table", "índice con números de página omitido")
	}
}
