package view

import (
	"strings"
	"testing"

	"digesto"
)

func flat(ps [][]run) string {
	var out []string
	for _, p := range ps {
		var b strings.Builder
		for _, r := range p {
			if r.Mark {
				b.WriteString("<" + r.Text + ">")
			} else {
				b.WriteString(r.Text)
			}
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "|")
}

func TestParagraphs(t *testing.T) {
	const text = "año uno\n\ndos años"
	for _, c := range []struct {
		name   string
		quotes [][2]int
		want   string
	}{
		{"none", nil, "año uno|dos años"},
		{"code points, not bytes", [][2]int{{0, 3}}, "<año> uno|dos años"},
		{"across paragraphs", [][2]int{{4, 12}}, "año <uno>|<dos> años"},
		{"two", [][2]int{{0, 3}, {13, 17}}, "<año> uno|dos <años>"},
		{"overlapping", [][2]int{{0, 5}, {2, 7}}, "<año uno>|dos años"},
		{"outside", [][2]int{{10, 99}, {-1, 3}, {5, 2}}, "año uno|dos años"},
	} {
		if got := flat(paragraphs(text, c.quotes...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestAround(t *testing.T) {
	ps := paragraphs("a\nb\nc\nd\ne", [2]int{4, 5})
	if got := flat(around(ps)); got != "b|<c>|d" {
		t.Errorf("around: %s", got)
	}
	if got := flat(around(paragraphs("a\nb\nc"))); got != "a|b" {
		t.Errorf("without a quotation: %s", got)
	}
}

// FuzzParagraphs never loses a letter, whatever the ranges.
func FuzzParagraphs(f *testing.F) {
	f.Add("año\nuno", 1, 3)
	f.Fuzz(func(t *testing.T, text string, a, b int) {
		if len(text) > 1<<12 {
			t.Skip()
		}
		text = strings.ToValidUTF8(text, "")
		var got strings.Builder
		for _, p := range paragraphs(text, [2]int{a, b}) {
			for _, r := range p {
				got.WriteString(r.Text)
			}
		}
		if got.String() != strings.ReplaceAll(text, "\n", "") {
			t.Errorf("%q became %q", text, got.String())
		}
	})
}

func TestSpans(t *testing.T) {
	place := func(label string) (int, string) {
		if label == "C2" {
			return 1, "Artículo 1"
		}
		return 0, ""
	}
	got := spans("Uno. [C2] Dos [C9].", place)
	if len(got) != 3 || got[0].Text != "Uno." || got[1].N != 1 || got[1].Label != "Fuente 1: Artículo 1" || got[2].Text != " Dos [C9]." {
		t.Errorf("%+v", got)
	}
}

func TestLinked(t *testing.T) {
	got := linked("Vea (https://example.org/a?b=1), y javascript:x.")
	if len(got) != 3 || got[1].URL != "https://example.org/a?b=1" || got[2].Text != "), y javascript:x." {
		t.Errorf("%+v", got)
	}
}

func TestFormats(t *testing.T) {
	for in, want := range map[string]string{"1131426.60": "1.131.426,60", "-5.1": "-5,1", "7": "7", "x": "x", "1000": "1.000"} {
		if got := decimal(in, ','); got != want {
			t.Errorf("decimal(%s) = %s, want %s", in, got, want)
		}
	}
	if got := decimal("1131426.60", '.'); got != "1,131,426.60" {
		t.Errorf("with a point: %s", got)
	}
	for in, want := range map[digesto.Date]string{"2026-11-01": "1 nov 2026", "": "", "ayer": "ayer"} {
		if got := DateShort(in); got != want {
			t.Errorf("DateShort(%q) = %q", in, got)
		}
	}
	for n, want := range map[int]string{1: "I", 4: "IV", 9: "IX", 14: "XIV"} {
		if got := roman(n); got != want {
			t.Errorf("roman(%d) = %s", n, got)
		}
	}
	for in, want := range map[string]string{"Artículo 3": "artículo 3", "DA 3": "DA 3", "": "", "É": "É"} {
		if got := lowerFirst(in); got != want {
			t.Errorf("lowerFirst(%q) = %q", in, got)
		}
	}
}

// TestBadges: a word for each state, never more than is proved.
func TestBadges(t *testing.T) {
	law := digesto.Norm{Official: true, Status: digesto.StatusInForce}
	for _, c := range []struct {
		n    digesto.Norm
		v    digesto.Version
		want string
	}{
		{digesto.Norm{}, digesto.Version{Current: true, ValidFrom: "2000-01-01"}, "Ficha"},
		{law, digesto.Version{Current: true, ValidFrom: "2000-01-01"}, "Vigente"},
		{law, digesto.Version{Current: true}, "Norma en vigor"},
		{digesto.Norm{Official: true}, digesto.Version{Current: true}, "Vigencia no acreditada"},
		{law, digesto.Version{Current: false}, "Texto anterior"},
		{law, digesto.Version{Current: true, ValidTo: "2020-01-01"}, "Texto anterior"},
		{law, digesto.Version{Current: true, ValidFrom: "2030-01-01"}, "Aún no rige"},
		{digesto.Norm{Official: true, Status: digesto.StatusRepealed}, digesto.Version{Current: true}, "Texto anterior"},
	} {
		if got := unitBadge(c.n, c.v, "2026-11-21").Word; got != c.want {
			t.Errorf("%+v %+v: %s, want %s", c.n, c.v, got, c.want)
		}
	}
}

// TestLinesGoOn: a line that its source broke by width goes on; items and headings do not.
func TestLinesGoOn(t *testing.T) {
	for in, want := range map[string]string{
		"durante los primeros seis\n(6) meses":             "durante los primeros seis\n(6) meses",
		"el contrato,\nque será escrito":                   "el contrato,\nque será escrito",
		"Tendrá:\na) pan\nb) agua":                         "Tendrá:|a) pan|b) agua",
		"uno\nii) dos":                                     "uno|ii) dos",
		"Régimen General\nArtículo":                        "Régimen General|Artículo",
		"seis meses.\n(6) los demás":                       "seis meses.|(6) los demás",
		"Las convenciones de trabajo\n\npodrán ampliarlo.": "Las convenciones de trabajo|podrán ampliarlo.",
	} {
		if got := flat(paragraphs(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
