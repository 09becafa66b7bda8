package view

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
)

func unitLink(u digesto.Unit, shown string) link {
	l := link{URL: UnitURL(u.Norm, u.ID), Number: u.Number, Name: corpus.HeadingOf(u.Rubric), Shown: u.ID == shown}
	if l.Name == "" { // its label has its number
		l.Number, l.Name = "", u.Label
	}
	return l
}

// group are the units under one heading; Heads are the parts of its path that
// the group before does not share, each with its depth.
type group struct {
	Path  string
	Heads []heading
	Units []link
}

type heading struct {
	Depth int
	Text  string
}

// Norm is a norm with its contents, or its texts one after the other.
type Norm struct {
	Title, Detail, StatusNote, URL string
	Full, Check, Provenance        string // official title where it is not the name; where to compare a supplied text; what it is
	Badge                          badge
	Groups                         []group
	Relations                      relationViews
	Self, Q                        string
	Hits                           []Hit      // of a search within it
	Reading                        []readUnit // its texts one after the other
	Prev, Next                     string     // pages of the reading
}

// readUnit is a unit in a continuous reading.
type readUnit struct {
	URL, Label, Rubric string
	Heads              []heading
	Paragraphs         [][]run
	Badge              badge
}

// readAtOnce is how many units a page of continuous reading has.
const readAtOnce = 20

// Read fills the texts of a norm one after the other, from a page on.
func (s *Site) Read(snap *corpus.Snapshot, n digesto.Norm, page int, p *Norm) error {
	k, first := 0, (page-1)*readAtOnce
	var last []string
	for u, err := range snap.All(n.ID) {
		if err != nil {
			return err
		}
		if k++; k <= first {
			last = u.Path
			continue
		}
		if k > first+readAtOnce {
			p.Next = p.Self + "?leer=" + strconv.Itoa(page+1)
			break
		}
		v, err := PickVersion(snap, n, u, "", "")
		if err != nil {
			continue // none holds today
		}
		r := readUnit{URL: UnitURL(n.ID, u.ID), Label: u.Label, Rubric: corpus.HeadingOf(u.Rubric), Paragraphs: numbered(linkedParagraphs(v.Text, refLinks(snap, n, v))), Badge: unitBadge(n, v, s.Today())}
		if strings.Join(last, "\x00") != strings.Join(u.Path, "\x00") {
			r.Heads, last = headings(last, u.Path), u.Path
		}
		p.Reading = append(p.Reading, r)
	}
	if page > 1 {
		p.Prev = p.Self + "?leer=" + strconv.Itoa(page-1)
	}
	return nil
}

// Norm is the head of a norm.
func (s *Site) Norm(n digesto.Norm) Norm {
	p := Norm{Title: NormName(n), Provenance: provenance(n), Check: or(n.Official, "", webURL(n.Page)), Detail: s.normDetail(n), StatusNote: n.StatusNote, URL: webURL(n.URL), Badge: normBadge(n), Self: normURL(n.ID)}
	if n.Title != p.Title {
		p.Full = n.Title
	}
	return p
}

// Contents fills in the units of a norm under their headings, and its relations.
func (p *Norm) Contents(snap *corpus.Snapshot, n digesto.Norm) error {
	var last []string
	for u, err := range snap.All(n.ID) {
		if err != nil {
			return err
		}
		path := strings.Join(u.Path, " › ")
		if len(p.Groups) == 0 || p.Groups[len(p.Groups)-1].Path != path {
			p.Groups = append(p.Groups, group{Path: path, Heads: headings(last, u.Path)})
			last = u.Path
		}
		g := &p.Groups[len(p.Groups)-1]
		g.Units = append(g.Units, unitLink(u, ""))
	}
	rel, err := snap.Amendments(n.ID)
	if err != nil {
		return err
	}
	p.Relations = normRelations(snap, rel)
	return nil
}

// headings are the parts of a path from the first that differs from the last one.
func headings(last, path []string) (out []heading) {
	same := 0
	for same < len(last) && same < len(path)-1 && last[same] == path[same] {
		same++
	}
	for i, part := range path[same:] {
		out = append(out, heading{min(same+i, 3), corpus.HeadingOf(part)})
	}
	return out
}

// headingsOf are the headings over a unit, none of which shouts.
func headingsOf(path []string) (out []string) {
	for _, part := range path {
		out = append(out, corpus.HeadingOf(part))
	}
	return out
}
