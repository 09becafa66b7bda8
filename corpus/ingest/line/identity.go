package line

import (
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Metadata is what a file says of its norm, such as the front matter of Markdown:
// string values by key; lists are joined.
type Metadata map[string]string

// IsoDate is a day written as ISO 8601 has it.
var IsoDate = lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)

// Date gives the day under a key; "" = none, or one that stands for an unknown day.
func (f Metadata) Date(key string) digesto.Date {
	s := f[key]
	if !IsoDate.MatchString(s) || s <= "1900-01-01" {
		return ""
	}
	return digesto.Date(s)
}

// OfficialID recognises the identifiers of official journals that name files
// and appear in them: letters, a letter, a year, a number.
var OfficialID = lazyregexp.New(`\b[A-Z]{3,5}-[A-Za-z]-\d{4}-\d{1,6}\b`)

// Territory splits country "es" and jurisdiction "es-md": the territory is
// narrower law of the same country.
func Territory(country, jurisdiction string) (juris, terr string) {
	country, jurisdiction = strings.ToLower(country), strings.ToLower(jurisdiction)
	jurisdiction = FirstOf(jurisdiction, country)
	if jurisdiction == country {
		country = ""
	}
	if c, _, ok := strings.Cut(jurisdiction, "-"); ok && (country == "" || c == country) {
		return c, jurisdiction
	}
	return FirstOf(country, jurisdiction), ""
}

// SafeID keeps an identifier usable in paths and references.
func SafeID(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\' || r == ' ' || r < ' ' || r == '~' || r == '#':
			return '-'
		}
		return r
	}, strings.TrimSpace(s))
}

// RankName writes a rank as norms have it: "real_decreto".
func RankName(s string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(text.Fold(s))
}
