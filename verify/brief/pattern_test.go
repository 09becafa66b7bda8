package brief

import (
	"context"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"digesto"

	"pgregory.net/rapid"
)

// patterns are those that whole texts are read for.
func patterns() []*pattern {
	return []*pattern{ecli, texBlock, tagBlock, stressed, announcement, inlineTag, aloneDotted, alonePlain, aloneHere, precept, inTurn, saidAside}
}

// TestPatternIsItsExpression: a pattern finds what its expression finds.
func TestPatternIsItsExpression(t *testing.T) {
	pieces := []string{"art", "ÍCULO", "artículo ", "el ", "del ", " ", "1", ".2", "48.1 b) ", "(", ")", "«", "“", "'", `"`, "*", "**", "_", ":\n", "\n\n", "—", "-", "<b>", "<q>", "</q>", "<blockquote cite='x'>", `\begin{quote}`, `\end{quote}`, `\enquote{`, "}",
		"palabras que no son de nadie ni lo serán", "ECLI:ES:TS:2016:4654", "precepto ", "anterior", "respectivamente", "dice ", "ſ", "K", "á", "\xff", "€", "lo dispone el artículo 5", "al", ",", ";"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		for _, p := range patterns() {
			got, err := p.all(context.Background(), s)
			if want := p.re.FindAllStringSubmatchIndex(s, -1); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %q: %v, want %v", p.re, s, got, want)
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
		if p.anywhere || tried > len(prose)/20 {
			t.Errorf("%s is tried %d times in %d bytes", p.re, tried, len(prose))
		}
	}
	if !compile(`\p{Lu}+x`).anywhere || !compile(`a?`).anywhere || compile(`(?i)\b(?:á|bc)\d`).anywhere {
		t.Error("where a match may begin")
	}
}

// TestPatternStops when nobody waits for it.
func TestPatternStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	n := 0
	err := inlineTag.each(ctx, strings.Repeat("<b>", breath), func([]int) bool {
		if n++; n == 10 {
			cancel()
		}
		return true
	})
	if digesto.CodeOf(err) != digesto.CodeCancelled || n > breath {
		t.Errorf("%d matches, %v", n, err)
	}
	_ = regexp.MustCompile
}
