package quote

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

const ley = "1. El período de descanso será de veinte días hábiles, nunca inferior a 1,5 días por mes.\n" +
	"2. En ningún caso el aviso se dará con menos de un mes de antela-\nción, salvo pacto «más favorable»."

func TestFind(t *testing.T) {
	for quote, want := range map[string]string{
		"veinte días hábiles":                  "veinte días hábiles",
		"veinte   días\n hábiles":              "veinte días hábiles",
		"por mes. 2. En ningún caso":           "por mes.\n2. En ningún caso",
		"un mes de antelación, salvo":          "un mes de antela-\nción, salvo",
		"un mes de antela-\nción":              "un mes de antela-\nción",
		"un mes de antela-ción":                "un mes de antela-\nción",
		"pacto \"más favorable\".":             "pacto «más favorable».",
		"pacto “más favorable”":                "pacto «más favorable»",
		norm.NFD.String("período de descanso"): "período de descanso",
		"pe\u00adríodo de des\u200bcanso":      "período de descanso",
		"veinte días inhábiles":                "",
		"veinte dias habiles":                  "",
		"Veinte días":                          "",
		"treinta días hábiles":                 "",
		"5 días por mes":                       "", // inside 1,5
		"hábil":                                "", // inside a word
		"1,5 días":                             "1,5 días",
		"inferior a 1":                         "", // 1 is not 1,5
		"":                                     "",
		" \n ":                                 "",
	} {
		m, ok := Find(ley, quote)
		got := ""
		if ok {
			got = string([]rune(ley)[m.Start:m.End])
		}
		if got != want {
			t.Errorf("Find(%q) = %q, want %q", quote, got, want)
		}
	}
}

func TestFindForms(t *testing.T) {
	for _, c := range []struct {
		text, quote string
		want        bool
	}{
		{"regla\uFFFE\nmento interno", "reglamento interno", true},
		{"el decreto-\nley vigente", "decreto-ley vigente", true},
		{"el decreto-\nley vigente", "decretoley vigente", true},
		{"el decreto-ley vigente", "decretoley vigente", false},
		{"el decretoley vigente", "decreto-ley vigente", false},
		{"el decreto-ley", "decreto", true},
		{"artículo 137°", "artículo 137º", true},
		{"m² de suelo", "m2 de suelo", false},
		{"a ﬁn de mes", "a fin de mes", true},
		{"30.000 euros", "30", false},
		{"30.000 euros", "000 euros", false},
		{"30.000 euros", "30.", false},
		{"30.000 euros", ".000 euros", false},
		{"es de 8,50 euros", "es de 8,", false},
		{"son 30. Después", "son 30", true},
		{"son 30. Después", "son 30.", true},
		{"dice el 30. 4 días", "dice el 30.", true},
		{"plazo – 5 días", "plazo - 5 días", true},
		{"plazo 5 días", "plazo - 5 días", false},
		{"ilegal", "legal", false},
		{"etc…", "etc...", true},
		{"no es obligatorio", "es obligatorio", true},
		{"a\u0301rbol", "árbol", true},
		{"árbol", "arbol", false},
	} {
		if _, ok := Find(c.text, c.quote); ok != c.want {
			t.Errorf("Find(%q, %q) = %v", c.text, c.quote, ok)
		}
	}
}

func TestFindAll(t *testing.T) {
	got := FindAll("el plazo; el  plazo; El plazo; plazos", "el plazo")
	if len(got) != 2 || got[0] != (Match{0, 8}) || got[1] != (Match{10, 19}) {
		t.Errorf("FindAll = %v", got)
	}
}

func TestNearest(t *testing.T) {
	m, score := Nearest(ley, "descanso será de treinta días hábiles, nunca menos de")
	if got := string([]rune(ley)[m.Start:m.End]); got != "descanso será de veinte días hábiles, nunca inferior a" || score < 0.7 || score >= 1 {
		t.Errorf("Nearest = %q, %.2f", got, score)
	}
	for _, c := range []struct{ law, quote, want string }{ // what the law has where the quotation goes wrong at its ends, and no more
		{"a) Paga el dueño. b) Paga el dueño en mayo, con recargo.", "Paga el amo en mayo", "Paga el dueño en mayo"},
		{"Se pierde la fianza y las rentas. Nada más se pierde.", "Se pierde la fianza y la paz con todo lo demás", "Se pierde la fianza y las rentas"},
		{"1. Entregar el libro del faro.", "Entrega de el libro del faro", "Entregar el libro del faro"},
	} {
		m, _ := Nearest(c.law, c.quote)
		if got := string([]rune(c.law)[m.Start:m.End]); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.quote, got, c.want)
		}
	}
	if _, score := Nearest(ley, "zzz"); score != 0 {
		t.Errorf("a foreign word scores %v", score)
	}
	if _, score := Nearest(ley, ley); score != 1 {
		t.Errorf("the text itself scores %v", score)
	}
}

