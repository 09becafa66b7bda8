package extract

import (
	"slices"
	"strings"
	"testing"

	"digesto/passage"
	"digesto/text"
)

const yearsList = `El vigía gozará de los siguientes días de descanso según sus años en la torre:
a) Diez (10) días cuando no pase de dos (2) años.
b) Quince (15) días cuando pase de dos (2)
(y) no de ocho (8) años.
c) Veinte (20) días cuando pase de ocho (8) años.
Los días serán seguidos.`

const permitList = `El vigía podrá faltar a la torre, con aviso, el tiempo siguiente:
a) Ocho días por boda.
b) Tres días por inundación.
Cuando haga falta barco, el plazo será de cinco días.
c) Un día por mudanza.

La falta se anota en el libro.`

func quotedFrom(t *testing.T, body, question string) (string, bool) {
	t.Helper()
	an := &text.Analyser{}
	u := passage.New(an, "Descanso", body)
	f := NewFocus(an, question, question, nil, nil, func(string) float64 { return 1 })
	f.Localise(u)
	p, ok := f.Best(u)
	if !ok {
		t.Fatal("no sentence")
	}
	parts, more := Stretches(u, f.Choose(u, p), MaxQuoted, 5)
	var out []string
	rs := []rune(body)
	for _, s := range parts {
		out = append(out, string(rs[s.Start:s.End]))
	}
	return strings.Join(out, "\n"), more
}

func TestValuesOfAListComeTogether(t *testing.T) {
	for _, q := range []string{"¿Cuántos días de descanso tengo con 5 años en la torre?", "¿Cuántos días de descanso tiene el vigía?", "¿Cuántos días tengo con 2 años?"} {
		got, more := quotedFrom(t, yearsList, q)
		for _, item := range []string{"según sus años", "Diez (10)", "Quince (15)", "Veinte (20)"} {
			if !strings.Contains(got, item) {
				t.Errorf("%s: %q lacks %q", q, got, item)
			}
		}
		if more {
			t.Errorf("%s: it fits", q)
		}
	}
}

func TestAnItemThatTheQuestionNamesStandsAlone(t *testing.T) {
	got, _ := quotedFrom(t, permitList, "¿Cuántos días por mudanza?")
	if !strings.Contains(got, "Un día por mudanza") || !strings.Contains(got, "el tiempo siguiente") || strings.Contains(got, "boda") {
		t.Errorf("%q", got)
	}
}

func TestAListGoesOnBehindAnUnnumberedParagraph(t *testing.T) {
	u := passage.New(&text.Analyser{}, "", permitList)
	list := u.Items(0)
	if len(list) != 4 { // three items, one paragraph within
		t.Fatalf("%v", list)
	}
	if last := u.Sentences[list[3].To].Text; last != "c) Un día por mudanza." {
		t.Errorf("ends with %q", last)
	}
	if l := u.LeadOf(list[3].From); l != 0 {
		t.Errorf("announced by %d", l)
	}
}

func TestItemsAreWholeOrLeftOut(t *testing.T) {
	long := strings.Repeat("la torre que mira al norte del puerto ", 8)
	body := "Se darán los siguientes días:\na) Uno para " + long + "días.\nb) Dos para " + long + "días.\nc) Tres para " + long + "días."
	u := passage.New(&text.Analyser{}, "", body)
	parts, more := Stretches(u, append([]passage.Span{{From: 0, To: 0}}, u.Items(0)...), 800, 5)
	if !more {
		t.Fatal("it does not fit")
	}
	last := parts[len(parts)-1]
	if got := string([]rune(body)[last.Start:last.End]); !strings.HasSuffix(got, "días.") || strings.Contains(got, "c) Tres") {
		t.Errorf("%q", got)
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a", "b", true}, {"a", "c", false}, {"9", "10", true}, {"2", "4", false}, {"iii", "iv", true}, {"a", "a", false}, {"b", "b bis", true}, {"b bis", "c", true}, {"b bis", "d", false}} {
		if passage.Follows(c.a, c.b) != c.want {
			t.Errorf("%s %s", c.a, c.b)
		}
	}
}

func TestACaseOfAnotherItemStaysThere(t *testing.T) {
	body := "Podrá faltar el tiempo siguiente:\na) Ocho días por boda.\na bis) Dos días por naufragio. Cuando haga falta barco, el plazo será de cuatro días.\nb) Un día por mudanza."
	got, _ := quotedFrom(t, body, "¿Cuántos días por boda?")
	if !strings.Contains(got, "Ocho días") || strings.Contains(got, "barco") {
		t.Errorf("%q", got)
	}
}

