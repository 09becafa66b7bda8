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
var closing = map[rune]rune{'«': '»', '“': '”', '„': '”', '‚': '‘', '‹': '›', '‘': '’', '"': '"', '「': '」'}

// Bounds of a quotation, in code points and words.
const (
	maxQuotation = 8000
	maxBlock     = 4 * maxQuotation // what is set apart and longer is a text quoted as a whole
	minWords     = 3
)

// quotations finds the quoted stretches of a text: between marks of every kind,
// the outermost of nested ones, and Markdown block quotes. Its error is tooMany, or that
// of a context that ended.
func (j *judge) quotations(s string) ([]quotation, error) {
	given := j.runes
	marked, err := j.tagged(s)
	if err != nil {
		return nil, err
	}
	blocks := slices.Concat(blockQuotes(given), indented(given), marked)
	slices.SortFunc(blocks, func(a, b quotation) int { return a.from - b.from })
	if err := j.spend(len(s)); err != nil {
		return nil, err
	}
	r := onePiece(given)
	pairs := pairsOf(r)
	var out []quotation
	at, barren := 0, 0 // before barren no apostrophe closes
	for i := 0; i < len(r); i++ {
		if i%breath == 0 && j.ctx.Err() != nil {
			return nil, cancelled(j.ctx.Err())
		}
		if len(out) > MaxCitations {
			return nil, tooMany{out[MaxCitations].from}
		}
		for at < len(blocks) && blocks[at].to <= i {
			at++
		}
		if at < len(blocks) && blocks[at].from <= i {
			out = appendQuoted(out, blocks[at], given)
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
		end := pairs.of(i)
		if shut == r[i] {
			end = closeAt(r, i)
		}
		if end < 0 {
			if shut == '\'' {
				barren = paragraphEnd(r, i)
			}
			continue
		}
		out = appendQuoted(out, withAside(quotation{start: i + 1, end: end, from: i, to: end + 1, words: string(given[i+1 : end])}), given)
		i = end
	}
	return out, nil
}

// appendQuoted appends a stretch between marks unless it is too short, or a mere name.
func appendQuoted(out []quotation, q quotation, given []rune) []quotation {
	n := len(text.First(q.words, maxName+1))
	if n < minWords || namesCase(q.words) || n <= maxName && givesName.MatchString(string(given[max(0, q.from-40):q.from])) {
		return out
	}
	return append(out, q)
}

// givesName stands before a name between marks, which is no quotation: "en adelante, «la Norma»".
var givesName = regexp.MustCompile(`(?i)\b(?:en adelante|en lo sucesivo|en lo que sigue|en más|denominad[oa]s?|llamad[oa]s?)\b[^.;()«“"]{0,20}$`)

const maxName = 6 // words

// closeAt gives the straight mark, which does not say which way it goes, that ends the
// quotation begun at i in its own paragraph, or -1.
func closeAt(r []rune, i int) int {
	for k := i + 1; k < len(r) && k-i <= maxQuotation; k++ {
		switch {
		case r[k] == r[i]:
			if r[i] != '\'' || !unicode.IsSpace(r[k-1]) && (k+1 == len(r) || !wordy(r[k+1])) {
				return k
			} // else an apostrophe
		case r[k] == '\n' && k+1 < len(r) && r[k+1] == '\n':
			return -1
		}
	}
	return -1
}

// pairs are the marks that open a quotation, in order, each with the one that ends it.
type pairs struct {
	list []pair
	next int
}

type pair struct{ open, shut int32 } // code points

// pairsOf pairs the marks of a text off, each kind by itself: those of one kind nest.
// One without a fellow within a quotation's length has none.
func pairsOf(r []rune) *pairs {
	var p pairs
	open := map[rune][]int32{}
	pop := func(mark rune, k int) bool {
		if n := len(open[mark]); n > 0 {
			if i := open[mark][n-1]; k-int(i) <= maxQuotation {
				p.list = append(p.list, pair{i, int32(k)})
			}
			open[mark] = open[mark][:n-1]
			return true
		}
		return false
	}
	for k, x := range r {
		switch x {
		case '«', '“', '„', '‚', '‹', '‘', '「':
			if x == '“' {
				pop('„', k)
			}
			if x == '‘' && pop('‚', k) {
				continue
			}
			open[x] = append(open[x], int32(k))
		case '»':
			pop('«', k)
		case '”':
			pop('“', k)
			pop('„', k)
		case '›':
			pop('‹', k)
		case '」':
			pop('「', k)
		case '’':
			if k+1 == len(r) || !unicode.IsLetter(r[k+1]) { // else an apostrophe
				pop('‘', k)
			}
		}
	}
	slices.SortFunc(p.list, func(a, b pair) int { return int(a.open - b.open) })
	return &p
}

// of gives the mark that ends the quotation begun at i, or -1; it is asked in order.
func (p *pairs) of(i int) int {
	for p.next < len(p.list) && int(p.list[p.next].open) < i {
		p.next++
	}
	if p.next < len(p.list) && int(p.list[p.next].open) == i {
		return int(p.list[p.next].shut)
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
		if announced = false; q.end-q.start > maxBlock {
			continue
		}
		q.words = unmarked(string(r[q.start:q.end]))
		out = append(out, q)
	}
	return out
}

func setApart(line string) bool {
	return (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), ">")
}

