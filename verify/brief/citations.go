package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"digesto/text/cite"
)

var ecli = regexp.MustCompile(`\bECLI:[A-Z]{2}:[A-Z0-9]+:\d{4}:[A-Z0-9.]*[A-Z0-9]`)

// citations finds the citations that the text itself makes: those inside its
// quotations are somebody else's.
func (j *judge) citations(s string, quotes []quotation) []mention {
	var out []mention
	add := func(m mention) {
		for _, q := range quotes {
			if m.Start >= q.start && m.End <= q.end && !(m.Start >= q.aside && m.End <= q.asideEnd) && !(q.block && m.Start >= q.start+len([]rune(q.words))) {
				return
			}
		}
		out = append(out, m)
	}
	count := codePoints(s)
	for _, re := range append([]*regexp.Regexp{ecli}, j.Rulings...) {
		for _, at := range re.FindAllStringIndex(s, -1) {
			name := s[at[0]:at[1]]
			add(mention{Mention: cite.Mention{Start: count(at[0]), End: count(at[1]), Text: name, Name: name}, ruling: true})
		}
	}
	out = widest(out)
	rulings := slices.Clone(out)
	context := ""
	cited := map[string]int{}
	j.parts = map[string]bool{}
	for _, m := range slices.Concat(precepts(s), cells(s)) {
		add(m)
	}
	plain := unbroken(j.masked(quotes))
	found := j.Table.Find(plain)
	j.fullNames(found)
	j.country = j.spokenOf(plain, found)
	for _, m := range found {
		if slices.ContainsFunc(rulings, func(r mention) bool { return m.Start < r.End && r.Start < m.End }) {
			continue
		}
		m = j.own(m)
		if n, ok := j.Law.Norm(m.Norm); ok && m.Norm != "" {
			context = n.ID
			cited[n.Jurisdiction]++
			if !slices.Contains(j.norms, n.ID) {
				j.norms = append(j.norms, n.ID)
			}
			if n.Territory != "" {
				j.parts[n.Territory] = true
			}
		}
		add(j.unitBefore(mention{Mention: m, context: context}, true))
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	best := 0
	for _, c := range sorted(cited) {
		if cited[c] > best {
			best, j.home = cited[c], c
		}
	}
	out = slices.CompactFunc(out, func(a, b mention) bool { return a.Start == b.Start && a.End == b.End })
	for i := range out[:max(0, len(out)-1)] {
		if a, b := &out[i], out[i+1]; a.Unit != "" && a.Norm == "" && len(a.Also) == 0 && b.Unit == "" && j.inBrackets(*a, b) {
			a.Norm, a.Also, a.Name, a.Relative, a.context = b.Norm, b.Also, b.Name, false, b.context
		}
	}
	out = slices.CompactFunc(out, func(later, a mention) bool { return j.namedTwice(a, later) })
	out = j.nextCell(out)
	out = j.named(out)
	j.contexts(out)
	if more := j.alone(plain, out); len(more) > 0 {
		out = append(out, more...)
		sort.SliceStable(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	}
	var prior *mention
	for i := range out {
		if out[i].context == "" && prior != nil {
			out[i].context = prior.context
		} else if out[i].context == "" && !out[i].Relative && i > 0 {
			out[i].context = out[i-1].context
		}
		out[i].prior = prior
		if out[i].Unit != "" {
			prior = &out[i]
		}
	}
	return out
}

// masked gives the text with the words of its quotations struck out, no place moved:
// "the same law" behind a quotation is not one that the quotation names.
func (j *judge) masked(quotes []quotation) string {
	r := slices.Clone(j.runes)
	for _, q := range quotes {
		end := q.end
		switch {
		case q.source > 0:
			end = q.source
		case q.block:
			end = min(end, q.start+len([]rune(q.words)))
		}
		for i := q.start; i < end; i++ {
			if r[i] != '\n' && (i < q.aside || i >= q.asideEnd) {
				r[i] = 'z' // a word that means nothing
			}
		}
	}
	s := string(r)
	at := codePoints(s)
	for _, m := range inlineTag.FindAllStringIndex(s, -1) {
		for i, end := at(m[0]), at(m[1]); i < end; i++ {
			r[i] = ' '
		}
	}
	return string(r)
}

// inlineTag is a tag of HTML within a line, which may part a unit from its norm.
var inlineTag = regexp.MustCompile(`(?i)</?(?:b|i|em|strong|u|span|mark|a|font)(?:\s[^<>]{0,200})?>`)

// namedTwice says that b is the norm of a over again: "artículo 5 del Código de
// Aguas (Ley 12345)".
func (j *judge) namedTwice(a, b mention) bool {
	if a.Unit != "" && a.Name != "" && b.Unit == "" && b.Start >= a.End && b.Start-a.End < reachBefore/2 && approves.MatchString(string(j.runes[a.End:b.Start])) {
		return true // in the title of a, which may be none that is installed
	}
	known := a.Norm != "" || len(a.Also) > 0
	return b.Unit == "" && known && a.Norm == b.Norm && slices.Equal(a.Also, b.Also) && j.inBrackets(a, b)
}

// approves stands between a norm and the text of another name that it approves.
var approves = regexp.MustCompile(`^(?:, de \d{1,2} de \pL+(?: de \d{4})?)?,? por (?:el|la) que se (?:aprueba|publica|dicta)n?\s[^.;:«“"]*$`)

// nextCell gives to a number in a column of articles the norm alone in the next cell of its row.
func (j *judge) nextCell(list []mention) []mention {
	var out []mention
	for _, m := range list {
		if n := len(out); n > 0 && m.Unit == "" && !m.ruling && (m.Norm != "" || len(m.Also) > 0) {
			if a := &out[n-1]; a.Unit != "" && a.Name == "" && m.Start >= a.End && betweenCells.MatchString(string(j.runes[a.End:m.Start])) {
				a.Norm, a.Also, a.Name, a.context, a.End = m.Norm, m.Also, m.Name, m.context, m.End
				a.Text = string(j.runes[a.Start:a.End])
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

var betweenCells = regexp.MustCompile(`^[ \t*_]*\|[ \t*_]*$`)

// inBrackets says that b stands right behind a, as what explains it does.
func (j *judge) inBrackets(a, b mention) bool {
	return b.Start >= a.End && b.Start-a.End <= 40 && explains.MatchString(string(j.runes[a.End:b.Start]))
}

// explains is what stands between a citation and its norm in brackets: " (", " (BOE: ".
var explains = regexp.MustCompile(`^(?:,? de \d{1,2} de \pL+(?: de \d{4})?,?)?[ (,]{0,3}$|^ \(\p{Lu}{2,5}: ?$`)

// brokenCitation is a line end inside a citation, as pages of a PDF have it.
var brokenCitation = regexp.MustCompile(`(?i)(\b(?:arts?\.?|artículos?|articulos?|leye?s?|decretos?|código|reglamento|directiva|orgánica|legislativo|n[.]?[º°]|núm\.?|inc\.?|apdo\.?|párr\.?|disposición|adicional|transitoria|final|de|del|la|los|las|el|y|al?))[ \t]*\r?\n[ \t]*([\p{L}\d])`)

// unbroken joins the lines that a citation goes over, moving nothing.
func unbroken(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	b := []byte(s)
	for at := 0; ; {
		m := brokenCitation.FindSubmatchIndex(b[at:])
		if m == nil {
			return string(b)
		}
		for i := at + m[3]; i < at+m[4]; i++ {
			if b[i] == '\n' || b[i] == '\r' {
				b[i] = ' '
			}
		}
		at += m[3]
	}
}

func sorted(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
