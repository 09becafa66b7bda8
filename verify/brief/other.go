package brief

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
	"digesto/verify"
	"digesto/verify/read"
)

// Words behind a name that say which of several norms of that name is meant: "de la
// Provincia de X", "del País", "de 1931", or one more word, which may say of what country.
var (
	ofPlace = lazyregexp.New(`^\s(?:de|del)\s(?:(?:la|el|los|las)\s)?(?:(Provincia|Ciudad Autónoma|Ciudad|Comunidad Autónoma|Comunidad)\s(?:de\s(?:la\s|el\s)?|del\s)?|(?:República|Reino|Nación)\s(?:de(?:l|\sla)?\s)?)?(\p{Lu}\p{L}{2,})`)
	ofYear  = lazyregexp.New(`^\sde(?:l año)?\s(\d{4})(?:[^\d/–-]|$)`)
	ofWhat  = lazyregexp.New(`^\s(\p{Ll}{4,})`)
)

// everywhere begins the name of a text that every country has one of.
var everywhere = lazyregexp.New(`(?i)^(?:código|constitución|estatuto)(?: |$)`)

// own takes from a citation the norms that the words behind its name, or the rank in
// it, tell apart from the one meant. One that is left without a norm keeps its name.
func (j *checker) own(m cite.Mention) cite.Mention {
	if m.Name == "" {
		if m.Norm == "" && len(m.Also) == 0 && m.Unit != "" && !m.Relative {
			m.Name = cmp.Or(j.acronym(m.End), j.heads(m.Start))
			j.byNumber(&m)
		}
		return m
	}
	if m.Relative {
		return m
	}
	if m.Norm == "" && len(m.Also) == 0 {
		j.byNumber(&m)
	}
	before, behind := "", "" // the name may stand elsewhere: "el Código prevé en su artículo 5"
	if k := strings.LastIndex(m.Text, m.Name); k >= 0 {
		start := m.Start + len([]rune(m.Text[:k]))
		end := start + len([]rune(m.Name))
		before, behind = string(j.runes[max(0, start-40):start]), string(j.runes[end:min(len(j.runes), end+80)])
	}
	cut, aged := 0, false
	drop := func(id string) bool {
		n, ok := j.Law.Norm(id)
		if !ok {
			return false
		}
		at := j.tellsApart(m.Name, behind, n)
		cut = max(cut, at)
		if digesto.Country(n.Jurisdiction) == j.country && j.older(m.Name, n) {
			aged = true
		}
		return at > 0 || otherRank(m.Name, n) || j.abroad(m.Name, n) || j.older(m.Name, n) || compiled.MatchString(before) && !compilation.MatchString(text.Fold(n.Title))
	}
	gone := m.Norm != "" && drop(m.Norm)
	if gone {
		m.Norm = ""
	}
	had := len(m.Also)
	if m.Also = slices.DeleteFunc(slices.Clone(m.Also), drop); len(m.Also) == 1 {
		m.Norm, m.Also = m.Also[0], nil
	}
	if aged {
		m.Norm, m.Also = "", nil // one of another country is as little meant
	}
	if (gone || had > 0) && m.Norm == "" && len(m.Also) == 0 {
		m.Name += behind[:cut]
	}
	return m
}

// tellsApart gives how many bytes behind a name say that another norm than n is meant; 0 = none.
func (j *checker) tellsApart(name, behind string, n digesto.Norm) int {
	title := text.Fold(n.Title + " " + n.Short + " " + n.ID)
	bare := !strings.ContainsAny(name, "0123456789")
	if m := ofYear.FindStringSubmatchIndex(behind); m != nil && bare {
		if y := behind[m[2]:m[3]]; len(n.Published) >= 4 && !strings.Contains(title, y) {
			said, _ := strconv.Atoi(y)
			is, _ := strconv.Atoi(string(n.Published[:4]))
			if said < is-yearsApart || said > is+yearsApart {
				return m[3]
			}
		}
	}
	if m := ofWhat.FindStringSubmatchIndex(behind); m != nil {
		what := behind[m[2]:m[3]]
		if j.foreign(what, n) || bare && everywhere.MatchString(name) && ofNation.MatchString(what) && len(j.placesOf(what)) == 0 {
			return m[3]
		}
	}
	if m := itsTitle.FindStringIndex(behind); m != nil && !bare && misnamed(behind[:m[1]], title) {
		return m[1]
	}
	m := ofPlace.FindStringSubmatchIndex(behind)
	if m == nil {
		return 0
	}
	place := behind[m[4]:m[5]]
	switch w := text.Fold(place); {
	case strings.Contains(title, w) || slices.Contains(j.placesOf(place), n.Jurisdiction):
	case j.foreign(place, n), m[2] >= 0:
		return m[5]
	case bare && everywhere.MatchString(name) && w != "nacion" && w != "republica" && w != "estado" && w != "reino" && len(j.placesOf(place)) == 0:
		return m[5]
	}
	return 0
}

