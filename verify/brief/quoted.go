package brief

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// quotation is a stretch that the text gives as somebody's words. Offsets are
// code points: of the words, and of the whole with its marks.
type quotation struct {
	start, end int
	from, to   int
	words      string
	block      bool
	owner      int // 1 + the place of the citation that announces it; 0 = it is to be found
	aside      int // from here to asideEnd the author says whose the words are: «…, dice el artículo 5, …»
	asideEnd   int
	source     int // where the lines of a block begin that say what it comes from; 0 = there are none
}

// closing gives the mark that ends a quotation begun by a mark.
var closing = map[rune]rune{'«': '»', '“': '”', '„': '”', '‹': '›', '‘': '’', '"': '"', '「': '」'}

// Bounds of a quotation, in code points and words.
const (
	maxQuotation = 8000
	minWords     = 3
)

// quotations finds the quoted stretches of a text: between marks of every kind,
// the outermost of nested ones, and Markdown block quotes.
func quotations(s string) []quotation {
	given := []rune(s)
	blocks := slices.Concat(blockQuotes(given), indented(given), tagged(s))
	slices.SortFunc(blocks, func(a, b quotation) int { return a.from - b.from })
	r := onePiece(given)
	var out []quotation
	at, barren := 0, 0 // before barren no apostrophe closes
	for i := 0; i < len(r); i++ {
		for at < len(blocks) && blocks[at].to <= i {
			at++
		}
		if at < len(blocks) && blocks[at].from <= i {
			out = append(out, blocks[at])
			i = blocks[at].to - 1
			continue
		}
		shut, ok := closing[r[i]]
		if r[i] == '\'' && i >= barren && apostropheOpens(r, i) {
			shut, ok = '\'', true
		}
		if !ok || r[i] == '"' && i > 0 && (unicode.IsLetter(r[i-1]) || unicode.IsDigit(r[i-1])) {
			continue
		}
		end := closeAt(r, i, shut)
		if end < 0 {
			if shut == '\'' {
				barren = paragraphEnd(r, i)
			}
			continue
		}
		out = append(out, withAside(quotation{start: i + 1, end: end, from: i, to: end + 1, words: string(given[i+1 : end])}))
		i = end
	}
	var long []quotation
	for _, q := range out {
		if n := len(text.Tokens(nil, q.words)); n >= minWords && !namesCase(q.words) && !(n <= maxName && givesName.MatchString(string(given[max(0, q.from-40):q.from]))) {
			long = append(long, q)
		}
	}
	return long
}

// givesName stands before a name between marks, which is no quotation: "en adelante, «la Norma»".
var givesName = regexp.MustCompile(`(?i)\b(?:en adelante|en lo sucesivo|en lo que sigue|en más|denominad[oa]s?|llamad[oa]s?)\b[^.;()«“"]{0,20}$`)

const maxName = 6 // words

// closeAt gives the mark that ends the quotation begun at i, or -1. Marks of the
// same kind nest; a straight mark, which does not say which way it goes, ends in
// its own paragraph.
func closeAt(r []rune, i int, shut rune) int {
	depth := 0
	for k := i + 1; k < len(r) && k-i <= maxQuotation; k++ {
		switch {
		case r[k] == shut || shut == '”' && r[k] == '“' && r[i] == '„':
			if shut == '’' && k+1 < len(r) && unicode.IsLetter(r[k+1]) || shut == '\'' && (unicode.IsSpace(r[k-1]) || k+1 < len(r) && wordy(r[k+1])) {
				continue // an apostrophe
			}
			if depth == 0 || shut == '\'' {
				return k
			}
			depth--
		case r[k] == r[i]:
			depth++
		case r[k] == '\n' && (r[i] == '"' || r[i] == '\'') && k+1 < len(r) && r[k+1] == '\n':
			return -1
		}
	}
	return -1
}

// paragraphEnd gives the blank line behind i, or the end of the text.
func paragraphEnd(r []rune, i int) int {
	for ; i+1 < len(r); i++ {
		if r[i] == '\n' && r[i+1] == '\n' {
			return i
		}
	}
	return len(r)
}

