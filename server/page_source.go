package server

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
)

// sourceView is one citation in the margin: the quotation inside its text.
type sourceView struct {
	N                                     int
	Title, Read, URL, Dates, Formal, Unit string
	Path                                  []string
	Excerpt, Whole                        [][]run
	Badge                                 badge
}

// wholeLimit is how long a text may be to stand in the margin entire.
const wholeLimit = 900

// source looks a citation up in the stored text. When the text is no longer
// there (another snapshot), the quotation alone is shown.
func (s *Server) source(law *corpus.Snapshot, n int, c digesto.Citation, at digesto.Date) sourceView {
	v := sourceView{N: n, Title: refTitle(c), Excerpt: [][]run{{{c.Quote, true}}}, Badge: badge{"is-none", "Sin texto a la vista"}}
	if c.Ref == nil {
		return v
	}
	v.Path, v.URL, v.Dates = placePath(c), webURL(c.Ref.URL), "Versión "+c.Ref.Version
	v.Formal = refTitle(c)
	snap := law
	norm, ok := snap.Norm(c.Ref.Document)
	if !ok {
		snap = s.opt.Embedded.Snapshot
		if norm, ok = snap.Norm(c.Ref.Document); !ok {
			return v
		}
	}
	u, ok := snap.Unit(norm.ID, c.Ref.Unit)
	if !ok {
		return v
	}
	v.Read, v.Unit = unitURL(norm.ID, u.ID)+"?version="+c.Ref.Version, lowerFirst(u.Label)
	for _, ver := range u.Versions {
		if ver.ID != c.Ref.Version || ver.SHA256 != c.Ref.SHA256 {
			continue
		}
		ps := paragraphs(ver.Text, c.Ref.Start, c.Ref.End)
		v.Excerpt = ps
		if utf8.RuneCountInString(ver.Text) > wholeLimit && len(ps) > 3 {
			v.Excerpt, v.Whole = around(ps), ps
		}
		v.Badge, v.Dates = unitBadge(norm, ver, at), versionDates(norm, ver)
		v.Formal = formal(norm, u, ver)
	}
	return v
}

// placePath is the way to the quotation: headings, then the page.
func placePath(c digesto.Citation) []string {
	path := append([]string{}, c.Ref.Path...)
	if c.Page != nil {
		path = append(path, "pág. "+strconv.Itoa(*c.Page))
	}
	if c.Source != "" && c.Source != c.Ref.Document {
		path = append(path, c.Source)
	}
	return path
}

// formal is the citation to copy: place, norm, version.
func formal(n digesto.Norm, u digesto.Unit, v digesto.Version) string {
	out := u.Label + ", " + n.Title
	if v.ValidFrom != "" {
		out += " (versión vigente desde el " + dateShort(v.ValidFrom) + ")"
	}
	return out + "."
}

// lowerFirst writes a label inside a sentence, capitals of acronyms apart.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); strings.ToUpper(string(next)) == string(next) {
		return s
	}
	return strings.ToLower(string(r)) + s[n:]
}
