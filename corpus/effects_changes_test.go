package corpus

import (
	"slices"
	"strings"
	"testing"

	"digesto"
)

// A norm that gives a new wording shows whether the text of the other has it.
func TestEffectOfChanges(t *testing.T) {
	const former = "Los barcos que entran en el puerto de noche avisan al farero con dos luces blancas y esperan su señal fuera de la bocana hasta que la da."
	const next = "Los barcos que lleguen al puerto antes del alba llaman por radio al vigía, que les dice en qué muelle atracan y a qué hora abre la lonja."
	reform := digesto.Reform{Norm: "LATER", Name: "Ley 20/2022", Published: "2022-01-01"}
	for _, c := range []struct {
		name   string
		text   string
		asOf   digesto.Date
		change func(old *Document)
		want   Outcome
	}{
		{"an older text without it", former, "2001-05-05", nil, EffectMissing},
		{"an older text that says it", next, "2001-05-05", nil, EffectKnown},
		{"it is in, slightly edited", strings.Replace(next, "qué muelle", "que muelle", 1), "2021-01-01", nil, EffectFound},
		{"a text of a later day, noted elsewhere, without it", former, "2021-01-01", func(d *Document) {
			d.Units[1].Versions[0].Reforms = []digesto.Reform{{Name: "Ley 5/2015", Published: "2015-01-01"}}
		}, EffectMissing},
		{"a text of a later day whose source notes nothing", former, "2021-01-01", nil, EffectKnown},
		{"changed again since", former, "2023-01-01", func(d *Document) { d.Units[0].Versions[0].Reforms = []digesto.Reform{reform} }, EffectKnown},
		{"its day is not known", former, "", nil, EffectKnown},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := lawOf("OLD", "Ley 3/2001, de 4 de mayo, de faros", "2001-05-05")
			old.Units[0].Versions[0].Text, old.Norm.TextAsOf = c.text, c.asOf
			if c.change != nil {
				c.change(&old)
			}
			by := lawOf("NEW", "Ley 9/2020, de 1 de enero, de puertos", "2020-01-02")
			lead := "Se modifica el artículo 1 de la Ley 3/2001, de 4 de mayo: "
			by.Units[1].Versions[0].Text = lead + next
			n := len([]rune(lead))
			by.Says = []Statement{{Act: digesto.ActAmends, By: "a2", Name: "Ley 3/2001, de 4 de mayo", Places: []Place{{Unit: "a1"}}, Words: [2]int{n, n + len([]rune(next))}}}
			l := open(t, t.TempDir())
			put(t, l, old, by)
			s, err := l.Current()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			all := s.Effects()
			if len(all) != 1 || all[0].Outcome != c.want || all[0].Unit != "a1" {
				t.Fatalf("%+v", all)
			}
			v, err := s.Text("OLD", "a1", "")
			if err != nil {
				t.Fatal(err)
			}
			if told := slices.ContainsFunc(v.Unseen, func(r digesto.Reform) bool { return r.Norm == "NEW" && r.Published == "2020-01-02" }); told != (c.want == EffectMissing) {
				t.Errorf("%+v", v.Unseen)
			}
			if _, err := s.Text("OLD", "a1", "2019-12-31"); c.want == EffectFound && err == nil {
				t.Error("a wording is given for a day before the change that it has")
			}
		})
	}
}

// Of the changes of one unit only the last can be missing from it.
func TestLastChange(t *testing.T) {
	list := []Effect{
		{Act: digesto.ActAmends, Norm: "A", Unit: "a1", By: "X", Published: "2010-01-01", Outcome: EffectMissing},
		{Act: digesto.ActAmends, Norm: "A", Unit: "a1", By: "Y", Published: "2020-01-01", Outcome: EffectMissing},
		{Act: digesto.ActAmends, Norm: "A", Unit: "a2", By: "X", Published: "2010-01-01", Outcome: EffectMissing},
	}
	lastChange(list)
	if list[0].Outcome != EffectKnown || list[1].Outcome != EffectMissing || list[2].Outcome != EffectMissing {
		t.Errorf("%+v", list)
	}
}

// What is of no day, or of doubtful origin, is no text of a day of the past.
func TestPastOfDoubtfulText(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*digesto.Unit)
		held   bool
	}{
		{"dated", func(u *digesto.Unit) { u.Versions[0].Published = "2001-05-05" }, true},
		{"changed on a day that nobody says", func(u *digesto.Unit) { u.Versions[0].Reforms = []digesto.Reform{{Name: "Ley 77"}} }, false},
		{"of doubtful origin", func(u *digesto.Unit) {
			u.Versions[0].Defects = []digesto.TextDefect{{Kind: digesto.DefectBorrowed, Detail: "De otra página."}}
		}, false},
	} {
		d := lawOf("OLD", "Ley 3/2001, de 4 de mayo, de faros", "2001-05-05")
		c.change(&d.Units[0])
		s := Memory(d)
		if _, err := s.Text("OLD", "a1", "2010-01-01"); (err == nil) != c.held {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := s.Text("OLD", "a1", ""); err != nil {
			t.Errorf("%s, today: %v", c.name, err)
		}
	}
}
