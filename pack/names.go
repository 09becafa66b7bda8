package pack

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto/text/lazyregexp"
)

// ownNumber finds how a title calls a norm by rank and number: at its beginning ("Ley
// 39/2015, de…", "Ley 27337, Código…") or in brackets at its end ("… (Ley 20.744)").
var (
	numberFirst = lazyregexp.New(`^(\p{Lu}[\p{L} ()/-]{1,60}?[ /]\d[\p{L}\d./-]*)(?:,|$| por )`)
	numberLast  = lazyregexp.New(`\((\p{Lu}[\p{L} /-]{1,60}? \d[\p{L}\d./-]*)\)$`)
	yearOnly    = lazyregexp.New(` de \d{4}$`) // "Constitución … de 1993" has no number
	// continues are the words that join a customary name to its number: "Ley 39/2015 de…".
	continues = lazyregexp.New(`^(?:del?|por|para|sobre|contra|General|Básica|Marco|Ordenadora|Reguladora)\b`)
)

// Name is what people call the norm with its number: "Ley 20.744 de Contrato de Trabajo",
// "Estatuto de los Trabajadores (Real Decreto Legislativo 2/2015)". Without a customary
// name it is rank and number, or the title.
func (s Source) Name() string {
	number := ""
	if m := numberLast.FindStringSubmatch(s.Title); m != nil {
		number = m[1]
	} else if m := numberFirst.FindStringSubmatch(s.Title); m != nil && !yearOnly.MatchString(m[1]) {
		number = m[1]
	}
	switch {
	case s.Short == "" && number != "" && utf8.RuneCountInString(s.Title) > 80:
		return number
	case s.Short == "":
		return s.Title
	case number == "" || strings.Contains(s.Short, number[strings.IndexAny(number, "0123456789"):]):
		return s.Short
	}
	rank := strings.TrimRight(number[:strings.IndexAny(number, "0123456789")], " ")
	if i := strings.LastIndexByte(rank, ' '); strings.HasSuffix(rank, "/") && i > 0 { // "Orden PJC/617/2025"
		rank = rank[:i]
	}
	for _, r := range []string{rank, strings.Fields(rank)[0]} {
		if rest, ok := strings.CutPrefix(s.Short, r+" "); ok && continues.MatchString(rest) {
			return number + " " + rest
		}
	}
	return s.Short + " (" + number + ")"
}

// Page is where the publisher has this very norm; "" when the address is that of a
// service as a whole.
func (s Source) Page() string {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
		return ""
	}
	return s.URL
}

// Anchored says that a page has an anchor for each article, named by its id: the
// manifest names the addresses that pages of such services begin with.
func (p *Pack) Anchored(page string) bool {
	return page != "" && slices.ContainsFunc(p.Anchors, func(a string) bool { return strings.HasPrefix(page, a) })
}