// onePiece puts marks typed as two characters ("<<", "”") into one, so that no
// place moves.
func onePiece(given []rune) []rune {
	r := slices.Clone(given)
	for i := 0; i+1 < len(r); i++ {
		if r[i] != r[i+1] || i > 0 && r[i-1] == r[i] || i+2 < len(r) && r[i+2] == r[i] {
			continue
		}
		switch opens := i == 0 || !wordy(r[i-1]) && !strings.ContainsRune(".,;:!?", r[i-1]); {
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

func wordy(x rune) bool { return unicode.IsLetter(x) || unicode.IsDigit(x) }

// apostropheOpens says whether a straight apostrophe begins a quotation.
func apostropheOpens(r []rune, i int) bool {
	return (i == 0 || !wordy(r[i-1])) && i+1 < len(r) && (wordy(r[i+1]) || strings.ContainsRune("[(…¿¡", r[i+1]) || strings.HasPrefix(string(r[i+1:min(len(r), i+4)]), "..."))
}

// indented finds the blocks that plain text sets apart by blanks, behind a line
// that ends with a colon.
func indented(r []rune) []quotation {
	var out []quotation
	announced := false
	for i := 0; i < len(r); {
		end := lineEnd(r, i)
		line := string(r[i:end])
		blank := strings.TrimSpace(line) == ""
		if !announced || !setApart(line) {
			if !blank {
				announced = strings.HasSuffix(strings.TrimSpace(line), ":")
			}
			i = end + 1
			continue
		}
		q := quotation{start: i, from: i, block: true}
		for i < len(r) && setApart(string(r[i:lineEnd(r, i)])) {
			q.end = lineEnd(r, i)
			i = q.end + 1
		}
		q.to = q.end
		q.words = unmarked(string(r[q.start:q.end]))
		out, announced = append(out, q), false
	}
	return out
}

func setApart(line string) bool {
	return (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), ">")
}

// saidAside is what an author puts between dashes into the words that he gives: " —dice el
// artículo 5— ".
var saidAside = regexp.MustCompile(`(?i)\s(?:[—–]|-)(?:como\s|así\s|lo\s)*(?:` + says + `)\s(?:el\s|nuestro\s)?art(?:ículo|iculo|\.)?\s\d[^—–«»“”]{0,80}?(?:[—–]|-)(\s|[,.;:]\s)`)

// withAside takes out of a quotation what its author says in it of where the words are.
func withAside(q quotation) quotation {
	m := saidAside.FindStringSubmatchIndex(q.words)
	if m == nil {
		return q
	}
	count := codePoints(q.words)
	q.aside, q.asideEnd = q.start+count(m[0]), q.start+count(m[1])
	q.words = q.words[:m[0]] + q.words[m[2]:]
	return q
}

// remark begins a block in which an author says something to his readers.
var remark = regexp.MustCompile(`(?i)^[\s*_\pS]*(?:nota|notas|ojo|importante|aviso|advertencia|atención|consejo|resumen|recuerda|recuerde|conclusión)\b[\s*_]*:`)

// asks says that a block puts a question, as an answered letter does and no law.
var asks = regexp.MustCompile(`¿|\?\s*$`)

// blockQuotes finds the Markdown blocks whose lines begin with ">".
func blockQuotes(r []rune) []quotation {
	var out []quotation
	for i := 0; i < len(r); {
		end := lineEnd(r, i)
		if !quotedLine(r[i:end]) {
			i = end + 1
			continue
		}
		q := quotation{start: i, from: i, block: true}
		var lines []string
		var starts []int
		for i < len(r) {
			end = lineEnd(r, i)
			if !quotedLine(r[i:end]) {
				break
			}
			lines, starts = append(lines, strings.TrimLeft(strings.TrimLeft(string(r[i:end]), " \t>"), " ")), append(starts, i)
			q.end, i = end, end+1
		}
		q.to = q.end
		if whole := strings.Join(lines, " "); cites.MatchString(whole) || letter.MatchString(whole) || asks.MatchString(whole) || remark.MatchString(whole) {
			continue // a letter quoted as a whole, which cites for itself
		}
		own := withoutSource(lines)
		if len(own) < len(lines) {
			q.source = starts[len(own)]
		}
		q.words = unmarked(strings.Join(own, "\n"))
		out = append(out, q)
	}
	return out
}

// Quotations marked by HTML, which Markdown may hold, and by LaTeX.
var (
	tagBlock = regexp.MustCompile(`(?is)<(blockquote|q)(?:\s[^<>]{0,200})?>(.+?)</(?:blockquote|q)>`)
	texBlock = regexp.MustCompile(`(?s)\\begin\{(quote|quotation|displayquote)\}(?:\[[^\]]{0,100}\])?(.+?)\\end\{(?:quote|quotation|displayquote)\}|\\(enquote|textquote)\*?\{([^{}]+)\}`)
	tagCite  = regexp.MustCompile(`(?is)<(?:footer|cite)(?:\s[^<>]{0,200})?>`)
)

// codePoints counts those before a byte of s, for bytes that mostly go up.
func codePoints(s string) func(b int) int {
	last, count := 0, 0
	return func(b int) int {
		if b < last {
			count -= utf8.RuneCountInString(s[b:last])
		} else {
			count += utf8.RuneCountInString(s[last:b])
		}
		last = b
		return count
	}
}

// tagged finds the quotations that HTML and LaTeX mark.
func tagged(s string) []quotation {
	var out []quotation
	at := codePoints(s)
	for _, m := range texBlock.FindAllStringSubmatchIndex(s, -1) {
		from, to, block := m[4], m[5], true
		if from < 0 {
			from, to, block = m[8], m[9], false
		}
		if to-from <= maxQuotation {
			out = append(out, quotation{start: at(from), end: at(to), from: at(m[0]), to: at(m[1]), block: block, words: unmarked(s[from:to])})
		}
	}
	for _, m := range tagBlock.FindAllStringSubmatchIndex(s, -1) {
		inside := s[m[4]:m[5]]
		if m[5]-m[4] > maxQuotation {
			continue
		}
		q := quotation{start: at(m[4]), end: at(m[5]), from: at(m[0]), to: at(m[1]), block: strings.EqualFold(s[m[2]:m[3]], "blockquote")}
		if c := tagCite.FindStringIndex(inside); c != nil && c[0] > 0 {
			q.source, inside = at(m[4]+c[0]), inside[:c[0]]
		} else if k := strings.LastIndexByte(strings.TrimRight(inside, " \n"), '\n'); k > 0 && source.MatchString(inside[k+1:]) {
			q.source, inside = at(m[4]+k+1), inside[:k]
		}
		q.words = unmarked(emphasis.ReplaceAllString(inside, ""))
		out = append(out, q)
	}
	return out
}

// cites is a block whose author cites a unit and gives its words between marks.
var cites = regexp.MustCompile(`(?i)\bart(?:[íi]culo|\.)?\s?\d{1,4}\b[^«“"']{3,120}:\s?[«“"']`)

// letter is a block that somebody wrote in answer, or that says between brackets whose
// the words between its marks are.
var letter = regexp.MustCompile(`(?i)\b(?:escribió|wrote):|[»”"]\s?\((?:véase\s)?(?:el\s)?art(?:[íi]culo|\.)?\s?\d`)

func lineEnd(r []rune, i int) int {
	for i < len(r) && r[i] != '\n' {
		i++
	}
	return i
}

func quotedLine(line []rune) bool {
	s := strings.TrimLeft(string(line), " \t")
	return strings.HasPrefix(s, ">") && len(line)-len([]rune(s)) < 4
}

// source is a last line that names where a block comes from.
var source = regexp.MustCompile(`^\s*(?:[—–-]|\()`)

// bareSource is such a line without a mark, set apart by an empty one: no heading and no sentence.
var bareSource = regexp.MustCompile(`^\s*(?i:art(?:ículo|iculo)?\.?)\s\d{1,4}[º°]?,?\s[^:;]{2,80}$`)

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
var caption = regexp.MustCompile(`\s(?:c/|s/|vs?\.)\s?\p{L}`)

// namesCase says of a quotation that it is no law's: the name of a case.
func namesCase(words string) bool {
	return len(strings.Fields(words)) < 25 && caption.MatchString(words)
}
