package read

import (
	"slices"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
)

// Quotation is a stretch that the text gives as somebody's words. Offsets are
// code points: of the words, and of the whole with its marks.
type Quotation struct {
	Start, End int
	From, To   int
	Words      string
	Block      bool
	Owner      int // 1 + the place of the citation that announces it; 0 = it is to be found
	Aside      int // from here to asideEnd the author says whose the words are: «…, dice el artículo 5, …»
	AsideEnd   int
	Source     int // where the lines of a block begin that say what it comes from; 0 = there are none
}

// closing gives the mark that ends a quotation begun by a mark.
var closing = map[rune]rune{'«': '»', '“': '”', '„': '”', '‚': '‘', '‹': '›', '‘': '’', '"': '"', '「': '」'}

// Bounds of a quotation, in code points and words.
const (
	MaxQuotation = 8000
	MaxBlock     = 4 * MaxQuotation // what is set apart and longer is a text quoted as a whole
	MinWords     = 3
)

// Quotations finds the quoted stretches of a text: between marks of every kind,
// the outermost of nested ones, what HTML and LaTeX mark, and blocks.
func Quotations(m *Meter, s string, given []rune) (out []Quotation) {
	blocks := InOrder(append(lineBlocks(given), tagged(m, s)...))
	m.Spend(len(s))
	r := onePiece(given)
	shuts := shutsOf(r)
	at, barren := 0, 0 // before barren no apostrophe closes
	for i := 0; i < len(r); i++ {
		if i%Breath == 0 {
			m.Alive()
			Bounded(out, Beginning)
		}
		for at < len(blocks) && blocks[at].To <= i {
			at++
		}
		end := int(shuts[i])
		switch {
		case at < len(blocks) && blocks[at].From <= i:
			out = appendQuoted(out, blocks[at], given)
			i = blocks[at].To - 1
			continue
		case r[i] == '"' && (i == 0 || !Wordy(r[i-1])):
			end = closeAt(r, i)
		case r[i] == '\'' && i >= barren && apostropheOpens(r, i):
			if end = closeAt(r, i); end == 0 {
				barren = ParagraphEnd(r, i)
			}
		}
		if end > 0 {
			out = appendQuoted(out, withAside(Quotation{Start: i + 1, End: end, From: i, To: end + 1, Words: string(given[i+1 : end])}), given)
			i = end
		}
	}
	return Bounded(out, Beginning)
}

func Beginning(q Quotation) int { return q.From }

func InOrder(list []Quotation) []Quotation {
	slices.SortFunc(list, func(a, b Quotation) int { return a.From - b.From })
	return list
}

// appendQuoted appends a stretch between marks unless it is too short, or a mere name.
func appendQuoted(out []Quotation, q Quotation, given []rune) []Quotation {
	n := len(text.First(q.Words, maxName+1))
	if n < MinWords || namesCase(q.Words) || n <= maxName && givesName.MatchString(string(given[max(0, q.From-40):q.From])) {
		return out
	}
	return append(out, q)
}

// givesName stands before a name between marks, which is no quotation: "en adelante, «la Norma»".
var givesName = lazyregexp.New(`(?i)\b(?:en adelante|en lo sucesivo|en lo que sigue|en más|denominad[oa]s?|llamad[oa]s?)\b[^.;()«“"]{0,20}$`)

const maxName = 6 // words

// closeAt gives the straight mark, which does not say which way it goes, that ends the
// Quotation begun at i in its own paragraph; 0 = nothing does.
func closeAt(r []rune, i int) int {
	for k := i + 1; k < len(r) && k-i <= MaxQuotation; k++ {
		switch {
		case r[k] == r[i]:
			if r[i] != '\'' || !unicode.IsSpace(r[k-1]) && (k+1 == len(r) || !Wordy(r[k+1])) {
				return k
			} // else an apostrophe
		case r[k] == '\n' && k+1 < len(r) && r[k+1] == '\n':
			return 0
		}
	}
	return 0
}

// opening gives the marks that each mark ends.
var opening = map[rune][]rune{'»': {'«'}, '”': {'“', '„'}, '›': {'‹'}, '」': {'「'}, '’': {'‘'}, '“': {'„'}, '‘': {'‚'}}

// shutsOf gives for each mark that opens a quotation the place of the one that ends it, 0 for
// all else. Each kind is paired off by itself: those of one kind nest. One without a fellow
// within a quotation's length has none.
func shutsOf(r []rune) []int32 {
	shuts := make([]int32, len(r))
	open := map[rune][]int32{}
	for k, x := range r {
		if x < '«' || x > '」' || x == '’' && k+1 < len(r) && unicode.IsLetter(r[k+1]) { // an apostrophe
			continue
		}
		shut := false
		for _, mark := range opening[x] {
			if n := len(open[mark]); n > 0 {
				if i := open[mark][n-1]; k-int(i) <= MaxQuotation {
					shuts[i] = int32(k)
				}
				open[mark], shut = open[mark][:n-1], true
			}
		}
		if closing[x] != 0 && !(shut && x == '‘') {
			open[x] = append(open[x], int32(k))
		}
	}
	return shuts
}