// ofNation are endings of words for what is of a country, none of which verbs have.
var ofNation = lazyregexp.New(`(?:iano|iana|cano|cana|guayo|guaya|cés|gués|nés)$`)

// itsTitle is a title behind the number of a norm: ", de Puertos y Faros".
var itsTitle = lazyregexp.New(`^,\s(?:de|del|sobre|reguladora de)\s(?:(?:la|el|los|las)\s)?\p{Lu}\p{L}+(?:\s(?:(?:de|del|y|la|el|los|las|en)\s){0,2}\p{Lu}\p{L}+)+`)

// misnamed says that of the words of a title, two or more, none is in the norm's own.
func misnamed(said, title string) bool {
	n := 0
	for _, t := range text.Tokens(nil, said) {
		if len(t.Text) < 5 {
			continue
		}
		if n++; strings.Contains(title, strings.TrimSuffix(t.Text, "s")) {
			return false
		}
	}
	return n > 1
}

// yearsApart is how far the year by which people call a law may be from that of its publication.
const yearsApart = 3

// placesOf gives the jurisdictions of a place, by its name or by the word for what is of it.
func (j *checker) placesOf(word string) (out []string) {
	w := text.Fold(word)
	for code, name := range j.Places {
		if strings.HasPrefix(w, read.Stem(text.Fold(name))) && len(w) <= len(name)+4 {
			out = append(out, code)
		}
	}
	return out
}

// foreign says that a word names a country that is not the norm's.
func (j *checker) foreign(word string, n digesto.Norm) bool {
	list, of := j.placesOf(word), digesto.Country(n.Jurisdiction)
	return len(list) > 0 && of != "eu" && !slices.ContainsFunc(list, func(place string) bool { return digesto.Country(place) == of })
}

// abroad says that a name that every country has one of is said in a text of another country than the norm's.
func (j *checker) abroad(name string, n digesto.Norm) bool {
	of := digesto.Country(n.Jurisdiction)
	return j.country != "" && of != j.country && of != "eu" && everywhere.MatchString(name)
}

// compiled stands before the name of a law of which a compiled text is cited, which counts
// its articles in its own way; compilation is the title of such a text.
var (
	compiled    = lazyregexp.New(`(?i)\b(?:t\.?u\.?o\.?|texto único ordenado|texto unico ordenado) de(?: la| el|l)?\s$`)
	compilation = lazyregexp.New(`\btuo\b|texto (?:unico )?(?:ordenado|refundido)`)
)

// fullNames notes by which names the text calls each norm.
func (j *checker) fullNames(found []cite.Mention) {
	j.fuller = map[string]string{}
	for _, m := range found {
		for _, id := range append([]string{m.Norm}, m.Also...) {
			name := read.Folded(m.Name)
			if id != "" && !m.Relative && rankOfName(name) > rankOfName(j.fuller[id]) {
				j.fuller[id] = name
			}
		}
	}
}

// rankOfName orders names: by their words, or by the letters of an acronym.
func rankOfName(folded string) int {
	if n := len(strings.Fields(folded)); n > 1 {
		return n
	}
	return len(folded) - strings.Count(folded, "y") - strings.Count(folded, "e")
}

// older says that a name is not that of a norm which the same text calls by a longer one
// that begins so: "Código de Aguas" beside "Código de Aguas y Riegos", that replaced it.
func (j *checker) older(name string, n digesto.Norm) bool {
	short, full := read.Folded(name), j.fuller[n.ID]
	initials := ""
	for _, w := range strings.Fields(short) {
		initials += w[:1]
	}
	return everywhere.MatchString(name) && (strings.HasPrefix(full, short+" y ") || strings.HasPrefix(full, initials+"y"))
}

