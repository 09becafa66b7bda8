package pdf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// Meta is what a document says of itself on its first pages.
type Meta struct {
	Title     string   // as printed on the first page
	ID        string   // identifier of an official journal that the document gives as its own
	IDs       []string // number of the norm, as printed and with the initials of its rank
	TextAsOf  string   // AAAA-MM-DD of the last reform taken in; "" = not said
	Published string   // AAAA-MM-DD
	URL       string
}

var (
	ownID       = lazyregexp.New(`(?:Referencia|cve|CVE)\s*:\s*([A-Z]{3,5}-[A-Z]-\d{4}-\d{1,6})\b`)
	lastReform  = lazyregexp.New(`(?i)última (?:modificación|actualización|reforma)\s*:?\s*(?:el\s+)?(\d{1,2}) de (\p{L}+) de (\d{4})`)
	reformsTo   = lazyregexp.New(`(?i)(?:modificatorias?|modificaciones|actualizad[oa]|texto vigente)[^.\d]{0,30}\b(\d{1,2})[./-](\d{1,2})[./-](\d{4})`)
	publishedOn = lazyregexp.New(`(?i)(?:publicad[oa] (?:el )?|núm\. \d+, de )(\d{1,2}) de (\p{L}+) de (\d{4})`)
	journalDay  = lazyregexp.New(`^(?:Lunes|Martes|Miércoles|Jueves|Viernes|Sábado|Domingo),? (\d{1,2}) de (\p{L}+) de (\d{4})$`)
	unamended   = lazyregexp.New(`(?i)última modificación\s*:\s*sin modificaciones`)
	printedURL  = lazyregexp.New(`https?://[\w./?=&%#-]+`)
	numbered    = lazyregexp.New(`(?i)^((?:ley|decreto|resolución|ordenanza|orden|reglamento)(?: [\p{L}]+)?)\s+n[.º°ro]*\s*(\d{1,6}(?:-\d{2,4}(?:[-/][\p{L}\d]+)*)?)`)
	titledUpper = lazyregexp.New(`^(?:LEY|DECRETO|CÓDIGO|CODIGO|REGLAMENTO|TEXTO|ORDENANZA|RESOLUCIÓN|CONSTITUCIÓN)\b`)
)

// readMeta looks for a document's own identity in its first paragraphs,
// in the lines of the first page with its headers and in the text of its margins.
func readMeta(lines []line.Line, first []textLine, margins string) Meta {
	var m Meta
	m.headers(first)
	for i, l := range lines[:min(len(lines), 400)] {
		if m.TextAsOf == "" {
			m.TextAsOf = firstDate(l.Text, lastReform, reformsTo)
			if unamended.MatchString(l.Text) {
				m.TextAsOf = m.Published
			}
		}
		if i <= 40 && l.Page <= 2 && !l.History {
			m.paragraph(i, l)
		}
	}
	m.ID = cmp.Or(m.ID, submatch(ownID, margins))
	if strings.Count(m.URL, "/") < 4 { // a site, not a document
		m.URL = ""
	}
	return m
}

// headers reads the lines of the first page, running headers with them: they
// are no text, but say the day of the journal.
func (m *Meta) headers(first []textLine) {
	day := ""
	for _, l := range first {
		day = cmp.Or(day, firstDate(l.text, journalDay))
		if len(l.text) < 120 {
			m.Published = cmp.Or(m.Published, firstDate(l.text, publishedOn))
		}
	}
	if day != "" { // a page of the journal itself: the text is of that day
		m.Published, m.TextAsOf = day, day
	}
}

// paragraph reads paragraph i of the document, one of the first.
func (m *Meta) paragraph(i int, l line.Line) {
	m.ID = cmp.Or(m.ID, submatch(ownID, l.Text))
	m.Published = cmp.Or(m.Published, firstDate(l.Text, publishedOn))
	m.URL = cmp.Or(m.URL, strings.TrimRight(printedURL.FindString(l.Text), "."))
	if l.Page != 1 {
		return
	}
	if m.Title == "" {
		m.Title = titleOf(l.Text)
	}
	if i < 8 {
		m.number(l.Text)
	}
}

// number takes the number of the norm: "Decreto Supremo N.° 1-2000-XY" is
// known as "1-2000-XY" and "DS-1-2000-XY".
func (m *Meta) number(s string) {
	f := numbered.FindStringSubmatch(s)
	if f == nil || len(m.IDs) > 0 {
		return
	}
	initials := ""
	for _, w := range strings.Fields(strings.ToUpper(f[1])) {
		initials += string([]rune(w)[:1])
	}
	m.IDs = append(m.IDs, f[2], initials+"-"+f[2])
}

// titleOf gives a paragraph that reads like the title of a norm.
func titleOf(s string) string {
	if t := submatch(heading.Titled, s); t != "" && len(t) < 1200 {
		return strings.TrimRight(t, ".")
	}
	if strings.ToUpper(s) == s && titledUpper.MatchString(s) && len(strings.Fields(s)) > 4 {
		return s
	}
	return ""
}

func submatch(re *lazyregexp.Regexp, s string) string {
	if f := re.FindStringSubmatch(s); f != nil {
		return f[1]
	}
	return ""
}

// firstDate gives the day that one of the patterns finds, in ISO form.
func firstDate(s string, patterns ...*lazyregexp.Regexp) string {
	for _, re := range patterns {
		f := re.FindStringSubmatch(s)
		if f == nil {
			continue
		}
		month := strings.ToLower(f[2])
		if i := slices.Index(text.MonthNames[:], month); i >= 0 {
			month = fmt.Sprint(i + 1)
		}
		if len(month) <= 2 {
			return fmt.Sprintf("%s-%02s-%02s", f[3], month, f[1])
		}
	}
	return ""
}
