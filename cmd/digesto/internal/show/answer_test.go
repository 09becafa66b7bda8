package show

import (
	"bytes"
	"strings"
	"testing"

	"digesto/cmd/digesto/internal/terminal"

	"digesto"
)

func page(n int) *int            { return &n }
func day(s string) *digesto.Date { d := digesto.Date(s); return &d }
func note(s string) *string      { return &s }
func printed(a digesto.Answer, st terminal.Style) string {
	var b bytes.Buffer
	_ = Answer(terminal.Screen{Writer: &b, Style: st, Width: 80}, a, AnswerOptions{Links: st.On})
	return b.String()
}

func sample() digesto.Answer {
	return digesto.Answer{
		Answer:     "«Tendrá veinte días.» [C1]",
		Confidence: .5,
		Notes:      note("Una nota.\nOtra."),
		Citations: []digesto.Citation{{Quote: "Tendrá veinte\x1b[31m días.", Source: "faros.pdf", Page: page(4),
			Ref: &digesto.Ref{Label: "C1", Title: "Artículo 2 — Ley de Faros", Path: []string{"Título I"}, Version: "2020", ValidFrom: day("2020-01-01"), URL: "https://example.org/a", Official: true}}},
		Meta: &digesto.Meta{Pack: "mar", AsOf: "2026-11-21", ElapsedMS: 3, AINotice: "Aviso del programa.", Degraded: []string{"sin vectores"},
			Steps: []digesto.Step{{Text: "10 × 2", Result: "20", Unit: "días", Source: "tabla"}}},
	}
}

func TestPrintAnswer(t *testing.T) {
	got := printed(sample(), terminal.Style{})
	for _, want := range []string{
		"«Tendrá veinte días.» [C1]\n", "10 × 2 = 20 días (tabla)", "[C1] «Tendrá veinte[31m días.»", "Título I > Artículo 2 — Ley de Faros · faros.pdf, página 4",
		"versión 2020, vigente desde el 01/01/2020", "https://example.org/a", "  Una nota.\n  Otra.", "confianza moderada (0,50) · paquete mar · a fecha de 21/11/2026 · 3 ms · con menos medios: sin vectores", "Aviso del programa.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("a control code gets through")
	}
}

// TestTwoQuotesOfOnePlace: what stands in the answer already is not told again, nor its place twice.
func TestTwoQuotesOfOnePlace(t *testing.T) {
	a := sample()
	ref := *a.Citations[0].Ref
	ref.Label = "C2"
	a.Citations[0].Quote = "Tendrá veinte días."
	a.Citations = append(a.Citations, digesto.Citation{Quote: "Y diez más.", Source: "faros.pdf", Page: page(4), Ref: &ref})
	a.Answer = "«Tendrá veinte días.» [C1]\n«Y diez más.» [C2]\n\nFuente: Ley de Faros, art. 2."
	got := printed(a, terminal.Style{})
	for part, n := range map[string]int{"Título I": 1, "Tendrá veinte días.": 1, "Fuente: ": 0, "[C1] [C2] Título I": 1} {
		if k := strings.Count(got, part); k != n {
			t.Errorf("%q is told %d times in\n%s", part, k, got)
		}
	}
}

// TestColour: the only escape codes are ours, and what they enclose is complete.
func TestColour(t *testing.T) {
	got := printed(sample(), terminal.Style{On: true})
	if !strings.Contains(got, "\x1b[1;36m[C1]\x1b[0m") || !strings.Contains(got, "\x1b]8;;https://example.org/a") {
		t.Errorf("no colour: %q", got)
	}
	if strings.Contains(got, "\x1b[31m") {
		t.Error("a foreign colour gets through")
	}
}

func TestPrintKinds(t *testing.T) {
	fiche := sample()
	fiche.Citations[0].Ref.Official = false
	if got := printed(fiche, terminal.Style{}); !strings.Contains(got, "no es texto legal") {
		t.Errorf("a fiche looks like law: %s", got)
	}
	for conf, first := range map[float64]string{.29: "Poco segura", .3: "«Tendrá"} {
		near := sample()
		near.Confidence = conf
		if got := printed(near, terminal.Style{}); !strings.HasPrefix(got, first) {
			t.Errorf("%.2f opens with: %s", conf, got)
		}
	}
	old := sample()
	old.Citations[0].Ref.ValidTo = day("2021-01-01")
	if got := printed(old, terminal.Style{}); !strings.Contains(got, "en vigor del 01/01/2020 al 01/01/2021") {
		t.Errorf("history: %s", got)
	}
	no := digesto.Answer{Answer: "No encontré nada.", Refusal: true, Meta: &digesto.Meta{AsOf: "2026-11-21"}}
	if got := printed(no, terminal.Style{}); !strings.Contains(got, "sin respuesta") || strings.Contains(got, "confianza") {
		t.Errorf("refusal: %s", got)
	}
	which := digesto.Answer{Answer: "¿Cuál?", Meta: &digesto.Meta{Options: []string{"uno", "dos"}}}
	if got := printed(which, terminal.Style{}); !strings.Contains(got, "1) uno") || !strings.Contains(got, "2) dos") {
		t.Errorf("clarification: %s", got)
	}
}

func TestCommandsAreNotCut(t *testing.T) {
	a := sample()
	a.Notes = note(strings.Repeat("palabra ", 8) + "para instalar: digesto corpus add CARPETA --pack laboral")
	if got := printed(a, terminal.Style{}); !strings.Contains(got, "\n  digesto corpus add CARPETA --pack laboral\n") {
		t.Errorf("the command is cut: %s", got)
	}
}