// spokenOf gives the only country that a text names, by its name or as that of a law, or
// to which two norms belong that it cites by names of their own, when it cites none of
// another country so; "" = none.
func (j *checker) spokenOf(s string, found []cite.Mention) (one string) {
	plain := text.Fold(s)
	j.lands = map[string]bool{}
	for code, name := range j.Places {
		if j.Alive(); digesto.Country(code) == code && namesCountry(plain, text.Fold(name)) {
			j.lands[code], one = true, code
		}
	}
	several, named, first := len(j.lands) > 1, one != "", ""
	for _, m := range found {
		n, ok := j.Law.Norm(m.Norm)
		of := digesto.Country(n.Jurisdiction)
		if !ok || of == "eu" || of == "" || everywhere.MatchString(m.Name) {
			continue
		}
		if one == "" {
			one, first = of, n.ID
		}
		j.lands[of] = true
		several = several || of != one
		named = named || n.ID != first // two norms of it, which is as good as its name
	}
	if several || !named {
		return ""
	}
	return one
}

// ofItsLands leaves, of where a few words stand, the law of the countries that the text speaks
// of: they stand in that of any.
func (j *checker) ofItsLands(places []place, found elsewhere) elsewhere {
	abroad := func(g verify.Ground) bool {
		of := digesto.Country(g.Norm.Jurisdiction)
		return of != "" && !j.lands[of] && !slices.ContainsFunc(places, func(p place) bool { return digesto.Country(p.norm.Jurisdiction) == of })
	}
	return elsewhere{slices.DeleteFunc(slices.Clone(found.exact), func(s spot) bool { return abroad(s.Ground) }), slices.DeleteFunc(slices.Clone(found.near), abroad)}
}

// ofLaw are the words that stand before what is of a country.
var ofLaw = lazyregexp.New(`\b(?:derecho|ley|leyes|legislacion|ordenamiento|normativa) $`)

// namesCountry says whether a folded text has the name of a country as a word of its own, or
// of its law.
func namesCountry(s, name string) bool {
	begin := read.Stem(name)
	for at := 0; ; at++ {
		k := strings.Index(s[at:], begin)
		if k < 0 {
			return false
		}
		at += k
		end := at + len(name)
		if strings.HasPrefix(s[at:], name) && (at == 0 || !read.WordByte[s[at-1]]) && (end == len(s) || !read.WordByte[s[end]]) || ofLaw.MatchString(s[max(0, at-16):at]) {
			return true
		}
	}
}

// ranks are the ranks that share their numbers' form, longer ones first.
var ranks = lazyregexp.New(`^(?:real )?(decreto[ -]ley|decreto legislativo|decreto|ley orgánica|ley)\s(?:n[.º°]+\s*)?(\d+/\d{4})`)

// otherRank says that the rank written has a series of numbers that is not the norm's. A
// plain "ley" is often said of those of a special kind.
func otherRank(name string, n digesto.Norm) bool {
	a, b := ranks.FindStringSubmatch(strings.ToLower(name)), ranks.FindStringSubmatch(strings.ToLower(n.Title))
	if a == nil || b == nil || a[2] != b[2] {
		return false
	}
	x, y := strings.ReplaceAll(a[1], "-", " "), strings.ReplaceAll(b[1], "-", " ")
	return x != y && x != "ley"
}

// acronyms of norms behind a unit: "artículo 5 de la LXY".
var acronyms = lazyregexp.New(`^,?\s(?:(?:de la|del|de los|de las|de)\s)?(\p{Lu}{2,}\p{L}{0,8}|(?:\p{Lu}\.\s?){2,8}(?:y\s?(?:\p{Lu}\.){1,3})?)(?:[\s.,;:)\]»”"]|$)`)

var roman = lazyregexp.New(`^[IVXLCDM]+$`)

// lesser is a norm of a part of a country behind a unit: "de la ley provincial 1234".
var lesser = lazyregexp.New(`^\s(?:de la|del)\s((?:[Ll]ey|[Dd]ecreto|[Oo]rdenanza)\s(?:provincial|municipal|autonómica|local)\s(?:[Nn][.º°]+\s?)?\d[\d./]*\d)`)