// onePiece puts marks typed as two characters ("<<", "”") into one, so that no
// place moves.
func onePiece(given []rune) []rune {
	r := slices.Clone(given)
	for i := 0; i+1 < len(r); i++ {
		if r[i] != r[i+1] || i > 0 && r[i-1] == r[i] || i+2 < len(r) && r[i+2] == r[i] {
			continue
		}
		switch opens := i == 0 || !Wordy(r[i-1]) && !strings.ContainsRune(".,;:!?", r[i-1]); {
		case r[i] == '<':
			r[i], r[i+1] = ' ', '«'
		case r[i] == '>':
			r[i], r[i+1] = '»', ' '
		case (r[i] == '\'' || r[i] == '`') && opens:
			r[i], r[i+1] = ' ', '“'
		case r[i] == '\'':
			r[i], r[i+1] = '”', ' '
		}
	}
	return r
}

// apostropheOpens says whether a straight apostrophe begins a quotation.
func apostropheOpens(r []rune, i int) bool {
	return (i == 0 || !Wordy(r[i-1])) && i+1 < len(r) && (Wordy(r[i+1]) || strings.ContainsRune("[(…¿¡", r[i+1]) || strings.HasPrefix(string(r[i+1:min(len(r), i+4)]), "..."))
}

// saidAside is what an author puts between dashes into the words that he gives: " —dice el
// artículo 5— ".
var saidAside = Compile(`(?i)\s(?:[—–]|-)(?:como\s|así\s|lo\s)*(?:` + Says + `)\s(?:el\s|nuestro\s)?art(?:ículo|iculo|\.)?\s\d[^—–«»“”]{0,80}?(?:[—–]|-)(\s|[,.;:]\s)`)

// withAside takes out of a quotation what its author says in it of where the words are.
func withAside(q Quotation) Quotation {
	m := saidAside.first(q.Words)
	if m == nil {
		return q
	}
	count := CodePoints(q.Words)
	q.Aside, q.AsideEnd = q.Start+count(m[0]), q.Start+count(m[1])
	q.Words = q.Words[:m[0]] + q.Words[m[2]:]
	return q
}

// remark begins a block in which an author says something to his readers.
var remark = lazyregexp.New(`(?i)^[\s*_\pS]*(?:nota|notas|ojo|importante|aviso|advertencia|atención|consejo|resumen|recuerda|recuerde|conclusión)\b[\s*_]*:`)

// asks says that a block puts a question, as an answered letter does and no law.
var asks = lazyregexp.New(`¿|\?\s*$`)

// lineBlocks finds the runs of lines that a text sets apart: those that begin with ">", and,
// behind a line that ends with a colon, those that blanks indent.
func lineBlocks(r []rune) (out []Quotation) {
	announced := false
	for i := 0; i < len(r); {
		end := LineEnd(r, i)
		bars, apart := quotedLine(r[i:end]), quotedLine
		if !bars {
			if apart = indentedLine; !announced || !indentedLine(r[i:end]) {
				last := end - 1
				for ; last >= i && unicode.IsSpace(r[last]); last-- {
				}
				if last >= i {
					announced = r[last] == ':'
				}
				i = end + 1
				continue
			}
		}
		q := Quotation{Start: i, From: i, Block: true}
		var lines []string
		var starts []int
		for ; i < len(r) && apart(r[i:LineEnd(r, i)]); i = q.End + 1 {
			q.End = LineEnd(r, i)
			lines, starts = append(lines, strings.TrimLeft(string(r[i:q.End]), " \t>")), append(starts, i)
		}
		announced = false
		whole := strings.Join(lines, " ")
		if q.To = q.End; q.End-q.Start > MaxBlock || bars && (cites.MatchString(whole) || letter.MatchString(whole) || asks.MatchString(whole) || remark.MatchString(whole)) {
			continue // a letter quoted as a whole, which cites for itself
		}
		if own := withoutSource(lines); bars && len(own) < len(lines) {
			q.Source, lines = starts[len(own)], own
		}
		q.Words = unmarked(strings.Join(lines, "\n"))
		out = append(out, q)
	}
	return out
}

func quotedLine(line []rune) bool {
	k := 0
	for k < len(line) && (line[k] == ' ' || line[k] == '\t') {
		k++
	}
	return k < 4 && k < len(line) && line[k] == '>'
}

