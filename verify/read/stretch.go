package read

import (
	"slices"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/quote"
)

// Stretch is a part of a quotation that must stand in the law as it is.
type Stretch struct {
	Words string
	// Put is what the author set between brackets before these words, "[…words…]",
	// in the place of what was left out; "" for a plain omission.
	Put string
	// Ended says that the quotation shows the end of a sentence before these words.
	Ended bool

	ready *Needles // of words, once they were looked for
}

// Needles are the words of a stretch made ready to be looked for: as they are, and with a
// first letter of the other case.
type Needles struct {
	Shouted bool
	Forms   [2]quote.Needle
}

// Needles makes the words of a stretch ready, once.
func (s *Stretch) Needles() *Needles {
	if s.ready == nil {
		s.ready = &Needles{shouted(s.Words), [2]quote.Needle{quote.Ready(s.Words), quote.Ready(flip(s.Words))}}
	}
	return s.ready
}

// With gives the stretch with other words.
func (s Stretch) With(words string) Stretch { return Stretch{Words: words, Put: s.Put, Ended: s.Ended} }

// Forms of what an author puts in or leaves out of a quotation.
var (
	changedLetter = lazyregexp.New(`\[(\p{L})\](\p{L})`)
	leftOut       = lazyregexp.New(`[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\.\.+|\[[^\]]{0,200}\]`)
)

// What an author adds to a quotation without a mark of its own: emphasis, the note
// that it was added, doubt, tags, and other marks for a quotation inside it.
var (
	pageEnd    = lazyregexp.New(`(?i)\n\s*(?:[—–-]\s*\d{1,4}\s*[—–-]|p[áa]g(?:ina|\.)\s\d{1,4}(?:\s(?:de|/)\s\d{1,4})?)\s*\n`)
	emphasis   = lazyregexp.New(`\*+|\b_+|_+\b|</?(?:b|strong|em|i|u|mark|span|small|sub|sup|p|q|br)(?:\s[^<>]{0,100})?/?>`)
	bracketed  = lazyregexp.New(`\s*[\[(]([^\[\]()]{3,80})[\])]`)
	doubt      = lazyregexp.New(`(?i)\s*[\[(]\s*sic[.!]?\s*[\])]`)
	barLine    = lazyregexp.New(`\n[ \t]*>[ \t>]*`) // in a letter quoted with bars
	innerMarks = lazyregexp.New(`(^|[\s(«“])[‘']([^‘’']+)[’']($|[\s.,;:)»”])`)
)

// editions take off what an author adds; one needs one of its signs.
var editions = []struct {
	*lazyregexp.Regexp
	signs, put string
}{{doubt, "[(", ""}, {emphasis, "*_<", ""}, {barLine, ">", "\n"}, {pageEnd, "\n", "\n"}, {innerMarks, "‘'", "$1“$2”$3"}, {changedLetter, "[", "$1$2"}}

// Stretches gives the parts of a quotation that must stand in the law in this
// order: "[…]" and "…" stand for words left out, "[…words…]" for words put in
// their place, and "[L]as" for a letter whose case was changed. What is put in
// behind the last words comes with a stretch that has none.
func Stretches(q string) []Stretch {
	if strings.ContainsAny(q, "[(") {
		q = bracketed.ReplaceAllStringFunc(q, func(s string) string {
			if saysEmphasis(s) {
				return ""
			}
			return s
		})
	}
	for _, e := range editions {
		if strings.ContainsAny(q, e.signs) {
			q = e.ReplaceAllString(q, e.put)
		}
	}
	var out []Stretch
	put, at, ended := "", 0, false
	add := func(words string) {
		all := words
		words = strings.TrimFunc(words, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:—–-«»“”\"'*_", r) })
		if len(text.Tokens(nil, words)) > 0 {
			lead, rest, _ := strings.Cut(all, words)
			out, put = append(out, Stretch{Words: words, Put: put, Ended: ended || strings.ContainsAny(lead, ".\n")}), ""
			ended = strings.ContainsAny(rest, ".;:\n")
		}
	}
	for _, m := range leftOut.FindAllStringIndex(q, -1) {
		add(q[at:m[0]])
		if inside := strings.TrimSpace(strings.Trim(q[m[0]:m[1]], "[]().… ")); inside != "" {
			put = strings.TrimSpace(put + " " + inside)
		}
		at = m[1]
	}
	add(q[at:])
	if put != "" && len(out) > 0 {
		out = append(out, Stretch{Put: put})
	}
	return out
}

// Words of a note that says whose the emphasis is: one at least is of emphasis, and all others say whose.
var (
	stressing = []string{"subray", "enfasis", "negrit", "cursiv", "resalt", "destac", "bastardill", "italic", "mayuscul"}
	whose     = []string{"el", "la", "los", "las", "lo", "con", "sin", "en", "del", "de", "no", "nuestr", "propi", "anad", "agreg", "supl", "inclu", "original", "autor", "texto", "mio", "mia", "es", "son", "me", "nos", "corresponde", "pertenece", "quien", "suscri", "firmante", "letrad", "esta", "fuera", "aqui", "hemos", "y"}
)

// saysEmphasis says whether a remark in brackets is of the emphasis, and of nothing else.
func saysEmphasis(s string) bool {
	stressed := false
	for _, t := range text.Tokens(nil, s) {
		of := func(begin string) bool { return t.Text == begin || len(begin) > 3 && strings.HasPrefix(t.Text, begin) }
		switch {
		case slices.ContainsFunc(stressing, of):
			stressed = true
		case !slices.ContainsFunc(whose, of):
			return false
		}
	}
	return stressed
}

// PutIn lists what an author set between brackets.
func PutIn(parts []Stretch) (out []string) {
	for _, p := range parts {
		if p.Put != "" {
			out = append(out, p.Put)
		}
	}
	return out
}

// Shouted says whether a stretch is all in capitals, as some set what they quote.
func shouted(s string) bool {
	return len(strings.Fields(s)) >= MinWords && s == strings.ToUpper(s) && s != strings.ToLower(s)
}

func flip(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	if unicode.IsUpper(r[0]) {
		r[0] = unicode.ToLower(r[0])
	} else {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
