package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// TestFoldForms: composed and decomposed text, capitals and accents fold alike, and folding twice changes nothing.
func TestFoldForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("aáeéiíoóuúüñcçAÁEÉNÑ 13.ºª°-"))).Draw(t, "s")
		f := Fold(s)
		if got := Fold(norm.NFD.String(s)); got != f {
			t.Fatalf("decomposed %q folds to %q, not %q", s, got, f)
		}
		if got := Fold(strings.ToUpper(s)); got != f {
			t.Fatalf("capitals of %q fold to %q, not %q", s, got, f)
		}
		if got := Fold(f); got != f {
			t.Fatalf("Fold(%q) = %q", f, got)
		}
	})
}

// TestNumberWords: every number below ten thousand is read back from its words.
func TestNumberWords(t *testing.T) {
	for v := 2; v < 10000; v++ {
		words := strings.Fields(spell(v))
		if got, ordinal, n := Numeral(words); got != v || ordinal || n != len(words) {
			t.Fatalf("%s = %d (%d of %d words), want %d", spell(v), got, n, len(words), v)
		}
	}
}

// spell writes v (1–9999) in folded Spanish words.
func spell(v int) string {
	units := strings.Fields("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve " +
		"veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve")
	tens := strings.Fields("x x x treinta cuarenta cincuenta sesenta setenta ochenta noventa")
	hundreds := strings.Fields("x ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos")
	switch {
	case v < 30:
		return units[v]
	case v < 100 && v%10 == 0:
		return tens[v/10]
	case v < 100:
		return tens[v/10] + " y " + units[v%10]
	case v == 100:
		return "cien"
	case v < 1000 && v%100 == 0:
		return hundreds[v/100]
	case v < 1000:
		return hundreds[v/100] + " " + spell(v%100)
	case v < 2000 && v%1000 == 0:
		return "mil"
	case v < 2000:
		return "mil " + spell(v%1000)
	case v%1000 == 0:
		return spell(v/1000) + " mil"
	}
	return spell(v/1000) + " mil " + spell(v%1000)
}

// FuzzTerms: tokens lie within the text in order, terms agree with tokens, and a
// second pass over known words gives the same.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{sample[:300], "62-A 48.4 3 bis 1.º N.º 39/2015", "\xff\u00ad\ufffe", "treinta y y ocho mil mil"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<13 {
			return
		}
		last := 0
		for _, k := range Tokens(nil, s) {
			if k.Start < last || k.End <= k.Start || k.End > len(s) || k.Text == "" || !utf8.ValidString(k.Text) && utf8.ValidString(s) {
				t.Fatalf("token %+v in %q", k, s)
			}
			last = k.End
		}
		var a Analyser
		first := append([]Term{}, a.Terms(s)...)
		second := a.Terms(s)
		if len(first) != len(second) {
			t.Fatalf("%d terms, then %d", len(first), len(second))
		}
		for i := range first {
			if first[i] != second[i] || first[i].Plain == "" || a.Word(first[i].PlainID) != first[i].Plain {
				t.Fatalf("term %+v, then %+v", first[i], second[i])
			}
		}
	})
}
