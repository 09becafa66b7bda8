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
			{Kind: Cites, Norm: "DEC-7-2020", Unit: "a3", Version: "1", Start: 0, End: 8, ToUnit: "a2"},
			{Kind: Amends, Norm: "LEY-9-2021", Unit: "a1", Version: "1", Start: 3, End: 9, ToUnit: "a2", Detail: "1"},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, unit (-want +got):\n%s", name, d)
		}
		got, err = s.CitedBy("DEC-7-2020", "")
		want = []Relation{want[1], {Kind: Amends, Norm: "LEY-9-2021", Unit: "a1~2", Version: "1", Start: 1, End: 2}}
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
