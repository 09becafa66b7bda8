package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus"
)

// outcomeWords say in Spanish what became of an effect.
var outcomeWords = map[corpus.Outcome]string{
	corpus.EffectApplied:  "aplicado",
	corpus.EffectKnown:    "ya consta en su texto",
	corpus.EffectLimited:  "con excepciones o condiciones: el texto se deja",
	corpus.EffectPart:     "solo de una parte: el texto se deja",
	corpus.EffectDoubtful: "sus fechas no lo prueban: el texto se deja",
}

// printEffects counts what installed norms do to others, and names what changes or
// limits a text that is given.
func printEffects(a *program, list []corpus.Effect) {
	count := map[corpus.Outcome]int{}
	for _, e := range list {
		count[e.Outcome]++
	}
	fmt.Fprintf(a.out, "Efectos de unas normas sobre otras: %d (%d aplicados, %d ya en el texto)\n", len(list), count[corpus.EffectApplied], count[corpus.EffectKnown])
	lines, order := map[corpus.Effect][]string{}, []corpus.Effect{}
	for _, e := range list {
		if e.Outcome == corpus.EffectKnown {
			continue
		}
		what := e.Unit
		if e.Detail != "" {
			what = strings.TrimSpace(what + " (" + clean(e.Detail) + ")")
		}
		e.Unit, e.Detail = "", ""
		if _, ok := lines[e]; !ok {
			order = append(order, e)
		}
		lines[e] = append(lines[e], what)
	}
	for _, e := range order {
		fmt.Fprintln(a.out, "  "+hang(effectLine(e, strings.Join(lines[e], ", ")), a.columns()-2, 4))
	}
}

func effectLine(e corpus.Effect, places string) string {
	verb := "deroga"
	if e.Act != digesto.ActRepeals {
		verb = "cambia"
	}
	return fmt.Sprintf("%s %s %s %s, desde %s: %s", e.By, e.ByUnit, verb, strings.TrimSpace(e.Norm+" "+places), orDash(e.From), outcomeWords[e.Outcome])
}