// saidAside is what an author puts between dashes into the words that he gives: " —dice el
// artículo 5— ".
var saidAside = compile(`(?i)\s(?:[—–]|-)(?:como\s|así\s|lo\s)*(?:` + says + `)\s(?:el\s|nuestro\s)?art(?:ículo|iculo|\.)?\s\d[^—–«»“”]{0,80}?(?:[—–]|-)(\s|[,.;:]\s)`)

// withAside takes out of a quotation what its author says in it of where the words are.
func withAside(q quotation) quotation {
	m := saidAside.next(q.words)
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
		if q.to = q.end; q.end-q.start > maxBlock {
			continue
		}
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
	tagBlock = compile(`(?is)<(blockquote|q)(?:\s[^<>]{0,200})?>(.+?)</(?:blockquote|q)>`)
	texBlock = compile(`(?s)\\begin\{(quote|quotation|displayquote)\}(?:\[[^\]]{0,100}\])?(.+?)\\end\{(?:quote|quotation|displayquote)\}|\\(enquote|textquote)\*?\{([^{}]+)\}`)
	tagEnd   = compile(`(?i)</(?:blockquote|q)>`)
	texEnd   = compile(`\\end\{(?:quote|quotation|displayquote)\}`)
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
func (j *judge) tagged(s string) (out []quotation, err error) {
	at := codePoints(s)
	last := j.last(texEnd, s)
	err = texBlock.within(j.ctx, s, func(i int) bool { return i < last || !strings.HasPrefix(s[i:], `\b`) }, func(m []int) bool {
		from, to, block := m[4], m[5], true
		if from < 0 {
			from, to, block = m[8], m[9], false
		}
		if to-from <= maxQuotation {
			out = append(out, quotation{start: at(from), end: at(to), from: at(m[0]), to: at(m[1]), block: block, words: unmarked(s[from:to])})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	last = j.last(tagEnd, s)
	err = tagBlock.within(j.ctx, s, func(i int) bool { return i < last }, func(m []int) bool {
		if m[5]-m[4] <= maxQuotation {
			out = append(out, taggedIn(s, m, at))
		}
		return true
	})
	return out, err
}

// last gives the byte where the last match of a pattern begins, before which something that
// it ends may begin; -1 = there is none, or nobody waits.
func (j *judge) last(p *pattern, s string) int {
	last := -1
	_ = p.each(j.ctx, s, func(m []int) bool { // an end of ctx is seen by who reads on
		last = m[0]
		return true
	})
	return last
}

// taggedIn makes a quotation of an element of HTML.
func taggedIn(s string, m []int, at func(b int) int) quotation {
	inside := s[m[4]:m[5]]
	q := quotation{start: at(m[4]), end: at(m[5]), from: at(m[0]), to: at(m[1]), block: strings.EqualFold(s[m[2]:m[3]], "blockquote")}
	if c := tagCite.FindStringIndex(inside); c != nil && c[0] > 0 {
		q.source, inside = at(m[4]+c[0]), inside[:c[0]]
	} else if k := strings.LastIndexByte(strings.TrimRight(inside, " \n"), '\n'); k > 0 && source.MatchString(inside[k+1:]) {
		q.source, inside = at(m[4]+k+1), inside[:k]
	}
	q.words = unmarked(emphasis.ReplaceAllString(inside, ""))
	return q
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
