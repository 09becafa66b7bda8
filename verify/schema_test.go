package verify

import (
	"encoding/json"
	"strings"
	"testing"

	"digesto"
)

func answer() digesto.Answer {
	page := 3
	return digesto.Answer{
		Answer:     "El plazo es de diez días hábiles.",
		Citations:  []digesto.Citation{{Quote: "El plazo es de diez días hábiles.", Source: "prueba.md", Page: &page}},
		Confidence: .8,
	}
}

func TestSchemaAcceptsEachOutcome(t *testing.T) {
	note := "Una nota."
	refusal := digesto.Answer{Answer: "No encontré el texto.", Citations: []digesto.Citation{}, Refusal: true, Notes: &note}
	greeting := digesto.Answer{Answer: "Hola, pregunte por una norma.", Citations: []digesto.Citation{}, Meta: &digesto.Meta{Outcome: digesto.OutcomeNonLegal}}
	enveloped := answer()
	enveloped.Meta = &digesto.Meta{Outcome: digesto.OutcomeAnswer, Classes: []string{}, Evidence: map[string]any{"coverage": .5}}
	noPage := answer()
	noPage.Citations[0].Page = nil
	for name, a := range map[string]digesto.Answer{"answer": answer(), "refusal": refusal, "greeting": greeting, "enveloped": enveloped, "no page": noPage} {
		if err := Valid(a); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	for name, change := range map[string]func(*digesto.Answer){
		"short answer":         func(a *digesto.Answer) { a.Answer = "Diez." },
		"long answer":          func(a *digesto.Answer) { a.Answer = strings.Repeat("el plazo ", 230) },
		"english":              func(a *digesto.Answer) { a.Answer = "The deadline is ten days from the notification." },
		"confidence above one": func(a *digesto.Answer) { a.Confidence = 1.01 },
		"negative confidence":  func(a *digesto.Answer) { a.Confidence = -.1 },
		"short quote":          func(a *digesto.Answer) { a.Citations[0].Quote = "diecinueve letras.." },
		"long quote":           func(a *digesto.Answer) { a.Citations[0].Quote = strings.Repeat("x", 501) },
		"page zero":            func(a *digesto.Answer) { zero := 0; a.Citations[0].Page = &zero },
		"citations null":       func(a *digesto.Answer) { a.Citations = nil },
		"refusal that cites":   func(a *digesto.Answer) { a.Refusal = true },
		"refusal sure":         func(a *digesto.Answer) { a.Refusal = true; a.Citations = []digesto.Citation{} },
		"answer without citation": func(a *digesto.Answer) {
			a.Citations = []digesto.Citation{}
			a.Meta = &digesto.Meta{Outcome: digesto.OutcomeAnswer, Classes: []string{}}
		},
	} {
		a := answer()
		change(&a)
		if Valid(a) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSchemaKeepsNullability(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(SchemaJSON(), &s); err != nil {
		t.Fatal(err)
	}
	props := s["properties"].(map[string]any)
	if got, _ := json.Marshal(props["notes"].(map[string]any)["type"]); string(got) != `["null","string"]` {
		t.Errorf("notes: %s", got)
	}
	page := props["citations"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)["page"].(map[string]any)
	if got, _ := json.Marshal(page["type"]); string(got) != `["null","integer"]` {
		t.Errorf("page: %s", got)
	}
	if n := len(s["oneOf"].([]any)); n != 3 {
		t.Errorf("%d forms", n)
	}
}

func TestSpanish(t *testing.T) {
	for _, s := range []string{
		"El plazo para recurrir es de un mes.", "Treinta días naturales.", "No, salvo pacto en contrario.", "Corresponde al juez de paz.",
		"No encontré información sobre visas en los documentos disponibles.", "S/ 5 150 por unidad.",
	} {
		if !Spanish(s) {
			t.Errorf("not taken for Spanish: %s", s)
		}
	}
	for _, s := range []string{
		"The period is thirty days.", "O prazo para recorrer é de um mês, não podendo ser prorrogado pelo juiz.", "Le délai est de trente jours dans tous les cas.",
		"Die Frist ist ein Monat und kann nicht verlängert werden.", "El termini és de trenta dies amb els efectes dels articles.", "Срок составляет тридцать дней с момента уведомления",
		"Il termine è di trenta giorni e non può essere prorogato dalla parte.",
	} {
		if Spanish(s) {
			t.Errorf("taken for Spanish: %s", s)
		}
	}
}

func TestEveryCheckHasOneRow(t *testing.T) {
	seen := map[Check]bool{}
	for _, r := range Rows {
		if seen[r.Check] {
			t.Errorf("%s has two rows", r.Check)
		}
		seen[r.Check] = true
		if r.When == "" || r.Step == "" || r.Result == "" {
			t.Errorf("%s: incomplete row", r.Check)
		}
		if r.Result == ResultRefusal || r.Result == ResultParseError {
			if n := runes(r.Text); n < MinAnswer || !Spanish(r.Text) {
				t.Errorf("%s: fixed sentence %q breaks the contract", r.Check, r.Text)
			}
		}
	}
}

func TestForeign(t *testing.T) {
	for s, want := range map[string]bool{
		"What is the notice period for the dismissal of a worker?": true, "Quel est le délai pour contester le licenciement dans les tribunaux?": true,
		"plazo reclamación despido improcedente": false, "¿Cuál es el plazo?": false, "vacaciones": false, "": false, "Какой срок?": true,
		"¿Qué es el compliance officer de la empresa?": false,
	} {
		if got := Foreign(s); got != want {
			t.Errorf("Foreign(%q) = %v", s, got)
		}
	}
}
