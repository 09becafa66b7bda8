package read

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
	"digesto/text/lazyregexp"
)

// Says are verbs by which a unit speaks.
const Says = "dice|dispone|establece|señala|prevé|exige|ordena|añade|reza|impone|manda|declara|define|indica|fija|enumera|lista|prescribe|reconoce|consagra|expresa|aclara|agrega|precisa|advierte"

// abbreviated ends with a word whose full stop ends no sentence.
var abbreviated = lazyregexp.New(`(?i)(?:^|[^\pL])(?:arts?|artículos?|núms?|nros?|incs?|párrs?|apdos?|ej|etc|pág|págs|cf|cfr|conf|dr|dra|sr|sra|ud|uds|d|n|lit|leg|inc|vol|t|vid|\p{Lu})$`)

// Stops says whether a sentence or paragraph of the law ends at i.
func Stops(r []rune, i int) bool {
	switch r[i] {
	case '\n':
		k := i - 1
		for k >= 0 && unicode.IsSpace(r[k]) {
			k--
		}
		return k < 0 || strings.ContainsRune(".:;»”)", r[k]) || !unicode.IsLower(FirstLetter(r[i:min(len(r), i+40)]))
	case ';', ':', '?':
		return true
	case '.':
		k := i + 1
		for k < len(r) && (r[k] == '-' || r[k] == '»' || r[k] == ')') {
			k++
		}
		if k < len(r) && !unicode.IsSpace(r[k]) || abbreviated.MatchString(string(r[max(0, i-12):i])) {
			return false
		}
		if at := i - 1; at >= 0 && unicode.IsDigit(r[at]) { // "2. El plazo": the number of a part
			for at >= 0 && unicode.IsDigit(r[at]) {
				at--
			}
			if at < 0 || r[at] == '\n' {
				return false
			}
		}
		next := FirstLetter(r[min(len(r), k):min(len(r), k+20)])
		return next == 0 || !unicode.IsLower(next)
	}
	return false
}

// SentenceFrom gives where the sentence of the law begins in which i stands.
func SentenceFrom(r []rune, i int) int {
	for i > 0 && !Stops(r, i-1) {
		i--
	}
	return i
}

func FirstLetter(r []rune) rune {
	for _, x := range r {
		if !unicode.IsSpace(x) {
			return x
		}
	}
	return 0
}

// SentenceStop says whether a sentence of the author ends at i.
func SentenceStop(r []rune, i int) bool {
	return (r[i] == '.' || r[i] == ';' || r[i] == '?') && Stops(r, i)
}

// SentenceEnd says whether a sentence ends in a stretch.
func SentenceEnd(r []rune) bool {
	brackets := 0
	for i := 0; i+1 < len(r); i++ {
		if (r[i] == '.' || r[i] == ';' || r[i] == '?') && (r[i+1] == ' ' || r[i+1] == '\n') && brackets == 0 && !shortened(r, i) {
			return i > 0 || r[i] != '.' // the full stop right behind the marks ends the quotation's own sentence
		}
		brackets = opened(brackets, r[i])
	}
	return false
}

// shortened says whether the stop at i ends an abbreviation within a sentence: "t.o. 2019",
// "S.A. y otros", "conf. art. 5".
func shortened(r []rune, i int) bool {
	if r[i] != '.' || i < 2 || !unicode.IsLetter(r[i-1]) || i+2 < len(r) && !unicode.IsLower(r[i+2]) && !unicode.IsDigit(r[i+2]) {
		return false
	}
	return i+2 < len(r) && r[i-2] == '.' || citing.MatchString(string(r[max(0, i-7):i]))
}

// citing ends with an abbreviation of those who cite.
var citing = lazyregexp.New(`(?i)(?:^|[^\pL])(?:conf|cf|cfr|arg|arts?|incs?|párrs?|apdos?|núms?|lit|doctr)$`)