func TestANestedListIsShownFromItsHead(t *testing.T) {
	body := "1. Para ser vigía se exigen los requisitos siguientes:\na) Tener casa en la torre. No se exige la casa a:\n1.º Los vigías nacidos en la torre.\n2.º Los vigías con barco.\nb) Saber nadar."
	got, _ := quotedFrom(t, body, "¿Qué requisitos hay para los vigías con barco?")
	for _, want := range []string{"se exigen los requisitos", "a) Tener", "2.º", "b) Saber"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

func TestNotesAreNoRules(t *testing.T) {
	for s, want := range map[string]bool{"«3. El vigía velará.": true, "«Vigía» es quien vela.": false, "Téngase en cuenta el cambio de la torre.": true, "El vigía velará.": false} {
		if passage.NotRule(s) != want {
			t.Errorf("%q", s)
		}
	}
}

func TestAnItemWithAListOfItsOwnIsStillAnItem(t *testing.T) {
	body := "1. Para ser vigía se exigen las condiciones siguientes:\na) Tener casa en la torre vieja. No se exige la casa vieja a:\n1.º Los nacidos en la torre.\nb) Saber nadar."
	got, _ := quotedFrom(t, body, "¿Qué requisitos de casa en la torre vieja hay?")
	for _, want := range []string{"se exigen las condiciones", "a) Tener", "1.º", "b) Saber"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

const shiftRule = "1. El vigía firma al llegar.\n2. La guardia de la torre durará doce semanas.\nEn el supuesto de niebla, la guardia de la torre del vigía durará dos semanas más.\nLa guardia se anota.\n3. El relevo espera abajo."

func TestARuleForACaseComesWithTheGeneralOne(t *testing.T) {
	got, _ := quotedFrom(t, shiftRule, "¿Cuánto dura la guardia del vigía en la torre?")
	if !strings.Contains(got, "doce semanas") {
		t.Errorf("the rule of the numbered part is missing: %q", got)
	}
	if got, _ := quotedFrom(t, shiftRule, "¿Cuánto dura la guardia con niebla?"); !strings.Contains(got, "dos semanas más") {
		t.Errorf("the case that is asked for is missing: %q", got)
	}
}

func TestARuleThatTakesUpAnotherComesWithIt(t *testing.T) {
	const body = "1. El vigía firma.\n2. La torre cierra durante doce semanas cada invierno.\n3. La torre huele a sal.\n4. En el supuesto de vigía enfermo, la guardia de la torre a que se refiere el apartado 2 durará dos semanas más."
	if got, _ := quotedFrom(t, body, "¿Cuánto dura la guardia del vigía en la torre?"); !strings.Contains(got, "doce semanas") {
		t.Errorf("%q", got)
	}
}

func TestFamiliesOfWords(t *testing.T) {
	for _, p := range [][2]string{{"suspension", "suspend"}, {"extincion", "extingu"}, {"prescripcion", "prescrib"}, {"resolucion", "resolv"}, {"imposicion", "impon"}} {
		if a, b := passage.FamilyOf(p[0]), passage.FamilyOf(p[1]); a == "" || a != b {
			t.Errorf("%s, %s: %q, %q", p[0], p[1], a, b)
		}
	}
	if passage.FamilyOf("casa") != "" {
		t.Error("a short word has no family")
	}
}

func TestWhatSomethingIs(t *testing.T) {
	u := passage.New(&text.Analyser{}, "", "La fianza alta se paga en plata. La fianza, que es antigua, es la prenda de un tercero. Hay fianza cuando otro responde.")
	f := NewFocus(&text.Analyser{}, "¿Qué es la fianza?", "¿Qué es la fianza?", nil, nil, func(string) float64 { return 1 })
	f.Localise(u)
	for i, want := range []bool{false, true, true} {
		if got := f.saysWhatIs(u, i) > .5; got != want {
			t.Errorf("%q: %v", u.Sentences[i].Text, got)
		}
	}
}

// TestAskedItem: of the list that decides the item that the question speaks of is shown.
func TestAskedItem(t *testing.T) {
	an := &text.Analyser{}
	u := passage.New(an, "Descanso", permitList)
	for question, want := range map[string]string{
		"¿y si me mudo? ¿cuánto me dan por la mudanza?": "c) Un día por mudanza.",
		"se me inundó la casa, inundación total":        "b) Tres días por inundación.",
		"¿cuánto tiempo?":                               "",
	} {
		f := NewFocus(an, question, question, nil, nil, func(string) float64 { return 1 })
		for at := range 3 { // what announces the list, and two of its items
			got := ""
			for _, i := range f.Asked(u, at) {
				got += u.Sentences[i].Text
			}
			if got != want {
				t.Errorf("%s from %d: %q, want %q", question, at, got, want)
			}
		}
		if f.Asked(u, len(u.Sentences)-1) != nil {
			t.Error("what is of no list has items")
		}
	}
}

// TestNothingHangs: what announces a list is not quoted beside another rule without any of
// its items; as what decides it stands, with as many as fit.
func TestNothingHangs(t *testing.T) {
	body := "El vigía descansa un día por semana.\n" + permitList
	u := passage.New(&text.Analyser{}, "Descanso", body)
	lead := slices.IndexFunc(u.Sentences, func(s passage.Sentence) bool { return strings.Contains(s.Text, "tiempo siguiente:") })
	if lead <= 0 || !u.Sentences[lead].Lead() {
		t.Fatalf("sentence %d announces no list", lead)
	}
	rule, announces, item := passage.Span{}, passage.Span{From: lead, To: lead}, passage.Span{From: lead + 1, To: lead + 1}
	for name, c := range map[string]struct {
		spans []passage.Span
		want  bool
	}{
		"beside a rule": {[]passage.Span{rule, announces}, false},
		"with an item":  {[]passage.Span{rule, announces, item}, true},
		"alone":         {[]passage.Span{announces}, true},
	} {
		parts, _ := Fitting(u, c.spans, MaxQuoted, 5)
		said := false
		for _, p := range parts {
			said = said || strings.Contains(string([]rune(body)[p.Start:p.End]), "tiempo siguiente:")
		}
		if said != c.want {
			t.Errorf("%s: announced %v, want %v", name, said, c.want)
		}
	}
}
