package show

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
)

// Coverage says what is installed of a pack and what is missing.
func Coverage(w terminal.Screen, pc app.PackCoverage) {
	fmt.Fprintf(w, "%s  %s\n", w.Bold(pc.Pack), pc.Title)
	if pc.Norms == 0 {
		fmt.Fprintf(w, "  sin ley instalada; %d fichas propias. Para instalar: %s\n", pc.Fiches, pc.Install)
	} else {
		fmt.Fprintf(w, "  %d normas, %d artículos y otras unidades, %d versiones; %d fichas propias\n", pc.Norms, pc.Units, pc.Versions, pc.Fiches)
		if pc.Supplied > 0 {
			fmt.Fprintf(w, "  %d aportadas: no consta que su texto venga de su publicador\n", pc.Supplied)
		}
		fmt.Fprintf(w, "  textos de %s a %s; %d sin fecha\n", orDash(pc.Oldest), orDash(pc.Newest), pc.Undated)
		var cols []string
		for k, n := range pc.Collections {
			cols = append(cols, fmt.Sprintf("%s %d", k, n))
		}
		slices.Sort(cols)
		fmt.Fprintln(w, "  colecciones: "+strings.Join(cols, ", "))
	}
	for _, d := range pc.Damaged {
		fmt.Fprintln(w, "  "+terminal.Hang(w.Bad("dañada")+": "+terminal.Clean(d)+" no se puede leer; vea «digesto corpus check»", w.Columns()-2, 4))
	}
	for _, g := range pc.Gaps {
		fmt.Fprintln(w, w.Dim("  falta: "+g))
	}
	for i, m := range pc.Missing {
		if i == 5 && pc.Norms > 0 {
			fmt.Fprintf(w, w.Dim("  y %d normas más que no están\n"), len(pc.Missing)-i)
			break
		}
		if pc.Norms > 0 {
			fmt.Fprintln(w, w.Dim("  "+terminal.Hang("no está: "+terminal.Clean(m), w.Columns()-2, 4)))
		}
	}
}

func orDash(d digesto.Date) string {
	if d == "" {
		return "—"
	}
	return string(d)
}

// Completeness lists what each pack expects and what is there.
func Completeness(w terminal.Screen, list []app.NormCompleteness) {
	whole := 0
	for _, c := range list {
		state := w.Bad("no está")
		switch {
		case c.Damaged:
			state = w.Bad("dañada")
		case c.Complete:
			whole++
			state = w.Good("completa")
		case c.Doubtful > 0:
			state = w.Bad(fmt.Sprintf("con %d artículos dudosos", c.Doubtful))
		case c.Installed && c.Expected == 0: // nothing to hold it to
			state = "instalada"
		case c.Installed:
			state = w.Bad("incompleta")
		}
		articles := fmt.Sprintf("%d artículos", c.Articles)
		if c.Expected > 0 {
			articles = fmt.Sprintf("%d de %d artículos", c.Articles, c.Expected)
		}
		fmt.Fprintf(w, "  %s  %s · %s · texto de %s\n", terminal.Clean(c.ID), state, articles, orDash(c.TextAsOf))
	}
	fmt.Fprintf(w, "  %d de %d normas completas\n", whole, len(list))
}

// outcomeWords say in Spanish what became of an effect.
var outcomeWords = map[corpus.Outcome]string{
	corpus.EffectApplied:  "aplicado",
	corpus.EffectKnown:    "ya consta en su texto",
	corpus.EffectLimited:  "con excepciones o condiciones: el texto se deja",
	corpus.EffectPart:     "solo de una parte: el texto se deja",
	corpus.EffectDoubtful: "sus fechas no lo prueban: el texto se deja",
}

// Effects counts what installed norms do to others, and names what changes or
// limits a text that is given.
func Effects(w terminal.Screen, list []corpus.Effect) {
	count := map[corpus.Outcome]int{}
	for _, e := range list {
		count[e.Outcome]++
	}
	fmt.Fprintf(w, "Efectos de unas normas sobre otras: %d (%d aplicados, %d ya en el texto)\n", len(list), count[corpus.EffectApplied], count[corpus.EffectKnown])
	lines, order := map[corpus.Effect][]string{}, []corpus.Effect{}
	for _, e := range list {
		if e.Outcome == corpus.EffectKnown {
			continue
		}
		what := e.Unit
		if e.Detail != "" {
			what = strings.TrimSpace(what + " (" + terminal.Clean(e.Detail) + ")")
		}
		e.Unit, e.Detail = "", ""
		if _, ok := lines[e]; !ok {
			order = append(order, e)
		}
		lines[e] = append(lines[e], what)
	}
	for _, e := range order {
		fmt.Fprintln(w, "  "+terminal.Hang(effectLine(e, strings.Join(lines[e], ", ")), w.Columns()-2, 4))
	}
}

func effectLine(e corpus.Effect, places string) string {
	verb := "deroga"
	if e.Act != digesto.ActRepeals {
		verb = "cambia"
	}
	return fmt.Sprintf("%s %s %s %s, desde %s: %s", e.By, e.ByUnit, verb, strings.TrimSpace(e.Norm+" "+places), orDash(e.From), outcomeWords[e.Outcome])
}
