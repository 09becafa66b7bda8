package corpus

import (
	"testing"

	"digesto"

	"github.com/google/go-cmp/cmp"
)

func TestCitedBy(t *testing.T) {
	cited := sample() // a3 cites a2 of the same norm
	cited.Units[3].Versions[0].Refs = []digesto.Reference{{Start: 0, End: 8, Unit: "a2"}, {Start: 9, End: 12, Name: "otra ley", Unit: "a2"}}
	citing := sample()
	citing.Norm = digesto.Norm{ID: "LEY-9-2021", Title: "Ley 9/2021", Amending: true, Jurisdiction: "xx", Collection: "normativa", Source: "ley-9.md"}
	citing.File = "ley-9.md"
	citing.Units[0].Versions[0].Refs = []digesto.Reference{{Start: 3, End: 9, Norm: "ELI/xx/d/2020/7", Unit: "a2", Detail: "1"}}
	citing.Units[1].Versions[0].Refs = []digesto.Reference{{Start: 1, End: 2, Norm: "DEC-7-2020"}, {Start: 2, End: 4, Unit: "a2"}}
	citing.Units[2].Versions = append([]digesto.Version{{ID: "0", Text: "Texto anterior.",
		Refs: []digesto.Reference{{Start: 0, End: 5, Norm: "DEC-7-2020", Unit: "a2"}}}}, citing.Units[2].Versions...)
	third := sample()
	third.Norm = digesto.Norm{ID: "Z-1", Title: "Otra", Source: "z.md"}
	third.File = "z.md"

	l := open(t, t.TempDir())
	put(t, l, cited, citing, third)
	for name, s := range map[string]*Snapshot{"disk": current(t, l), "memory": Memory(cited, citing, third)} {
		got, err := s.CitedBy("eli/xx/d/2020/7", "a2")
		if err != nil {
			t.Fatal(err)
		}
		want := []Relation{
			{Kind: digesto.ActCites, Norm: "DEC-7-2020", Unit: "a3", Version: "1", Start: 0, End: 8, ToUnit: "a2"},
			{Kind: digesto.ActAmends, Norm: "LEY-9-2021", Unit: "a1", Version: "1", Start: 3, End: 9, ToUnit: "a2", Detail: "1"},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, unit (-want +got):\n%s", name, d)
		}
		got, err = s.CitedBy("DEC-7-2020", "")
		want = []Relation{want[1], {Kind: digesto.ActAmends, Norm: "LEY-9-2021", Unit: "a1~2", Version: "1", Start: 1, End: 2}}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s, norm (-want +got): %v\n%s", name, err, d)
		}
		if got, err := s.CitedBy("Z-1", ""); len(got) != 0 || err != nil {
			t.Errorf("%s: nobody cites it, yet %v, %v", name, got, err)
		}
		if _, err := s.CitedBy("NO", ""); digesto.CodeOf(err) != digesto.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAmendments(t *testing.T) {
	changed := sample() // a1 was changed twice, the second time by a norm that is here
	changed.Units[0].Versions[0].Reforms = []digesto.Reform{
		{Name: "Ley 1/2011", Act: digesto.ActAdds, Published: "2011-01-01", Parts: []string{"2"}},
		{Norm: "LEY-9-2021", Name: "Ley 9/2021", Act: digesto.ActAmends, Published: "2021-05-05", From: "2021-06-01"}}
	changed.Units[1].Versions[0].Reforms = []digesto.Reform{{Norm: "LEY-9-2021", Name: "Ley 9/2021", Act: digesto.ActRepeals, Published: "2021-05-05"}}
	by := sample()
	by.Norm = digesto.Norm{ID: "LEY-9-2021", Title: "Ley 9/2021", Jurisdiction: "xx", Collection: "normativa", Source: "ley-9.md"}
	by.File = "ley-9.md"
	by.Units = append(by.Units, digesto.Unit{Norm: "LEY-9-2021", ID: "ddunica", Kind: digesto.KindRepealing, Number: "única", Label: "Disposición derogatoria única", Versions: []digesto.Version{
		{ID: "1", Text: "Queda sin efecto el artículo 2 del Decreto 7.", Current: true, Refs: []digesto.Reference{{Start: 17, End: 40, Norm: "DEC-7-2020", Unit: "a2"}}}}})
	l := open(t, t.TempDir())
	put(t, l, changed, by)
	for name, s := range map[string]*Snapshot{"disk": current(t, l), "memory": Memory(changed, by)} {
		got, err := s.Amendments("DEC-7-2020")
		if err != nil {
			t.Fatal(err)
		}
		want := []Amendment{
			{Norm: "LEY-9-2021", Name: "Ley 9/2021", Published: "2021-05-05", Units: []Touched{
				{Act: digesto.ActAmends, Norm: "DEC-7-2020", Unit: changed.Units[0].ID, Label: changed.Units[0].Label, From: "2021-06-01"},
				{Act: digesto.ActRepeals, Norm: "DEC-7-2020", Unit: changed.Units[1].ID, Label: changed.Units[1].Label}}},
			{Name: "Ley 1/2011", Published: "2011-01-01", Units: []Touched{{Act: digesto.ActAdds, Norm: "DEC-7-2020", Unit: changed.Units[0].ID, Label: changed.Units[0].Label, Parts: []string{"2"}}}},
		}
		if d := cmp.Diff(want, got.AmendedBy); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if len(got.RepealedBy) != 1 || got.RepealedBy[0].Unit != "ddunica" || got.RepealedBy[0].ToUnit != "a2" || len(got.Amends)+len(got.Repeals) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		got, err = s.Amendments("LEY-9-2021")
		if err != nil || len(got.Amends) != 2 || len(got.AmendedBy) != 0 || len(got.Repeals) != 1 || got.Repeals[0].Norm != "DEC-7-2020" || got.Repeals[0].Unit != "a2" {
			t.Errorf("%s: %v %+v", name, err, got)
		}
		if _, err := s.Amendments("NO"); digesto.CodeOf(err) != digesto.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
		if cited, _ := s.CitedBy("DEC-7-2020", "a2"); len(cited) == 0 || cited[len(cited)-1].Kind != digesto.ActRepeals {
			t.Errorf("%s: a repealing disposition: %+v", name, cited)
		}
	}
}
