package corpus

import (
	"fmt"
	"testing"

	"digesto"
	"digesto/text/cite"
)

func TestResolve(t *testing.T) {
	other := sample()
	other.Norm = digesto.Norm{ID: "LEY-9-2021", Title: "Ley 9/2021 del mercado", Jurisdiction: "xx", Collection: "normativa", Source: "ley-9.md"}
	other.Units = other.Units[2:]
	s := Memory(sample(), other)
	art := func(n string) cite.Mention {
		return cite.Mention{Text: "artículo " + n, Kind: digesto.KindArticle, Number: n, Unit: "a" + n}
	}
	of := func(m cite.Mention, norm string) cite.Mention { m.Norm, m.Name = norm, norm; return m }
	for _, c := range []struct {
		name       string
		m          cite.Mention
		within     string
		norm, unit string
		code       digesto.Code
	}{
		{"body beats decree", of(art("1"), "DEC-7-2020"), "", "DEC-7-2020", "a1~2", ""},
		{"other identifier", of(art("3"), "eli/xx/d/2020/7"), "", "DEC-7-2020", "a3", ""},
		{"within", art("2"), "LEY-9-2021", "LEY-9-2021", "a2", ""},
		{"within a unit", art("2"), "LEY-9-2021/a3", "LEY-9-2021", "a2", ""},
		{"named wins over within", of(art("2"), "DEC-7-2020"), "LEY-9-2021", "DEC-7-2020", "a2", ""},
		{"named, not installed", cite.Mention{Name: "Ley 1/1900", Unit: "a2"}, "LEY-9-2021", "", "", digesto.CodeNotFound},
		{"of this norm", cite.Mention{Name: "esta Ley", Unit: "a2", Relative: true}, "LEY-9-2021", "LEY-9-2021", "a2", ""},
		{"no norm at all", art("2"), "", "", "", digesto.CodeNotFound},
		{"no such unit", of(art("77"), "DEC-7-2020"), "", "DEC-7-2020", "", digesto.CodeNotFound},
		{"norm alone", cite.Mention{Norm: "LEY-9-2021"}, "", "LEY-9-2021", "", ""},
		{"one candidate has it", cite.Mention{Name: "la feria", Also: []string{"DEC-7-2020", "LEY-9-2021"}, Unit: "a1"}, "", "DEC-7-2020", "a1~2", ""},
		{"several candidates", cite.Mention{Name: "la feria", Also: []string{"DEC-7-2020", "LEY-9-2021"}, Unit: "a2"}, "", "", "", digesto.CodeInvalid},
		{"candidate at home", cite.Mention{Name: "la feria", Also: []string{"DEC-7-2020", "LEY-9-2021"}, Unit: "a2"}, "LEY-9-2021/a3", "LEY-9-2021", "a2", ""},
		{"the one before", cite.Mention{Kind: "a", Number: "anterior", Relative: true}, "DEC-7-2020/a3", "DEC-7-2020", "a2", ""},
		{"the one after", cite.Mention{Kind: "a", Number: "siguiente", Relative: true}, "DEC-7-2020/a2", "DEC-7-2020", "a3", ""},
		{"this one", cite.Mention{Kind: "a", Number: "presente", Relative: true}, "DEC-7-2020/a2", "DEC-7-2020", "a2", ""},
		{"none after the last", cite.Mention{Kind: "a", Number: "siguiente", Relative: true}, "DEC-7-2020/a3", "DEC-7-2020", "", digesto.CodeNotFound},
		{"case of a letter", of(cite.Mention{Kind: "a", Unit: "A3"}, "DEC-7-2020"), "", "DEC-7-2020", "a3", ""},
	} {
		norm, unit, err := s.Resolve(c.m, c.within)
		if digesto.CodeOf(err) != c.code || norm != c.norm || unit != c.unit {
			t.Errorf("%s: %q %q %v, want %q %q %q", c.name, norm, unit, err, c.norm, c.unit, c.code)
		}
	}
}

// lay makes units of ids alone: what the runs are worked out from.
func lay(ids ...string) []digesto.Unit {
	out := make([]digesto.Unit, len(ids))
	for i, id := range ids {
		kind := digesto.KindArticle
		if id[0] == 'd' {
			kind = digesto.UnitKind(id[:2])
		}
		out[i] = digesto.Unit{ID: id, Kind: kind}
	}
	return out
}

func numbered(from, to int, mark string) (out []string) {
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprintf("a%d%s", i, mark))
	}
	return out
}

func TestRunsFindTheBody(t *testing.T) {
	join := func(parts ...[]string) (out []string) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	for _, c := range []struct {
		name string
		ids  []string
		want map[string]string // asked → unit
	}{
		{"decree, then text", join([]string{"aunica", "da1", "df1"}, numbered(1, 9, ""), []string{"da1~2", "df1~2"}),
			map[string]string{"a1": "a1", "da1": "da1~2", "df1": "df1~2"}},
		{"decree of three articles", join(numbered(1, 3, ""), []string{"dd1"}, numbered(1, 3, "~2"), numbered(4, 20, ""), []string{"dd1~2"}),
			map[string]string{"a1": "a1~2", "a3": "a3~2", "a4": "a4", "dd1": "dd1~2"}},
		{"text, then regulation that is shorter", join(numbered(1, 9, ""), []string{"df1"}, numbered(1, 4, "~2"), []string{"df1~2"}),
			map[string]string{"a1": "a1", "a4": "a4", "df1": "df1"}},
		{"stray article in the middle", join(numbered(1, 6, ""), []string{"a3~2"}, numbered(7, 12, "")),
			map[string]string{"a3": "a3", "a9": "a9"}},
		{"added articles", join(numbered(1, 2, ""), []string{"a2bis", "a2ter", "a2quater"}, numbered(3, 5, "")),
			map[string]string{"a2": "a2", "a2quater": "a2quater"}},
		{"spelt out", join(numbered(1, 3, ""), numbered(1, 9, "~2")), map[string]string{"a1": "a1~2", "a1~2": "a1~2"}},
		{"equal runs: the first", join(numbered(1, 3, ""), numbered(1, 3, "~2")), map[string]string{"a2": "a2"}},
	} {
		tab := newTable(lay(c.ids...))
		for asked, want := range c.want {
			at := tab.main(asked)
			if at < 0 || tab.refs[at].id != want {
				t.Errorf("%s: %s gives %d, want %s", c.name, asked, at, want)
			}
		}
	}
}

func TestCited(t *testing.T) {
	d := sample()
	d.Units = append(d.Units,
		digesto.Unit{ID: "dd", Kind: digesto.KindRepealing, Versions: d.Units[0].Versions},
		digesto.Unit{ID: "dtunica", Kind: digesto.KindTransitional, Number: "unica", Versions: d.Units[0].Versions},
		digesto.Unit{ID: "s2.1-faroles", Kind: digesto.KindSection, Versions: d.Units[0].Versions},
		digesto.Unit{ID: "s21-bancos", Kind: digesto.KindSection, Versions: d.Units[0].Versions})
	s := Memory(d)
	for place, want := range map[string]string{
		"a3": "a3", "3": "a3", "disposición derogatoria única": "dd", "disposición transitoria única": "dtunica",
		"apartado 2": "s2.1-faroles", "apartado 2.1": "s2.1-faroles", "punto 21": "s21-bancos", "apartado 7": "", "artículo 77": "",
	} {
		if u, _ := s.Cited(d.Norm.ID, place); u.ID != want {
			t.Errorf("%s: %q, want %q", place, u.ID, want)
		}
	}
}
