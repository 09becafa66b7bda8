package sentence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"two", "El plazo será de diez días. Se contará desde el día siguiente.", []string{"El plazo será de diez días.", "Se contará desde el día siguiente."}},
		{"numbered", "1. La tasa se paga una vez.\n2. Nadie la paga dos veces.", []string{"1. La tasa se paga una vez.", "2. Nadie la paga dos veces."}},
		{"numbered, no space", "1.La tasa se paga. Se paga bien.", []string{"1.La tasa se paga.", "Se paga bien."}},
		{"ordinal", "1.º El alcalde. 2.º El pleno.", []string{"1.º El alcalde.", "2.º El pleno."}},
		{"ordinal dash", "1°.- El recurso se presenta. Se firma.", []string{"1°.- El recurso se presenta.", "Se firma."}},
		{"article", "Lo previsto en el art. 5 de la Ley y en los arts. 6 y 7. No cabe otro.", []string{"Lo previsto en el art. 5 de la Ley y en los arts. 6 y 7.", "No cabe otro."}},
		{"number", "Véase el núm. 3. Fin del texto.", []string{"Véase el núm. 3.", "Fin del texto."}},
		{"initials", "Lo firma D. José Pérez. Queda firme.", []string{"Lo firma D. José Pérez.", "Queda firme."}},
		{"acronym", "La entidad Aguas S.A. Norte paga. El D.L. Uno no.", []string{"La entidad Aguas S.A. Norte paga.", "El D.L. Uno no."}},
		{"label", "b) Grupo II. Barcos de vela. Nadie más.", []string{"b) Grupo II. Barcos de vela.", "Nadie más."}},
		{"label of figures", "Tabla 3. Sueldos del año. Son en euros.", []string{"Tabla 3. Sueldos del año.", "Son en euros."}},
		{"a sentence that ends in a number", "Se aplica el grupo II. Los demás no.", []string{"Se aplica el grupo II.", "Los demás no."}},
		{"letter ends", "Se aplica la letra a. Los demás no.", []string{"Se aplica la letra a.", "Los demás no."}},
		{"decimals", "Son 1.250,50 euros. Nada más.", []string{"Son 1.250,50 euros.", "Nada más."}},
		{"quote closes", "Dirá «se recibe.» Después firma.", []string{"Dirá «se recibe.»", "Después firma."}},
		{"glued", "según el apartado anterior.Quien no lo haga pierde.", []string{"según el apartado anterior.", "Quien no lo haga pierde."}},
		{"question", "¿Procede? Sí procede.", []string{"¿Procede?", "Sí procede."}},
		{"list", "Son requisitos:\na) Tener casa.\nb) No tener otra. Se exceptúa la rural.", []string{"Son requisitos:", "a) Tener casa.", "b) No tener otra.", "Se exceptúa la rural."}},
		{"cut line", "El plazo es de\ntreinta días. Fin.", []string{"El plazo es de\ntreinta días.", "Fin."}},
		{"cut line before item", "El plazo es de\na) treinta días.", []string{"El plazo es de", "a) treinta días."}},
		{"figure on the next line", "Son los primeros nueve\n(9) días del mes. Fin.", []string{"Son los primeros nueve\n(9) días del mes.", "Fin."}},
		{"numbered in brackets", "Se requiere\n(1) Tener casa.", []string{"Se requiere", "(1) Tener casa."}},
		{"ellipsis", "Y así… Termina.", []string{"Y así…", "Termina."}},
		{"spaces", "  \n Uno.  \n\n", []string{"Uno."}},
		{"empty", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Split(c.in) {
				got = append(got, s.Text)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMarkers(t *testing.T) {
	for in, want := range map[string]Marker{
		"1. Uno": NumberMarker, "14) Uno": NumberMarker, "4.1. Uno": NumberMarker, "2.- Uno": NumberMarker, "1.ª Uno": OrdinalMarker, "1° Uno": OrdinalMarker,
		"a) Uno": LetterMarker, "(a) Uno": LetterMarker, "ñ) Uno": LetterMarker, "ii) Uno": RomanMarker, "III. Uno": RomanMarker, "– Uno": DashMarker,
		`"a) Uno`: LetterMarker, `" 3.1 Uno`: NumberMarker, "«1. Uno": NumberMarker, `"Uno`: NoMarker, `"`: NoMarker, `""a) Uno`: NoMarker,
		"Uno dos": NoMarker, "15 días": NoMarker, "S.A. Uno": NoMarker, "El a)": NoMarker, "": NoMarker,
	} {
		if _, got := Mark([]rune(in)); got != want {
			t.Errorf("Mark(%q) = %v, want %v", in, got, want)
		}
	}
}

// checkSentences holds what every split must keep: slices of the source, in
// order, that together leave out nothing but white space.
func checkSentences(t interface{ Fatalf(string, ...any) }, text string) {
	rs := []rune(text)
	at := 0
	for _, s := range Split(text) {
		if s.Start < at || s.End <= s.Start || s.End > len(rs) || string(rs[s.Start:s.End]) != s.Text {
			t.Fatalf("bad place %d–%d after %d", s.Start, s.End, at)
		}
		if gap := string(rs[at:s.Start]); strings.TrimSpace(gap) != "" {
			t.Fatalf("lost %q", gap)
		}
		at = s.End
	}
	if gap := string(rs[at:]); strings.TrimSpace(gap) != "" {
		t.Fatalf("lost %q at the end", gap)
	}
}

func TestSentencesLoseNothing(t *testing.T) {
	pieces := []string{"El plazo", " ", ". ", ".", "art.", "1.", "a)", "\n", "S.A.", "¿", "?", "»", "D.", "veinte días", "Ñ", "…", ":", ";", "(", ")", "3.5", "–"}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "parts")
		checkSentences(t, strings.Join(parts, ""))
	})
}

func FuzzSentences(f *testing.F) {
	f.Add("1. Uno. 2. Dos; art. 3.\na) Tres.")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<14 {
			t.Skip()
		}
		s = strings.ToValidUTF8(s, "?")
		checkSentences(t, s)
	})
}

func TestMarkWritten(t *testing.T) {
	for s, want := range map[string]int{"Uno. El faro": 4, "Dos.- El faro": 5, "Trece. El faro": 6, "Uno dice": 0, "218.2 El faro": 5, "1.500 euros": 0, "2.5 millones": 0, "uno. nota": 0} {
		if n, m := Mark([]rune(s)); n != want || (m == NumberMarker) != (want > 0) {
			t.Errorf("%q: %d, %v", s, n, m)
		}
	}
}

// TestLead: what announces a list does so where its paragraph is closed by a quotation mark, too.
func TestLead(t *testing.T) {
	for s, want := range map[string]bool{
		"Tampoco podrán acogerse los que:": true, `" 3.2 Tampoco podrán acogerse los que:"`: true, "«Son los siguientes: »": true, "Se paga en efectivo.": false, `"Se paga."`: false, "a las 10:30": false, "": false,
	} {
		if got := (Sentence{Text: s}).Lead(); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
