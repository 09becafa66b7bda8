package show

import (
	"cmp"
	"fmt"
	"strings"

	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/text/diff"
	"digesto/verify"
	"digesto/verify/brief"
	webverify "digesto/web/verify"
)

func Verified(w terminal.Screen, text string, r brief.Report) {
	lineOf := lineCounter(text)
	for _, f := range r.Citations {
		n := webverify.VerdictNames[f.Verdict]
		fmt.Fprintf(w, "%s %s  línea %d: %s\n", n[0], w.Bold(n[1]+" ("+string(f.Verdict)+")"), lineOf(f.Start), terminal.Clean(webverify.OneLine(cmp.Or(f.Text, "cita sin procedencia"))))
		if f.Quote != nil {
			fmt.Fprintf(w, "    «%s»\n", terminal.Clean(app.Short(webverify.OneLine(*f.Quote), 160)))
		}
		fmt.Fprintf(w, "    %s\n", terminal.Clean(f.Reason))
		for _, x := range f.Where[:min(len(f.Where), 3)] {
			fmt.Fprintf(w, "    → %s%s\n", terminal.Clean(x.Title), w.Dim(" · "+x.Document+"/"+x.Unit+" · versión "+x.Version))
		}
		if c := f.Claim; c != nil {
			fmt.Fprintf(w, "    %s %s: %s\n", webverify.HoldingNames[c.Verdict][0], w.Bold(webverify.HoldingNames[c.Verdict][1]), terminal.Clean(c.Reason))
			if c.Quote != "" {
				fmt.Fprintf(w, "      decide: «%s»\n", terminal.Clean(app.Short(webverify.OneLine(c.Quote), 240)))
			}
		}
		if f.Nearest != nil {
			fmt.Fprintf(w, "    Lo más parecido (%s): %s\n", terminal.Clean(f.Nearest.Ref.Title), terminal.Clean(marked(f.Nearest.Diff)))
		}
	}
	if len(r.Citations) > 0 {
		fmt.Fprintln(w)
	}
	if n := r.Claims; n[verify.Supported]+n[verify.Contradicted]+n[verify.NotShown] > 0 {
		fmt.Fprintf(w, "Frases que citan sin entrecomillar: %d las dice el artículo, %d dicen otra cosa que él, %d hay que leerlas\n", n[verify.Supported], n[verify.Contradicted], n[verify.NotShown])
	}
	if s := webverify.Partial(text, r); s != "" {
		fmt.Fprintln(w, w.Bold(s))
	}
	fmt.Fprintln(w, webverify.Tally(r))
}

// marked shows a difference in one line: what the text says and the law does not
// in [-…-], what the law says in {+…+}.
func marked(list []diff.Piece) string {
	var b strings.Builder
	for _, p := range list {
		t := webverify.OneLine(p.Text)
		switch p.Op {
		case diff.Delete:
			b.WriteString("[-" + t + "-] ")
		case diff.Insert:
			b.WriteString("{+" + t + "+} ")
		default:
			b.WriteString(t + " ")
		}
	}
	return strings.TrimSpace(b.String())
}

// lineCounter gives the line in which a code point stands, from 1. Asked in order it reads the
// text once.
func lineCounter(text string) func(at int) int {
	rest, done, line := text, 0, 1
	return func(at int) int {
		if at < done {
			rest, done, line = text, 0, 1
		}
		for k, r := range rest {
			if done == at {
				rest = rest[k:]
				return line
			}
			if done++; r == '\n' {
				line++
			}
		}
		rest = ""
		return line
	}
}
