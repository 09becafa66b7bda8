package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
)

// sourceView is one text in the margin with the quotations taken from it.
type sourceView struct {
	N                                               int
	Title, Read, URL, Dates, Formal, Unit, Document string
	Check, Provenance                               string // where a supplied text can be compared; what it is
	Path                                            []string
	Excerpt                                         [][]run // the text with what is quoted marked; of a very long one the part around
	Own, Literal                                    bool    // words of ours; the stored text says at that place what is quoted
	Since                                           string  // how old the text is, in a few words
	Changed                                         string  // address of what changed since it was quoted; "" = nothing
	Badge                                           badge
	Versions                                        []versionView // other wordings
	Forms                                           []fact        // formal citations
	Pages                                           []pageView    // of its document
}

// wholeLimit is how long a text may be, in code points, to stand in the margin entire.
const wholeLimit = 12000

// sources groups the citations of an answer by the text they are taken from
// and says which mark leads to which.
func (s *Site) sources(law *corpus.Snapshot, cites []digesto.Citation, at digesto.Date) (views []sourceView, place func(string) (int, string)) {
	var groups [][]digesto.Citation
	number := map[string]int{} // text → source, from 1
	byMark := map[string]int{}
	for i, c := range cites {
		key := "#" + strconv.Itoa(i)
		if c.Ref != nil {
			key = c.Ref.Document + "\x00" + c.Ref.Unit + "\x00" + c.Ref.Version + "\x00" + c.Ref.SHA256
		}
		if number[key] == 0 {
			groups = append(groups, nil)
			number[key] = len(groups)
		}
		n := number[key]
		groups[n-1] = append(groups[n-1], c)
		if c.Ref != nil {
			byMark[c.Ref.Label] = n
		}
	}
	for i, g := range groups {
		views = append(views, s.source(law, i+1, g, at))
	}
	return views, func(label string) (int, string) {
		n := byMark[label]
		if n == 0 {
			return 0, ""
		}
		return n, views[n-1].Title
	}
}

// source looks a cited text up. When it is no longer there (another snapshot),
// the quotations alone are shown.
func (s *Site) source(law *corpus.Snapshot, n int, cites []digesto.Citation, at digesto.Date) sourceView {
	c := cites[0]
	v := sourceView{N: n, Title: refTitle(c), Badge: badge{"is-none", "Sin texto a la vista"}, Document: documentLine(cites)}
	var quotes [][2]int
	for _, c := range cites {
		v.Excerpt = append(v.Excerpt, []run{{Text: c.Quote, Mark: true}})
		if c.Ref != nil {
			quotes = append(quotes, [2]int{c.Ref.Start, c.Ref.End})
		}
	}
	v.Excerpt = named(v.Excerpt, "cita-"+strconv.Itoa(n))
	if c.Ref == nil {
		return v
	}
	v.Own = !c.Ref.Official && !c.Ref.Supplied
	v.Path, v.URL, v.Dates, v.Formal = c.Ref.Path, webURL(c.Ref.URL), "Versión "+c.Ref.Version, refTitle(c)
	norm, u, ok := s.unit(law, c.Ref.Document, c.Ref.Unit)
	if !ok {
		return v
	}
	v.Check, v.Provenance = webURL(c.Ref.CheckURL), provenance(norm)
	v.Read, v.Unit = UnitURL(norm.ID, u.ID)+"?version="+url.QueryEscape(c.Ref.Version)+"&"+QuoteParam(c.Quote)+"#cita", theUnit(u.Label)
	for _, ver := range u.Versions {
		if ver.ID != c.Ref.Version || ver.SHA256 != c.Ref.SHA256 {
			continue
		}
		v.Excerpt = paragraphs(ver.Text, quotes...)
		if utf8.RuneCountInString(ver.Text) > wholeLimit {
			v.Excerpt = around(v.Excerpt)
		}
		v.Excerpt, v.Literal = named(v.Excerpt, "cita-"+strconv.Itoa(n)), literal(ver.Text, cites)
		v.Changed = changedSince(norm, u, ver, at, s.Today())
		v.Pages = s.pageViews(norm, u, cites)
		v.Versions, v.Forms = s.others(norm, u, ver)
		v.Badge, v.Dates = unitBadge(norm, ver, at), versionDates(norm, ver)
		v.Formal, v.Since = formal(norm, u, ver), since(norm, ver)
	}
	return v
}