// words makes texts of few different words, so that near misses are common.
func words() *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"la", "ley", "plazo", "día", "30", "30.000", "«no»", "decreto-ley", "a)", "º", "niño", "art."}), 1, 40)
}

// TestEveryQuoteIsFound: any run of words of a text is found, however spaced, broken or encoded.
func TestEveryQuoteIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words().Draw(t, "words")
		text := strings.Join(w, rapid.SampledFrom([]string{" ", "\n", "  ", "\u00a0"}).Draw(t, "space"))
		from := rapid.IntRange(0, len(w)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(w)).Draw(t, "to")
		q := strings.Join(w[from:to], " ")
		if rapid.Bool().Draw(t, "nfd") {
			q = norm.NFD.String(q)
		}
		m, ok := Find(text, q)
		if !ok {
			t.Fatalf("%q not found in %q", q, text)
		}
		if again, ok := Find(q, string([]rune(text)[m.Start:m.End])); !ok || again.Start != 0 {
			t.Fatalf("the passage found for %q does not match it", q)
		}
	})
}

// TestParaphraseIsNotFound: a quotation with one word exchanged, left out or doubled
// is found only if the text really has it.
func TestParaphraseIsNotFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words().Draw(t, "words")
		i := rapid.IntRange(0, len(w)-1).Draw(t, "i")
		q := append([]string{}, w...)
		q[i] = rapid.SampledFrom([]string{"derecho", "Ley", "plazos", "31", "nino"}).Draw(t, "word")
		if _, ok := Find(strings.Join(w, " "), strings.Join(q, " ")); ok {
			t.Fatalf("%q found in %q", q, w)
		}
	})
}

// TestHostile: texts made to send a search back again and again end in time.
func TestHostile(t *testing.T) {
	a := strings.Repeat("a", 200_000)
	spaced := strings.Repeat("a ", 200_000)
	hyph := strings.Repeat("a-", 100_000)
	for _, c := range [][2]string{
		{a, a[:50_000] + "b"}, {spaced, spaced[:100_000] + "b"}, {hyph, strings.Repeat("a", 50_000)},
		{hyph, strings.Repeat("a-", 20_000) + "aa"}, {spaced, strings.Repeat("a ", 20_000) + "-a"},
		{strings.Repeat("e\u0301", 100_000), strings.Repeat("é", 50_000) + "x"},
		{"-" + strings.Repeat(" ", 300_000), "x"}, {strings.Repeat("a-", 100) + strings.Repeat("a- ", 100_000), "ab"},
	} {
		start := time.Now()
		Find(c[0], c[1])
		FindAll(c[0], c[1])
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%.10q… in %.10q… took %v", c[1], c[0], d)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add(ley, "veinte días hábiles")
	f.Add("regla\uFFFE\nmento", "reglamento")
	f.Add("a-\nb-c", "a-b-c")
	f.Add("e\u0301\u0301", "é")
	f.Fuzz(func(t *testing.T, text, q string) {
		if len(text) > 1<<14 || len(q) > 1<<12 {
			return
		}
		if placed := canonical(text, true); Plain(text) != placed.chars || len([]rune(placed.chars)) != len(placed.units) {
			t.Fatalf("%q and %q of %d units", Plain(text), placed.chars, len(placed.units))
		}
		n := len([]rune(text))
		last := 0
		for _, m := range FindAll(text, q) {
			if m.Start < last || m.End > n || m.End <= m.Start {
				t.Fatalf("match %v in %d code points after %d", m, n, last)
			}
			last = m.End
		}
		if m, score := Nearest(text, q); score < 0 || score > 1.000001 || m.End > n || m.Start < 0 {
			t.Fatalf("Nearest = %v, %v", m, score)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat(ley+"\n", 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text, "un mes de antelación, pero no")
	}
}

// TestStopAndDash: the dash behind the number of an item is no word of the law; one that
// ends a sentence is quoted with it, and found where it stands.
func TestStopAndDash(t *testing.T) {
	const law = "1.- Pague el deudor.-\n2.- Cobre en 2026.-\nc.- Fin"
	for q, want := range map[string]string{
		"1. Pague el deudor": "1.- Pague el deudor", "Pague el deudor.-": "Pague el deudor.-", "Cobre en 2026.-": "Cobre en 2026.-", "c. Fin": "c.- Fin",
	} {
		m, ok := Find(law, q)
		if !ok {
			t.Errorf("%q is not found", q)
			continue
		}
		if got := string([]rune(law)[m.Start:m.End]); got != want {
			t.Errorf("%q: %q", q, got)
		}
	}
}
