package view

import (
	"strings"

	"digesto"
	"digesto/corpus"
)

// actVerbs say what one text did to another, seen from the text that bears it.
var actVerbs = map[digesto.Act]string{
	digesto.ActAmends: "modifica", digesto.ActAdds: "añade", digesto.ActRepeals: "deroga", digesto.ActCites: "cita", "": "cambia",
}

// maxRelations bounds what a page lists: the rest is at the API.
const maxRelations = 60

// relationViews are the relations of a text in words: who changed it, who cites it.
type relationViews struct {
	By, Changed, Repeals, RepealedBy, Cited []refView
	Total                                   int
}

func normView(snap *corpus.Snapshot, id, name string) refView {
	if n, ok := snap.Norm(id); ok && id != "" {
		return refView{URL: normURL(n.ID), Name: NormName(n)}
	}
	if name == "" {
		name = id
	}
	return refView{Name: name}
}

func unitView(snap *corpus.Snapshot, norm, unit string) refView {
	v := normView(snap, norm, "")
	if u, ok := snap.Unit(norm, unit); ok && unit != "" {
		return refView{URL: UnitURL(norm, unit), Name: strings.TrimSuffix(u.Label+" · "+v.Name, " · ")}
	}
	return v
}

// normRelations lists what changed a norm and what it changed.
func normRelations(snap *corpus.Snapshot, a corpus.Amendments) relationViews {
	var r relationViews
	for _, x := range a.AmendedBy {
		v := normView(snap, x.Norm, x.Name)
		if x.Published != "" {
			v.Name += " (" + DateShort(x.Published) + ")"
		}
		var touched []string
		for _, u := range x.Units[:min(len(x.Units), 12)] {
			touched = append(touched, actVerbs[u.Act]+" "+u.Label)
		}
		v.Note = strings.Join(touched, "; ")
		r.By = append(r.By, v)
	}
	for _, u := range a.Amends {
		v := unitView(snap, u.Norm, u.Unit)
		v.Note = actVerbs[u.Act]
		r.Changed = append(r.Changed, v)
	}
	for _, x := range a.Repeals {
		r.Repeals = append(r.Repeals, unitView(snap, x.Norm, x.Unit))
	}
	for _, x := range a.RepealedBy {
		r.RepealedBy = append(r.RepealedBy, unitView(snap, x.Norm, x.Unit))
	}
	return r.bounded()
}

// unitRelations lists what changed a unit and the places that cite it.
func unitRelations(snap *corpus.Snapshot, v digesto.Version, cited []corpus.Relation) relationViews {
	var r relationViews
	for _, x := range v.Reforms {
		by := normView(snap, x.Norm, x.Name)
		by.Note = actVerbs[x.Act]
		if d := x.Day(); d != "" {
			by.Note += ", " + DateShort(d)
		}
		r.By = append(r.By, by)
	}
	for _, x := range cited {
		by := unitView(snap, x.Norm, x.Unit)
		if x.Kind != digesto.ActCites {
			by.Note = actVerbs[x.Kind]
		}
		r.Cited = append(r.Cited, by)
	}
	return r.bounded()
}

// bounded leaves each thing once and no more of them than a page holds.
func (r relationViews) bounded() relationViews {
	for _, list := range []*[]refView{&r.By, &r.Changed, &r.Repeals, &r.RepealedBy, &r.Cited} {
		seen := map[refView]bool{}
		var out []refView
		for _, v := range *list {
			if !seen[v] && len(out) < maxRelations {
				seen[v] = true
				out = append(out, v)
			}
		}
		*list = out
		r.Total += len(out)
	}
	return r
}
