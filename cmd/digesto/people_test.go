package main

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// typed runs a command line in a terminal of so many columns, with what is typed.
func typed(t *testing.T, data, keys string, width int, args ...string) (out, errs string) {
	t.Helper()
	e, o, x := testEnv(map[string]string{"DIGESTO_DATA": data, "NO_COLOR": "1"})
	e.in, e.width, e.inTerm, e.outTerm = strings.NewReader(keys), width, keys != "", keys != ""
	if code := run(context.Background(), args, e); code != 0 {
		t.Errorf("%v: exit %d: %s", args, code, x)
	}
	return o.String(), x.String()
}

// TestAsPeopleWrite: a question needs no order, days and amounts are written as on paper.
func TestAsPeopleWrite(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"¿Cuánto vale el JUS?", "--pack", "jus", "--as-of", "30/06/2025"}, "33.820,25"},
		{[]string{"--data", data, "cuánto vale el JUS el 30 de junio de 2025"}, "33.820,25"},
		{[]string{"laboral", "despido", "--tipo", "improcedente", "--desde", "1/2/2019", "--hasta", "31/10/2026", "--salario", "1.800,50", "--pagas", "14"}, "31 de octubre de 2026"},
		{[]string{"jus", "convertir", "--date", "31/12/2024", "--pesos", "1.000.000,50"}, "$ 1.000.000,50 equivalen"},
		{[]string{"jus", "comparar", "--from", "1/1/2020", "--to", "1-1-2025", "consulta_verbal"}, "2025"},
		{[]string{"jus", "valor", "30/06/2025"}, "33.820,25"},
		{[]string{"jus", "convertir", "1.000,50", "--date", "30/06/2025"}, "1.000,5 JUS equivalen"},
	} {
		if out, _ := typed(t, data, "", 0, c.args...); !strings.Contains(out, c.want) {
			t.Errorf("%v: %s", c.args, out)
		}
	}
	steps, _ := typed(t, data, "", 0, "--data", data, "¿Cuánto es 30 JUS en pesos?")
	if !strings.Contains(steps, "30 JUS × 37.714,22 = 1.131.426,6") || strings.Contains(steps, "(t20") || strings.Contains(steps, "ARS") {
		t.Errorf("steps: %s", steps)
	}
	narrow, _ := typed(t, data, "", 72, "laboral", "plazo", "despido", "--desde", "3/11/2026")
	for line := range strings.Lines(narrow) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 72 {
			t.Errorf("wider than the terminal: %s", line)
		}
	}
	if got := asAsk([]string{"corpus", "show", "ET 38"}); got[0] != "corpus" {
		t.Errorf("an order became a question: %v", got)
	}
	if got := asAsk([]string{"--json", "¿algo?"}); got[0] != "ask" {
		t.Errorf("after an option it is none: %v", got)
	}
}

// TestHelpFits: no help is wider than the terminal, but for the examples, which are copied.
func TestHelpFits(t *testing.T) {
	for _, width := range []int{72, 96} {
		for _, args := range [][]string{{"--help"}, {"ask", "--help"}, {"jus", "presupuesto", "--help"}, {"serve", "--help"}} {
			out, _ := typed(t, t.TempDir(), "", width, args...)
			out, _, _ = strings.Cut(out, "\nEjemplos\n")
			for line := range strings.Lines(out) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%v at %d: %d columns: %s", args, width, n, line)
				}
			}
		}
	}
}

// TestQuotedOnce: what the answer quotes is not quoted again among its sources, and the
// stages are told in Spanish.
func TestQuotedOnce(t *testing.T) {
	data := lawData(t, map[string]string{"laboral": "versions"})
	out, errs := typed(t, data, "", 0, "ask", "--pack", "laboral", "--stream", restQuestion)
	if n := strings.Count(out, "veinte días de descanso"); n != 1 {
		t.Errorf("told %d times:\n%s", n, out)
	}
	if !strings.Contains(out, "\n[C1] ") || !strings.Contains(errs, "· Buscando en la ley instalada") || strings.Contains(errs, "retrieve") {
		t.Errorf("%s\n%s", out, errs)
	}
	several, _ := typed(t, data, "", 0, "corpus", "show", "Ley 1/2001", "1", "2")
	if strings.Count(several, "Artículo ") < 2 || !strings.Contains(several, "Artículo 1") || !strings.Contains(several, "Artículo 2") {
		t.Errorf("two articles: %s", several)
	}
}

// TestChosenByNumber: who sits before the terminal answers what is asked back by a number.
func TestChosenByNumber(t *testing.T) {
	data := lawData(t, map[string]string{"argentina": "conversation"})
	out, _ := typed(t, data, "9\n1\n\n", 100, "ask", "--pack", "argentina", "háblame de contratos")
	first, after, found := strings.Cut(out, "Elija del 1 al")
	if !found || !strings.Contains(first, "1) ") || !strings.Contains(after, "Fuentes") {
		t.Errorf("%s", out)
	}
	if strings.Contains(out, "Vuelva a preguntar") {
		t.Errorf("it says to ask again: %s", out)
	}
}
