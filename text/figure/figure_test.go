package figure

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	es, pe := LocaleOf("es-ES"), LocaleOf("es-PE")
	for _, c := range []struct {
		in, es, pe string
	}{
		{"37714.22", "37714.22", "37714.22"}, {"1.000.000,50", "1000000.50", "1000000.50"}, {"1,131,426.60", "1131426.60", "1131426.60"},
		{"1.500", "1500", "1.500"}, {"1,500", "1.500", "1500"}, {"5,150", "5.150", "5150"}, {"20", "20", "20"}, {"0.125", "0.125", "0.125"},
		{"1.000.000", "1000000", "1000000"}, {"12.34.56", "", ""}, {"1,5", "1.5", "1.5"}, {"1000.000", "1000.000", "1000.000"}, {"007", "7", "7"},
		{"1.00,000.5", "", ""}, {"", "", ""}, {"a", "", ""},
	} {
		if v, _ := Parse(c.in, es); v != c.es {
			t.Errorf("Parse(%q, es) = %q, want %q", c.in, v, c.es)
		}
		if v, _ := Parse(c.in, pe); v != c.pe {
			t.Errorf("Parse(%q, pe) = %q, want %q", c.in, v, c.pe)
		}
	}
}

func TestFindAll(t *testing.T) {
	jus := Unit{Words: []string{"jus", "ius"}, Name: "JUS"}
	for in, want := range map[string]string{
		"multa de 1.000.000,50 euros":               "money 1000000.50 EUR",
		"el 20 % y el 1,5%; el veinte por ciento":   "percent 20 %|percent 1.5 %|percent 20 %",
		"veinte (20) días hábiles":                  "duration 20 día hábil",
		"treinta días naturales":                    "duration 30 día natural",
		"un mes y medio":                            "duration 1.5 mes",
		"treinta JUS y 5,5 jus":                     "quantity 30 JUS|quantity 5.5 JUS",
		"$ 37714.22":                                "money 37714.22 $",
		"$1.131.426":                                "money 1131426 $",
		"1 millón de pesos":                         "money 1000000 $",
		"dos millones quinientos mil euros":         "money 2500000 EUR",
		"1,2 millones de euros":                     "money 1200000 EUR",
		"1 234 567,8 €":                             "money 1234567.8 EUR",
		"artículo 62-A de la Ley 39/2015":           "",
		"el plazo de 3 meses, 15 personas":          "duration 3 mes|quantity 15 persona",
		"dos de ellos":                              "",
		"diecinueve semanas":                        "duration 19 semana",
		"48 horas":                                  "duration 48 hora",
		"cien mil euros":                            "money 100000 EUR",
		"treinta (30) a cincuenta (50) Jus":         "quantity 30 JUS|quantity 50 JUS",
		"entre 3 y 5 días":                          "duration 3 día|duration 5 día",
		"tres y cinco días":                         "duration 5 día",
		"de 10 a 20 euros, del artículo 3 o 5 días": "money 10 EUR|money 20 EUR|number 3 |duration 5 día",
		"de 2 a 5 de la tarde":                      "number 2 |number 5 ",
		"S/ 5.150,00":                               "money 5150.00 PEN",
		"en 2022 hubo 7":                            "number 2022 |number 7 ",
		"":                                          "",
	} {
		var out []string
		for _, f := range FindAll(in, Locale{Units: []Unit{jus}}) {
			out = append(out, fmt.Sprintf("%s %s %s", f.Kind, f.Value, f.Unit))
			if got := string([]rune(in)[f.Start:f.End]); got != f.Text {
				t.Errorf("offsets of %q give %q", f.Text, got)
			}
		}
		if got := strings.Join(out, "|"); got != want {
			t.Errorf("FindAll(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"valor hoy":                        "2026-11-21..2026-11-21 day",
		"en 2022":                          "2022-01-01..2022-12-31 year",
		"marzo de 2023":                    "2023-03-01..2023-03-31 month",
		"01/03/2023":                       "2023-03-01..2023-03-01 day",
		"2024-02-29":                       "2024-02-29..2024-02-29 day",
		"31/02/2023":                       ".. invalid",
		"1.º de marzo de 2023":             "2023-03-01..2023-03-01 day",
		"el 5 de mayo de 2025":             "2025-05-05..2025-05-05 day",
		"primero de julio del año 2020":    "2020-07-01..2020-07-01 day",
		"primer semestre de 2022":          "2022-01-01..2022-06-30 part",
		"entre marzo y junio de 2022":      "2022-03-01..2022-06-30 range",
		"de enero de 2020 a marzo de 2021": "2020-01-01..2021-03-31 range",
		"desde 2020 hasta 2022":            "2020-01-01..2022-12-31 range",
		"el año pasado":                    "2025-01-01..2025-12-31 year",
		"hace tres meses":                  "2026-08-21..2026-08-21 day",
		"en diciembre":                     "2025-12-01..2025-12-31 month assumed",
		"Ley 12/2015":                      "",
		"Ley 39/2015, de 1 de octubre":     "2026-10-01..2026-10-01 day assumed",
		"2022 pesos":                       "",
		"03/2023":                          "2023-03-01..2023-03-31 month",
		"01/03/23":                         "2023-03-01..2023-03-01 day",
		"cuánto valía el jus en julio de 2020 y hoy": "2020-07-01..2020-07-31 month|2026-11-21..2026-11-21 day",
		"¿valor del JUS en 2022?":                    "2022-01-01..2022-12-31 year",
		"artículo 2022":                              "",
	} {
		var out []string
		for _, p := range Dates(in, "2026-11-21") {
			s := fmt.Sprintf("%s..%s %s", p.From, p.To, p.Grain)
			if p.Assumed {
				s += " assumed"
			}
			out = append(out, s)
			if got := string([]rune(in)[p.Start:p.End]); got != p.Text {
				t.Errorf("offsets of %q give %q", p.Text, got)
			}
		}
		if got := strings.Join(out, "|"); got != want {
			t.Errorf("Dates(%q)\n got %s\nwant %s", in, got, want)
		}
	}
	if got := Dates("hoy y ayer", ""); len(got) != 0 {
		t.Errorf("without today: %v", got)
	}
}

// TestParseRoundTrip: any amount written with the locale's marks is read back as it was.
func TestParseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Max(1<<50).Draw(t, "n")
		cents := rapid.IntRange(0, 99).Draw(t, "cents")
		loc := LocaleOf(rapid.SampledFrom([]string{"es-ES", "es-PE"}).Draw(t, "locale"))
		group, dec := ".", ","
		if loc.Decimal == '.' {
			group, dec = ",", "."
		}
		s := fmt.Sprint(n)
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + group + s[i:]
		}
		in := fmt.Sprintf("%s%s%02d", s, dec, cents)
		if got, _ := Parse(in, loc); got != fmt.Sprintf("%d.%02d", n, cents) {
			t.Fatalf("Parse(%q) = %q", in, got)
		}
	})
}

func FuzzFigures(f *testing.F) {
	for _, s := range []string{"1.000.000,50 €", "veinte (20) días", "entre marzo y junio de 2022", "hace 3 meses", "31/02/2023", "1 234 567,8"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, point bool) {
		if len(s) > 1<<12 {
			return
		}
		loc := Locale{Decimal: ','}
		if point {
			loc.Decimal = '.'
		}
		n, last := len([]rune(s)), 0
		for _, x := range FindAll(s, loc) {
			if x.Start < last || x.End > n || x.End <= x.Start || x.Value == "" || strings.Trim(x.Value, "0123456789.") != "" || strings.Count(x.Value, ".") > 1 {
				t.Fatalf("%q: %+v", s, x)
			}
			last = x.End
		}
		for _, p := range Dates(s, "2026-11-21") {
			if p.End > n || p.End <= p.Start || p.From > p.To {
				t.Fatalf("%q: %+v", s, p)
			}
		}
	})
}
