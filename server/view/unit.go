package view

import (
	"net/url"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text/diff"
)

// versionView is a wording of a unit: when it is of, whether it holds, what it changed.
type versionView struct {
	URL, Name, State, What string
	Shown, Diff            bool // Diff: it can be compared with the one before
}

type refView struct{ URL, Name, Note string }

// Unit is a unit in one of its versions, and what stands around it.
type Unit struct {
	NormURL, NormTitle, SelfURL, Label, Rubric, Dates, Formal, Official, AskURL string
	Check, Provenance                                                           string
	Path, Notes                                                                 []string
	AsOf                                                                        digesto.Date
	Badge                                                                       badge
	Paragraphs                                                                  [][]run
	Versions                                                                    []versionView
	Refs                                                                        []refView
	Relations                                                                   relationViews
	Siblings                                                                    []link
	Prev, Next                                                                  *link
	Diff                                                                        []diff.Piece
	Alone                                                                       string // why it is not compared with the wording before it
	Elsewhere                                                                   string // address of the wording that says what was quoted
	Lost                                                                        bool   // no wording says it
	DiffFrom, DiffTo                                                            string
}

// PickVersion gives the version asked for by id, else the one of the day, else
// the last one there is: a page about history shows it.
func PickVersion(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date, id string) (digesto.Version, error) {
	for _, v := range u.Versions {
		if id != "" && v.ID == id {
			return v, nil
		}
	}
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil && at == "" && len(u.Versions) > 0 {
		return u.Versions[len(u.Versions)-1], nil
	}
	return v, err
}

// Unit is a unit in one of its versions, with the seal of a day, what was quoted of it
// marked, and what stands around it.
func (s *Site) Unit(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, v digesto.Version, at digesto.Date, quoted string) (Unit, error) {
	p := s.textOf(snap, n, u, v, at, quoted)
	neighbours(snap, n, u, &p)
	p.Refs = refViews(snap, n, v)
	cited, err := snap.CitedBy(n.ID, u.ID)
	if err != nil {
		return p, err
	}
	p.Relations = unitRelations(snap, v, cited)
	return p, nil
}

// textOf is a unit in one of its versions, compared with the one before it.
func (s *Site) textOf(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, v digesto.Version, at digesto.Date, quoted string) Unit {
	self := UnitURL(n.ID, u.ID)
	p := Unit{NormURL: normURL(n.ID), NormTitle: NormName(n), SelfURL: self, Label: u.Label, Rubric: corpus.HeadingOf(u.Rubric), Path: headingsOf(u.Path), AsOf: at,
		Dates: versionDates(n, v), Badge: unitBadge(n, v, at), Notes: v.Notes, Formal: formal(n, u, v), Official: webURL(n.URL), Provenance: provenance(n)}
	if n.Official {
		p.Official = webURL(corpus.LinkTo(n, u))
	} else if n.Supplied {
		p.Check = webURL(corpus.PageOf(n, u))
	}
	p.AskURL = "/?" + url.Values{"question": {u.Label + " de " + NormName(n) + ": "}}.Encode() + "#preguntar"
	p.find(n, u, v, quoted, refLinks(snap, n, v))
	p.Versions = s.versionViews(n, u, v.ID)
	for i, x := range u.Versions {
		if x.ID != v.ID || i == 0 {
			continue
		}
		if !comparable(u.Versions[i-1], v) {
			p.Alone = "De la redacción anterior consta solo una parte: no se comparan."
			continue
		}
		p.Diff = shortened(diff.Words(u.Versions[i-1].Text, v.Text))
		p.DiffFrom, p.DiffTo = versionDates(n, u.Versions[i-1]), versionDates(n, v)
	}
	return p
}

// neighbours fills the units under the same heading and those before and after.
func neighbours(snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, p *Unit) {
	path := strings.Join(u.Path, "\x00")
	var last *link
	found := false
	for x := range snap.Units(n.ID) {
		l := unitLink(x, u.ID)
		if strings.Join(x.Path, "\x00") == path && len(p.Siblings) < 120 {
			p.Siblings = append(p.Siblings, l)
		}
		name := link{URL: l.URL, Name: strings.TrimSuffix(x.Label+". "+corpus.HeadingOf(x.Rubric), ". ")}
		switch {
		case x.ID == u.ID:
			p.Prev, found = last, true
		case found && p.Next == nil:
			p.Next = &name
		}
		last = &name
	}
}

// refViews lists the references of a text, each once, with a link when the
// target is installed.
func refViews(snap *corpus.Snapshot, n digesto.Norm, v digesto.Version) []refView {
	var out []refView
	seen := map[string]bool{}
	text := []rune(v.Text)
	for _, ref := range v.Refs {
		if ref.Start < 0 || ref.End > len(text) || ref.Start >= ref.End {
			continue
		}
		norm := ref.Norm
		if norm == "" && ref.Name == "" {
			norm = n.ID
		}
		x := refView{Name: string(text[ref.Start:ref.End])}
		if u, ok := snap.Unit(norm, ref.Unit); ok && ref.Unit != "" {
			x.URL = UnitURL(norm, ref.Unit)
			if u.Rubric != "" {
				x.Note = corpus.HeadingOf(u.Rubric)
			}
		} else if _, ok := snap.Norm(norm); ok && norm != n.ID {
			x.URL = normURL(norm)
		}
		if x.URL == "" && norm == n.ID { // "este artículo" leads nowhere else
			continue
		}
		if key := x.Name + x.URL; !seen[key] {
			seen[key] = true
			out = append(out, x)
		}
	}
	return out
}
