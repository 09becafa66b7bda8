package dating

import (
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Some official systems keep every former wording in place: the old article or
// paragraph in italics, a note "(*) … sustituido por …, cuyo texto es el
// siguiente:", then the new wording in quotation marks. There a quoted article
// is the law in force and the one before it is history: the reverse of what
// quotation marks mean elsewhere.

// Scan are the lines of one norm with what each may open, and which of them are
// former wordings.
type Scan struct {
	Lines      []line.Line
	Heads      []heading.Head
	Unit       []bool         // the head opens a unit of this norm
	Series     []int          // series of articles, 1…
	Main       int            // the longest series: it keeps plain ids
	Drop       []bool         // publisher's furniture, contents tables
	Later      []int          // a former wording of the unit that opens at this later line; 0 = none
	Trailer    int            // line from which an editor's appendix runs to the end; 0 = none
	InPlace    bool           // the source keeps former wordings beside the text in force
	italic     map[int]bool   // lines taken for former wordings by their italics alone
	old        map[int]bool   // lines that a note says were replaced or repealed
	brought    map[int]bool   // lines at which a note brings a new wording
	Wording    map[int]bool   // lines at which a former wording of a part begins
	Ended      map[int]int    // lines at which a repealed part begins; the line of the note that says so
	FormerRest map[int]bool   // units whose words beside the number are a former wording
	Doubts     map[int]string // last lines of wordings that a note says were replaced, and it cannot be told from where; the note
}

// ReplacesInPlace recognises such a source by its notes.
func (s *Scan) ReplacesInPlace() bool {
	notes, italic := 0, 0
	for i, l := range s.Lines {
		if l.Italic {
			italic++
		}
		if s.Lines[i].Note && announcesText(l.Text) {
			notes++
		}
	}
	s.InPlace = notes >= 3 && italic >= 3
	return s.InPlace
}

// announced are the words with which a note brings a new wording.
var announced = lazyregexp.New(`texto (?:es|sera|fue|era)? ?(?:el|la) siguiente|siguiente texto|(?:siguiente|de esta) (?:manera|forma|redaccion)|(?:manera|forma|redaccion) siguiente`)

func announcesText(s string) bool { return announced.MatchString(text.Fold(s)) }

var reformWord = lazyregexp.New(`(?i)(sustituid|modificad|reemplazad|derogad|incorporad|restituid)`)

// Supersede marks former wordings: an article that comes again with the same
// number after a reform note, and paragraphs wholly in italics.
func (s *Scan) Supersede() {
	for i := range s.Heads {
		switch s.Heads[i].Kind {
		case heading.Article, heading.Disposition, heading.Item, heading.Division, heading.Annex, heading.Group:
			s.Heads[i].Quoted = false
		}
	}
	for i, h := range s.Heads {
		if h.Kind != heading.Article {
			continue
		}
		j := s.replacement(i)
		if j == 0 {
			continue
		}
		for k := i; k < j; k++ {
			s.Later[k] = j
			if !s.Lines[k].Note {
				s.Lines[k].History = true
			}
			if s.Heads[k].Kind != heading.Division {
				s.Heads[k] = heading.Head{}
			}
		}
	}
	s.italic = map[int]bool{}
	old := false // under an article that has only its former wording left
	for i, l := range s.Lines {
		switch {
		case s.Heads[i].Kind == heading.Article:
			old = l.Italic
		case s.Heads[i].Kind == heading.None && l.Italic && !l.Note && !old && s.Later[i] == 0:
			s.Lines[i].History, s.italic[i] = true, true
		}
	}
}

// replacement gives the line of the next wording of the article at line i, or 0:
// the next article has the same number, and a reform note stands between.
func (s *Scan) replacement(i int) int {
	note := false
	for k := i + 1; k < len(s.Heads); k++ {
		if s.Lines[k].Note {
			note = note || reformWord.MatchString(s.Lines[k].Text)
			continue
		}
		if h := s.Heads[k]; h.Kind == heading.Article {
			if note && h.Num.Rank() == s.Heads[i].Num.Rank() {
				return k
			}
			return 0
		}
	}
	return 0
}

// BoxesWithoutFrame marks what follows a label such as "TEXTO ANTERIOR" where the
// source shows no frame around it (recognised pages, plain text): all of it up to
// the next heading is history. Some of it may hold; none of it is proven to. A
// label within a frame ends where its frame does.
func BoxesWithoutFrame(lines []line.Line) {
	past := false
	for i := range lines {
		if _, label := publisher.FormerLabel(lines[i].Text); label {
			past = !lines[i].History // a reader that sees frames has marked what is in this one
		} else if k := heading.Read(lines[i]).Kind; past && (k == heading.Article || k == heading.Disposition || k == heading.Norm || k == heading.Division || k == heading.Annex || k == heading.Group) {
			past = false
		}
		lines[i].History = lines[i].History || past
	}
}

// Repeated marks the articles of a division that comes again whole ("Capítulo
// sustituido por …, cuyo texto es el siguiente:"): those before the chosen one of
// the same number are former wordings of it.
func (s *Scan) Repeated() {
	chosen := map[int]int{}
	for i, h := range s.Heads {
		if h.Kind == heading.Article && s.Unit[i] && s.Series[i] == s.Main {
			chosen[h.Num.Rank()] = i
		}
	}
	for i, h := range s.Heads {
		j := chosen[h.Num.Rank()]
		if h.Kind != heading.Article || s.Unit[i] || s.Drop[i] || j <= i {
			continue
		}
		s.formerOf(i, j)
	}
}

// formerOf marks the lines of the former wording that begins at line i for the unit at line j.
func (s *Scan) formerOf(i, j int) {
	for k := i; k < j && !s.Unit[k] && (k == i || s.Heads[k].Kind != heading.Article && !s.divides(k)); k++ {
		s.Later[k] = j
		if !s.Lines[k].Note {
			s.Lines[k].History = true
		}
		if k > i {
			s.Heads[k] = heading.Head{}
		}
	}
	s.Heads[i] = heading.Head{}
}
