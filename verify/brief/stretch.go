package brief

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/quote"
)

// stretch is a part of a quotation that must stand in the law as it is.
type stretch struct {
	words string
	// put is what the author set between brackets before these words, "[…words…]",
	// in the place of what was left out; "" for a plain omission.
	put string
	// ended says that the quotation shows the end of a sentence before these words.
	ended bool

	ready *needles // of words, once they were looked for
}

// needles are the words of a stretch made ready to be looked for: as they are, and with a
// first letter of the other case.
type needles struct {
	shouted bool
	forms   [2]quote.Needle
}

// needles makes the words of a stretch ready, once.
func (s *stretch) needles() *needles {
	if s.ready == nil {
		s.ready = &needles{shouted(s.words), [2]quote.Needle{quote.Ready(s.words), quote.Ready(flip(s.words))}}
	}
	return s.ready
}

// with gives the stretch with other words.
func (s stretch) with(words string) stretch { return stretch{words: words, put: s.put, ended: s.ended} }

// Forms of what an author puts in or leaves out of a quotation.
var (
	changedLetter = regexp.MustCompile(`\[(\p{L})\](\p{L})`)
	leftOut       = regexp.MustCompile(`[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\.\.+|\[[^\]]{0,200}\]`)
)

// What an author adds to a quotation without a mark of its own: emphasis, the note
// that it was added, doubt, tags, and other marks for a quotation inside it.
var (
	pageEnd    = regexp.MustCompile(`(?i)\n\s*(?:[—–-]\s*\d{1,4}\s*[—–-]|p[áa]g(?:ina|\.)\s\d{1,4}(?:\s(?:de|/)\s\d{1,4})?)\s*\n`)
	emphasis   = regexp.MustCompile(`\*+|\b_+|_+\b|</?(?:b|strong|em|i|u|mark|span|small|sub|sup|p|q|br)(?:\s[^<>]{0,100})?/?>`)
	bracketed  = regexp.MustCompile(`\s*[\[(]([^\[\]()]{3,80})[\])]`)
	doubt      = regexp.MustCompile(`(?i)\s*[\[(]\s*sic[.!]?\s*[\])]`)
	barLine    = regexp.MustCompile(`\n[ \t]*>[ \t>]*`) // in a letter quoted with bars
	innerMarks = regexp.MustCompile(`(^|[\s(«“])[‘']([^‘’']+)[’']($|[\s.,;:)»”])`)
)

// stretches gives the parts of a quotation that must stand in the law in this
// order: "[…]" and "…" stand for words left out, "[…words…]" for words put in
// their place, and "[L]as" for a letter whose case was changed. What is put in
// behind the last words comes with a stretch that has none.
func stretches(q string) []stretch {
	q = bracketed.ReplaceAllStringFunc(q, func(s string) string {
		if saysEmphasis(s) {
			return ""
		}
		return s
	})
	for _, mark := range []*regexp.Regexp{doubt, emphasis} {
		q = mark.ReplaceAllString(q, "")
	}
	q = pageEnd.ReplaceAllString(barLine.ReplaceAllString(q, "\n"), "\n")
	q = changedLetter.ReplaceAllString(innerMarks.ReplaceAllString(q, "$1“$2”$3"), "$1$2")
	var out []stretch
	put, at, ended := "", 0, false
	add := func(words string) {
		all := words
		words = strings.TrimFunc(words, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:—–-«»“”\"'*_", r) })
		if len(text.Tokens(nil, words)) > 0 {
			lead, rest, _ := strings.Cut(all, words)
			out, put = append(out, stretch{words: words, put: put, ended: ended || strings.ContainsAny(lead, ".\n")}), ""
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
		out = append(out, stretch{put: put})
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

// putIn lists what an author set between brackets.
func putIn(parts []stretch) (out []string) {
	for _, p := range parts {
		if p.put != "" {
			out = append(out, p.put)
		}
	}
	return out
}

// turning gives what of a text decides its sense — denial, leave and duty, bounds,
// exceptions, figures — each in one form.
func turning(s string) (out []string) {
	list := text.Tokens(nil, s)
	for i, t := range list {
		switch w := t.Text; {
		case negations[w]:
			out = append(out, "no")
		case strings.HasPrefix(w, "podr") || strings.HasPrefix(w, "pued"):
			out = append(out, "poder")
		case strings.HasPrefix(w, "deb") || strings.HasPrefix(w, "habra") && i+1 < len(list) && list[i+1].Text == "de":
			out = append(out, "deber")
		case turnedBy[w] != "":
			out = append(out, turnedBy[w])
		case unicode.IsDigit(rune(w[0])) || numeral(w) && w != "un" && w != "una" && w != "uno":
			out = append(out, w)
		}
	}
	return out
}

var turnedBy = map[string]string{
	"salvo": "salvo", "excepto": "salvo", "solo": "solo", "solamente": "solo", "unicamente": "solo", "exclusivamente": "solo", "siempre": "siempre",
	"todo": "todo", "toda": "todo", "todos": "todo", "todas": "todo", "minimo": "minimo", "minima": "minimo", "maximo": "maximo", "maxima": "maximo",
	"mensual": "mensual", "mensuales": "mensual", "anual": "anual", "anuales": "anual", "diario": "diario", "semanal": "semanal",
	"dia": "dia", "dias": "dia", "mes": "mes", "meses": "mes", "año": "año", "años": "año", "habiles": "habiles", "naturales": "naturales", "corridos": "naturales",
	"antes": "antes", "despues": "despues", "desde": "desde", "hasta": "hasta", "inferior": "inferior", "superior": "superior", "menor": "inferior", "mayor": "superior",
}

// loses says whether words put in the place of a few left out lack the leave, the duty
// or the bound that those had.
func loses(put, left string) bool {
	return put != "" && len(strings.Fields(left)) <= 2 && len(turning(left)) > 0 && turns(left, put)
}

// swaps says whether one word stands for another that the same text uses too, as
// "acreedor" for "deudor". A pronoun may be replaced by what it means.
func swaps(put, left, body string) bool {
	a, b := text.Tokens(nil, put), text.Tokens(nil, left)
	if len(a) != 1 || len(b) != 1 || len(b[0].Text) < 5 || pronouns[b[0].Text] || strings.HasPrefix(a[0].Text, b[0].Text[:4]) {
		return false
	}
	return slices.ContainsFunc(text.Tokens(nil, body), func(t text.Token) bool { return t.Text == a[0].Text })
}

var pronouns = map[string]bool{"estos": true, "estas": true, "aquel": true, "aquella": true, "aquellos": true, "aquellas": true, "mismo": true, "misma": true, "dicho": true, "dicha": true}

// turns says whether words put in have a sense that what was left out had not.
func turns(put, left string) bool {
	had := turning(left)
	return slices.ContainsFunc(turning(put), func(w string) bool { return !slices.Contains(had, w) })
}
