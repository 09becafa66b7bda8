package read

import (
	"context"
	"strings"
	"testing"
)

func quotationsOf(s string) (out []Quotation) {
	m := &Meter{Ctx: context.Background(), Most: 1 << 40}
	return Quotations(m, s, []rune(s))
}

// TestQuotations: each with its words, whatever its marks.
func TestQuotations(t *testing.T) {
	for s, want := range map[string]string{
		"dice «uno dos tres» y “cuatro cinco seis”":        "uno dos tres|cuatro cinco seis",
		"<<uno dos tres>> y ''uno dos tres''":              "uno dos tres|uno dos tres",
		"„uno dos tres” y 'uno dos tres' de l'art":         "uno dos tres|uno dos tres",
		"> uno dos tres\n> cuatro\n>\n> (art. 5)\n":        "uno dos tres\ncuatro",
		"Dice:\n\n    uno dos tres\n\nY sigue.":            "uno dos tres",
		"<blockquote>uno dos tres</blockquote>":            "uno dos tres",
		`\begin{quote}uno dos tres\end{quote}`:             "uno dos tres",
		"«uno —dice el artículo 5 de la ley— dos tres»":    "uno dos tres",
		"> ¿Qué dice la ley sobre esto?\n":                 "",
		"(en adelante, «la Ley del Puerto») «uno dos tres": "",
	} {
		var got []string
		for _, q := range quotationsOf(s) {
			got = append(got, q.Words)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// FuzzRead: quotations are in order and lie in the text, and a place of the reading in the text given.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"«a b c» “d e f”", "> a b c\n\n    d e f\n", "<del>a</del> ~~b~~ <!-- c --> artícu-\nlo 5 art5", `\enquote{a b c} ''d e f''`, "* | a b c | `d e f g` |", "﹁「a b c」﹂\u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s = strings.ToValidUTF8(s, " "); len(s) > 1<<13 {
			return
		}
		seen := ReadingOf(nil, s)
		last := 0
		for at := range []rune(seen.Text) {
			k := seen.Given(at, false)
			if k < last || k > len([]rune(s)) {
				t.Fatalf("%d is at %d behind %d in %q", at, k, last, s)
			}
			last = k
		}
		r, end := []rune(seen.Text), 0
		for _, q := range quotationsOf(seen.Text) {
			if q.From < end || q.Start < q.From || q.End < q.Start || q.To < q.End || q.To > len(r) {
				t.Fatalf("%+v behind %d in %q", q, end, seen.Text)
			}
			end = q.From
			LevelsOf(q.Words)
			Stretches(q.Words)
		}
	})
}
