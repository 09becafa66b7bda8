package view

import (
	"net/url"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
	"digesto/text/quote"
	"digesto/text/sentence"
)

// find marks what was quoted of a text; where this wording does not say it, it says which does.
func (p *Unit) find(n digesto.Norm, u digesto.Unit, v digesto.Version, quoted string, links []placedLink) {
	var marks [][2]int
	if quoted != "" {
		if m, ok := quote.Find(v.Text, quoted); ok {
			// An address carries the beginning of what was quoted: the sentence is marked to its end.
			for _, x := range sentence.Split(v.Text) {
				if x.Start < m.End && m.End < x.End {
					m.End = x.End
				}
			}
			marks = append(marks, [2]int{m.Start, m.End})
		}
	}
	p.Paragraphs = numbered(named(linkedParagraphs(v.Text, links, marks...), "cita"))
	if quoted == "" || marks != nil {
		return
	}
	p.Lost = true
	for _, x := range u.Versions {
		if _, ok := quote.Find(x.Text, quoted); ok {
			p.Elsewhere = UnitURL(n.ID, u.ID) + "?version=" + url.QueryEscape(x.ID) + "&" + QuoteParam(quoted) + "#cita"
		}
	}
}

// unchanged is how many words that did not change stand on each side of what did.
const unchanged = 25

// shortened leaves out of a comparison long stretches in which nothing changed.
func shortened(ps []diff.Piece) []diff.Piece {
	for i := range ps {
		w := strings.Fields(ps[i].Text)
		if ps[i].Op != 0 || len(w) <= 3*unchanged {
			continue
		}
		head, tail := strings.Join(w[:unchanged], " "), strings.Join(w[len(w)-unchanged:], " ")
		switch {
		case i == 0:
			head = ""
		case i == len(ps)-1:
			tail = ""
		}
		ps[i].Text = head + " […] " + tail
	}
	return ps
}

// comparable says whether two wordings are of the same stretch of a unit: a fragment is
// not compared with the whole.
func comparable(a, b digesto.Version) bool {
	for _, v := range []digesto.Version{a, b} {
		if slices.ContainsFunc(v.Defects, func(d digesto.TextDefect) bool {
			return d.Kind == digesto.DefectCutText || d.Kind == digesto.DefectBorrowed || d.Kind == digesto.DefectNotOwn
		}) {
			return false
		}
	}
	short, large := min(len(a.Text), len(b.Text)), max(len(a.Text), len(b.Text))
	return 4*short >= large || likeness(stemsOf(a.Text), stemsOf(b.Text)) >= .5
}

// versionViews are the wordings of a unit, each with what it changed of the one before.
func (s *Site) versionViews(n digesto.Norm, u digesto.Unit, shown string) (out []versionView) {
	for i, x := range u.Versions {
		v := versionView{URL: UnitURL(n.ID, u.ID) + "?version=" + url.QueryEscape(x.ID), Name: "Sin fecha", State: unitBadge(n, x, s.Today()).Word, Shown: x.ID == shown}
		if x.ValidFrom != "" {
			v.Name = DateShort(x.ValidFrom)
		} else if x.Published != "" {
			v.Name = DateShort(x.Published)
		}
		if i > 0 {
			v.Diff = comparable(u.Versions[i-1], x)
			v.What = whatChanged(u.Versions[i-1], x, v.Diff)
		} else if len(u.Versions) > 1 {
			v.What = "la primera que consta"
		}
		out = append(out, v)
	}
	return out
}

// whatChanged says what a wording changed, and by which norm, as far as its source tells.
func whatChanged(before, v digesto.Version, alike bool) string {
	by := ""
	if len(v.Reforms) > 0 {
		r := v.Reforms[len(v.Reforms)-1]
		by = r.Name
		if len(r.Parts) > 0 {
			return "cambia " + or(len(r.Parts) == 1, "el apartado ", "los apartados ") + strings.Join(r.Parts, ", ") + " (" + by + ")"
		}
	}
	what := ""
	if alike && len(v.Text) < 20000 {
		switch in, out := diff.Changed(diff.Words(before.Text, v.Text)); {
		case in > 0 && out > 0:
			what = "añade " + count(in, "palabra", "palabras") + " y quita " + Thousands(out)
		case in > 0:
			what = "añade " + count(in, "palabra", "palabras")
		case out > 0:
			what = "quita " + count(out, "palabra", "palabras")
		}
	}
	return strings.Trim(what+" · "+by, " ·")
}

// refLinks are the references of a text that lead to something installed.
func refLinks(snap *corpus.Snapshot, n digesto.Norm, v digesto.Version) (out []placedLink) {
	for _, ref := range v.Refs {
		norm := ref.Norm
		if norm == "" && ref.Name == "" {
			norm = n.ID
		}
		l := placedLink{from: ref.Start, to: ref.End}
		if u, ok := snap.Unit(norm, ref.Unit); ok && ref.Unit != "" {
			l.URL, l.Name = UnitURL(norm, ref.Unit), strings.TrimSuffix(u.Label+". "+corpus.HeadingOf(u.Rubric), ". ")
		} else if x, ok := snap.Norm(norm); ok && norm != n.ID {
			l.URL, l.Name = normURL(norm), NormName(x)
		}
		if l.URL != "" {
			out = append(out, l)
		}
	}
	return out
}
