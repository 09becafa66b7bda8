package dating

import (
	"cmp"
	"strings"
	"unicode"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
)

// Refer finds the references in every version of a document.
func Refer(table *cite.Table, d *corpus.Document, expected []digesto.Norm) (refs, resolved, versions int) {
	r := NewReferrer(table, d.Norm, expected)
	for i := range d.Units {
		for j := range d.Units[i].Versions {
			v := &d.Units[i].Versions[j]
			versions++
			nameReforms(r.view, v.Reforms)
			v.Refs = r.References(d.Units[i], *v)
			for _, x := range v.Refs {
				refs++
				if x.Norm != "" || x.Name == "" {
					resolved++
				}
			}
		}
	}
	return refs, resolved, versions
}

// nameReforms gives the reforms that notes tell of by name alone the id of the norm
// of that name, if there is one and no other.
func nameReforms(view *cite.Table, list []digesto.Reform) {
	for i := range list {
		if list[i].Norm != "" {
			continue
		}
		if found := view.Find(list[i].Name); len(found) == 1 && found[0].Unit == "" {
			list[i].Norm = found[0].Norm
		}
	}
}

// Referrer finds the references in the texts of one norm: what "esta ley" and "la
// Ley" mean follows from which norm it is.
type Referrer struct {
	view *cite.Table
	norm digesto.Norm
	own  string // letters and digits of all that names the norm
	law  string // what "la Ley" means: the law that a regulation carries out, else the norm itself; "" = not known
}

// NewReferrer prepares the search for references in a norm. Expected norms may have a
// better title than the source's own (see [Options.Known]).
func NewReferrer(table *cite.Table, n digesto.Norm, expected []digesto.Norm) Referrer {
	r := Referrer{view: table.In(n.Jurisdiction), norm: n, own: line.Letters(strings.Join(append([]string{n.ID, n.Title, n.Short}, n.IDs...), " ")), law: n.ID}
	titles := []string{n.Title}
	for _, k := range expected {
		if k.ID == n.ID {
			titles = append(titles, k.Title)
		}
	}
	of := ""
	for _, s := range titles {
		of = line.FirstOf(of, regulated(s))
	}
	if of == "" {
		return r
	}
	r.law = ""
	for _, m := range r.view.Find(of) {
		if m.Unit != "" || m.Relative {
			continue
		}
		for _, id := range append([]string{m.Norm}, m.Also...) {
			if id != "" && id != n.ID && r.law == "" {
				r.law = id
			}
		}
	}
	return r
}

var regulates = lazyregexp.New(`(?i)\breglament(?:o|ación|ario|aria)\b[^,.]{0,60}?\b(ley\b.*)`)

// regulated gives what a title says that the norm carries out; "" = nothing.
func regulated(title string) string {
	m := regulates.FindStringSubmatchIndex(title)
	if m == nil || strings.Contains(text.Fold(title[:m[0]]), "ley ") {
		return ""
	}
	return title[m[2]:m[3]]
}

// bareLaw is "de la ley" with nothing behind it that says which.
var bareLaw = lazyregexp.New(`^ de la [Ll]ey(?:[.,;:)]|\s*$| (?:que|se|y|o|en|a|por|para|con|sin|como|no|será|serán|es|son|puede|pueden|podrá|podrán)\b)`)

// References finds the references of one version of a unit. In a unit that changes
// another norm, an article without a norm is one of that other.
func (r Referrer) References(u digesto.Unit, v digesto.Version) []digesto.Reference {
	s := v.Text
	var out []digesto.Reference
	var target cite.Mention // the norm that the unit changes
	runes := []rune(s)
	if u.Amending {
		for _, m := range r.view.Find(u.Rubric) {
			if m.Name != "" && !m.Relative {
				target = m
				break
			}
		}
	}
	q := quoteDepth{runes: runes}
	for _, m := range r.view.Find(s) {
		quoted := q.at(m.Start)
		switch {
		case m.Relative && m.Name != "" && m.Norm == "":
			m.Norm = r.norm.ID
			if u.Amending && quoted && target.Name != "" {
				m.Norm = target.Norm
			}
		case m.Name == "" && !m.Relative && m.Unit != "" && u.Amending && target.Name != "":
			m.Norm, m.Name = target.Norm, target.Name
		case m.Name == "" && m.Unit != "" && !m.Relative && bareLaw.MatchString(string(runes[m.End:min(len(runes), m.End+24)])), text.Fold(m.Name) == "ley" && m.Norm == "" && len(m.Also) == 0:
			if r.law != "" {
				m.Norm = r.law
			}
		case m.Norm == r.norm.ID && !r.named(m.Name):
			m.Norm = "" // the text that this one consolidates, by its own number
		case u.Amending && !quoted && m.Name != "" && !m.Relative:
			target = m
		}
		if r.view.Younger(m.Norm, m.Name, cmp.Or(v.Published, r.norm.TextAsOf, r.norm.Published)) {
			m.Norm = "" // an older norm is meant, of the same name
		}
		out = append(out, digesto.Reference{Start: m.Start, End: m.End, Norm: m.Norm, Name: m.Name, Unit: m.Unit, Detail: m.Detail, To: m.To})
	}
	return out
}

// named says that a name with a number is one of the norm's own.
func (r Referrer) named(name string) bool {
	digits := digitsOf(name)
	return digits == "" || strings.Contains(r.own, line.Letters(name)) || strings.Contains(digitsOf(r.own), digits)
}

func digitsOf(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return c
		}
		return -1
	}, s)
}

// quoteDepth says, place after place, whether it stands inside quotation marks.
type quoteDepth struct {
	runes []rune
	i     int
	depth int
}

func (q *quoteDepth) at(place int) bool {
	for ; q.i < place && q.i < len(q.runes); q.i++ {
		switch q.runes[q.i] {
		case '«', '“':
			q.depth++
		case '»', '”':
			q.depth = max(0, q.depth-1)
		}
	}
	return q.depth > 0
}
