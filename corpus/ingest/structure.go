package ingest

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

// structOptions steer the recogniser.
type structOptions struct {
	File string      // named in defects
	Over func() bool // nobody waits for it any more: what it gives is not used; nil = somebody does
}

func (o structOptions) over() bool { return o.Over != nil && o.Over() }

// structure makes the units of a norm out of its paragraphs (see reflow). It
// never fails: what it cannot make sense of becomes a preamble or sections,
// and is named in the defects.
func structure(norm digesto.Norm, lines []Line, opt structOptions) ([]digesto.Unit, []corpus.Defect) {
	s := &scan{norm: norm, file: opt.File}
	s.lines = splitAnnounced(splitGlued(lines))
	if norm.Format != "pdf" || norm.OCR {
		boxesWithoutFrame(s.lines)
	}
	s.classify()
	if opt.over() {
		return nil, nil
	}
	s.dropLeaders()
	if s.replacesInPlace() {
		s.supersede()
	} else {
		s.quotedBlocks()
	}
	s.chooseArticles()
	s.chooseDispositions()
	s.dropContents()
	s.dropBetween()
	if s.inPlace {
		s.repeated()
	}
	s.findTrailer()
	s.substitutions()
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

// scan holds the lines of one norm with what each may open.
type scan struct {
	norm       digesto.Norm
	file       string
	lines      []Line
	heads      []head
	inQuote    []bool // inside a quotation that began on an earlier line
	unit       []bool // the head opens a unit of this norm
	series     []int  // series of articles, 1…
	main       int    // the longest series: it keeps plain ids
	drop       []bool // publisher's furniture, contents tables
	defects    []corpus.Defect
	section    bool               // the norm is numbered by ordinal words alone
	lead       map[int][2]int     // unit → the lines above it that are its rubric
	renumbered map[int]string     // unit → what the source calls it, where its number is a slip
	later      []int              // a former wording of the unit that opens at this later line; 0 = none
	trailer    int                // line from which an editor's appendix runs to the end; 0 = none
	inPlace    bool               // the source keeps former wordings beside the text in force
	italic     map[int]bool       // lines taken for former wordings by their italics alone
	old        map[int]bool       // lines that a note says were replaced or repealed
	brought    map[int]bool       // lines at which a note brings a new wording
	wording    map[int]bool       // lines at which a former wording of a part begins
	ended      map[int]int        // lines at which a repealed part begins; the line of the note that says so
	formerRest map[int]bool       // units whose words beside the number are a former wording
	intrusions map[int]*intrusion // lines at which an article of another norm begins, pasted into one of this
	hosts      map[int]*intrusion // units of this norm in which such articles stand
	doubts     map[int]string     // last lines of wordings that a note says were replaced, and it cannot be told from where; the note
}

func (s *scan) defect(kind, detail string) {
	s.defects = append(s.defects, corpus.Defect{File: s.file, Norm: s.norm.ID, Kind: kind, Detail: detail})
}

func (s *scan) classify() {
	n := len(s.lines)
	s.heads = make([]head, n)
	s.inQuote = make([]bool, n)
	s.unit = make([]bool, n)
	s.series = make([]int, n)
	s.drop = make([]bool, n)
	s.later = make([]int, n)
	for i, l := range s.lines {
		if l.Note || l.History || isNote(l) || i > 0 && s.lines[i-1].Note && goesOn(s.lines[i-1], l) {
			s.lines[i].Note = !l.History
			continue
		}
		s.heads[i] = readHead(l)
	}
}

// quotedBlocks marks the lines inside «…» that opened on an earlier line: new
// wordings for other norms. A quotation that never closes, or runs on for too
// long, is taken for a slip of the source.
func (s *scan) quotedBlocks() {
	const limit = 400
	open, depth := -1, 0
	for i, l := range s.lines {
		if s.lines[i].Note {
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
		for k := open + 1; k < len(s.lines); k++ {
			s.inQuote[k] = false
		}
	}
}

// bodyAfter says whether text stands between head i and the next head.
func (s *scan) bodyAfter(i int) bool {
	rest := s.heads[i].rest
	if utf8.RuneCountInString(rest) > 160 || strings.HasSuffix(rest, ":") || amends(rest) || rest != "" && finiteVerb(rest) || repealMark.MatchString(rest) {
		return true
	}
	return i+1 < len(s.lines) && s.lines[i+1].Note || s.textAfter(i)
}

// textAfter says whether a paragraph stands under head i.
func (s *scan) textAfter(i int) bool {
	for k := i + 1; k < len(s.lines); k++ {
		switch {
		case s.unit[k]:
			return false
		case s.heads[k].quoted || s.inQuote[k] || s.lines[k].History:
			return true
		case s.lines[k].Note:
			continue
		}
		switch s.heads[k].kind {
		case headNone, headItem:
			return true
		case headTitle:
			if s.lines[k].Level == 0 {
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

// amends says whether a rest begins like an order to change another norm.
func amends(rest string) bool {
	f := text.Fold(leadingWord(rest))
	for _, p := range []string{"sustit", "modific", "incorp", "derog", "agreg", "anad", "reempl", "elimin", "suprim", "abrog", "deja", "intercal"} {
		if strings.HasPrefix(f, p) {
			return true
		}
	}
	return false
}

func (s *scan) weigh(i int) float64 {
	h, l := s.heads[i], s.lines[i]
	w := 1.0
	if h.quoted {
		w -= 3
	}
	if s.inQuote[i] {
		w -= 2
	}
	if h.dash {
		w -= 0.6
	}
	if l.Level >= 4 || l.Bold {
		w += 0.2
	}
	if !l.Gap && l.Level == 0 && !l.Bold {
		w -= 0.1
	}
	for k := i - 1; k >= 0; k-- {
		if s.lines[k].Note {
			continue
		}
		if announces(s.lines[k].Text) {
			w -= 1.6
		} else if endsHanging(s.lines[k].Text) && !l.Gap {
			w -= 1.5
		}
		break
	}
	if amends(h.rest) {
		w += 0.5
	}
	if h.sep == "" && h.rest == "" && l.Level == 0 {
		w -= 0.5
	}
	return w
}

func (s *scan) chooseArticles() {
	var c []candidate
	fresh := false
	for i, h := range s.heads {
		switch h.kind {
		case headAnnex:
			fresh = fresh || !h.quoted && !s.inQuote[i]
		case headTitle:
			fresh = fresh || opensText(h.rest) && !s.inQuote[i]
		case headPart:
			fresh = fresh || h.num.Main == 0 && !s.inQuote[i]
		case headNorm, headArticle:
			if h.kind == headNorm || h.num.Roman || s.coversNext(i) {
				continue
			}
			c = append(c, candidate{line: i, rank: h.num.rank(), main: h.num.Main, weight: s.weigh(i), fresh: fresh, empty: !s.bodyAfter(i), style: h.style})
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
	if s.heads[i].num.To == 0 {
		return false
	}
	for k := i + 1; k < len(s.heads); k++ {
		if h := s.heads[k]; h.kind == headArticle {
			return h.num.Main >= s.heads[i].num.Main && h.num.Main <= s.heads[i].num.To
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
			s.drop[k.line] = true
			continue
		}
		s.unit[k.line] = true
		s.series[k.line] = k.series
		if k.series != s.main && (s.main == 0 || length[k.series] > length[s.main] || toc[s.main]) {
			s.main = k.series
		}
	}
	s.ownText(c, length)
}

// ownText takes the main series from a regulation that a file appends to the
// law it is named after, however many articles the regulation has.
func (s *scan) ownText(c []candidate, length map[int]int) {
	if s.main == 0 || strings.Contains(text.Fold(s.norm.Title), "reglamento") || !s.appended(c, s.main) {
		return
	}
	best := 0
	for _, k := range c {
		if k.series > 0 && k.series < s.main && length[k.series]*2 >= length[s.main] && length[k.series] > length[best] && !s.appended(c, k.series) {
			best = k.series
		}
	}
	if best > 0 {
		s.main = best
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
			if h := s.heads[i]; h.kind == headTitle && opensText(h.rest) && !s.inQuote[i] {
				return strings.HasPrefix(text.Fold(h.rest), "reglamento")
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
		if k.series > 0 && !s.drop[k.line] {
			chosen++
			style[k.style]++
			taken[k.rank] = true
		}
	}
	out := 0
	for _, k := range c {
		if k.series > 0 || taken[k.rank] || k.weight < 1.1 || s.lines[k.line].Level < 5 || style[k.style]*10 < chosen*6 {
			continue
		}
		s.unit[k.line], s.series[k.line] = true, s.main
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
			if k.weight >= 1 && !s.unit[k.line] {
				if left = i; i > 0 && last >= 0 && i-last > 1 {
					left = -2
				}
			}
			continue
		}
		if last >= 0 && left >= 0 && c[last].series == k.series && k.main == c[last].main+2 && c[left].style == k.style {
			line := c[left].line
			s.renumbered[line] = "La fuente numera este artículo " + s.heads[line].num.String()
			s.defect("number_mended", s.renumbered[line]+"; por su lugar es el "+strconv.Itoa(c[last].main+1))
			s.heads[line].num = number{Main: c[last].main + 1}
			s.unit[line], s.series[line] = true, k.series
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
	for _, kind := range []headKind{headArticle, headNorm} {
		var c []candidate
		for i, h := range s.heads {
			if h.kind == kind && (kind == headNorm || h.num.Roman) {
				c = append(c, candidate{line: i, rank: h.num.rank(), main: h.num.Main, weight: s.weigh(i), empty: !s.bodyAfter(i)})
			}
		}
		if kind == headNorm && len(c) < 2 {
			continue
		}
		choose(c)
		for _, k := range c {
			s.unit[k.line] = s.unit[k.line] || k.series > 0
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
	for i, h := range s.heads {
		if h.quoted || s.inQuote[i] {
			continue
		}
		switch h.kind {
		case headArticle:
			if s.unit[i] {
				group = ""
			}
		case headPart, headAnnex:
			group = ""
		case headTitle:
			if s.lines[i].Level > 0 && s.lines[i].Level <= 3 {
				group = ""
			}
		case headGroup:
			group, rank = h.unit, 0
		case headDisp:
			if s.afterAnnounce(i) {
				continue
			}
			if h.num.Main == 0 && s.nextIsItem(i) {
				s.heads[i].kind = headGroup
				group, rank = h.unit, 0
				continue
			}
			last[h.unit] = h.num.rank()
			s.unit[i] = true
			group = ""
		case headItem:
			if group == "" || h.num.rank() <= rank || h.num.Main > rank/10000+3 {
				continue
			}
			rank = h.num.rank()
			s.heads[i].unit = group
			s.unit[i] = true
		}
	}
	s.chooseSections()
}

func (s *scan) afterAnnounce(i int) bool {
	for k := i - 1; k >= 0; k-- {
		if !s.lines[k].Note {
			return s.lines[i].Level == 0 && announces(s.lines[k].Text)
		}
	}
	return false
}

func (s *scan) nextIsItem(i int) bool {
	for k := i + 1; k < len(s.lines) && k < i+4; k++ {
		if s.lines[k].Note {
			continue
		}
		h := s.heads[k]
		return h.kind == headItem && (h.num.Main == 1 || h.num.Only)
	}
	return false
}

// chooseSections serves norms without articles that number their parts by
// ordinal words ("Primero. Objeto."): orders and resolutions.
func (s *scan) chooseSections() {
	articles := 0
	var c []candidate
	for i, h := range s.heads {
		if h.kind == headArticle && s.unit[i] {
			articles++
		}
		if h.kind == headItem && !s.unit[i] && h.sep != "ª" && !h.quoted && !s.inQuote[i] {
			c = append(c, candidate{line: i, rank: h.num.rank(), main: h.num.Main, weight: s.weigh(i) - 0.5, empty: !s.bodyAfter(i)})
		}
	}
	if articles > 0 || len(c) < 2 {
		return
	}
	choose(c)
	for _, k := range c {
		if k.series > 0 {
			s.unit[k.line] = true
			s.heads[k.line].unit = digesto.KindSection
			s.section = true
		}
	}
}

// dropContents drops the headings that stand between the entries of a table of
// contents.
func (s *scan) dropContents() {
	first, last := -1, -1
	for i, d := range s.drop {
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
		if !s.unit[i] {
			s.drop[i] = true
		}
	}
	s.defect("contents_table", "tabla de contenido omitida")
}
