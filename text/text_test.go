package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"Artículo 137°":          "articulo 137",
		"AÑO, Pingüino, ÇA":      "ano, pinguino, ca",
		"1.º y 3ª":               "1 y 3",
		"N.º":                    "n.o",
		"ﬁnes ﬂujo":              "fines flujo",
		"re\u00adgla\uFFFEmento": "reglamento",
		"a\u0301rbol":            "arbol",
		"А":                      "а", // Cyrillic stays
		"Ⅳ ½":                    "iv 1⁄2",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"Art. 48.4 del ET, 3 bis":        "art|48.4|del|et|3|bis",
		"artículo 62-A y artículo 137°.": "articulo|62-a|y|articulo|137",
		"Ley 39/2015, de 1.º de octubre": "ley|39/2015|de|1|de|octubre",
		"D.S. 133-2013-EF":               "d|s|133-2013-ef",
		"1.000.000,50 € — 20%":           "1.000.000,50|20",
		"DA 3ª; 3bis; 62-bis":            "da|3|3bis|62|bis",
		"régi\u00admen":                  "regimen",
		"¿IMV?":                          "imv",
		"\xff\xfehola":                   "hola",
	} {
		var got []string
		for _, tok := range Tokens(nil, in) {
			got = append(got, tok.Text)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("Tokens(%q) = %s, want %s", in, s, want)
		}
	}
}

func TestStemMeets(t *testing.T) {
	for _, pair := range []string{
		"regimen regimenes", "juez jueces", "examen examenes", "aplicacion aplicaciones", "orden ordenes",
		"vez veces", "indice indices", "trabajador trabajadores", "ley leyes", "solucion soluciones",
		"vacacion vacaciones", "despido despidos", "interes intereses", "capaz capaces", "joven jovenes",
		"plazo plazos", "empresarial empresariales", "multa multas", "origen origenes", "dia dias", "mes meses",
	} {
		w := strings.Fields(pair)
		if a, b := Stem(w[0]), Stem(w[1]); a != b {
			t.Errorf("Stem(%s) = %s, Stem(%s) = %s", w[0], a, w[1], b)
		}
	}
	for _, pair := range []string{"pena peno-s", "no nos", "orden ordinario"} {
		w := strings.Fields(pair)
		if Stem(w[0]) == Stem(w[1]) {
			t.Errorf("Stem joins %s and %s", w[0], w[1])
		}
	}
	if Stem("62-a") != "62-a" {
		t.Error("a number was stemmed")
	}
}

func TestNumeral(t *testing.T) {
	for in, want := range map[string]string{
		"veinte":                          "20 false 1",
		"treinta y ocho dias":             "38 false 3",
		"trigesimo octavo":                "38 true 2",
		"dos mil quince":                  "2015 false 3",
		"mil novecientos noventa y cinco": "1995 false 5",
		"un millon doscientos mil":        "1200000 false 4",
		"dos millones":                    "2000000 false 2",
		"ciento veinte":                   "120 false 2",
		"decima":                          "10 true 1",
		"vigesimoprimera":                 "21 true 1",
		"decimo tercera":                  "13 true 2",
		"uno o dos":                       "1 false 1",
		"dos tres":                        "2 false 1",
		"veinte y tres":                   "20 false 1",
		"treinta y un":                    "31 false 3",
		"centesimo trigesimo octavo":      "138 true 3",
		"casa":                            "0 false 0",
		"mil mil":                         "1000 false 1",
	} {
		v, ord, n := Numeral(strings.Fields(in))
		if got := fmt.Sprint(v, ord, n); got != want {
			t.Errorf("Numeral(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestTerms(t *testing.T) {
	var a Analyser
	show := func(in string) string {
		var out []string
		for _, x := range a.Terms(in) {
			out = append(out, x.Plain+"/"+x.Stem)
		}
		return strings.Join(out, " ")
	}
	for in, want := range map[string]string{
		"El trabajador no tendrá veinte (20) días": "trabajador/trabaj no/no tendra/tendr veinte/20 20/20 dias/dia",
		"treinta y ocho meses y un día":            "treinta/38 ocho/ meses/mes dia/dia",
		"artículo trigésimo octavo":                "articulo/articul trigesimo/38 octavo/",
		"artículo 62-A, apartado 48.4":             "articulo/articul 62-a/62-a 62/62 apartado/apart 48.4/48.4 48/48",
		"multa de 1.000.000 pesos":                 "multa/mult 1000000/1000000 pesos/pes",
		"el tercero y una parte":                   "tercero/tercer parte/part",
		"sin plazo":                                "sin/sin plazo/plaz",
		"":                                         "",
	} {
		if d := cmp.Diff(want, show(in)); d != "" {
			t.Errorf("%s: %s", in, d)
		}
	}
}

func TestTermsSteady(t *testing.T) {
	var a Analyser
	const s = "El plazo será de treinta y ocho días hábiles (38) conforme al artículo 62-A de esta Ley."
	a.Terms(s)
	if n := testing.AllocsPerRun(100, func() { a.Terms(s) }); n != 0 {
		t.Errorf("%v allocations in steady state", n)
	}
	ids := map[string]uint32{}
	for _, x := range a.Terms(s) {
		if a.Word(x.StemID) != x.Stem || a.Word(x.PlainID) != x.Plain {
			t.Errorf("id of %+v gives another word", x)
		}
		if id, ok := ids[x.Plain]; ok && id != x.PlainID {
			t.Errorf("two ids for %s", x.Plain)
		}
		ids[x.Plain] = x.PlainID
	}
}

// TestFirst gives the beginning of Tokens.
func TestFirst(t *testing.T) {
	s := "«1.º Salvo ley, el plazo (30 días) corre.»"
	all := Tokens(nil, s)
	for n := range len(all) + 2 {
		if got := First(s, n); !slices.Equal(got, all[:min(n, len(all))]) {
			t.Errorf("%d: %v", n, got)
		}
	}
}