func indentedLine(line []rune) bool {
	k := 0
	for k < len(line) && unicode.IsSpace(line[k]) {
		k++
	}
	return k < len(line) && line[k] != '>' && (line[0] == '\t' || k >= 4 && string(line[:4]) == "    ")
}

// Quotations marked by HTML, which Markdown may hold, and by LaTeX.
var (
	tagBlock  = Compile(`(?is)<(blockquote|q)(?:\s[^<>]{0,200})?>(.+?)</(?:blockquote|q)>`)
	texBlock  = Compile(`(?s)\\begin\{(quote|quotation|displayquote)\}(?:\[[^\]]{0,100}\])?(.+?)\\end\{(?:quote|quotation|displayquote)\}`)
	texInline = Compile(`\\(enquote|textquote)\*?\{([^{}]+)\}`)
	tagCite   = lazyregexp.New(`(?is)<(?:footer|cite)(?:\s[^<>]{0,200})?>`)
)

// tagged finds the quotations that HTML and LaTeX mark; before their last end something that
// it ends may begin.
func tagged(meter *Meter, s string) (out []Quotation) {
	for _, p := range []*Pattern{tagBlock, texBlock, texInline} {
		at, last := CodePoints(s), len(s)
		switch p {
		case tagBlock:
			if !strings.Contains(s, "</") {
				continue
			}
			last = max(strings.LastIndex(s, "</q>"), strings.LastIndex(s, "</blockquote>"), strings.LastIndex(s, "</Q>"), strings.LastIndex(s, "</BLOCKQUOTE>"))
		case texBlock:
			if !strings.Contains(s, `\end{`) {
				continue
			}
			last = max(strings.LastIndex(s, `\end{q`), strings.LastIndex(s, `\end{d`))
		}
		for m := range p.before(meter, s, last) {
			if m[5]-m[4] <= MaxQuotation {
				out = append(out, taggedIn(s, m, at))
			}
		}
	}
	return out
}

// taggedIn makes a quotation of an element.
func taggedIn(s string, m []int, at func(b int) int) Quotation {
	inside, name := s[m[4]:m[5]], strings.ToLower(s[m[2]:m[3]])
	q := Quotation{Start: at(m[4]), End: at(m[5]), From: at(m[0]), To: at(m[1]), Block: name != "q" && name != "enquote" && name != "textquote"}
	if c := tagCite.FindStringIndex(inside); c != nil && c[0] > 0 {
		q.Source, inside = at(m[4]+c[0]), inside[:c[0]]
	} else if k := strings.LastIndexByte(strings.TrimRight(inside, " \n"), '\n'); k > 0 && source.MatchString(inside[k+1:]) {
		q.Source, inside = at(m[4]+k+1), inside[:k]
	}
	q.Words = unmarked(emphasis.ReplaceAllString(inside, ""))
	return q
}

// cites is a block whose author cites a unit and gives its words between marks.
var cites = lazyregexp.New(`(?i)\bart(?:[íi]culo|\.)?\s?\d{1,4}\b[^«“"']{3,120}:\s?[«“"']`)

// letter is a block that somebody wrote in answer, or that says between brackets whose
// the words between its marks are.
var letter = lazyregexp.New(`(?i)\b(?:escribió|wrote):|[»”"]\s?\((?:véase\s)?(?:el\s)?art(?:[íi]culo|\.)?\s?\d`)

// Source is a last line that names where a block comes from.
var source = lazyregexp.New(`^\s*(?:[—–-]|\()`)

// bareSource is such a line without a mark, set apart by an empty one: no heading and no sentence.
var bareSource = lazyregexp.New(`^\s*(?i:art(?:ículo|iculo)?\.?)\s\d{1,4}[º°]?,?\s[^:;]{2,80}$`)

func withoutSource(lines []string) []string {
	for n := len(lines); n > 1 && (strings.TrimSpace(lines[n-1]) == "" || (source.MatchString(lines[n-1]) || n > 2 && strings.TrimSpace(lines[n-2]) == "" && bareSource.MatchString(lines[n-1])) && len(lines[n-1]) < 200); n-- {
		lines = lines[:n-1]
	}
	return lines
}

// unmarked takes off quotation marks around the whole.
func unmarked(s string) string {
	t := []rune(strings.TrimSpace(s))
	for len(t) > 2 && closing[t[0]] != 0 && t[len(t)-1] == closing[t[0]] {
		t = t[1 : len(t)-1]
	}
	return string(t)
}

// caption is the name of a case, between the marks of a quotation or not.
var caption = lazyregexp.New(`\s(?:c/|s/|vs?\.)\s?\p{L}`)

// namesCase says of a quotation that it is no law's: the name of a case.
func namesCase(words string) bool {
	return len(strings.Fields(words)) < 25 && caption.MatchString(words)
}
