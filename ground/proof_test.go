package ground

import (
	"strings"
	"testing"

	"digesto/passage"
	"digesto/retrieve"
	"digesto/text"
)

const exempt = `La torre responde de las deudas de causa anterior.
No se embarga por las posteriores, salvo:
a) las del faro;
b) las del muelle;
c) las de alimentos.
Los demás acreedores esperan.`

// TestProofShowsShortListsWhole: a sentence that supports a line and is of a short list comes with
// what announces it and the other items; of a long list with what announces it alone.
func TestProofShowsShortListsWhole(t *testing.T) {
	long := strings.Replace(exempt, "las del muelle", "las del muelle"+strings.Repeat(" de levante", 60), 1)
	for body, want := range map[string][]string{exempt: {"salvo:", "del faro", "del muelle", "alimentos"}, long: {"salvo:", "alimentos"}} {
		u := passage.New(&text.Analyser{}, "Torre", body)
		at := -1
		for i, s := range u.Sentences {
			if strings.Contains(s.Text, "alimentos") {
				at = i
			}
		}
		x := retrieve.Hit{Prepared: u, Plain: []retrieve.PlainLine{{At: []int{0, at}}}}
		got := ""
		for _, s := range Proof(x, nil, nil) {
			for i := s.From; i <= s.To; i++ {
				got += u.Sentences[i].Text + "\n"
			}
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%q lacks %q", got, w)
			}
		}
		if len(want) == 2 && strings.Contains(got, "muelle") {
			t.Errorf("a long list is told whole: %q", got)
		}
	}
}

// TestProofShowsWhatHoldsTogether: of a long list whose items must all hold every one is shown, a
// long one by its first sentence.
func TestProofShowsWhatHoldsTogether(t *testing.T) {
	body := `Libra quien reúna los siguientes requisitos:
a) ser farero` + strings.Repeat(" de los puertos del norte", 12) + `.
b) haber servido un año. ` + strings.Repeat("El año se cuenta por mareas y no por lunas. ", 12) + `
c) no deber guardias` + strings.Repeat(" a la torre", 12) + `.
Los demás esperan.`
	u := passage.New(&text.Analyser{}, "Torre", body)
	for i, s := range u.Sentences {
		if !strings.Contains(s.Text, "guardias") {
			continue
		}
		x := retrieve.Hit{Prepared: u, Plain: []retrieve.PlainLine{{At: []int{i}}}}
		got := ""
		for _, s := range Proof(x, nil, nil) {
			for i := s.From; i <= s.To; i++ {
				got += u.Sentences[i].Text + "\n"
			}
		}
		if !strings.Contains(got, "requisitos") || !strings.Contains(got, "ser farero") || !strings.Contains(got, "servido un año") || strings.Contains(got, "mareas") || strings.Contains(got, "esperan") {
			t.Errorf("shown: %q", got)
		}
		return
	}
	t.Fatal("no sentence of the third item")
}

// TestProofLeavesOtherCases: of a long list one of whose items decides, the others are not
// quoted beside it, though the question's words lead to them; what is no item of it is.
func TestProofLeavesOtherCases(t *testing.T) {
	body := strings.Replace(exempt, "las del muelle", "las del muelle"+strings.Repeat(" de levante", 60), 1)
	u := passage.New(&text.Analyser{}, "Torre", body)
	at := func(word string) int {
		for i, s := range u.Sentences {
			if strings.Contains(s.Text, word) {
				return i
			}
		}
		t.Fatalf("no sentence with %q", word)
		return -1
	}
	x := retrieve.Hit{Prepared: u, Plain: []retrieve.PlainLine{{At: []int{at("alimentos")}}}}
	muelle, wait := at("muelle"), at("esperan")
	rest := []passage.Span{{From: muelle, To: muelle}, {From: wait, To: wait}}
	list := Proof(x, nil, rest)
	if passage.Covered(list, muelle) || !passage.Covered(list, wait) || !passage.Covered(list, at("alimentos")) {
		t.Errorf("quoted %v of %d sentences", list, len(u.Sentences))
	}
}
