package dating

import (
	"fmt"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/text/cite"
)

// What a text repeals, told from what it only names. The texts are invented.
func TestSayings(t *testing.T) {
	norms := []digesto.Norm{
		{ID: "L3", Title: "Ley 3/2001, de 4 de mayo, de faros", Jurisdiction: "es"},
		{ID: "L7", Title: "Ley 7/2005, de 9 de junio, de boyas", Jurisdiction: "es"},
		{ID: "D8", Title: "Decreto 8/2006, de 2 de marzo, por el que se aprueba el Reglamento de boyas", Jurisdiction: "es"},
	}
	for _, c := range []struct {
		name, text string
		want       string // name[/units][!] of each statement; ! = limited, % = part
	}{
		{"whole", "Queda derogada la Ley 3/2001, de 4 de mayo, de faros, así como cuantas normas se opongan a esta ley.", "L3"},
		{"clause", "Quedan derogadas cuantas disposiciones de igual rango se opongan a lo dispuesto en la Ley 7/2005.", ""},
		{"clause then named", "Quedan derogadas cuantas disposiciones se opongan a esta ley y, en particular, la Ley 3/2001, de 4 de mayo.", "L3"},
		{"several", "Se derogan la Ley 3/2001, de 4 de mayo, de faros; y la Ley 7/2005, de 9 de junio, de boyas.", "L3 L7"},
		{"several without titles", "Quedan derogadas la Ley 3/2001, de 4 de mayo, y la Ley 7/2005, de 9 de junio.", "L3 L7"},
		{"in a title", "Queda derogado el Decreto 1/1999, de 3 de enero, por el que se desarrolla la Ley 3/2001, de 4 de mayo.", "Decreto 1/1999"},
		{"approved by", "Queda derogado el Reglamento de boyas, aprobado por el Decreto 8/2006, de 2 de marzo.", "D8"},
		{"list", "Quedan derogadas las siguientes disposiciones:\na) La Ley 3/2001, de 4 de mayo, de faros.\nb) Los artículos 3 a 8 de la Ley 7/2005, de 9 de junio.\nc) El capítulo II de la Ley 7/2005.", "L3 L7/a3-8 L7%"},
		{"of a norm", "Quedan derogados:\na) De la Ley 7/2005, de 9 de junio, de boyas, los artículos 4 y 6.", "L7/a4,a6%"},
		{"part of an article", "Se deroga el apartado 2 del artículo 5 de la Ley 3/2001.", "L3/a5"},
		{"exceptions", "Se deroga la Ley 3/2001, de 4 de mayo, con las excepciones de su título II.", "L3!"},
		{"save", "Quedan derogadas:\n1. La Ley 3/2001, de 4 de mayo, salvo sus artículos 2 y 3.\n2. La Ley 7/2005, de 9 de junio.", "L3! L7"},
		{"as far as opposed", "Quedan derogadas, en cuanto se opongan a esta ley:\na) La Ley 3/2001, de 4 de mayo.", "L3!"},
		{"kept for now", "Queda derogada la Ley 3/2001.\nHasta que se apruebe el reglamento se mantendrá en vigor la Ley 3/2001.", "L3!"},
		{"imperative", "Derógase la Ley 3/2001.", "L3"},
		{"told, not done", "Las materias que se derogan en la Ley 3/2001 se rigen por otras.", ""},
		{"already repealed", "La disposición derogatoria de la Ley 7/2005 derogó la Ley 3/2001.", ""},
		{"quoted", "Se modifica el artículo 2, que dice: «Queda derogada la Ley 3/2001».", ""},
		{"not opposed but cited", "Queda derogada la orden de boyas. La Ley 3/2001 sigue.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := digesto.Unit{ID: "dd", Kind: digesto.KindRepealing, Versions: []digesto.Version{{ID: "1", Text: c.text, Current: true}}}
			d := corpus.Document{Norm: digesto.Norm{ID: "X", Title: "Ley 9/2020, de 1 de enero, de costas", Jurisdiction: "es"}, Units: []digesto.Unit{u}}
			Refer(cite.NewTable(nil, append(norms, d.Norm)), &d, nil)
			if got := told(Sayings(d.Units)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func told(list []corpus.Statement) string {
	var out []string
	for _, s := range list {
		w := s.Norm
		if w == "" {
			w = strings.SplitN(s.Name, ",", 2)[0]
		}
		for i, p := range s.Places {
			w += map[bool]string{true: "/", false: ","}[i == 0] + p.Unit
			if p.To != "" {
				w += "-" + p.To
			}
		}
		if s.Of {
			w += "%"
		}
		if s.Excepted {
			w += "!"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func TestSayingsDay(t *testing.T) {
	for text, want := range map[string]digesto.Date{
		"Derógase la Ley 3/2001, a partir del 1º de enero de 2027.":                    "2027-01-01",
		"Queda derogada la Ley 3/2001, con efectos de 6 de noviembre de 2026.":         "2026-11-06",
		"A partir del 2 de febrero de 2030 queda derogada la Ley 3/2001.":              "2030-02-02",
		"Queda derogada la Ley 3/2001, que se dictó el 4 de mayo de 2001.":             "",
		"Quedan derogadas la Ley 3/2001 y, desde el 5 de mayo de 2031, la Ley 7/2005.": "2031-05-05",
	} {
		u := digesto.Unit{ID: "dd", Kind: digesto.KindRepealing, Versions: []digesto.Version{{ID: "1", Text: text, Current: true}}}
		d := corpus.Document{Norm: digesto.Norm{ID: "X", Title: "Ley 9/2020, de 1 de enero, de costas", Jurisdiction: "es"}, Units: []digesto.Unit{u}}
		Refer(cite.NewTable(nil, []digesto.Norm{d.Norm}), &d, nil)
		list := Sayings(d.Units)
		if len(list) == 0 || list[0].From != want {
			t.Errorf("%s: %s", text, fmt.Sprint(list))
		}
	}
}
