package dating

import (
	"slices"
	"strings"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// A note may tell of several reforms: one after the other in its sentences ("Artículo
// incorporado por…. Luego, fue modificado por…"), or as a list of norms below it
// ("Artículo modificado por los siguientes dispositivos:").

var (
	nextAct   = lazyregexp.New(`(?i)\.\s+(?:luego|posteriormente|despu[eé]s|finalmente|a su vez),?\s+(?:(?:el|la|este|esta|dich[oa]) (?:art[íi]culo|numeral|inciso|literal|p[áa]rrafo|disposici[óo]n) )?(?:fue|ha sido|es)\b`)
	listsNext = lazyregexp.New(`\bpor (?:los|las) siguientes (?:dispositivos|normas|disposiciones|leyes)\W*$`)
	listedOne = lazyregexp.New(`^\W*(?:\d{1,2}\W{1,4})?(?:(?:articulo|disposicion|numeral)[^,.;]{0,60}? (?:de la|del) )?(?:ley|decreto|dl|resolucion|orden)\b[^,;:]{0,60}\d[^;:]{0,30}?, publicad[oa]s? (?:el )?` + DayWords)
)

// oneActEach parts the notes that tell of one act after another.
func oneActEach(notes []string) []string {
	if !slices.ContainsFunc(notes, nextAct.MatchString) {
		return notes
	}
	var out []string
	for _, n := range notes {
		for m := nextAct.FindStringIndex(n); m != nil; m = nextAct.FindStringIndex(n) {
			out = append(out, n[:m[0]+1])
			n = strings.TrimSpace(n[m[0]+1:])
		}
		out = append(out, n)
	}
	return out
}

// listsReforms gives the act of a note that brings a list of norms; "" = it brings none.
func listsReforms(note string) digesto.Act {
	f := text.Fold(line.Clip(note, 400))
	if !listsNext.MatchString(f) {
		return ""
	}
	return actIn(f)
}

// listedReform reads a norm of such a list.
func listedReform(note string, act digesto.Act) (r digesto.Reform, ok bool) {
	f := unglue(text.Fold(line.Clip(note, 2000)))
	m := listedOne.FindStringSubmatch(f)
	if act == "" || m == nil {
		return r, false
	}
	name := reformer.FindStringSubmatch(m[0])
	if name == nil {
		return r, false
	}
	if r = reformOf(name); r.Name == "" {
		return r, false
	}
	r.Act, r.Published = act, DayOf(m[1])
	r.From = fromIn(f, r.Published)
	return r, true
}
