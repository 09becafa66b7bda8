package brief

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"digesto/text"
)

// quotation is a stretch that the text gives as somebody's words. Offsets are
// code points: of the words, and of the whole with its marks.
type quotation struct {
	start, end int
	from, to   int
	words      string
	block      bool
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
	blocks := append(blockQuotes(given), indented(given)...)
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
		out = append(out, quotation{start: i + 1, end: end, from: i, to: end + 1, words: string(given[i+1 : end])})
		i = end
	}
	var long []quotation
	for _, q := range out {
		if len(text.Tokens(nil, q.words)) >= minWords {
			long = append(long, q)
		}
	}
	return long
}

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
		case r[i] == '\'' && opens:
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
	return (i == 0 || !wordy(r[i-1])) && i+1 < len(r) && (wordy(r[i+1]) || strings.ContainsRune("[…¿¡", r[i+1]))
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
		own := withoutSource(lines)
		if len(own) < len(lines) {
			q.source = starts[len(own)]
		}
		q.words = unmarked(strings.Join(own, "\n"))
		out = append(out, q)
	}
	return out
}

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

func withoutSource(lines []string) []string {
	for n := len(lines); n > 1 && (strings.TrimSpace(lines[n-1]) == "" || source.MatchString(lines[n-1]) && len(lines[n-1]) < 200); n-- {
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

// Forms of what an author puts in or leaves out of a quotation.
var (
	changedLetter = regexp.MustCompile(`\[(\p{L})\](\p{L})`)
	leftOut       = regexp.MustCompile(`[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\.\.+|\[[^\]]{0,200}\]`)
)

// What an author adds to a quotation without a mark of its own: emphasis, the note
// that it was added, and other marks for a quotation inside it.
var (
	emphasis     = regexp.MustCompile(`\*+`)
	emphasisNote = regexp.MustCompile(`(?i)\s*[\[(](?:lo |el |la |los |las )?(?:subrayad|énfasis|negrit|cursiv|resaltad|destacad|bastardill)[^)\]]{0,60}[)\]]\s*\.?\s*$`)
	innerMarks   = regexp.MustCompile(`(^|[\s(«“])[‘']([^‘’']+)[’']($|[\s.,;:)»”])`)
)

// stretches gives the parts of a quotation that must stand in the law in this
// order: "[…]" and "…" stand for words left out, "[…words…]" for words put in
// their place, and "[L]as" for a letter whose case was changed.
func stretches(q string) []string {
	q = innerMarks.ReplaceAllString(emphasis.ReplaceAllString(emphasisNote.ReplaceAllString(q, ""), ""), "$1“$2”$3")
	q = changedLetter.ReplaceAllString(q, "$1$2")
	var out []string
	for _, p := range leftOut.Split(q, -1) {
		p = strings.TrimFunc(p, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:—–-«»“”\"'*_", r) })
		if len(text.Tokens(nil, p)) > 0 {
			out = append(out, p)
		}
	}
	return out
}