// literal says whether the stored text says what is quoted where it is said to.
func literal(stored string, cites []digesto.Citation) bool {
	r := []rune(stored)
	return !slices.ContainsFunc(cites, func(c digesto.Citation) bool {
		return c.Ref == nil || c.Ref.Start < 0 || c.Ref.End > len(r) || c.Ref.Start > c.Ref.End || string(r[c.Ref.Start:c.Ref.End]) != c.Quote
	})
}

// changedSince is where a text that was in force when it was quoted is compared with that
// of today; "" = it is the same.
func changedSince(n digesto.Norm, u digesto.Unit, quoted digesto.Version, at, today digesto.Date) string {
	i := slices.IndexFunc(u.Versions, func(x digesto.Version) bool { return x.ID == quoted.ID })
	for _, x := range u.Versions[i+1:] {
		if x.Current && x.Text != quoted.Text && x.ValidFrom > at && x.ValidFrom <= today {
			return UnitURL(n.ID, u.ID) + "?version=" + url.QueryEscape(x.ID) + "#diferencias"
		}
	}
	return ""
}

// since says how old a text is, in a few words.
func since(n digesto.Norm, v digesto.Version) string {
	switch {
	case v.ValidFrom != "":
		return "desde el " + DateShort(v.ValidFrom)
	case v.Published != "":
		return "texto del " + DateShort(v.Published)
	case n.TextAsOf != "":
		return "texto del " + DateShort(n.TextAsOf)
	}
	return "sin fecha del texto"
}

// others gives the other wordings of a cited text, and its formal citations.
func (s *Site) others(n digesto.Norm, u digesto.Unit, v digesto.Version) (versions []versionView, forms []fact) {
	for _, x := range s.versionViews(n, u, v.ID) {
		if !x.Shown && len(versions) < 12 {
			versions = append(versions, x)
		}
	}
	if own(n) {
		return versions, nil
	}
	for _, f := range corpus.Forms {
		if text, err := corpus.Formal(n, u, v, f, s.Today()); err == nil {
			forms = append(forms, fact{strings.ToUpper(string(f)), text})
		}
	}
	return versions, forms
}

// unit finds a unit in the law or among the fiches.
func (s *Site) unit(law *corpus.Snapshot, norm, unit string) (digesto.Norm, digesto.Unit, bool) {
	for _, snap := range []*corpus.Snapshot{law, s.Embedded} {
		if n, ok := snap.Norm(norm); ok {
			u, ok := snap.Unit(n.ID, unit)
			return n, u, ok
		}
	}
	return digesto.Norm{}, digesto.Unit{}, false
}

// documentLine names the registered document and the physical pages quoted.
func documentLine(cites []digesto.Citation) string {
	var pages []string
	for _, c := range cites {
		if c.Page != nil {
			if p := strconv.Itoa(*c.Page); !slices.Contains(pages, p) {
				pages = append(pages, p)
			}
		}
	}
	line := cites[0].Source
	if r := cites[0].Ref; r != nil && r.Place != "" {
		line = r.Place
		if len(pages) > 0 { // they are those of a file
			line += " · " + cites[0].Source
		}
	}
	if len(pages) > 0 {
		line += ", pág. " + strings.Join(pages, " y ")
	}
	return line
}

// formal is the citation to copy: place, norm, version.
func formal(n digesto.Norm, u digesto.Unit, v digesto.Version) string {
	out := u.Label + ", " + NormName(n)
	if v.ValidFrom != "" {
		out += " (versión vigente desde el " + DateShort(v.ValidFrom) + ")"
	}
	return out + "."
}

// theUnit writes a label with its article: "el artículo 38", "la disposición adicional primera".
func theUnit(label string) string {
	label = lowerFirst(label)
	first, _, _ := strings.Cut(label, " ")
	return or(strings.HasSuffix(first, "a") || strings.HasSuffix(first, "ón"), "la ", "el ") + label
}
