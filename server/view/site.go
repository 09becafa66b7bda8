package view

import (
	"net/url"
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/pack"
	"digesto/text"
)

// Site is what the pages of a server say things with, beside the law that is installed.
type Site struct {
	Packs    []*pack.Pack
	Embedded *corpus.Snapshot // fiches that the program carries
	Clock    func() time.Time
	Drawn    func(source string) bool // pages of that document can be shown as pictures; nil: of none
	Keeps    bool                     // conversations: what is asked next goes on with one
	// Form gives the address of a calculator's form that goes with a question and its
	// answer, and what it is for; "" = none does.
	Form func(q digesto.Question, a digesto.Answer) (address, name string)
}

// Today is the day on which pages are read.
func (s *Site) Today() digesto.Date { return digesto.Date(s.Clock().Format(time.DateOnly)) }

// TerritoryOf is the code of where a norm holds: its territory, or its whole country.
func TerritoryOf(n digesto.Norm) string { return or(n.Territory != "", n.Territory, n.Jurisdiction) }

// CorpusName is a state of the corpus by its hash, as the wire writes it.
func CorpusName(hash string) string {
	if hash == "" {
		return "embedded"
	}
	return hash
}

// daysSince counts the days from a date to today.
func (s *Site) daysSince(d digesto.Date) (int, bool) {
	then, err := time.Parse(time.DateOnly, string(d))
	today, err2 := time.Parse(time.DateOnly, string(s.Today()))
	return int(today.Sub(then).Hours() / 24), err == nil && err2 == nil
}

// placeOf names where a norm holds.
func (s *Site) placeOf(n digesto.Norm) string {
	switch name := s.place(TerritoryOf(n)); {
	case name == "":
		return "Sin territorio"
	case n.Territory == "":
		return name + " (todo el país)"
	default:
		return name
	}
}

// place is what a pack calls a territory, or its code.
func (s *Site) place(code string) string {
	for _, p := range s.Packs {
		if name := p.Place(code); name != "" {
			return name
		}
	}
	return code
}

// link is a line that leads to a unit.
type link struct {
	URL, Number, Name string
	Shown             bool
}

// QuoteParam is a quotation in an address: enough of it to be found again.
func QuoteParam(quote string) string {
	line, _, _ := strings.Cut(quote, "\n")
	words := strings.Fields(line)
	return "quote=" + url.QueryEscape(strings.Join(words[:min(len(words), 12)], " "))
}

// normURL is the address of the page of a norm.
func normURL(norm string) string { return "/leyes/" + url.PathEscape(norm) }

// UnitURL is the address of the page of a unit.
func UnitURL(norm, unit string) string { return normURL(norm) + "/" + url.PathEscape(unit) }

// webURL lets only addresses of the web through, for links to other sites.
func webURL(s string) string { return text.WebOnly(s) }
