package read

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"

	"pgregory.net/rapid"
)

// patterns are those that whole texts are read for.
func patterns() []*Pattern {
	list := []*Pattern{texBlock, texInline, tagBlock, stressed, saidAside, glued, stressedNumber, italics, lineBreak, Compile(`:[ \t*_]*\r?\n\s*`), Compile(`(?i)\b(?:el|del|al)\s(\d{1,4})(?:\.?[º°])?\s?(?:\(\s?[«“"]|:\s?[*_]{0,3}[«“"]|que\s[«“"])`)}
	for _, p := range list {
		p.ready()
	}
	return list
}

// TestPatternIsItsExpression: a pattern finds what its expression finds.
func TestPatternIsItsExpression(t *testing.T) {
	pieces := []string{"art", "ÍCULO", "artículo ", "el ", "del ", " ", "1", ".2", "48.1 b) ", "(", ")", "«", "“", "'", `"`, "*", "**", "_", ":\n", "\n\n", "—", "-", "<b>", "<q>", "</q>", "<blockquote cite='x'>", `\begin{quote}`, `\end{quote}`, `\enquote{`, "}",
		"palabras que no son de nadie ni lo serán", "ECLI:ES:TS:2016:4654", "precepto ", "anterior", "respectivamente", "dice ", "ſ", "K", "á", "\xff", "€", "lo dispone el artículo 5", "al", ",", ";"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		for _, p := range patterns() {
			got := slices.Collect(p.In(nil, s))
			if want := p.Re.FindAllStringSubmatchIndex(s, -1); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %q: %v, want %v", p.Re, s, got, want)
			}
		}
	})
}

// TestPatternsAreTriedSeldom: plain prose is passed over without trying an expression.
func TestPatternsAreTriedSeldom(t *testing.T) {
	prose := strings.Repeat("Las partes se reunieron en la sede para tratar todo esto con calma. ", 200)
	for _, p := range patterns() {
		tried := 0
		for i := range len(prose) {
			if p.may(prose, i) {
				tried++
			}
		}
		if p.begin.ends || tried > len(prose)/50 {
			t.Errorf("%s is tried %d times in %d bytes", p.Re, tried, len(prose))
		}
	}
	if !Compile(`a?`).ready().begin.ends || Compile(`(?i)\b(?:á|bc)\d`).ready().begin.ends {
		t.Error("where a match may begin")
	}
}

// TestPatternStops when nobody waits for it.
func TestPatternStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	n := 0
	err := Halted(func() {
		for range italics.In(&Meter{Ctx: ctx}, strings.Repeat("<i>", Breath)) {
			if n++; n == 10 {
				cancel()
			}
		}
	})
	if digesto.CodeOf(err) != digesto.CodeCancelled || n > Breath {
		t.Errorf("%d matches, %v", n, err)
	}
}
