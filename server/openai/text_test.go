package openai

import (
	"strings"
	"testing"

	"digesto"
)

// TestChatTextIsInert: what a document holds is shown, and does nothing in a
// program that shows Markdown.
func TestChatTextIsInert(t *testing.T) {
	quote := "Véase ![mapa](https://evil.example/m.png?q=1) y [más](https://evil.example), <img src=//evil.example/x>"
	a := digesto.Answer{Answer: "«" + quote + "» [C1][C2] (art. 5)", Citations: []digesto.Citation{{Quote: quote, Source: "a.md", Ref: &digesto.Ref{Document: "a", Unit: "a1", Label: "C1"}}}}
	got, notes := chatText("http://digesto.example", a)
	for _, bad := range []string{"![", "](", " <img"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q works in %q", bad, got)
		}
	}
	if !strings.Contains(got, `!\[mapa]\(https://evil.example/m.png?q=1)`) || !strings.Contains(got, "[C1][C2] (art. 5)") {
		t.Errorf("%q", got)
	}
	if rs := []rune(got); len(notes) != 1 || string(rs[notes[0].URL.Start:notes[0].URL.End]) != "[C1]" || notes[0].Citation.Quote != quote {
		t.Errorf("%+v", notes)
	}
}