// Open says whether a bracket opens in a stretch and does not close there.
func Open(r []rune) bool {
	n := 0
	for _, x := range r {
		n = opened(n, x)
	}
	return n > 0
}

// opened counts the brackets that are open behind a character.
func opened(n int, x rune) int {
	switch x {
	case '(', '[':
		return n + 1
	case ')', ']':
		return max(0, n-1)
	}
	return n
}

// Blank says whether a paragraph ends in a stretch.
func Blank(r []rune) bool { return Paragraphs(r) > 0 }

func Paragraphs(r []rune) int {
	n := 0
	for i := 0; i+1 < len(r); i++ {
		if r[i] == '\n' {
			k := i + 1
			for k < len(r) && (r[k] == ' ' || r[k] == '\t' || r[k] == '\r') {
				k++
			}
			if k < len(r) && r[k] == '\n' {
				n++
				i = k
			}
		}
	}
	return n
}

func Has(r []rune, any ...rune) bool {
	for _, x := range r {
		for _, y := range any {
			if x == y {
				return true
			}
		}
	}
	return false
}

// BlankAt says whether a paragraph ends at i.
func BlankAt(r []rune, i int) bool {
	return i >= 0 && i+1 < len(r) && r[i] == '\n' && r[i+1] == '\n'
}

// Announces says whether a stretch ends with a colon and the end of its paragraph:
// "El artículo 5 dice:" with what it says in a paragraph of its own.
func Announces(gap []rune) bool {
	said := strings.TrimRight(string(gap), " \t\r\n")
	return Paragraphs(gap) == 1 && strings.HasSuffix(said, ":") && !Blank([]rune(said))
}

// ParagraphEnd gives the blank line behind i, or the end of the text.
func ParagraphEnd(r []rune, i int) int {
	for ; i+1 < len(r); i++ {
		if r[i] == '\n' && r[i+1] == '\n' {
			return i
		}
	}
	return len(r)
}

func LineEnd(r []rune, i int) int {
	for i < len(r) && r[i] != '\n' {
		i++
	}
	return i
}

// LineAt gives where the line of code point i begins and where its end stands, no farther than
// a block may go.
func LineAt(r []rune, i int) (from, to int) {
	for from = i; from > 0 && r[from-1] != '\n' && i-from < MaxBlock; from-- {
	}
	return from, LineEnd(r[:min(len(r), i+MaxBlock)], i)
}

// EndOfLine gives the byte at which the line of byte i ends.
func EndOfLine(s string, i int) int {
	if k := strings.IndexByte(s[min(i, len(s)):], '\n'); k >= 0 {
		return i + k
	}
	return len(s)
}

// CodePoints counts those before a byte of s, for bytes that mostly go up.
func CodePoints(s string) func(b int) int {
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

func Wordy(x rune) bool { return unicode.IsLetter(x) || unicode.IsDigit(x) }

// Overlaps says whether a stretch has a part of a quotation; these are in order.
func Overlaps(from, to int, quotes []Quotation) bool {
	k := sort.Search(len(quotes), func(i int) bool { return quotes[i].To > from })
	return k < len(quotes) && quotes[k].From < to
}

// OwnHeading is the heading of an article at the start of a quotation.
var OwnHeading = lazyregexp.New(`^(?i)art(?:ículo|iculo|\.)?\s*(\d{1,4})[º°ª]?(?:\.[º°ª]?)?(?-i:\s(?:del?\s(?:la\s)?)?\p{Lu}[\p{Lu}.]{1,9})?\s*[.:–—-]+\s*`)

// Stem is what the name of a place shares with the word for what is of it.
func Stem(name string) string {
	r := []rune(name)
	return string(r[:min(len(r), 5)])
}

// Folded gives the words of a text, folded.
func Folded(s string) string {
	var w []string
	for _, t := range text.Tokens(nil, s) {
		w = append(w, t.Text)
	}
	return strings.Join(w, " ")
}
