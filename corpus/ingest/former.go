package ingest

import (
	"regexp"

	"digesto/text"
)

// Some official systems keep every former wording in place: the old article or
// paragraph in italics, a note "(*) … sustituido por …, cuyo texto es el
// siguiente:", then the new wording in quotation marks. There a quoted article
// is the law in force and the one before it is history: the reverse of what
// quotation marks mean elsewhere.

// replacesInPlace recognises such a source by its notes.
func (s *scan) replacesInPlace() bool {
	notes, italic := 0, 0
	for i, l := range s.lines {
		if l.Italic {
			italic++
		}
		if s.lines[i].Note && announcesText(l.Text) {
			notes++
		}
	}
	s.inPlace = notes >= 3 && italic >= 3
	return s.inPlace
}

// announced are the words with which a note brings a new wording.
var announced = regexp.MustCompile(`texto (?:es|sera|fue|era)? ?(?:el|la) siguiente|siguiente texto|(?:siguiente|de esta) (?:manera|forma|redaccion)|(?:manera|forma|redaccion) siguiente`)

func announcesText(s string) bool { return announced.MatchString(text.Fold(s)) }

var reformWord = regexp.MustCompile(`(?i)(sustituid|modificad|reemplazad|derogad|incorporad|restituid)`)

// supersede marks former wordings: an article that comes again with the same
// number after a reform note, and paragraphs wholly in italics.
func (s *scan) supersede() {
	for i := range s.heads {
		switch s.heads[i].kind {
		case headArticle, headDisp, headItem, headPart, headAnnex, headGroup:
			s.heads[i].quoted = false
		}
	}
	for i, h := range s.heads {
		if h.kind != headArticle {
			continue
		}
		j := s.replacement(i)
		if j == 0 {
			continue
		}
		for k := i; k < j; k++ {
			s.later[k] = j
			if !s.lines[k].Note {
				s.lines[k].History = true
			}
			if s.heads[k].kind != headPart {
				s.heads[k] = head{}
			}
		}
	}
	s.italic = map[int]bool{}
	old := false // under an article that has only its former wording left
	for i, l := range s.lines {
		switch {
		case s.heads[i].kind == headArticle:
			old = l.Italic
		case s.heads[i].kind == headNone && l.Italic && !l.Note && !old && s.later[i] == 0:
			s.lines[i].History, s.italic[i] = true, true
		}
	}
}

// replacement gives the line of the next wording of the article at line i, or 0:
// the next article has the same number, and a reform note stands between.
func (s *scan) replacement(i int) int {
	note := false
	for k := i + 1; k < len(s.heads); k++ {
		if s.lines[k].Note {
			note = note || reformWord.MatchString(s.lines[k].Text)
			continue
		}
		if h := s.heads[k]; h.kind == headArticle {
			if note && h.num.rank() == s.heads[i].num.rank() {
				return k
			}
			return 0
		}
	}
	return 0
}

// boxesWithoutFrame marks what follows a label such as "TEXTO ANTERIOR" where the
// source shows no frame around it (recognised pages, plain text): all of it up to
// the next heading is history. Some of it may hold; none of it is proven to. A
// label within a frame ends where its frame does.
func boxesWithoutFrame(lines []Line) {
	past := false
	for i := range lines {
		if _, label := historyLabel(lines[i].Text); label {
			past = !lines[i].History // a reader that sees frames has marked what is in this one
		} else if k := readHead(lines[i]).kind; past && (k == headArticle || k == headDisp || k == headNorm || k == headPart || k == headAnnex || k == headGroup) {
			past = false
		}
		lines[i].History = lines[i].History || past
	}
}

// repeated marks the articles of a division that comes again whole ("Capítulo
// sustituido por …, cuyo texto es el siguiente:"): those before the chosen one of
// the same number are former wordings of it.
func (s *scan) repeated() {
	chosen := map[int]int{}
	for i, h := range s.heads {
		if h.kind == headArticle && s.unit[i] && s.series[i] == s.main {
			chosen[h.num.rank()] = i
		}
	}
	for i, h := range s.heads {
		j := chosen[h.num.rank()]
		if h.kind != headArticle || s.unit[i] || s.drop[i] || j <= i {
			continue
		}
		s.formerOf(i, j)
	}
}

// formerOf marks the lines of the former wording that begins at line i for the unit at line j.
func (s *scan) formerOf(i, j int) {
	for k := i; k < j && !s.unit[k] && (k == i || s.heads[k].kind != headArticle && !s.divides(k)); k++ {
		s.later[k] = j
		if !s.lines[k].Note {
			s.lines[k].History = true
		}
		if k > i {
			s.heads[k] = head{}
		}
	}
	s.heads[i] = head{}
}

var leaders = regexp.MustCompile(`(?:[.…·_]\s?){4,}\s*\d{1,4}\s*$`)

// dropLeaders drops printed tables of contents: entries with dotted leaders and
// page numbers, and what stands between neighbouring entries.
func (s *scan) dropLeaders() {
	const reach = 4
	last, count := -1, 0
	for i, l := range s.lines {
		if !leaders.MatchString(l.Text) {
			continue
		}
		from := i
		if last >= 0 && i-last <= reach {
			from = last
		} else if i > 0 && s.heads[i].kind == headNone && s.heads[i-1].kind != headNone {
			from = i - 1 // the entry began on the line before
		}
		for k := max(from, 0); k <= i; k++ {
			s.drop[k] = true
			s.heads[k] = head{}
		}
		last = i
		count++
	}
	if count > 0 {
		s.defect("contents_table", "índice con números de página omitido")
	}
}