// briefLaw is a law by its initial and its number: "L. 9459".
var briefLaw = lazyregexp.New(`^,?\s(?:de la\s)?(L\.\s?(?:[Nn][.º°]+\s?)?\d[\d./]*\d)`)

// acronym gives the norm that stands behind a unit, as an acronym or as one of a province,
// and that the table does not know.
func (j *checker) acronym(at int) string {
	rest := string(j.runes[min(at, len(j.runes)):min(len(j.runes), at+40)])
	if m := briefLaw.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	if m := lesser.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	m := acronyms.FindStringSubmatchIndex(rest)
	if m == nil || roman.MatchString(rest[m[2]:m[3]]) {
		return ""
	}
	if next := []rune(strings.TrimSpace(rest[m[3]:])); len(next) > 1 && isUpper(next[0]) && isUpper(next[1]) {
		return "" // a line in capitals
	}
	if n := numberBehind.FindString(rest[m[3]:]); n != "" {
		return rest[m[2]:m[3]] + n // "L.P. 9459"
	}
	return rest[m[2]:m[3]]
}

// byNumber gives to a citation of a law by initials, or as one of a part of a country, the
// installed law of that number; of a part of a country only one of such a part.
func (j *checker) byNumber(m *cite.Mention) {
	n := lawNumber.FindString(m.Name)
	part := ofPart.MatchString(m.Name)
	if n == "" || !part && !initialsOfLaw.MatchString(m.Name) {
		return
	}
	for _, law := range j.Table.Find("Ley " + n) {
		ids := law.Also
		if law.Norm != "" {
			ids = []string{law.Norm}
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			norm, ok := j.Law.Norm(id)
			return !ok || part && norm.Territory == "" && digesto.Country(norm.Jurisdiction) == norm.Jurisdiction
		})
		if len(ids) == 1 {
			m.Norm, m.Also = ids[0], nil
		} else if len(ids) > 1 {
			m.Norm, m.Also = "", ids
		}
	}
}

var (
	lawNumber = lazyregexp.New(`\d[\d./]*\d`)
	ofPart    = lazyregexp.New(`(?i)^ley\s(?:provincial|autonómica|local|foral)\s`)
)

// initialsOfLaw are initials of a law with its number: "L.P. 9459".
var initialsOfLaw = lazyregexp.New(`^L(?:\.\s?\p{Lu})*\.?\s(?:[Nn][.º°]+\s?)?\d`)

// numberBehind is the number of a norm behind initials.
var numberBehind = lazyregexp.New(`^\s(?:[Nn][.º°]+\s?)?\d[\d./]*\d`)

// headsLine is an acronym at the start of a line or cell, with a comma, before a unit: "- **LXY, art. 5**".
var headsLine = lazyregexp.New(`(?:^|[\n|])(?:\s|[-*+•_]|\[[ xX]\]|\d{1,2}[.)])*(\p{Lu}{2,8}),\s$`)

// heads gives the norm named so before a unit, that the table does not know.
func (j *checker) heads(at int) string {
	if m := headsLine.FindStringSubmatch(string(j.runes[max(0, at-40):at])); m != nil && at <= len(j.runes) {
		return m[1]
	}
	return ""
}

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }

// Units that stand before a norm in forms that package cite leaves alone.
var (
	numbered = lazyregexp.New(`(?i)(?:^|[|(\[:;§—–»”"]|\b(?:el|del|al|su|y|los|precepto|numeral|ordinal|número|article|artigo|artículo|art\.|a\.|v\.|vid\.|cfr?\.|apud|ex))\s*(\d{1,4})(?:\.?[º°])?(?:\.-)?(\.\d{1,2}(?:\.?[a-zñ]\)?)?|\.?[a-zñ]\))?( bis| ter)?,?\s+(?:[—–-]\s)?(?:y\s(?:concordantes|conc\.|cc\.|siguientes|ss\.)\s)?(?:(?:de la|del|de los|de las|de|of(?: the)?|do|da)\s)?\s*$`)
	// behindName is a unit behind the name of its norm that ends what is cited: "ET-60.3: «…»", "LCT;151;".
	behindName = lazyregexp.New(`^[\s*_]*(?:(?:,?\s(?:(?:` + read.Says + `)\s)?en\s(?:el|su)\s(?:ordinal\s|número\s|precepto\s)?)|[,;:|\t·./-]\s*(?:#{1,6}\s)?|\s+(?:#{1,6}\s)?)(?:n[.º°]+\s?|§\s?)?(\d{1,4}(?:\s?(?:bis|ter|quater|quinquies))?)((?:[.,/]\s?\d{1,2}){0,2}(?:[.,]?\s?[a-zñ]\)|\.[a-zñ]\b)?)(?:[º°])?[\s*_]*(?:,?[\s*_]*[:;|)\]\t»«“"„‘>→—–]|\.-?\s+[«“"]|,\s(?:` + read.Says + `)\b|-\s|$|\n|\s(?:` + read.Says + `)\b)`)
	motives    = lazyregexp.New(`(?i)\b(?:exposición de motivos|preámbulo)\s(?:(?:de la|del|de)\s*)?$`)
)

