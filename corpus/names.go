package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/text/lazyregexp"
)

// Known is what the packs know of a norm, whoever gave its text.
type Known struct {
	Name    string // as people call it, with its number: "Ley 20.744 de Contrato de Trabajo"
	Page    string // where its publisher has it
	Anchors bool   // that page has an anchor for each article, named by its id
}

// recognise completes a norm by what is known of it under any of its identifiers.
func recognise(n *digesto.Norm, known map[string]Known) {
	for _, id := range append([]string{n.ID}, n.IDs...) {
		if k, ok := known[foldID(id)]; ok {
			n.Name, n.Page, n.Anchors = k.Name, k.Page, k.Anchors
			return
		}
	}
}

// SuppliedMark is what a supplied text is called wherever it is quoted.
const SuppliedMark = "texto aportado"

// longName is how long a title may be to stand as a name, in runes.
const longName = 110

var (
	titleNumber = lazyregexp.New(`\d`)
	idNumber    = lazyregexp.New(`^\p{L}+(?:-\p{L}+)?-0*(\d{1,6})(?:-((?:1[89]|20)\d\d))?(?:-|$)`)
	beforeComma = lazyregexp.New(`^[^,]*\d+/\d{4}`)
	beforeDate  = lazyregexp.New(`^[^,]*\d+/\d{4}(?:, de \d{1,2} de \p{L}+)?`)
)

// NameOf is what people call a norm, for a source line: the name that the packs know,
// or its own short name, or what its title gives, with the number that its identifier
// has when the title has none. It is never the name of a file while there is a title.
func NameOf(n digesto.Norm) string {
	switch {
	case n.Name != "":
		return n.Name
	case n.Short != "" && utf8.RuneCountInString(n.Short) <= longName:
		if m := beforeComma.FindString(n.Title); m != "" && !titleNumber.MatchString(n.Short) {
			return n.Short + " (" + m + ")"
		}
		return n.Short
	}
	s := strings.TrimRight(strings.TrimSpace(n.Title), ". ")
	if s == "" || s == n.ID { // an identifier is written as it is
		return n.ID
	}
	if utf8.RuneCountInString(s) > longName {
		if m := beforeDate.FindString(s); m != "" {
			return m
		}
	}
	s = calm(s)
	if m := idNumber.FindStringSubmatch(n.ID); m != nil && !titleNumber.MatchString(s) {
		if n.Rank != "" {
			rank := strings.ReplaceAll(n.Rank, "_", " ")
			r, w := utf8.DecodeRuneInString(rank)
			number := m[1]
			if m[2] != "" && !strings.HasPrefix(strings.ToLower(rank), "ley") {
				number += "/" + m[2]
			}
			return s + " (" + string(unicode.ToUpper(r)) + rank[w:] + " " + number + ")"
		}
		return s + " (" + n.ID + ")"
	}
	return s
}

// calm writes a title that shouts as a sentence; what it has in brackets stays.
func calm(s string) string {
	head, rest, found := strings.Cut(s, "(")
	if found {
		rest = "(" + rest
	}
	if strings.ToUpper(head) != head || strings.IndexFunc(head, unicode.IsLetter) < 0 {
		return s
	}
	head = strings.ToLower(head)
	r, w := utf8.DecodeRuneInString(head)
	return string(unicode.ToUpper(r)) + head[w:] + rest
}

// romanWord is a number of a heading, which keeps its capitals.
var romanWord = lazyregexp.New(`(^|[^\p{L}])[IVXLC]+([^\p{L}]|$)`)

// HeadingOf is a heading within a norm; one that shouts and has no number in capitals is
// written as a sentence.
func HeadingOf(s string) string {
	if romanWord.MatchString(s) || !strings.Contains(s, " ") {
		return s
	}
	return calm(s)
}

// shortLabels are how the kinds of unit are called in a source line.
var shortLabels = strings.NewReplacer("Artículo", "art.", "Disposición", "disp.")

// PlaceOf names a unit of a norm for a source line: "Ley 20.744 de Contrato de Trabajo,
// art. 245".
func PlaceOf(n digesto.Norm, u digesto.Unit) string {
	if u.Label == "" {
		return NameOf(n)
	}
	return NameOf(n) + ", " + shortLabels.Replace(u.Label)
}

// LinkTo is the address of a unit of an official text: at the article where the page of
// its norm has an anchor for it, else where the text was fetched from.
func LinkTo(n digesto.Norm, u digesto.Unit) string {
	if n.Page != "" && n.Anchors {
		return PageOf(n, u)
	}
	return n.URL
}

// PageOf is where the publisher has a unit, whoever gave the text: the page of its norm
// that the packs know, at the article where it has an anchor for it. "" = not known.
func PageOf(n digesto.Norm, u digesto.Unit) string {
	if n.Page == "" || !n.Anchors || u.Kind != digesto.KindArticle || strings.Contains(n.Page, "#") {
		return n.Page
	}
	if rest := strings.TrimPrefix(u.ID, string(digesto.KindArticle)); rest == "" || strings.Trim(rest, "0123456789") != "" {
		return n.Page // how the publisher names its others is not known
	}
	return n.Page + "#" + u.ID
}
