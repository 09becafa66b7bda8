package extract

import (
	"math/rand/v2"
	"strings"
	"testing"

	"digesto/passage"
	"digesto/question"
	"digesto/text"
)

// someWords are families and numbers, so that kin, parts and repeated words occur.
var someWords = strings.Fields("suspender suspensión plazo torre faro guarda guardar multa 40 3.2 días resolver resolución linterna aceite no cuando caso la el de y barco mudanza pescar extinción extinguir")

func randomText(r *rand.Rand, sentences int) string {
	var b strings.Builder
	for range sentences {
		for k := range 3 + r.IntN(9) {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(someWords[r.IntN(len(someWords))])
		}
		b.WriteString([]string{". ", ".\n", ":\na) "}[r.IntN(3)])
	}
	return b.String()
}

// TestSightIsTheNaiveReading compares what the bits say with sets of strings read
// anew from the same sentences: the same shares, to the bit.
func TestSightIsTheNaiveReading(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	an := &text.Analyser{}
	for range 300 {
		question := randomText(r, 1+r.IntN(12)) // up to more words than one row of bits holds
		also := []string{randomText(r, 1), "linterna aceite"}
		body, rubric := randomText(r, 1+r.IntN(9)), randomText(r, 1)
		f := NewFocus(an, question, question, nil, also, func(s string) float64 { return 1 + float64(len(s)) })
		u := passage.New(an, rubric, body)
		f.Localise(u)
		seen := f.Over(u)
		head := passage.Stems(an, rubric)
		all := passage.Stems(an, rubric)
		for i := range u.Sentences {
			own := passage.Stems(an, u.Sentences[i].Text)
			for s := range own {
				all[s] = true
			}
			if got, want := f.Covers(seen.Sent(i)), f.Cover(func(s string) bool { return own[s] }); got != want {
				t.Fatalf("%q in %q: cover %v, want %v", question, u.Sentences[i].Text, got, want)
			}
			if got, want := f.Nears(seen.para(i)), f.weigh(func(s string) bool { return u.InParagraph(i, s) }, func(t Term) float64 { return t.Local }, f.Local); got != want {
				t.Fatalf("%q around %q: near %v, want %v", question, u.Sentences[i].Text, got, want)
			}
			if got, want := f.Covers(seen.Around(i)), f.Cover(func(s string) bool { return u.InParagraph(i, s) || head[s] }); got != want {
				t.Fatalf("%q around %q with %q: %v, want %v", question, u.Sentences[i].Text, rubric, got, want)
			}
		}
		if got, want := f.Covers(seen.All), f.Cover(func(s string) bool { return all[s] }); got != want {
			t.Fatalf("%q in all of %q: %v, want %v", question, body, got, want)
		}
		if got, want := f.Covers(seen.rubric), f.Cover(func(s string) bool { return head[s] }); got != want {
			t.Fatalf("%q in %q: %v, want %v", question, rubric, got, want)
		}
	}
}

// TestFitIsTheHarmonicMean: half of the heading's words, all of the question's.
func TestFitIsTheHarmonicMean(t *testing.T) {
	an := &text.Analyser{}
	f := NewFocus(an, "¿La linterna?", "la linterna", nil, nil, func(string) float64 { return 1 })
	if got := f.Fit(passage.NewHeading(an, "Linterna y aceite")); got != 2*.5*1/1.5 {
		t.Errorf("%v", got)
	}
	if got := f.Fit(passage.NewHeading(an, "Del aceite")); got != 0 {
		t.Errorf("%v", got)
	}
	if got := f.Foreign(passage.NewHeading(an, "Linterna, aceite y barco")); got != 2./8 {
		t.Errorf("%v", got)
	}
	if h := passage.NewHeading(an, "Plazo de la multa"); h.Asked&question.KindPeriod.Bit() == 0 || h.Asked&question.KindHow.Bit() != 0 {
		t.Errorf("%b", h.Asked)
	}
}