// unitBefore gives to a citation of a norm the unit that stands before it.
// With installed only one that the norm has.
func (j *checker) unitBefore(m read.Mention, installed bool) read.Mention {
	if m.Unit != "" || m.Kind != "" || m.Ruling || m.Name == "" || m.Relative {
		return m
	}
	before := string(j.runes[max(0, m.Start-60):m.Start])
	if k := strings.LastIndexByte(before, '\n'); k >= 0 {
		before = before[k+1:]
	}
	if at := numbered.FindStringSubmatchIndex(before); at != nil {
		group := func(k int) string { return before[max(0, at[2*k]):max(0, at[2*k+1])] }
		number := group(1) + strings.ToLower(strings.TrimSpace(group(3)))
		unit := cite.UnitID(digesto.KindArticle, number)
		if _, ok := j.Law.Unit(j.meant(m), unit); installed && !ok {
			return m
		}
		m.Kind, m.Number, m.Unit, m.Detail = digesto.KindArticle, number, unit, strings.TrimPrefix(group(2), ".")
		m.Start -= utf8.RuneCountInString(before[at[2]:])
		m.Text = string(j.runes[m.Start:m.End])
	} else if at := behindName.FindStringSubmatchIndex(string(j.runes[m.End:min(len(j.runes), m.End+60)])); at != nil {
		rest := string(j.runes[m.End:min(len(j.runes), m.End+60)])
		m.Kind, m.Number = digesto.KindArticle, rest[at[2]:at[3]]
		m.Unit = cite.UnitID(m.Kind, m.Number)
		if at[4] >= 0 {
			m.Detail = rest[at[4]:at[5]]
		}
		m.End += utf8.RuneCountInString(rest[:max(at[3], at[5])])
		m.Text = string(j.runes[m.Start:m.End])
	} else if motives.MatchString(before) && !installed {
		m.Kind, m.Unit = digesto.KindPreamble, "pr"
	}
	return m
}

// Tables with a column of articles.
var (
	tableHead = lazyregexp.New(`(?i)^(?:art(?:ículo|iculo)?s?\.?|artº|precepto)$`)
	tableRule = lazyregexp.New(`^[\s|:-]*-[\s|:-]*$`)
	tableUnit = lazyregexp.New(`^(\d{1,4})(?:\.?[º°])?( bis| ter)?$`)
)

// columns gives the bare numbers in a column of articles of a Markdown table.
func columns(s string) iter.Seq[read.Mention] {
	return func(yield func(read.Mention) bool) {
		column, head := -1, -1
		count := read.CodePoints(s)
		for c := range read.CellsOf(s) {
			word := strings.Trim(c.Text, " \t\r\n*_")
			m := tableUnit.FindStringSubmatch(word)
			switch {
			case c.Column < 0:
				column, head = -1, -1
			case head >= 0 && tableRule.MatchString(c.Row):
				column, head = head, -1
			case column < 0 && tableHead.MatchString(word):
				head = c.Column
			case c.Column == column && m != nil:
				start := c.From + strings.Index(c.Text, word)
				number := m[1] + strings.TrimSpace(m[2])
				if !yield(read.Mention{Mention: cite.Mention{Start: count(start), End: count(start + len(word)), Text: word, Kind: digesto.KindArticle, Number: number, Unit: cite.UnitID(digesto.KindArticle, number)}}) {
					return
				}
			}
		}
	}
}
