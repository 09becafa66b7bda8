package corpus

import (
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// scheme is of an address that a program would run or show in place of opening a page.
const scheme = `(?:javascript:|vbscript:|data:[a-z]*[/;,])`

// scriptLink is such an address where Markdown and HTML make a link of it.
var scriptLink = lazyregexp.New(`(?i)\]\(\s*` + scheme + `[^\s()]*(?:\([^()\n]*\))?[^()\n]*\)|<\s*` + scheme + `[^<>\n]*>|\b(?:href|src)\s*=\s*["']?\s*` + scheme + `[^"'<>\n]*["']?`)

// scriptAddress is one that stands alone.
var scriptAddress = lazyregexp.New(`(?i)^[\s\x00-\x1f]*` + scheme)

// harmless takes out of a document what would act where it is shown: characters that
// reorder, links that run a script, addresses that are not of the web. It is done once,
// before the text gets its hash: what is stored has been through it. The units are the
// caller's own. It says whether it changed anything that may make the document unfit.
func harmless(d *Document) (changed bool) {
	n := &d.Norm
	id := n.ID
	n.URL = text.WebOnly(text.InOrder(n.URL))
	n.IDs = lines(slices.DeleteFunc(slices.Clone(n.IDs), scriptAddress.MatchString))
	for _, s := range []*string{&n.ID, &n.Title, &n.Short, &n.Rank, &n.StatusNote, &n.License, &n.Source} {
		*s = line(*s)
	}
	for i := range d.Units {
		u := &d.Units[i]
		before := u.ID
		u.ID, u.Number, u.Label, u.Rubric, u.Path = line(u.ID), line(u.Number), line(u.Label), line(u.Rubric), lines(u.Path)
		for j := range u.Versions {
			v := &u.Versions[j]
			v.Notes, v.AmendedBy = lines(v.Notes), lines(v.AmendedBy)
			changed = inOrder(v) || changed
		}
		changed = changed || u.ID != before
	}
	return changed || n.ID != id
}

// line is a text without offsets into it.
func line(s string) string {
	cuts := acting(s)
	for i := len(cuts) - 1; i >= 0; i-- {
		s = s[:cuts[i][0]] + s[cuts[i][1]:]
	}
	return s
}

func lines(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return acting(s) != nil }) {
		return list
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = line(s)
	}
	return out
}

// acting gives the bytes of a text to take out: disjoint, in order.
func acting(s string) (cuts [][]int) {
	if strings.ContainsAny(s, "(<=") && strings.Contains(s, ":") {
		cuts = scriptLink.FindAllStringIndex(s, -1)
		for _, c := range cuts {
			c[0] += len(s[c[0]:c[1]]) - len(strings.TrimPrefix(s[c[0]:c[1]], "]")) // the words of the link stay
		}
	}
	if strings.IndexFunc(s, text.Reorders) < 0 {
		return cuts
	}
	links, next := cuts, 0
	cuts = nil
	for i, r := range s {
		for next < len(links) && links[next][1] <= i {
			next++
		}
		switch {
		case next < len(links) && i == links[next][0]:
			cuts = append(cuts, links[next])
		case next < len(links) && i > links[next][0]:
		case text.Reorders(r):
			cuts = append(cuts, []int{i, i + utf8.RuneLen(r)})
		}
	}
	return cuts
}

// inOrder takes them out of the text of a version and moves its marks along; false = there
// are none.
func inOrder(v *digesto.Version) bool {
	cuts := acting(v.Text)
	if cuts == nil {
		return false
	}
	to := make([]int, 0, utf8.RuneCountInString(v.Text)+1) // code point → the one that stands there afterwards
	kept, next := 0, 0
	for i := range v.Text {
		for next < len(cuts) && cuts[next][1] <= i {
			next++
		}
		to = append(to, kept)
		if next == len(cuts) || i < cuts[next][0] {
			kept++
		}
	}
	to = append(to, kept)
	at := func(i int) int { return to[max(0, min(i, len(to)-1))] }
	v.Pages = slices.Clone(v.Pages)
	for i := range v.Pages {
		v.Pages[i].Start = at(v.Pages[i].Start)
	}
	v.Refs = slices.Clone(v.Refs)
	for i := range v.Refs {
		v.Refs[i].Start, v.Refs[i].End = at(v.Refs[i].Start), at(v.Refs[i].End)
	}
	v.Refs = slices.DeleteFunc(v.Refs, func(r digesto.Reference) bool { return r.Start >= r.End })
	v.Text, v.SHA256 = line(v.Text), ""
	return true
}
